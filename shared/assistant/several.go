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

// maxParts is the maximum number of requests in a message that are handled one after the other.
const maxParts = 3

// maxClauses is the maximum number of sentences and clauses of a message that is split.
const maxClauses = 16

// longStory is the number of words from which no part of a message starts or changes an appointment.
const longStory = 60

// A part is the part of a message for one skill.
type part struct {
	*state
	explanation
}

// several decides about a message that calls for several skills, such as "10 o'clock is fine. Is there
// parking?": they act one after the other, with one reply. It returns nil if one skill is enough.
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
		case o != nil && o.Reply == nil: // an appointment with an open question
			d.passed = append(d.passed, o)
			continue
		case o == nil || o.Reply.Action == ai.Fallback:
			continue
		case p.spec.Asks: // a question comes last in a reply
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

// parts splits the message by skill, in the order of its text. Parts without a skill are left out. It
// returns nil if a skill needs the whole message.
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

// belong reports whether two parts are one request: to the same skill, or details for an appointment, as in
// "Can I come at ten? A haircut. Ada Lovelace, ada@example.com".
func (s *state) belong(a, b part) bool {
	return a.spec.Name == b.spec.Name || a.spec.Asks && s.tells(b) || b.spec.Asks && s.tells(a)
}

// tells reports whether a part is a statement: it introduces its author, or names a service without asking
// about it.
func (s *state) tells(p part) bool {
	if p.spec.Name == leads.Name || !s.inquires(p.Text) {
		return true
	}
	name, _ := booking.Named(s.Language(), s.Agent.KnownServices(), s.Tongue(), p.Text)
	return name != "" && !s.Engine.Read(s.Language(), p.Text).Asks
}

// merged joins two parts. The skill is the one that arranges an appointment, if any.
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

// inOne reports whether the knowledge matches the whole message at least as well as its parts: "What does a
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

// asking returns the sentences and clauses of the message that ask something, each by itself, and all
// others joined. It is nil for a message with a single clause.
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

// apart splits a sentence into two clauses if both ask something, or if one asks something and the other is
// about an appointment: "What is a tint, and can I come on Tuesday?" Otherwise it returns the sentence as
// one.
func (s *state) apart(sentence []string) []string {
	halves := sentence
	if first, second, found := strings.Cut(sentence[0], ","); found && len(sentence) == 1 {
		halves = []string{first, second}
	}
	if len(halves) < 2 {
		return sentence
	}
	a, b := halves[0], halves[1]
	if s.saysWhen(b) { // "Tuesday then, half past nine?"
		return []string{strings.Join(sentence, " ")}
	}
	if len(sentence) > 1 && s.inquires(a) && s.inquires(b) {
		return sentence
	}
	if s.arranges(b) && !s.arranges(a) && s.inquires(a) || s.arranges(a) && !s.arranges(b) && s.inquires(b) {
		return halves
	}
	return []string{strings.Join(sentence, " ")} // without its "and"
}

// arranges reports whether a clause names a time or says that its author wants to come.
func (s *state) arranges(clause string) bool {
	tag := s.Tongue()
	tokens := text.Tokens(tag, clause)
	_, comes := text.Find(text.Phrases(tag, language.Of(tag).Speech().Come), tokens)
	return comes > 0 || len(tokens) >= leastClause && !when.Parse(tag, clause, s.Now).Empty()
}

// saysWhen reports whether a clause has nothing but a time: "half past nine", "same time?"
func (s *state) saysWhen(clause string) bool {
	tag := s.Tongue()
	same := text.Phrases(tag, language.Of(tag).Bookings().Same)
	said := when.Parse(tag, clause, s.Now).Said
	tokens := text.Tokens(tag, clause)
	if at, n := text.Find(same, tokens); n > 0 {
		said = append(said, when.Range{Start: tokens[at].Start, End: tokens[at+n-1].End})
	}
	return len(said) > 0 && !slices.ContainsFunc(tokens, func(t text.Token) bool {
		return !t.Stop && !slices.ContainsFunc(said, func(r when.Range) bool {
			return t.Start < r.End && r.Start < t.End
		})
	})
}

// leastClause is the minimum number of words of a clause after a comma.
const leastClause = 3

// inquires reports whether a clause asks something.
func (s *state) inquires(clause string) bool {
	read := s.Engine.Read(s.Language(), clause)
	return read.Asks || len(read.Tokens) > 1 && understand.Read(s.Tongue(), clause).Does(understand.Asks)
}

// of returns the state of a turn whose message is only a part of this one, and whose reply has a maximum
// length.
func (s *state) of(words string, length int) *state {
	inner, part := *s.State, *s
	part.State = &inner
	inner.Text, inner.Whole = words, cmp.Or(s.Whole, s.Text)
	inner.Forget()
	inner.Reading = s.Engine.Read(s.Language(), words)
	inner.Details = inner.ReadDetails(false)
	inner.Extracted = inner.Details
	inner.Agent.MaxResponseLength = length
	return &part
}

// joined joins the replies of outcomes, without repetitions. The intent is that of the last one.
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
