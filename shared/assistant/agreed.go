package assistant

import (
	"context"
	"slices"
	"strings"

	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/frame"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/when"
)

// agreed decides about a message that says yes to a question or confirmation about an appointment and asks
// something else as well: it does what was agreed to and answers the question, even if only with the
// fallback. It returns nil for any other message.
func (s *state) agreed(ctx context.Context) (*decision, error) {
	yes, question := s.agreesAndAsks()
	if yes == "" {
		yes, question = s.dropsAndSays()
	}
	if yes == "" || s.ByModel {
		return nil, nil
	}
	done, err := s.first(ctx, s.of(yes, s.Agent.MaxResponseLength), true)
	if done == nil || err != nil {
		return nil, err
	}
	d := &decision{outcomes: []*skill.Outcome{done}}
	answer, err := s.first(ctx, s.of(question, s.Agent.MaxResponseLength), false)
	if err != nil {
		return nil, err
	}
	if answer != nil {
		d.outcomes = append(d.outcomes, answer)
	}
	d.reply = s.joined(d.outcomes)
	return d, nil
}

// first returns the outcome of the most probable skill that replies to a part of the message, either among
// the skills that arrange something or among all others.
func (s *state) first(ctx context.Context, of *state, arranges bool) (*skill.Outcome, error) {
	ranked, err := of.explain(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range ranked {
		if e.spec.Asks != arranges {
			continue
		}
		if o, err := e.Act(ctx, of.State); err != nil || o != nil && o.Reply != nil {
			return o, err
		}
	}
	return nil, nil
}

// agreesAndAsks splits a yes to a question or confirmation about an appointment from a question after it:
// "Yes please. What does it cost?" Both are "" for any other message.
func (s *state) agreesAndAsks() (agrees, question string) {
	switch asked := s.Conversation.Frame.Asked; {
	case asked.Reply == frame.Done:
	case asked.Appointment != frame.AskedConfirm && asked.Appointment != frame.AskedCancel:
		return "", ""
	}
	tag := s.Tongue()
	tokens, requests := text.Tokens(tag, s.Text), language.Of(tag).Requests()
	said := text.Phrases(tag, requests.Yes+","+requests.Courtesy)
	at := text.LongestAt(text.Phrases(tag, requests.Yes), tokens, 0)
	if at == 0 {
		return "", ""
	}
	for at < len(tokens) && text.LongestAt(said, tokens, at) > 0 {
		at += text.LongestAt(said, tokens, at)
	}
	if at == len(tokens) {
		return "", ""
	}
	agrees, question = s.Text[:tokens[at].Start], s.Text[tokens[at].Start:]
	clauses := slices.Concat(s.Engine.Clauses(tag, s.Text)...)
	if n := slices.IndexFunc(clauses, s.inquires); n > 0 { // "yes, cancel it. do I get my money back"
		agrees, question = strings.Join(clauses[:n], " "), strings.Join(clauses[n:], " ")
	}
	timed := !when.Parse(tag, question, s.Now).Empty() // a time is for the appointment
	if !s.inquires(question) || s.saysNothing(question) || timed {
		return "", ""
	}
	return agrees, question
}

// saysNothing reports whether a clause without a question word or mark has no word with a meaning: "yes, do
// that".
func (s *state) saysNothing(clause string) bool {
	read := s.Engine.Read(s.Language(), clause)
	return !read.Inquires && !strings.ContainsAny(clause, "?？؟") &&
		!slices.ContainsFunc(read.Tokens, func(t text.Token) bool { return !t.Stop })
}

// dropsAndSays splits a sentence that gives up an appointment from another matter after it: "Forget it. I
// left an umbrella at yours." Both are "" for any other message, and if the rest names a time to come.
func (s *state) dropsAndSays() (drops, says string) {
	if !s.Conversation.Frame.Asked.Appointment.Open() {
		return "", ""
	}
	sentences := text.Segments(s.Text)
	if len(sentences) < 2 {
		return "", ""
	}
	tag, first := s.Tongue(), sentences[0]
	tokens := text.Tokens(tag, s.Text[first.Start:first.End])
	gives := text.LongestAt(text.Phrases(tag, language.Of(tag).Requests().Cancel), tokens, 0)
	rest := s.Text[sentences[1].Start:]
	if gives == 0 || gives < len(tokens) || when.Parse(tag, rest, s.Now).HasClock() {
		return "", ""
	}
	return s.Text[first.Start:first.End], rest
}
