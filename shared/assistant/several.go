package assistant

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/assistant/skill/knowledge"
	"frontdesk/shared/assistant/skill/leads"
	"frontdesk/shared/booking"
	"frontdesk/shared/language"
	"frontdesk/shared/logline"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
	"frontdesk/shared/when"
)

// maxParts is how many things at once a message may want that are done one after the other.
const maxParts = 3

// maxClauses is how many sentences and clauses a message has at most whose parts are told apart.
const maxClauses = 16

// longStory is how many words a message has from which on no part of it begins or changes an arrangement.
const longStory = 60

// A part is what a message says to one skill.
type part struct {
	*state
	explanation
}

// several is the decision about a message that calls for several skills, "10 o'clock is fine. Is there
// parking?", one after the other with one reply. It is nil where the message calls for one.
func (s *state) several(ctx context.Context) (*decision, error) {
	if d, err := s.agreed(ctx); d != nil || err != nil {
		return d, err
	}
	parts, err := s.parts(ctx)
	if len(parts) < 2 || err != nil {
		return nil, err
	}
	if one, err := s.inOne(ctx, parts); one || err != nil {
		return nil, err
	}
	d := &decision{}
	var asking *skill.Outcome
	for _, p := range parts {
		o, err := p.Act(ctx, p.State)
		switch {
		case err != nil:
			return nil, err
		case o != nil && o.Reply == nil: // an arrangement that has a question left
			d.passed = append(d.passed, o)
			continue
		case o == nil || o.Reply.Action == ai.Fallback:
			continue
		case p.spec.Asks: // the question that a reply puts is its last
			asking = o
			continue
		}
		d.outcomes = append(d.outcomes, o)
	}
	if asking != nil {
		d.outcomes = append(d.outcomes, asking)
	}
	if len(d.outcomes) < 2 {
		return nil, nil
	}
	for _, p := range parts {
		logline.Add(ctx, slog.String("skill", p.spec.Name), slog.Float64("p", p.P))
	}
	d.reply = s.joined(d.outcomes)
	return d, nil
}

// parts are what the message says to each of several skills, in the order in which it does. What no skill can
// do anything with is left out. There are none where a skill is called for that takes up the whole of a
// message.
func (s *state) parts(ctx context.Context) ([]part, error) {
	if s.ByModel || s.Reading.SmallTalk != "" {
		return nil, nil
	}
	asking := s.asking()
	if len(asking) < 2 || len(asking) > maxClauses {
		return nil, nil
	}
	var parts []part
	for _, clause := range asking {
		of := s.of(clause, s.Agent.MaxResponseLength)
		ranked, err := of.explain(ctx)
		switch {
		case err != nil:
			return nil, err
		case len(ranked) == 0 || ranked[0].P < likely:
			continue
		case ranked[0].spec.Asks && len(s.Reading.Tokens) > longStory:
			continue
		case !ranked[0].spec.Beside:
			return nil, nil
		}
		next := part{of, ranked[0]}
		same := slices.IndexFunc(parts, func(p part) bool { return s.belong(p, next) })
		if same < 0 {
			parts = append(parts, next)
			continue
		}
		if parts[same], err = s.merged(ctx, parts[same], next); err != nil {
			return nil, err
		}
	}
	if len(parts) > maxParts {
		return nil, nil
	}
	return parts, nil
}

// belong reports whether two parts say one thing: to the same skill, or what is told beside a wish for an
// appointment, which is for that: "Can I come at ten? A haircut. Ada Lovelace, ada@example.com".
func (s *state) belong(a, b part) bool {
	return a.spec.Name == b.spec.Name || a.spec.Asks && s.tells(b) || b.spec.Asks && s.tells(a)
}

// tells reports whether a part of the message says who its writer is, or names a service and asks nothing of
// it, rather than that it wants to know something.
func (s *state) tells(p part) bool {
	if p.spec.Name == leads.Name || !s.inquires(p.Text) {
		return true
	}
	name, _ := booking.Named(s.Language(), s.Agent.KnownServices(), s.Tongue(), p.Text)
	return name != "" && !s.Engine.Read(s.Language(), p.Text).Asks
}

// merged is a part that says what two of them do.
func (s *state) merged(ctx context.Context, a, b part) (part, error) {
	arranges := a
	if b.spec.Asks {
		arranges = b
	}
	both := s.of(a.Text+" "+b.Text, s.Agent.MaxResponseLength)
	claim, err := arranges.skill.Explain(ctx, both.State)
	if err != nil {
		return part{}, err
	}
	if claim.P > 0 {
		arranges.state, arranges.Claim = both, claim
	}
	return arranges, nil
}

// inOne reports whether the knowledge explains the whole of a message as well as its parts: "What does a
// bleaching cost, and does the insurance pay?"
func (s *state) inOne(ctx context.Context, parts []part) (bool, error) {
	ofKnowledge := false
	for _, p := range parts {
		ofKnowledge = ofKnowledge || p.spec.Name == knowledge.Name
		if p.spec.Asks {
			return false, nil
		}
	}
	if !ofKnowledge {
		return false, nil
	}
	whole, err := knowledge.Probably(ctx, s.State)
	return slices.ContainsFunc(parts, func(p part) bool { return p.P <= whole }), err
}

// asking are the sentences and clauses of the message that ask something, each by itself, and all others as
// one. There are none where it has one sentence that puts one question.
func (s *state) asking() []string {
	var all []string
	told := -1
	clauses := s.Engine.Clauses(s.Language(), s.Text)
	for i, sentence := range clauses {
		clauses[i] = s.apart(sentence)
	}
	if len(clauses) == 0 || len(clauses) == 1 && len(clauses[0]) == 1 {
		return nil
	}
	for _, sentence := range clauses {
		for _, clause := range sentence {
			switch {
			case s.Engine.Read(s.Language(), clause).SmallTalk != "": // "ok."
			case s.inquires(clause):
				all = append(all, clause)
			case told < 0:
				told, all = len(all), append(all, clause)
			default:
				all[told] += " " + clause
			}
		}
	}
	return all
}

// apart is a sentence in its two clauses where each asks something, or where one asks something and the other
// is about an appointment: "What is a tint, and can I come on Tuesday?" Else it is the sentence as one.
func (s *state) apart(sentence []string) []string {
	halves := sentence
	if first, second, found := strings.Cut(sentence[0], ","); found && len(sentence) == 1 {
		halves = []string{first, second}
	}
	if len(halves) < 2 {
		return sentence
	}
	a, b := halves[0], halves[1]
	if len(sentence) > 1 && s.inquires(a) && s.inquires(b) {
		return sentence
	}
	if s.arranges(b) && !s.arranges(a) && s.inquires(a) || s.arranges(a) && !s.arranges(b) && s.inquires(b) {
		return halves
	}
	return []string{strings.Join(sentence, " ")} // without its "and"
}

// arranges reports whether a clause of some words names a time, or wants to come by.
func (s *state) arranges(clause string) bool {
	tag := s.Tongue()
	tokens := text.Tokens(tag, clause)
	_, comes := text.Find(text.Phrases(tag, language.Of(tag).Speech().Come), tokens)
	return comes > 0 || len(tokens) >= leastClause && !when.Parse(tag, clause, s.Now).Empty()
}

// leastClause is how many words a clause has at least behind a comma.
const leastClause = 3

// inquires reports whether a part of the message asks something.
func (s *state) inquires(clause string) bool {
	read := s.Engine.Read(s.Language(), clause)
	return read.Asks || len(read.Tokens) > 1 && understand.Read(s.Language(), clause).Does(understand.Asks)
}

// of is the state of a turn whose message is a part of this one's.
func (s *state) of(words string, length int) *state {
	inner, part := *s.State, *s
	part.State = &inner
	inner.Text, inner.Whole = words, cmp.Or(s.Whole, s.Text)
	inner.Forget()
	inner.Reading = s.Engine.Read(s.Language(), words)
	inner.Details = inner.ReadDetails(false)
	inner.Told = inner.Details
	inner.Agent.MaxResponseLength = length
	return &part
}

// joined is one reply of all that is said, each thing once.
func (s *state) joined(outcomes []*skill.Outcome) *ai.Reply {
	reply := *outcomes[0].Reply
	for _, o := range outcomes[1:] {
		if !strings.Contains(reply.Text, o.Reply.Text) {
			reply.Text = s.Append(reply.Text, o.Reply.Text)
		}
		reply.Confidence = min(reply.Confidence, o.Reply.Confidence)
		reply.Subject = cmp.Or(reply.Subject, o.Reply.Subject)
		for _, source := range o.Reply.Sources {
			if !slices.Contains(reply.Sources, source) {
				reply.Sources = append(slices.Clone(reply.Sources), source)
			}
		}
	}
	last := outcomes[len(outcomes)-1].Reply
	reply.Intent = last.Intent
	return &reply
}
