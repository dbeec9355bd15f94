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

// A byModel is the interpreter for language models: the model calls skills as tools and words the reply. It
// calls the model once per turn. If the turn runs again after a concurrent write, the recorded calls are
// carried out again.
type byModel struct {
	asked bool
	reply *ai.Reply
	err   error
	calls []done
}

// A done is a call that was carried out, with the result.
type done struct {
	ai.Call
	said string
}

// interpret returns the model's reply and the outcomes of its calls. The error is a failure of the model.
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
	if changed { // the reply may no longer be true
		return w.reply(nil, nil)
	}
	return w.reply(m.reply, m.err)
}

// ask calls the agent's model. The price is added to the reservation.
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
	s.quota.Reservation.Cost = reply.Usage.MicroUSD
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

// tools returns the skills that a language model may call for the agent.
func (s *state) tools() []ai.Tool {
	var tools []ai.Tool
	for _, k := range skills {
		if spec := k.Spec(); s.tool(spec.Name) != nil {
			tools = append(tools, ai.Tool{Name: spec.Name, Description: spec.Does, Schema: spec.Schema()})
		}
	}
	return tools
}

// tool returns the skill with a name if a language model may call it for the agent, or nil.
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

// A work holds what a model has done in a turn. Of several calls of a skill only the last counts; it builds
// on the ones before it.
type work struct {
	s      *state
	at     *skill.State // the state after the calls so far
	calls  []done
	order  []string // names of the skills that have acted
	byName map[string]*skill.Outcome
}

// carryOut calls a skill and returns the result for the model, as JSON.
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

// act calls a skill. The error is written for the model.
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

// outcomes returns the outcomes of the skills, in the order of their first calls.
func (w *work) outcomes() []*skill.Outcome {
	var all []*skill.Outcome
	for _, name := range w.order {
		all = append(all, w.byName[name])
	}
	return all
}

// reply returns the model's reply, or the skills' own texts if the model has none. Action and intent are
// those of the skills, since the model may name them differently. The error is the model's, if no skill has
// acted.
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
