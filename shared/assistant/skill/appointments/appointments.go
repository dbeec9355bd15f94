// Package appointments makes, moves, cancels and recalls appointments.
package appointments

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/appointment"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/booking"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/frame"
	"frontdesk/shared/language"
	"frontdesk/shared/table"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// A Skill handles messages about appointments: requests to make, move, cancel or recall one, and the
// answers to the agent's questions about it. It makes one round trip to the table, for the agent's busy
// times, and another one if it changes an appointment that the conversation was not about before.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{
		Beside: true, Asks: true,
		Name: "appointment",
		Does: "Makes, moves, cancels or recalls an appointment, or goes on with one that is being " +
			"arranged. Call it " +
			"with each message about an appointment, also with the answer to what was asked " +
			"about one. It finds free " +
			"times and says what is still to be known.",
		Slots: []skill.Slot{
			{
				Name:     "does",
				Type:     skill.Text,
				Required: true,
				About:    "What the person wants.",
				Choices: []string{
					string(
						booking.Makes,
					), string(booking.Moves), string(booking.Cancels), string(booking.Recalls),
				},
			},
			{
				Name:  "service",
				Type:  skill.Text,
				About: "What it is for, in the business's words if it has any.",
			},
			{Name: "date", Type: skill.Date, About: "The day that the person wants."},
			{Name: "time", Type: skill.Clock, About: "The time that the person wants or chooses."},
			{
				Name:  "agrees",
				Type:  skill.Truth,
				About: "Whether the person says yes, or no, to what was asked last.",
			},
			{Name: "name", Type: skill.Text, About: "The person's name, where they have said it."},
			{Name: "email", Type: skill.Text, About: "Their e-mail address, where they have written it."},
			{Name: "phone", Type: skill.Text, About: "Their phone number, where they have written it."},
		},
		Settings: []string{"booking_enabled", "business_hours", "available_services", "timezone"},
		Allowed:  func(a *agent.Agent) bool { return a.BookingEnabled },
	}
}

// Explain implements skill.Skill.
func (Skill) Explain(ctx context.Context, s *skill.State) (skill.Claim, error) {
	of, dialog, err := begin(ctx, s)
	if dialog == nil || err != nil {
		return skill.Claim{}, err
	}
	act := func(ctx context.Context, _ *skill.State) (*skill.Outcome, error) {
		return arrange(ctx, of, dialog)
	}
	p := dialog.Likely()
	if booking.Of(s.Conversation.Frame).Step == "" && asksOther(s) && !dialog.Timed() {
		p = min(p, byWords)
	}
	return skill.Claim{P: p, Act: act}, nil
}

// byWords is the maximum probability of a message that has words of an appointment but that the trained
// model takes for another question: "until when can I cancel for free".
const byWords = 0.4

// asksOther reports whether the trained model takes the message for a question to the knowledge, and
// hardly for one about an appointment.
func asksOther(s *skill.State) bool {
	const surely, hardly = 0.7, 0.35
	u := s.Understood().Skills
	return s.Learnt(understand.Knowledge, surely) > 0 &&
		max(u[understand.Book], u[understand.Move], u[understand.Cancel], u[understand.Recall]) < hardly
}

// Call implements skill.Tool.
func (Skill) Call(ctx context.Context, s *skill.State, slots skill.Slots) (*skill.Outcome, error) {
	of, dialog, err := told(s, slots)
	if err != nil {
		return nil, err
	}
	return arrange(ctx, of, dialog)
}

// arrange decides on the next step of a dialogue about an appointment, given the agent's busy times. It
// returns a table.ConditionError if the appointment to change was deleted meanwhile.
func arrange(ctx context.Context, s *skill.State, dialog *booking.Dialog) (*skill.Outcome, error) {
	under := booking.Of(s.Conversation.Frame)
	busy, changed, err := taken(ctx, s, dialog, under)
	if err != nil {
		return nil, err
	}
	outcome := dialog.Decide(busy)
	if outcome.Passed {
		passed := &skill.Outcome{
			Reminder: outcome.Reminder, Choices: outcome.Choices, Change: skill.Change{Details: &s.Details},
		}
		if outcome.State.Step.Open() {
			passed.Change.Booking = &outcome.State
		}
		return passed, nil
	}
	if outcome.Change != 0 && changed.Version == 0 { // only this message told which one
		changed, err = s.Table.Get(ctx, appointment.Key(s.Account, outcome.Change))
		if errors.Is(err, table.ErrNotFound) {
			err = &table.ConditionError{} // it was deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
	}
	o := &skill.Outcome{
		Reply: s.Reply(ai.Respond, builtin.Booking, outcome.Reply), Choices: outcome.Choices,
		Change: skill.Change{
			Booking: &outcome.State, Details: &s.Details, Prospect: outcome.Book != nil,
			WaitsForPerson: outcome.ForPerson,
		},
		Store: func(s *skill.State) ([]table.Write, counter.Change, error) {
			return writes(s, outcome, changed)
		},
	}
	o.Change.LeaveFunnel()
	asks := outcome.State.Step == frame.AskedDetails || outcome.State.Step == frame.AskedWhose ||
		outcome.Book != nil && !dialog.Reachable
	switch {
	case asks || outcome.ForPerson: // contacts who told their name may still add a number
		o.Change.Asked = frame.ForContact
	case outcome.Book != nil || outcome.Change != 0 || outcome.Settled:
		o.Change.Asked = frame.Done
	}
	return o, nil
}

// begin returns the dialogue about an appointment that the message belongs to, or nil if it belongs to
// none. The returned state is that of closely.
func begin(ctx context.Context, s *skill.State) (*skill.State, *booking.Dialog, error) {
	under := booking.Of(s.Conversation.Frame)
	s = closely(s, under)
	complains := s.Reading.Intent == builtin.Complaint || s.Reading.Intent == builtin.Human
	if under.Step == frame.AskedService && complains {
		return s, nil, nil // otherwise any words may name the service
	}
	in := input(s, under)
	if in.Comes && !in.Wants && !under.Step.Open() {
		known, err := s.Known(ctx)
		if err != nil {
			return s, nil, err
		}
		in.Answered = s.Reading.Human || known.Action == ai.Respond && known.Confidence >= surelyAnswered
	}
	dialog, ok := booking.Begin(in, under)
	if !ok {
		return s, nil, nil
	}
	return s, dialog, nil
}

// closely returns a copy of the state whose details have the name in the message, even if no phrase
// introduces it. See skill.State.Introduced.
func closely(s *skill.State, under booking.State) *skill.State {
	reachable := s.Details.Phone != "" || s.Details.Email != ""
	asked := under.Step == frame.AskedDetails || under.Step == frame.AskedWhose
	asked = asked || under.Step.Open() && reachable
	closer := *s
	closer.Details = s.Introduced(asked)
	return &closer
}

// taken reads the agent's busy times and the appointment that is being changed, in parallel. Changed is
// zero if none is being changed or it was deleted.
func taken(ctx context.Context, s *skill.State, d *booking.Dialog, under booking.State) (
	busy []appointment.Busy, changed table.Item, err error,
) {
	from, to := d.Window()
	err = table.Parallel(ctx, func(ctx context.Context) (err error) {
		busy, err = store(s).Busy(ctx, s.Account, s.Agent.ID, from, to)
		return err
	}, func(ctx context.Context) (err error) {
		if under.Appointment == 0 {
			return nil
		}
		changed, err = s.Table.Get(ctx, appointment.Key(s.Account, under.Appointment))
		if errors.Is(err, table.ErrNotFound) {
			return nil // it was deleted, so it does not take time either
		}
		return err
	})
	return busy, changed, err
}

// mayBeNone is the minimum probability of a message that may want something that no assistant can do.
const mayBeNone = 0.3

// surelyAnswered is the minimum confidence of the knowledge's answer to a message about coming by that does
// not mention an appointment. Such a message is then no request for one.
const surelyAnswered = 0.8

func store(s *skill.State) *appointment.Store {
	return &appointment.Store{Table: s.Table, Now: s.Clock, IDs: s.IDs}
}

// tongue returns the language to use about an appointment, a BCP 47 tag: the one that the arrangement began
// in, or the contact's if none is being arranged.
func tongue(s *skill.State, under booking.State) string {
	if under.Step.Open() {
		return cmp.Or(under.Language, s.Language())
	}
	return s.Tongue()
}

// input returns what the dialogue needs to know of the message, the contact and the agent.
func input(s *skill.State, under booking.State) booking.Input {
	tag, reading := tongue(s, under), s.Reading
	if tag != s.Language() {
		reading = s.Engine.Read(tag, s.Text)
	}
	p := language.Of(tag).Requests()
	says := func(list string) bool {
		_, n := text.Find(text.Phrases(tag, list), reading.Tokens)
		return n > 0
	}
	begins := func(list string) bool {
		at, n := text.Find(text.Phrases(tag, list), reading.Tokens)
		return n > 0 && at == 0
	}
	tells := s.Details.Identity != skill.Identity{}
	return booking.Input{
		Language: tag, Stated: s.Language(), Zone: s.Zone(), Now: s.Now,
		Hours: s.Agent.KnownHours(), Services: s.Agent.KnownServices(),
		Message: s.Text, Whole: s.Whole, Before: before(s), Heard: heard(s),
		Wants:    reading.Intent == builtin.Booking && wants(s, reading) || accepts(s),
		Wishes:   says(p.Want),
		Hopes:    s.Understood().Does(understand.Wishes) && s.Learnt(understand.None, mayBeNone) == 0,
		Comes:    says(language.Of(tag).Speech().Come),
		Negates:  func(tokens []text.Token) bool { return s.Engine.Negates(tag, tokens) },
		Topic:    s.TopicService(),
		Vague:    s.VagueTopic(),
		Knows:    func(stem string) bool { return knows(s, stem) },
		Inquires: reading.Inquires, AsksWhen: reading.Time,
		Asks:   reading.Asks || under.Step != "" && !tells && asks(s),
		GoesOn: reading.GoesOn,
		Agrees: !reading.Asks && s.AgreesIn(tag) && !onlyThanks(s, under, reading) ||
			tells && begins(p.Yes),
		Refuses: !reading.Asks && s.RefusesIn(tag),
		Drops:   !reading.Asks && under.Step != "" && s.GivesUpIn(tag, under.Step == frame.Booked),
		Leaves:  leaves(s, reading), Courteous: courteous(s, under, reading),
		ContactID: s.Contact.ID,
		Name:      cmp.Or(s.Contact.Name, s.Details.Name),
		Named:     s.Contact.Name != "" || s.Details.Name != "",
		Reachable: s.Contact.Reachable() || s.Details.Phone != "" || s.Details.Email != "",
		Tells:     tells,
		First:     s.Conversation.Frame.Said.First,
		Done:      done(s),
		Complains: s.Reading.Intent == builtin.Complaint || s.Reading.Intent == builtin.Human,
	}
}

// onlyThanks reports whether the message only gives thanks while the agent waits for a service or a time,
// which a yes does not answer: "super, thank you".
func onlyThanks(s *skill.State, under booking.State, reading builtin.Reading) bool {
	open := under.Step == frame.AskedService || under.Step == frame.AskedTime
	return open && reading.SmallTalk == builtin.Thanks && slices.Contains(s.Understood().Concepts, "thanks")
}

// leaves reports whether the message only says goodbye.
func leaves(s *skill.State, reading builtin.Reading) bool {
	return reading.SmallTalk == builtin.Goodbye || s.TakesLeave()
}

// courteous reports whether the message only gives thanks. It may also agree if no appointment is being
// arranged.
func courteous(s *skill.State, under booking.State, reading builtin.Reading) bool {
	thanks := slices.Contains(s.Understood().Concepts, "thanks") && s.Agrees()
	return reading.SmallTalk == builtin.Thanks || thanks && !under.Step.Open()
}

// writes returns the writes that store the outcome of a dialogue and their effect on the counters. Of
// concurrent turns that take a time of the same agent, the writes of one succeed.
func writes(s *skill.State, o booking.Outcome, changed table.Item) ([]table.Write, counter.Change, error) {
	account, store := s.Account, store(s)
	var writes []table.Write
	var counts counter.Change
	var err error
	switch {
	case o.Book != nil:
		made := *o.Book
		writes, err = store.Book(account, s.Contact, s.Agent.Subscriptions, &made)
		counts = appointment.Recount(nil, &made)
	case o.Change != 0:
		var before appointment.Appointment
		if before, err = appointment.Read(changed); err != nil {
			return nil, counter.Change{}, err
		}
		after := before
		if o.Start.IsZero() {
			after.Status = appointment.Cancelled
		} else {
			after.Title, after.StartTime, after.EndTime = o.Title, o.Start.In(s.Zone()), o.End.In(s.Zone())
		}
		writes, err = store.Revise(account, s.Agent.Subscriptions, changed, before, &after)
		counts = appointment.Recount(&before, &after)
	}
	if err == nil && o.Takes() {
		writes = append(writes, appointment.Reserve(account, s.Agent.ID, s.Reserved))
	}
	return writes, counts, err
}

// heard returns what the trained model says about the message, as probabilities from 0 to 1.
func heard(s *skill.State) booking.Heard {
	return booking.Heard{
		Book: s.Learnt(understand.Book, 0), Move: s.Learnt(understand.Move, 0),
		Cancel: s.Learnt(understand.Cancel, 0), Recall: s.Learnt(understand.Recall, 0),
		Answer: s.Learnt(understand.Reply, 0), Question: s.Learnt(understand.Knowledge, 0),
		Asks:   s.Understood().Acts[understand.Asks],
		Person: s.Learnt(understand.Person, 0), Complaint: s.Learnt(understand.Complaint, 0),
	}
}

// asks reports whether the trained model takes the message for a question and not for a request.
func asks(s *skill.State) bool {
	u := s.Understood()
	return u.Acts[understand.Asks] >= surelyAsks && !u.Does(understand.Wishes)
}

// wants reports whether a message that mentions an appointment requests one. A question about how to make
// one does not: "do I just book or talk to him first".
func wants(s *skill.State, reading builtin.Reading) bool {
	books := s.Learnt(understand.Book, 0) >= mayBook
	switch {
	case s.Conversation.Priority == conversation.Urgent && reading.Asks && !books:
		return false // "can it wait for my appointment"
	case reading.Inquires || reading.Asks:
		return !reading.Inquires || reading.Time
	}
	return !asks(s) || books
}

// mayBook is the minimum probability of a question that may also request an appointment.
const mayBook = 0.3

// surelyAsks is the minimum probability of a question in a message without the marks of one.
const surelyAsks = 0.8

// before returns the contact's previous message, or "" if there is none.
func before(s *skill.State) string {
	for _, m := range slices.Backward(s.History) {
		if m.Direction == conversation.Inbound {
			return m.Content
		}
	}
	return ""
}

// done returns the agent's last reply if it confirms what was done about an appointment, else "".
func done(s *skill.State) string {
	if s.Conversation.Frame.Asked.Reply != frame.Done {
		return ""
	}
	return s.LastReply()
}

// knows reports whether the agent's knowledge contains a word with the stem.
func knows(s *skill.State, stem string) bool {
	_, known := s.Found.Weights[stem]
	return known
}

// accepts reports whether the message accepts the invitation to an appointment.
func accepts(s *skill.State) bool {
	return s.Conversation.Frame.Asked.Reply == frame.ForAppointment && s.Agrees()
}
