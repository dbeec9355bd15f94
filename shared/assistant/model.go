package assistant

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"

	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/logline"
)

// A byModel is the interpreter that is a language model: it calls skills as tools and words the reply. It is
// asked once in a turn. Should the turn begin anew since somebody else wrote meanwhile, its calls are carried
// out again.
type byModel struct {
	asked bool
	reply *ai.Reply
	err   error
	calls []done
}

// A done is a call that was carried out, and what the skill said then.
type done struct {
	ai.Call
	said string
}

// interpret has the model reply to the message, with what its calls have brought about. The error says that
// it failed.
func (m *byModel) interpret(ctx context.Context, s *state) (*ai.Reply, []*skill.Outcome, error) {
	if !m.asked {
		w := &work{s: s, at: s.State, byName: map[string]*skill.Outcome{}}
		m.reply, m.err = s.ask(ctx, w)
		m.asked, m.calls = true, w.calls
		return w.reply(m.reply, m.err)
	}
	w := &work{s: s, at: s.State, byName: map[string]*skill.Outcome{}}
	for _, c := range m.calls {
		w.carryOut(ctx, c.Call)
	}
	changed := !slices.EqualFunc(m.calls, w.calls, func(a, b done) bool { return a.said == b.said })
	if changed { // what the model said is not true any more
		return w.reply(nil, nil)
	}
	return w.reply(m.reply, m.err)
}

// ask has the agent's model write the reply.
func (s *state) ask(ctx context.Context, w *work) (*ai.Reply, error) {
	service, name := s.Agent.AIModel.Service()
	model, ok := s.assistant.Models[service]
	if !ok {
		return nil, errors.New(
			"assistant: this deployment has no service for the model " + string(s.Agent.AIModel),
		)
	}
	ctx, cancel := context.WithTimeout(ctx, modelTime)
	defer cancel()
	request := s.Request()
	request.Model = name
	request.Tools, request.Call = s.tools(), w.carryOut
	reply, err := model.Reply(ctx, request)
	s.reservation.cost = reply.Usage.MicroUSD
	if reply.Usage != (ai.Usage{}) {
		logline.Add(
			ctx,
			slog.Int64(
				"input_tokens",
				reply.Usage.InputTokens,
			),
			slog.Int64("output_tokens", reply.Usage.OutputTokens),
			slog.Int64("micro_usd", reply.Usage.MicroUSD),
		)
	}
	if err != nil {
		return nil, err
	}
	return &reply, nil
}

// tools are the skills that a language model may call for the agent.
func (s *state) tools() []ai.Tool {
	var tools []ai.Tool
	for _, k := range skills {
		if spec := k.Spec(); s.tool(spec.Name) != nil {
			tools = append(tools, ai.Tool{Name: spec.Name, Description: spec.Does, Schema: spec.Schema()})
		}
	}
	return tools
}

// tool is the skill of a name that a language model may call for the agent, nil for none.
func (s *state) tool(name string) skill.Tool {
	for _, k := range skills {
		spec := k.Spec()
		if tool, ok := k.(skill.Tool); ok && spec.Name == name &&
			(spec.Allowed == nil || spec.Allowed(&s.Agent)) {
			return tool
		}
	}
	return nil
}

// A work is what a model has done in a turn. Of several calls of one skill the last counts, which goes on
// from those before it.
type work struct {
	s      *state
	at     *skill.State // after the calls so far
	calls  []done
	order  []string // of the skills that have acted
	byName map[string]*skill.Outcome
}

// carryOut has a skill act, and tells the model what came of it.
func (w *work) carryOut(ctx context.Context, c ai.Call) string {
	outcome, err := w.act(ctx, c)
	var result struct {
		Error string `json:"error,omitempty"`
		Said  string `json:"tell_the_person,omitempty"`
		Asks  string `json:"still_to_ask,omitempty"`
	}
	switch {
	case err != nil:
		result.Error = err.Error()
	case outcome == nil:
		result.Error = "nothing was done: the message does not say enough"
	case outcome.Reply == nil:
		result.Error, result.Asks = "nothing was done: the message does not say enough", outcome.Reminder
	default:
		result.Said = outcome.Reply.Text
	}
	w.calls = append(w.calls, done{c, result.Said})
	told, err := json.Marshal(result)
	if err != nil {
		return `{"error":"internal"}`
	}
	return string(told)
}

// act carries out the call of a skill. The error is for the model to read.
func (w *work) act(ctx context.Context, c ai.Call) (*skill.Outcome, error) {
	tool := w.s.tool(c.Name)
	if tool == nil {
		return nil, errors.New("there is no such tool")
	}
	slots, err := tool.Spec().Read(c.Arguments)
	if err != nil {
		return nil, err
	}
	outcome, err := tool.Call(ctx, w.at, slots)
	if err != nil {
		var refused *skill.Refused
		if errors.As(err, &refused) {
			return nil, refused
		}
		slog.ErrorContext(ctx, "a skill failed", "skill", c.Name, "error", err)
		return nil, errors.New("this cannot be done at the moment")
	}
	if outcome == nil || outcome.Reply == nil {
		return outcome, nil
	}
	if w.byName[c.Name] == nil {
		w.order = append(w.order, c.Name)
	}
	w.byName[c.Name] = outcome
	logline.Add(ctx, slog.String("skill", c.Name))
	w.at = w.at.After(outcome)
	return outcome, nil
}

// outcomes are those of the skills, in the order in which they acted.
func (w *work) outcomes() []*skill.Outcome {
	var all []*skill.Outcome
	for _, name := range w.order {
		all = append(all, w.byName[name])
	}
	return all
}

// reply is what is said of the work: in the model's words, or in those of the skills where it has none. The
// action and the intent are the skills', since the model may call them otherwise. The error is the model's
// where nothing was done.
func (w *work) reply(said *ai.Reply, failure error) (*ai.Reply, []*skill.Outcome, error) {
	all := w.outcomes()
	switch {
	case len(all) == 0 && said == nil && failure == nil:
		return nil, nil, errors.New("assistant: nothing came of the model's calls this time")
	case len(all) == 0:
		return said, nil, failure
	}
	last := all[len(all)-1].Reply
	reply := *last
	if said != nil {
		reply = *said
		reply.Action, reply.Intent, reply.Subject = last.Action, last.Intent, last.Subject
	} else {
		for _, o := range all[:len(all)-1] {
			reply.Text = w.s.Append(o.Reply.Text, reply.Text)
		}
	}
	for _, o := range all {
		if o.Reply.Action == ai.Handoff {
			reply.Action = ai.Handoff
		}
	}
	return &reply, all, nil
}
