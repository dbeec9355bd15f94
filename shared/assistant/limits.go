package assistant

import (
	"context"
	"log/slog"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/language"
	"frontdesk/shared/logline"
	"frontdesk/shared/table"
)

// limitKeys returns the keys of the items that readLimits needs.
func (s *state) limitKeys() []table.Key {
	keys := s.quota.Keys(s.replies())
	if !s.knownToFit() {
		keys = append(keys, agent.CountKey(s.Account))
	}
	return keys
}

// readLimits checks the limits. It returns an error of code fault.RateLimited, and nothing is stored, if
// the visitor's network has used up its messages of the day. An agent whose budget is spent answers with
// the built-in engine; an agent beyond the plan's number of agents does not answer.
func (s *state) readLimits(ctx context.Context, items map[table.Key]table.Item) error {
	s.quota.Read(items)
	if s.quota.BudgetSpent() {
		s.Agent.AIModel = ai.Builtin
		logline.Add(ctx, slog.String("restriction", string(agent.BudgetSpent)))
	}
	if s.quota.NetworkRefused() {
		e := fault.New(fault.RateLimited, "%s", language.Of(s.Language()).Widget().Enough)
		e.RetryAfter = auth.NextDay(s.Now).Sub(s.Now)
		return e
	}
	if s.inPlan = s.knownToFit(); s.inPlan {
		return nil
	}
	count, limit := items[agent.CountKey(s.Account)], s.quota.Plan.Agents
	var err error
	s.inPlan, err = agent.AnswersIn(ctx, s.Table, s.Account, s.Agent.ID, count, limit)
	if err == nil && agent.Fits(count, limit) {
		s.assistant.fits.Set(s.Account, s.fit(), struct{}{})
	}
	return err
}

// restrictModel makes the built-in engine answer if the plan does not include the agent's language model.
func (s *state) restrictModel() {
	if !s.quota.Plan.HasModel(s.Agent.AIModel.Price().Output) {
		s.Agent.AIModel = ai.Builtin
	}
}

// replies reports whether the agent will reply, by its summary and by the conversation if that was read. It
// may turn out otherwise when the conversation is read later.
func (s *state) replies() bool {
	return s.Agent.Status != agent.Paused && s.Agent.AIEnabled && !s.message.Silent &&
		(s.conversationVersion == 0 || s.Conversation.AnsweredByAI())
}

// reserve counts a reply and its estimated price before a language model is asked for it. The built-in engine
// costs nothing to ask: its reply is counted by the transaction.
func (s *state) reserve(ctx context.Context, d *decision) error {
	if !d.asksModel() {
		return nil
	}
	return s.quota.Reserve(ctx, s.Request().Estimate())
}

// fitFor is how long a process remembers that a workspace has no more agents than its plan allows.
const fitFor = 10 * time.Minute

// A fit is the number of agents in a plan, and the period in which the workspace had no more than that.
type fit struct{ agents, period int64 }

func (s *state) fit() fit { return fit{s.quota.Plan.Agents, s.Now.UnixNano() / int64(fitFor)} }

// knownToFit reports whether this process knows that the workspace has no more agents than its plan allows.
func (s *state) knownToFit() bool {
	_, ok := s.assistant.fits.Cached(s.Account, s.fit())
	return ok
}
