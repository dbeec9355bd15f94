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

// A Skill takes up a message that belongs to the arranging of an appointment: one that wants or changes one,
// and what the contact answers then. It takes a trip of its own, for what takes the agent's time, and one
// more where an appointment that was not spoken of before is changed at once.
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
	return skill.Claim{P: dialog.Likely(), Act: act}, nil
}

// Call implements skill.Tool.
func (Skill) Call(ctx context.Context, s *skill.State, slots skill.Slots) (*skill.Outcome, error) {
	of, dialog, err := told(s, slots)
	if err != nil {
		return nil, err
	}
	return arrange(ctx, of, dialog)
}

// arrange goes on with the arrangement that a message belongs to, by what takes the agent's time.
func arrange(ctx context.Context, s *skill.State, dialog *booking.Dialog) (*skill.Outcome, error) {
	under := booking.Of(s.Conversation.Frame)
	busy, changed, err := taken(ctx, s, dialog, under)
	if err != nil {
		return nil, err
	}
	outcome := dialog.Decide(busy)
	if outcome.Passed {
		return &skill.Outcome{
			Reminder: outcome.Reminder, Choices: outcome.Choices, Change: skill.Change{Details: &s.Details},
		}, nil
	}
	if outcome.Change != 0 && changed.Version == 0 { // nobody knew which one before
		changed, err = s.Table.Get(ctx, appointment.Key(s.Account, outcome.Change))
		if errors.Is(err, table.ErrNotFound) {
			err = &table.ConditionError{} // it was deleted since
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
	case asks || outcome.ForPerson: // who has told a name may add a number
		o.Change.Asked = frame.ForContact
	case outcome.Book != nil || outcome.Change != 0 || outcome.Reply == done(s): // or said once more
		o.Change.Asked = frame.Done
	}
	return o, nil
}

// begin reads the message as part of an arrangement, nil where it is none. The state that it returns has the
// details that the message tells read closely where they were asked for.
func begin(ctx context.Context, s *skill.State) (*skill.State, *booking.Dialog, error) {
	under := booking.Of(s.Conversation.Frame)
	s = closely(s, under)
	complains := s.Reading.Intent == builtin.Complaint || s.Reading.Intent == builtin.Human
	if under.Step == frame.AskedService && complains {
		return s, nil, nil // any other words may be what the appointment is for
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

// closely is the state with the name that the message tells in whichever words.
func closely(s *skill.State, under booking.State) *skill.State {
	asked := under.Step == frame.AskedDetails || under.Step == frame.AskedWhose
	closer := *s
	closer.Details = s.Introduced(asked)
	return &closer
}

// taken reads what takes the agent's time, and the appointment that is being changed.
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
			return nil // nor is it among what takes time
		}
		return err
	})
	return busy, changed, err
}

// mayBeNone is the probability from which a message may want what no business can do.
const mayBeNone = 0.3

// surelyAnswered is how sure the knowledge has to be of its answer to a message that speaks of coming by
// without a word for an appointment.
const surelyAnswered = 0.8

func store(s *skill.State) *appointment.Store {
	return &appointment.Store{Table: s.Table, Now: s.Clock, IDs: s.IDs}
}

// tongue is the language to talk about an appointment in: the contact's own.
func tongue(s *skill.State, under booking.State) string {
	switch {
	case under.Language != "":
		return under.Language
	case !under.Step.Open():
		return cmp.Or(s.Foreign(s.Text), s.Language())
	}
	return s.Language()
}

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
	answers := func(list string) bool { return !reading.Asks && s.AnswersIn(tag, list) }
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
		Knows:    func(stem string) bool { return knows(s, stem) },
		Inquires: reading.Inquires, AsksWhen: reading.Time,
		Asks:    reading.Asks || under.Step != "" && !tells && asks(s),
		GoesOn:  reading.GoesOn,
		Agrees:  answers(p.Yes) || tells && begins(p.Yes),
		Refuses: answers(p.No), Drops: answers(p.Cancel),
		Leaves: reading.SmallTalk == builtin.Goodbye, Courteous: reading.SmallTalk == builtin.Thanks,
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

// writes store what came of a booking. Of those who take time of the agent at the same moment one succeeds.
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

// heard is what was learnt of how people write about appointments, applied to the message.
func heard(s *skill.State) booking.Heard {
	return booking.Heard{
		Book: s.Learnt(understand.Book, 0), Move: s.Learnt(understand.Move, 0),
		Cancel: s.Learnt(understand.Cancel, 0), Recall: s.Learnt(understand.Recall, 0),
		Answer: s.Learnt(understand.Reply, 0), Question: s.Learnt(understand.Knowledge, 0),
		Person: s.Learnt(understand.Person, 0), Complaint: s.Learnt(understand.Complaint, 0),
	}
}

// asks reports whether the message puts a question by what was learnt, and wants nothing done.
func asks(s *skill.State) bool {
	u := s.Understood()
	return u.Acts[understand.Asks] >= surelyAsks && !u.Does(understand.Wishes)
}

// wants reports whether a message with a word for an appointment wants one, rather than that it asks how one
// is made: "do I just book or talk to him first".
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

// mayBook is the probability from which on what asks may want an appointment too.
const mayBook = 0.3

// surelyAsks is the probability from which a message without the marks of a question is one.
const surelyAsks = 0.8

// before is what the contact wrote before the message.
func before(s *skill.State) string {
	for _, m := range slices.Backward(s.History) {
		if m.Direction == conversation.Inbound {
			return m.Content
		}
	}
	return ""
}

// done is the agent's last reply where it says what was done about an appointment, else "".
func done(s *skill.State) string {
	if s.Conversation.Frame.Asked.Reply != frame.Done {
		return ""
	}
	for _, m := range slices.Backward(s.History) {
		if m.Direction == conversation.Outbound {
			return m.Content
		}
	}
	return ""
}

// knows reports whether the agent's knowledge has a word, by its stem.
func knows(s *skill.State, stem string) bool {
	_, known := s.Found.Weights[stem]
	return known
}

// accepts reports whether the message accepts the invitation to an appointment.
func accepts(s *skill.State) bool {
	return s.Conversation.Frame.Asked.Reply == frame.ForAppointment && s.Agrees()
}
