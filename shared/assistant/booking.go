package assistant

import (
	"cmp"
	"context"
	"errors"
	"time"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/appointment"
	"frontdesk/shared/booking"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/language"
	"frontdesk/shared/table"
	"frontdesk/shared/text"
)

// booking takes up a message that belongs to the arranging of an appointment: one that wants or changes one, and what
// the contact answers then. It takes a trip of its own, for what takes the agent's time, and one more where an appointment
// that was not spoken of before is changed at once.
func (s *state) booking(ctx context.Context) (*decision, error) {
	if !s.agent.BookingEnabled {
		return nil, nil
	}
	under := booking.ReadState(s.conversation.Booking)
	if asked := under.Step == booking.AskedDetails; asked || under.Step != "" && (s.details.Email != "" || s.details.Phone != "") {
		s.introduce(asked)
	}
	if under.Step == booking.AskedService && (s.reading.Intent == builtin.Complaint || s.reading.Intent == builtin.Human) {
		return nil, nil // any other words may be what the appointment is for
	}
	input := s.bookingInput(s.bookingLanguage(under))
	if input.Comes && !input.Wants && (under.Step == "" || under.Step == booking.Booked) {
		reply, err := s.engine.Reply(ctx, s.request())
		if err != nil {
			return nil, modelFailed(err)
		}
		input.Answered = s.reading.Human || reply.Action == ai.Respond && reply.Confidence >= surelyAnswered
	}
	dialog, ok := booking.Begin(input, under)
	if !ok {
		return nil, nil
	}
	from, to := dialog.Window()
	store := s.appointments()
	var busy []appointment.Busy
	var changed table.Item
	err := table.Parallel(ctx, func(ctx context.Context) (err error) {
		busy, err = store.Busy(ctx, s.message.AccountID, s.message.AgentID, from, to)
		return err
	}, func(ctx context.Context) (err error) {
		if under.Appointment == 0 {
			return nil
		}
		changed, err = s.Table.Get(ctx, appointment.Key(s.message.AccountID, under.Appointment))
		if errors.Is(err, table.ErrNotFound) {
			return nil // nor is it among what takes time
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	outcome := dialog.Decide(busy)
	if outcome.Change != 0 && changed.Version == 0 { // nobody knew which one before
		changed, err = s.Table.Get(ctx, appointment.Key(s.message.AccountID, outcome.Change))
		if errors.Is(err, table.ErrNotFound) {
			err = &table.ConditionError{} // it was deleted since
		}
		if err != nil {
			return nil, err
		}
	}
	if outcome.Passed {
		s.reminder = outcome.Reminder
		return nil, nil
	}
	return &decision{
		reply: s.reply(ai.Respond, builtin.Booking, outcome.Reply),
		then: func(s *state) {
			s.leaveFunnel()
			s.conversation.Booking = outcome.State.String()
			if outcome.Book != nil && s.contact.Stage == contact.Lead {
				s.contact.Stage = contact.Prospect
			}
			if outcome.State.Step == booking.AskedDetails {
				s.conversation.Asked, s.conversation.AskedContact = conversation.AskedForContact, true
			}
		},
		store: func() ([]table.Write, counter.Change, error) { return s.bookingWrites(outcome, changed) },
	}, nil
}

// surelyAnswered is how sure the knowledge has to be of its answer to a message that speaks of coming by without a word for
// an appointment.
const surelyAnswered = 0.8

func (s *state) appointments() *appointment.Store {
	return &appointment.Store{Table: s.Table, Now: s.Now, IDs: s.IDs}
}

// zone is the agent's time zone, UTC where it has none that is known here.
func (s *state) zone() *time.Location {
	if zone, err := time.LoadLocation(s.agent.Timezone); err == nil {
		return zone
	}
	return time.UTC
}

// bookingLanguage is the language to talk about an appointment in: the contact's own.
func (s *state) bookingLanguage(under booking.State) string {
	switch {
	case under.Language != "":
		return under.Language
	case under.Step == "" || under.Step == booking.Booked:
		return cmp.Or(s.foreign(s.message.Text), s.language())
	}
	return s.language()
}

func (s *state) bookingInput(tag string) booking.Input {
	reading := s.reading
	if tag != s.language() {
		reading = s.engine.Read(tag, s.message.Text)
	}
	p := language.Of(tag).Requests()
	says := func(list string) bool {
		_, n := text.Find(text.Phrases(tag, list), reading.Tokens)
		return n > 0
	}
	answers := func(list string) bool { return !reading.Asks && s.answersIn(tag, list) }
	begins := func(list string) bool {
		at, n := text.Find(text.Phrases(tag, list), reading.Tokens)
		return n > 0 && at == 0
	}
	tells := s.details.Identity != Identity{}
	return booking.Input{
		Language: tag, Stated: s.language(),
		Zone: s.zone(), Hours: s.agent.KnownHours(), Services: s.agent.KnownServices(), Now: s.now,
		Message: s.message.Text, Wants: reading.Intent == builtin.Booking && (!reading.Inquires || reading.Time) || s.accepts(),
		Wishes: says(p.Want), Comes: says(language.Of(tag).Speech().Come), Negates: func(tokens []text.Token) bool { return s.engine.Negates(tag, tokens) },
		Topic: s.topicService(), Knows: s.knows, Name: cmp.Or(s.contact.Name, s.details.Name), Inquires: reading.Inquires, AsksWhen: reading.Time,
		Asks: reading.Asks, Agrees: answers(p.Yes) || tells && begins(p.Yes), Refuses: answers(p.No), Drops: answers(p.Cancel),
		Leaves: reading.SmallTalk == builtin.Goodbye, Courteous: reading.SmallTalk == builtin.Thanks,
		ContactID: s.contact.ID,
		Named:     s.contact.Name != "" || s.details.Name != "",
		Reachable: s.contact.Reachable() || s.details.Phone != "" || s.details.Email != "",
		Tells:     tells,
	}
}

// bookingWrites store what came of a booking. Of those who take time of the agent at the same moment one succeeds.
func (s *state) bookingWrites(o booking.Outcome, changed table.Item) ([]table.Write, counter.Change, error) {
	account, store := s.message.AccountID, s.appointments()
	var writes []table.Write
	var counts counter.Change
	var err error
	switch {
	case o.Book != nil:
		made := *o.Book
		writes, err = store.Book(account, s.contact, s.agent.Subscriptions, &made)
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
			after.Move(o.Start.In(s.zone()))
		}
		writes, err = store.Revise(account, s.agent.Subscriptions, changed, before, &after)
		counts = appointment.Recount(&before, &after)
	}
	if err == nil && o.Takes() {
		writes = append(writes, appointment.Reserve(account, s.message.AgentID, s.reserved))
	}
	return writes, counts, err
}

// knows reports whether the agent's knowledge has a word, by its stem.
func (s *state) knows(stem string) bool {
	_, known := s.found.Weights[stem]
	return known
}
