package booking

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/appointment"
	"frontdesk/shared/concept"
	"frontdesk/shared/frame"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/when"
)

// Decide returns what to reply and to store for the message. busy are the appointments in the Window.
func (d *Dialog) Decide(busy []appointment.Busy) Outcome {
	o := d.decide(busy)
	if o.State.Step != "" && d.Language != d.Stated {
		o.State.Language = d.Language
	}
	o.Reply = text.Capital(o.Reply) // the reply may begin with the name of a day
	return o
}

// open sets up the agenda for the chosen service, and reads the party size and the declined days from the
// message.
func (d *Dialog) open(busy []appointment.Busy) {
	service, _ := named(d.services, d.state.Service)
	for _, s := range d.among(d.state.Alike) {
		service.length = max(service.length, s.length)
	}
	d.agenda = Agenda{Hours: d.hoursFor(service), Zone: d.Zone, Now: d.Now, Busy: busy,
		Length: service.length,
		Moving: d.state.Appointment}
	d.state.At = d.Now.Truncate(time.Second)
	if d.party > 0 {
		d.state.Party = d.party
	}
	if d.atTable() {
		d.agenda.Within = seated
	}
	for _, day := range d.declined {
		d.state.refuse(day)
	}
}

// noSuchDay replies that the named date does not exist, and asks for another.
func (d *Dialog) noSuchDay() Outcome {
	d.service()
	d.state.Clock, d.state.Start, d.state.Offers = d.wish.Over(d.state.wish()).Clock, time.Time{}, nil
	return d.ask(frame.AskedTime, d.words.NoSuchDay+" "+d.words.AskTime)
}

// decide tries in this order: a request about an existing appointment, an answer to the last question, and
// the next step of a new booking.
func (d *Dialog) decide(busy []appointment.Busy) Outcome {
	d.open(busy)
	own := d.own()
	if d.acknowledges() || d.off.Step != "" && d.cancels && len(own) == 0 {
		return d.repeatLastChange()
	}
	if d.state.Appointment != 0 && d.indexOfChanged(own) < 0 {
		return d.end(d.words.None) // it was cancelled meanwhile
	}
	if d.regrets() {
		return d.bookAgain(own)
	}
	made := d.state.Step == frame.Booked
	if made {
		if !d.says(d.heard.Noun) {
			own = theOne(own, d.state.Start)
		}
		d.state = d.fresh(frame.Visit{Refused: d.state.Refused, Party: d.party}, frame.Proposal{})
	}
	d.moves = d.moves && (made || len(own) > 0 || !d.movesNothing())
	for _, of := range [...]func() (Outcome, bool){
		func() (Outcome, bool) { return d.ofOwn(own, made) },
		func() (Outcome, bool) { return d.ofChange(own) },
		func() (Outcome, bool) { return d.ofAsked(own) },
	} {
		if o, done := of(); done {
			return o
		}
	}
	return d.book(own)
}

// indexOfChanged returns the index of the appointment that is being changed, -1 for none.
func (d *Dialog) indexOfChanged(own []appointment.Busy) int {
	return slices.IndexFunc(own, func(b appointment.Busy) bool { return b.ID == d.state.Appointment })
}

// unbooked reports whether a booking is in progress and the contact has no appointment yet.
func (d *Dialog) unbooked(own []appointment.Busy) bool {
	return d.state.Step != "" && d.state.Appointment == 0 && len(own) == 0
}

// ofOwn handles questions and statements about the contact's appointments, and courtesies. made is set if an
// appointment was just made. It returns false if the message is none of these.
func (d *Dialog) ofOwn(own []appointment.Busy, made bool) (Outcome, bool) {
	switch {
	case d.recalls && (len(own) > 0 || d.AsksWhen && d.state.Step == "" && !made):
		return d.recall(own), true
	case d.state.Step == "" && (d.recalls || d.mentions && len(own) > 0):
		return Outcome{Passed: true}, true
	case d.state.Step == frame.AskedWhose:
		return d.handOverNotFound(), true
	case d.revises && made && len(own) == 1:
		return d.revise(own[0]), true
	case d.Leaves && d.state.Step != "":
		return Outcome{Passed: true, State: d.state}, true
	case d.Courteous && d.state.Step != "" && !d.Agrees && !d.Refuses:
		return d.pass(), true
	}
	return Outcome{}, false
}

// ofChange starts cancelling or moving an appointment. It returns false if the message asks for neither.
func (d *Dialog) ofChange(own []appointment.Busy) (Outcome, bool) {
	switch {
	case d.cancels && d.state.Step != frame.AskedCancel && (d.state.Step == "" || len(own) > 0):
		d.state = d.fresh(frame.Visit{}, frame.Proposal{Cancel: true})
		return d.which(own), true
	case d.moves && d.unbooked(own) && d.wish.Empty():
		return d.anotherTime(), true
	case d.moves && d.state.Appointment == 0 && !d.unbooked(own):
		d.state = d.fresh(d.wanted(), frame.Proposal{})
		return d.which(own), true
	case d.moves && d.state.Step == frame.AskedCancel:
		d.state = d.fresh(d.wanted(), frame.Proposal{Appointment: d.state.Appointment})
		return d.found(own[d.indexOfChanged(own)]), true
	}
	return Outcome{}, false
}

// ofAsked handles the answers to which appointment is meant and whether to cancel it, and messages that give
// up the booking. It returns false for other messages.
func (d *Dialog) ofAsked(own []appointment.Busy) (Outcome, bool) {
	switch {
	case d.state.Step == frame.AskedWhich:
		return d.chosenOwn(own), true
	case d.state.Step == frame.AskedCancel:
		return d.cancel(own), true
	case d.state.Step != "" && (d.wish.Empty() || d.Drops && d.namesHeld()) &&
		(d.Drops || d.cancels && d.unbooked(own) || d.Refuses && d.state.Step != frame.AskedDetails):
		return d.refused(), true
	}
	return Outcome{}, false
}

// namesHeld reports whether the message names no time of day and exactly the dates of the booking.
func (d *Dialog) namesHeld() bool {
	return !d.wish.HasClock() && slices.Equal(d.wish.Dates, d.state.Dates)
}

// repeatLastChange repeats briefly that the last change stands. If a person must confirm it, the previous
// reply is repeated.
func (d *Dialog) repeatLastChange() Outcome {
	switch {
	case d.off.Step != "":
		return Outcome{Reply: d.words.CalledOff, State: d.off, Settled: true}
	case !d.agenda.Hours.Known():
		return Outcome{Reply: d.Done, State: d.state, Settled: true}
	}
	return Outcome{Reply: d.words.Settled, State: d.state, Settled: true}
}

// hoursFor returns the hours of a service: its own if the business states them, otherwise the business's.
func (d *Dialog) hoursFor(s service) when.Hours {
	return when.ParseHours(d.Stated, d.Hours).Of(d.Stated, s.name)
}

// movesNothing reports whether the message has no word for an appointment or for moving one, and no booking
// is in progress.
func (d *Dialog) movesNothing() bool {
	return d.Interpretation == nil && d.state.Step == "" && !d.says(d.heard.Move) && !d.says(d.heard.Noun)
}

// seated is the part of a table reservation that must lie within the opening hours.
const seated = time.Hour

// handOverNotFound hands the request for an appointment that was not found to a person, once the contact
// has said whose it is.
func (d *Dialog) handOverNotFound() Outcome {
	if d.Asks && !d.Tells {
		return d.pass()
	}
	words := d.words.PassedOn
	if d.state.Step != frame.AskedWhose {
		words = d.words.None + " " + words
	}
	o := d.end(words)
	o.ForPerson = true
	return o
}

// revise changes the service or the party size of an appointment. If it gets longer and no longer fits,
// other times are offered.
func (d *Dialog) revise(b appointment.Busy) Outcome {
	title := withoutParty(b.Title)
	length := b.End.Sub(b.Start)
	if d.names {
		title, length = d.named.name, d.named.length
	} else if d.party == 0 {
		title = d.elseService()
		if s, ok := named(d.services, title); ok {
			length = s.length
		}
	}
	d.agenda.Moving, d.agenda.Length = b.ID, length
	if length > b.End.Sub(b.Start) && !d.agenda.Free(b.Start) {
		d.state.Appointment, d.state.Dates = b.ID, []when.Date{when.DateOf(b.Start.In(d.Zone))}
		return d.time([]appointment.Busy{b})
	}
	d.state.Service = title
	title = d.withParty(title)
	o := d.booked(text.Fill(d.words.Changed, title, d.write(b.Start)), b.Start)
	o.Change, o.Title, o.Start, o.End = b.ID, title, b.Start, b.Start.Add(length)
	return o
}

// fresh returns the state of a new booking with a wish, and with the appointment to change if there is one.
func (d *Dialog) fresh(wanted frame.Visit, known frame.Proposal) State {
	known.At = d.Now.Truncate(time.Second)
	return State{Visit: wanted, Proposal: known}
}

// wanted returns the visit that the message asks for, without the dates that the contact declined.
func (d *Dialog) wanted() frame.Visit {
	return frame.Visit{Dates: d.wish.Dates, Clock: d.wish.Clock, Refused: d.state.Refused}
}

// made returns the state after a booking. It is kept so that the next message can still change the
// appointment.
func (d *Dialog) made(start time.Time, service string) State {
	s := d.fresh(frame.Visit{Service: service}, frame.Proposal{Start: start})
	s.Step = frame.Booked
	return s
}

// theOne returns the appointment that begins at start, or all if there is none.
func theOne(own []appointment.Busy, start time.Time) []appointment.Busy {
	for _, b := range own {
		if b.Start.Equal(start) {
			return []appointment.Busy{b}
		}
	}
	return own
}

// refuse removes a day from the wished dates and excludes it from offers.
func (s *State) refuse(day when.Date) {
	s.Refused = append(s.Refused, day)
	s.Dates = slices.DeleteFunc(slices.Clone(s.Dates), func(d when.Date) bool { return d == day })
}

// own returns the contact's future appointments.
func (d *Dialog) own() []appointment.Busy {
	var own []appointment.Busy
	for _, b := range d.agenda.Busy {
		if b.ContactID == d.ContactID && b.Start.After(d.Now) {
			own = append(own, b)
		}
	}
	return own
}

// end ends the booking with a reply.
func (d *Dialog) end(reply string) Outcome { return Outcome{Reply: reply} }

// booked ends the booking with a reply. The next message can still change the appointment, which begins at
// start.
func (d *Dialog) booked(reply string, start time.Time) Outcome {
	return Outcome{Reply: reply, State: d.made(start, d.state.Service)}
}

// ask continues the booking with a question.
func (d *Dialog) ask(step frame.Step, reply string) Outcome {
	d.state.Step, d.state.Aside = step, 0
	return Outcome{Reply: reply, State: d.state, Choices: d.choices()}
}

// recall lists the contact's appointments. A booking in progress continues.
func (d *Dialog) recall(own []appointment.Busy) Outcome {
	if len(own) == 0 {
		return d.end(d.words.None)
	}
	var lines []string
	for _, b := range own[:min(len(own), maxOwn)] {
		lines = append(lines, text.Fill(d.words.Entry, b.Title, d.write(b.Start)))
	}
	o := Outcome{Reply: strings.Join(lines, "\n"), State: d.state}
	if d.state.Step == "" {
		o.State = d.made(own[0].Start, "") // "Can we make it later?"
	}
	return o
}

// maxOwn is the limit of the contact's appointments that a reply lists.
const maxOwn = 5

// which determines the appointment to cancel or move, or asks for it.
func (d *Dialog) which(own []appointment.Busy) Outcome {
	switch len(own) {
	case 0:
		if d.Tells {
			return d.handOverNotFound()
		}
		return d.ask(frame.AskedWhose, d.words.None+" "+d.words.Whose)
	case 1:
		return d.found(own[0])
	}
	if d.state.Cancel { // "Cancel the one on Friday"
		var named []appointment.Busy
		for _, b := range own {
			if slices.Contains(d.wish.Dates, when.DateOf(b.Start.In(d.Zone))) {
				named = append(named, b)
			}
		}
		if len(named) == 1 {
			return d.found(named[0])
		}
	}
	own = own[:min(len(own), maxOwn)]
	var lines []string
	d.state.Own = nil
	for _, b := range own {
		d.state.Own = append(d.state.Own, b.ID)
		lines = append(lines, b.Title+", "+d.write(b.Start))
	}
	return d.ask(frame.AskedWhich, d.words.Which+"\n"+text.Numbered(lines))
}

// chosenOwn handles the answer to which appointment is meant.
func (d *Dialog) chosenOwn(own []appointment.Busy) Outcome {
	var told []appointment.Busy
	var starts []time.Time
	for _, id := range d.state.Own {
		for _, b := range own {
			if b.ID == id {
				told = append(told, b)
				starts = append(starts, b.Start)
			}
		}
	}
	i := d.choice(starts)
	switch {
	case i >= 0:
		return d.found(told[i])
	case d.Drops || d.Refuses:
		return d.end(d.words.Kept)
	}
	return d.pass()
}

// found continues with the appointment to cancel or move.
func (d *Dialog) found(b appointment.Busy) Outcome {
	d.state.Appointment, d.state.Own = b.ID, nil
	d.agenda.Moving = b.ID
	at := text.Fill(d.words.Entry, b.Title, d.write(b.Start))
	switch {
	case d.state.Cancel && d.callsOff(b):
		return d.cancelled(b)
	case d.state.Cancel:
		return d.ask(frame.AskedCancel, text.Fill(d.words.AskCancel, at))
	case d.wish.Empty() && d.state.wish().Empty():
		return d.ask(frame.AskedTime, text.Fill(d.words.AskMove, at))
	}
	start := b.Start.In(d.Zone)
	d.agenda.About = start
	d.ordered = d.demands(d.wish.Over(d.state.wish()))
	w := d.wish.Over(d.state.wish()).From(start)
	if d.wish.Weekday && len(w.Dates) == 1 {
		w.Dates = []when.Date{besideWeek(w.Dates[0], when.DateOf(start))}
	}
	w.Dates = besideDay(w, when.DateOf(start))
	d.state.Dates, d.state.Clock = w.Dates, w.Clock
	if len(d.state.Dates) == 0 { // "Can we make it 2 instead?"
		d.state.Dates = []when.Date{when.DateOf(start)}
	}
	if same := (when.Clock{From: clockOf(start), To: clockOf(start)}); !w.HasClock() && len(w.Dates) == 1 {
		if at, ok := d.agenda.At(when.Wish{Dates: w.Dates, Clock: same}); ok &&
			d.lengthOf([]appointment.Busy{b}).agenda.Free(at) {
			d.state.Clock = same
		}
	}
	d.wish, d.declined = when.Wish{}, nil
	return d.book([]appointment.Busy{b})
}

// besideDay returns the dates of a wish to move an appointment without the appointment's own, if others
// remain: "Monday please, I'm at work on Friday".
func besideDay(w when.Wish, own when.Date) []when.Date {
	left := slices.DeleteFunc(slices.Clone(w.Dates), func(d when.Date) bool {
		return d == own || w.Weekday && d.Weekday() == own.Weekday()
	})
	if len(left) == 0 || len(w.Dates) > maxNamed {
		return w.Dates
	}
	return left
}

// maxNamed is the limit of days that are named one by one; more dates come from a week or a month.
const maxNamed = 4

// cancel handles the answer to whether to cancel.
func (d *Dialog) cancel(own []appointment.Busy) Outcome {
	i := slices.IndexFunc(own, func(b appointment.Busy) bool { return b.ID == d.state.Appointment })
	switch {
	case d.Refuses:
		return d.end(d.words.Kept)
	case d.Agrees || d.cancels:
		return d.cancelled(own[i])
	case d.Drops:
		return d.end(d.words.Kept)
	}
	return d.pass()
}

// callsOff reports whether the contact has asked to cancel and only this appointment can be meant.
func (d *Dialog) callsOff(b appointment.Busy) bool {
	if d.state.Step == frame.AskedWhich {
		return true
	}
	day := when.DateOf(b.Start.In(d.Zone))
	elsewhere := len(d.wish.Dates) > 0 && !slices.Contains(d.wish.Dates, day)
	return (!d.asking || d.plainly) && !elsewhere && d.wants(d.heard.Cancel)
}

// cancelled cancels an appointment.
func (d *Dialog) cancelled(b appointment.Busy) Outcome {
	o := d.end(text.Fill(d.words.Cancelled, text.Fill(d.words.Entry, b.Title, d.write(b.Start))))
	o.Change = b.ID
	o.State = d.fresh(frame.Visit{Service: b.Title}, frame.Proposal{Start: b.Start})
	o.State.Step = frame.CalledOff
	return o
}

// bookAgain books the appointment that was just cancelled again, at its old time or at another one.
func (d *Dialog) bookAgain(own []appointment.Busy) Outcome {
	title := withoutParty(d.off.Service)
	d.state = d.fresh(frame.Visit{Words: title}, frame.Proposal{Start: d.off.Start, Sought: true})
	if s, ok := named(d.services, title); ok {
		d.take(s)
	}
	switch {
	case !d.wish.Empty():
		d.state.Start, d.state.Dates, d.state.Clock = time.Time{}, d.wish.Dates, d.wish.Clock
		return d.time(own)
	case d.moves || d.wants(d.heard.Move):
		return d.anotherTime()
	}
	return d.confirm(own, true)
}

// maxAside is how many consecutive messages on other subjects are followed by a reminder of the open
// question.
const maxAside = 1

// pass leaves the message to other skills. The booking continues, and the reply ends with a reminder of the
// open question, at most maxAside times in a row.
func (d *Dialog) pass() Outcome {
	d.state.Aside++
	o := Outcome{Passed: true, State: d.state}
	if d.state.Aside > maxAside {
		return o
	}
	switch d.state.Step {
	case frame.AskedService:
		o.Reminder, o.Choices = d.words.AskService, d.choices()
	case frame.AskedTime, frame.Offered:
		o.Reminder = d.words.AskTime
	case frame.AskedDetails:
		o.Reminder = d.detailsQuestion()
	case frame.AskedWhose:
		o.Reminder = d.words.Whose
	}
	return o
}

// refused ends the booking, or asks for another time if only the time was refused.
func (d *Dialog) refused() Outcome {
	switch {
	case d.state.Appointment != 0:
		return d.end(d.words.Kept)
	case d.Drops || d.cancels || d.state.Step == frame.AskedService || d.state.Step == frame.AskedTime:
		return d.end(d.words.Dropped)
	}
	return d.anotherTime()
}

// anotherTime discards the time found so far and asks for another.
func (d *Dialog) anotherTime() Outcome {
	d.state.Start, d.state.Offers, d.state.Dates, d.state.Clock = time.Time{}, nil, nil, when.Clock{}
	return d.ask(frame.AskedTime, d.words.AskTime)
}

// book asks for the next missing detail of an appointment: service, time, or contact details.
func (d *Dialog) book(own []appointment.Busy) Outcome {
	begins := d.state.Step == "" && d.state.Appointment == 0
	if begins {
		d.begin()
	}
	if !begins && (d.asksOfService() || d.asksHours()) {
		return d.pass()
	}
	d.lengthOf(own)
	if d.wish.NoSuchDay && len(d.wish.Dates) == 0 {
		return d.noSuchDay()
	}
	d.correct()
	understood := begins || d.state.Appointment != 0 && d.state.Step == "" || d.service()
	if o, done := d.applyTime(own); done {
		return o
	}
	if d.wish.Empty() && len(d.declined) == 0 {
		if o, done := d.applyAnswer(own, understood); done {
			return o
		}
	}
	if d.lacksService() {
		again := d.state.Sought
		d.state.Sought, d.state.Resought = true, again
		if again && d.wish.Empty() {
			return d.ask(frame.AskedService, d.acknowledge(d.words.AskService))
		}
		return d.ask(frame.AskedService, d.known(own)+d.serviceQuestion())
	}
	return d.time(own)
}

// asksOfService reports whether the message asks about a service without choosing it: "What does the massage
// cost?"
func (d *Dialog) asksOfService() bool {
	asks := d.Asks && d.state.Step != frame.AskedService || d.Inquires
	return d.names && asks && d.wish.Empty() && !d.Wishes && d.state.Appointment == 0
}

// asksHours reports whether the message asks about the opening hours of a day, which is then no wish for it.
func (d *Dialog) asksHours() bool {
	return d.Asks && len(d.wish.Dates) > 0 && !d.wish.HasClock() && !d.Wishes &&
		slices.ContainsFunc(concept.Names(d.Language, d.Message), ofHours)
}

// lacksService reports whether the contact must be asked for the service. A business with a single service
// needs no question.
func (d *Dialog) lacksService() bool {
	if d.state.Service != "" || d.state.Appointment != 0 || len(d.services) == 0 {
		return false
	}
	if len(d.services) == 1 {
		d.take(d.services[0])
		return false
	}
	return !d.state.Sought || d.leavesService()
}

// applyTime handles what the message says about the time: it chooses an offered one, names another, or
// declines one. If done is set, the Outcome is final.
func (d *Dialog) applyTime(own []appointment.Busy) (o Outcome, done bool) {
	exact := !d.wish.HasClock() || d.wish.Exact()
	switch i := d.choice(d.state.Offers); {
	case d.state.Step == frame.Offered && i >= 0 && exact:
		d.state.Start, d.state.Offers = d.state.Offers[i], nil
		return d.confirm(own, d.wish.Empty() || d.wish.Exact() || d.place() == i+1), true
	case !d.wish.Empty():
		if d.Agrees {
			d.agreed = d.state.Start
		}
		w := d.narrowed().Over(d.state.wish())
		d.state.Dates, d.state.Clock, d.state.Start = w.Dates, w.Clock, time.Time{}
		if d.wish.Soonest && d.state.Step != frame.AskedService {
			d.state.Dates, d.state.Clock = d.wish.Dates, d.wish.Clock
		}
	case len(d.declined) > 0 && len(d.state.Dates) == 0:
		return d.anotherTime(), true
	case len(d.declined) > 0: // other wished days remain
		d.state.Start, d.state.Offers = time.Time{}, nil
	}
	return Outcome{}, false
}

// applyAnswer handles the answer to the last question in a message that names no time. If done is set, the
// Outcome is final.
func (d *Dialog) applyAnswer(own []appointment.Busy, understood bool) (o Outcome, done bool) {
	step := d.state.Step
	switch {
	case step == frame.AskedConfirm && d.Agrees:
		return d.confirm(own, true), true
	case step == frame.Offered && d.Agrees && len(d.state.Offers) == 1:
		d.state.Start, d.state.Offers = d.state.Offers[0], nil
		return d.confirm(own, true), true
	case step == frame.Offered && d.Agrees && !d.Tells && !d.Asks:
		return d.ask(frame.Offered, d.words.Which+"\n"+d.offers()), true
	case step == frame.AskedDetails && (d.Tells || !d.Asks):
		return d.confirm(own, true), true
	case d.Tells && step == frame.Offered: // gives contact details before choosing a time
		return d.ask(frame.Offered, d.acknowledge(d.words.Which)+"\n"+d.offers()), true
	case d.Tells && step == frame.AskedTime:
		return d.ask(frame.AskedTime, d.acknowledge(d.words.AskTime)), true
	case understood:
		return Outcome{}, false
	}
	return d.handleUnclear(own)
}

// handleUnclear handles a message that names no service or time and answers no question for them. If done is
// set, the Outcome is final.
func (d *Dialog) handleUnclear(own []appointment.Busy) (o Outcome, done bool) {
	forService := d.state.Step == frame.AskedService && !d.Tells
	switch {
	case forService && d.Agrees:
		return d.ask(frame.AskedService, d.known(own)+d.serviceQuestion()), true
	case forService && !d.Asks && d.ownWords():
		return Outcome{}, false
	case d.Asks || !d.Tells && !d.Wants:
		return d.pass(), true
	}
	return Outcome{}, false
}

// leavesService reports whether the message answers the question for the service with a time or a name. The
// question is then repeated once.
func (d *Dialog) leavesService() bool {
	return d.state.Step == frame.AskedService && !d.state.Resought && d.state.Words == "" &&
		(!d.wish.Empty() || d.Tells)
}

// correct reduces several dates at one hour to those that are meant: it drops the date of the booking if the
// message names others, and dates on which the business is closed. "That's a Sunday, then the third at ten."
func (d *Dialog) correct() {
	if d.state.Step == "" || !d.wish.Exact() {
		return
	}
	drop := func(unfit func(when.Date) bool) {
		left := slices.DeleteFunc(slices.Clone(d.wish.Dates), unfit)
		if len(left) > 0 && len(left) < len(d.wish.Dates) {
			d.wish.Dates = left
		}
	}
	if d.agenda.Hours.Known() {
		drop(func(day when.Date) bool { return len(d.agenda.Hours.On(day)) == 0 })
	}
	drop(func(day when.Date) bool { return slices.Equal(d.state.Dates, []when.Date{day}) })
}

// narrowed returns the wish with a day of the week resolved to a date that was offered or is part of the
// booking: "Tuesday" after "next week".
func (d *Dialog) narrowed() when.Wish {
	w := d.wish
	if !w.Weekday {
		return w
	}
	for _, t := range d.state.Offers { // "Tuesday" among the offered times
		day := when.DateOf(t.In(d.Zone))
		if slices.ContainsFunc(w.Dates,
			func(named when.Date) bool { return named.Weekday() == day.Weekday() }) {
			w.Dates = []when.Date{day}
			return w
		}
	}
	n := len(d.state.Dates)
	switch {
	case len(w.Dates) != 1 || d.state.Step == "":
	case !d.agenda.About.IsZero():
		w.Dates = []when.Date{besideWeek(w.Dates[0], when.DateOf(d.agenda.About))}
		return w
	case n == 1:
		w.Dates = []when.Date{besideWeek(w.Dates[0], d.state.Dates[0])}
		return w
	}
	if n < 2 || n > 7 {
		return w
	}
	var within []when.Date
	for _, day := range d.state.Dates {
		if slices.ContainsFunc(w.Dates,
			func(named when.Date) bool { return named.Weekday() == day.Weekday() }) {
			within = append(within, day)
		}
	}
	if len(within) > 0 {
		w.Dates = within
	}
	return w
}

// besideWeek returns the day moved by whole weeks to be nearest to another date: "Wednesday" next to a
// Tuesday in two weeks.
func besideWeek(day, to when.Date) when.Date {
	for day.Add(4).Compare(to) <= 0 {
		day = day.Add(7)
	}
	return day
}

// begin notes the service of a new booking: the one that the message names, or else the last one in the
// conversation.
func (d *Dialog) begin() {
	d.state.Notes = text.Cut(cmp.Or(d.Whole, d.Message), 500)
	topic, ok := named(d.services, d.Topic)
	if of := lasting(d.among(d.twins(d.Topic)), d.Language, d.untimed()); !ok && len(of) == 1 {
		topic, ok = of[0], true
	}
	switch {
	case ok && d.pointsTo(topic):
		d.takeTopic(topic)
	case d.service():
		d.state.Topical = d.guesses
	case len(d.alike) > 0:
		for _, s := range d.alike {
			d.state.Alike = append(d.state.Alike, s.name)
		}
	case d.namedBeside():
	case ok:
		d.takeTopic(topic)
	case len(d.twins(d.Topic)) > 0:
		d.state.Alike = d.twins(d.Topic)
	case d.firstVisit():
	case d.earlier():
	default:
		d.state.Words = d.purpose()
		if d.state.Words != "" && d.Knows != nil {
			d.state.Sought = true // the knowledge mentions it, the list of services does not
		}
	}
}

// twins returns the names of the services that have a name in common, each with its duration; nil for the
// name of a single service.
func (d *Dialog) twins(common string) []string {
	var of []string
	for _, s := range d.services {
		if s.title == common && s.name != common {
			of = append(of, s.name)
		}
	}
	return of
}

// firstVisit sets the only service that is for a first visit if the message says that this is one. It
// returns false for other messages, and for a business with none or several such services.
func (d *Dialog) firstVisit() bool {
	said := concept.Names(d.Language, cmp.Or(d.Whole, d.Message))
	comes := slices.Contains(said, "firstvisit") || slices.Contains(said, "new")
	var of []service
	for _, s := range d.services {
		if slices.Contains(concept.Names(d.Stated, s.name), "firstvisit") {
			of = append(of, s)
		}
	}
	if !comes || len(of) != 1 {
		return false
	}
	d.take(of[0])
	d.state.Topical = true
	return true
}

// pointsTo reports whether the message refers to the conversation's service by an ambiguous name: "the small
// one", or a name that fits several services equally.
func (d *Dialog) pointsTo(topic service) bool {
	if slices.ContainsFunc(d.alike, func(s service) bool { return s.name == topic.name }) {
		return true
	}
	tokens := text.Tokens(d.Stated, d.Message)
	if !d.names || d.guesses || d.Vague || d.named.name == topic.name || d.named.share(tokens) >= Half {
		return false
	}
	back := text.Phrases(d.Stated, language.Of(d.Stated).Speech().Back)
	for i, t := range tokens {
		_, of := d.named.has(t.Stem)
		if of && slices.ContainsFunc(back, func(p text.Phrase) bool { return p.At(tokens, i+1) }) {
			return true
		}
	}
	return false
}

// takeTopic sets the service that the conversation was about.
func (d *Dialog) takeTopic(s service) {
	d.take(s)
	d.state.Topical, d.state.Vague = true, d.Vague
}

// namedBeside sets the service that another part of the message names. It returns false if there is none.
func (d *Dialog) namedBeside() bool {
	s, ok := choose(d.services, d.Stated, d.Whole)
	if ok {
		d.take(s)
	}
	return ok
}

// earlier sets the service that the previous or the first message names, or the several that it may mean. It
// returns false if there is none.
func (d *Dialog) earlier() bool {
	for _, said := range []string{d.Before, d.First} {
		if s, ok := namedIn(d.services, d.Stated, d.Language, said); ok {
			d.take(s)
			d.state.Topical = true
			return true
		}
	}
	for _, said := range []string{d.Before, d.First} {
		of := halfNamed(d.services, text.Tokens(d.Stated, said))
		if len(of) > 1 && len(of) < len(d.services) {
			for _, s := range of {
				d.state.Alike = append(d.state.Alike, s.name)
			}
			return true
		}
	}
	return false
}

// known returns a sentence on the time named so far, for the question for the service; "" if there is
// nothing to say.
func (d *Dialog) known(own []appointment.Busy) string {
	w := d.state.wish()
	if d.agenda.Hours.Known() && len(w.Dates) == 1 {
		if _, fits := d.agenda.Near(w); !fits {
			return d.notFree(w) + " "
		}
	}
	if at, ok := d.agenda.At(w); ok && d.agenda.Hours.Known() && d.lengthOf(own).agenda.Free(at) {
		return text.Fill(d.words.ForTime, d.write(at)) + " "
	}
	if len(w.Dates) == 1 && d.agenda.Hours.Known() && len(d.agenda.Hours.On(w.Dates[0])) > 0 {
		noon, _ := w.Dates[0].At(when.Day/2, d.Zone)
		return when.WriteDay(d.Language, noon) + ". "
	}
	return ""
}

// acknowledge prefixes a question with thanks to the contact by name, if the name is known.
func (d *Dialog) acknowledge(question string) string {
	if d.Name == "" {
		return question
	}
	return text.Fill(d.replies.ThanksYou, d.Name) + " " + question
}

const (
	// ownService is the limit of words of a message that is read as a service which the business does not
	// list.
	ownService = 6
	// ownPurpose is the limit of significant words of a purpose.
	ownPurpose = 3
	// leastPurpose is the least length of such a word, in bytes; shorter ones are often names.
	leastPurpose = 4
)

// ownWords takes the message itself as the purpose of the appointment. It returns false if the message
// cannot be one.
func (d *Dialog) ownWords() bool {
	telling := slices.ContainsFunc(d.tokens, func(t text.Token) bool {
		return !t.Stop && t.Kind == text.Word && (d.Knows == nil || d.Knows(t.Stem))
	})
	if d.Interpretation != nil || len(d.tokens) > ownService || !telling || d.wantsElse() || d.Agrees ||
		d.Refuses || d.Courteous || len(d.declined) > 0 {
		return false
	}
	d.state.Words = text.Cut(strings.TrimSpace(d.Message), 100)
	return true
}

// wantsElse reports whether the message is probably another request or a name, rather than the purpose of
// the appointment.
func (d *Dialog) wantsElse() bool {
	if max(d.Heard.Book, d.Heard.Move, d.Heard.Cancel, d.Heard.Recall) >= perhaps ||
		d.Heard.Question >= likely {
		return true
	}
	written := len(d.tokens) > 1
	for _, t := range d.tokens {
		first, _ := utf8.DecodeRuneInString(d.Message[t.Start:])
		written = written && unicode.IsUpper(first) && (d.Knows == nil || !d.Knows(t.Stem))
	}
	return written
}

// purpose returns the purpose that the message states in words of the business's knowledge, such as "brake
// check"; "" for none or if the words are not adjacent.
func (d *Dialog) purpose() string {
	if d.Knows == nil || d.Language != d.Stated {
		return ""
	}
	skip := text.Phrases(d.Language,
		strings.Join([]string{d.heard.Noun, d.heard.Kin, d.heard.Instead, d.speech.Come, d.talk.Booking,
			d.talk.Filler, d.talk.Greeting, d.talk.Thanks}, ","))
	var first, last, n int
	tokens := d.beside(d.tokens)
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if _, said := text.Find(skip, tokens[i:i+1]); t.Stop || said > 0 || t.Kind != text.Word ||
			t.End-t.Start < leastPurpose || concept.Light(d.Language, t.Stem) || !d.Knows(t.Stem) ||
			ofOrder(d.Language, t.Stem) {
			continue
		}
		if n > 0 && strings.TrimSpace(d.Message[last:t.Start]) != "" {
			return "" // not adjacent
		}
		if n == 0 {
			first = t.Start
		}
		last = t.End
		n++
	}
	if n == 0 || n > ownPurpose {
		return ""
	}
	return text.Capital(d.Message[first:last])
}

// ofOrder reports whether a word means only when or in which order something happens, such as "first" and
// "soon". Such a word is no purpose of an appointment.
func ofOrder(language, stem string) bool {
	names := concept.Of(language, stem)
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
		return !slices.Contains(ordering, name)
	})
}

// ordering are the concepts of time and order that say nothing about the purpose of an appointment.
var ordering = []string{"first", "soon", "today", "tomorrow", "late"}

// service sets the service that the message names, and reports whether it names one. A service that was
// already chosen is replaced only on request, not by a question about another.
func (d *Dialog) service() bool {
	if d.names && d.state.Appointment == 0 &&
		(d.state.Service == "" || d.state.Step == frame.AskedService || !d.Asks || d.Wishes) {
		d.take(d.named)
	}
	return d.names
}

func (d *Dialog) take(s service) {
	d.state.Service, d.state.Words, d.agenda.Length = s.name, "", s.length
	d.state.Alike, d.state.Vague = nil, false
	d.agenda.Hours = d.hoursFor(s)
}

// serviceQuestion returns the question for the service with a numbered list.
func (d *Dialog) serviceQuestion() string {
	return d.words.AskService + " " + d.words.Services + "\n" + text.Numbered(d.serviceNames())
}

// maxServices is the limit of services that a question lists.
const maxServices = 8

func (d *Dialog) serviceNames() []string {
	var names []string
	if len(d.state.Alike) > 0 {
		return d.state.Alike
	}
	for _, s := range d.services[:min(len(d.services), maxServices)] {
		names = append(names, s.name)
	}
	return names
}

// time finds the time for the wish, or offers some.
func (d *Dialog) time(own []appointment.Busy) Outcome {
	d.lengthOf(own)
	w, at, exact := d.wished()
	if !d.agenda.Hours.Known() {
		return d.unknownHours(own, at, exact)
	}
	if exact && d.agenda.Free(at) {
		d.state.Start, d.state.Offers = at, nil
		return d.confirm(own, d.ordered || at.Equal(d.agreed) || d.answersOpenQuestion() || d.orders())
	}
	if w.Empty() && !d.wish.Soonest && d.state.Step != frame.AskedTime {
		return d.ask(frame.AskedTime, d.of()+d.words.AskTime)
	}
	times, fits := d.agenda.Near(w)
	if len(times) == 0 {
		d.state.Dates, d.state.Clock = nil, when.Clock{}
		return d.ask(frame.AskedTime, d.words.Full)
	}
	if len(times) == 1 && fits && len(w.Dates) > 0 {
		d.state.Start, d.state.Offers = times[0], nil
		return d.confirm(own, false)
	}
	d.state.Offers, d.state.Start = times, time.Time{}
	closed := len(w.Dates) == 1 && len(d.agenda.Hours.On(w.Dates[0])) == 0
	if fits && !closed {
		return d.ask(frame.Offered, d.of()+d.words.Offer+"\n"+d.offers())
	}
	return d.ask(frame.Offered, d.notFree(w)+" "+d.words.Offer+"\n"+d.offers())
}

// wished returns the current wish, and the time that it names if exact. A move to another day keeps the hour
// if it is free then. A day of the week whose time has passed today is next week's.
func (d *Dialog) wished() (w when.Wish, at time.Time, exact bool) {
	w = d.state.wish()
	if !d.agenda.About.IsZero() && !w.HasClock() && len(w.Dates) == 1 {
		w.Clock = when.Clock{From: clockOf(d.agenda.About), To: clockOf(d.agenda.About)}
		if at, ok := d.agenda.At(w); ok && d.agenda.Free(at) {
			d.state.Clock = w.Clock
		}
		w = d.state.wish()
	}
	at, exact = d.agenda.At(w)
	if exact && d.wish.Weekday && at.Before(d.Now) { // "Friday at 9", said on a Friday at 10
		w.Dates = []when.Date{w.Dates[0].Add(7)}
		d.state.Dates = w.Dates
		at, exact = d.agenda.At(w)
	}
	return w, at, exact
}

// unknownHours books a time of a business with unknown hours, as pending until a person confirms it.
func (d *Dialog) unknownHours(own []appointment.Busy, at time.Time, exact bool) Outcome {
	switch {
	case !exact:
		return d.ask(frame.AskedTime, d.words.AskTime)
	case !d.agenda.Free(at):
		d.state.Clock = when.Clock{}
		return d.ask(frame.AskedTime, text.Fill(d.words.Taken, d.write(at))+" "+d.words.AskTime)
	}
	d.state.Start = at
	return d.confirm(own, true)
}

// answersOpenQuestion reports whether the message answers the last open question (contact details or
// service) for a time that was named before.
func (d *Dialog) answersOpenQuestion() bool {
	chooses := d.state.Step == frame.AskedService && d.names && d.Named && d.Reachable
	return d.wish.Empty() && (d.Tells || chooses)
}

// orders reports whether the message needs no confirmation because it is complete: it names a single time,
// and the contact's details are known. A contact who asks for a time and leaves name and number wants it
// booked.
func (d *Dialog) orders() bool {
	if !d.wish.Exact() || !d.Named || !d.Reachable || d.Inquires {
		return false
	}
	if d.Tells {
		return true
	}
	books := d.Wants || slices.Contains(concept.Names(d.Language, d.Message), "book")
	return !d.asking && (books || d.state.Step != "")
}

// demands reports whether the message tells the agent to move an appointment to exactly the time that it
// names, rather than asking whether that is possible.
func (d *Dialog) demands(w when.Wish) bool {
	says := d.wants(d.heard.Move) || d.says(d.heard.Instead) || len(d.declined) > 0
	corrects := d.Done != "" && says
	return corrects || (says || !d.asking) && (w.Exact() || d.says(d.heard.Same))
}

// notFree returns a sentence saying that nothing is free at the wished time.
func (d *Dialog) notFree(w when.Wish) string {
	if len(w.Dates) == 1 && len(d.agenda.Hours.On(w.Dates[0])) == 0 {
		noon, _ := w.Dates[0].At(when.Day/2, d.Zone)
		return text.Fill(d.replies.ClosedOn, when.WriteDay(d.Language, noon))
	}
	if at, exact := d.agenda.At(w); exact {
		return text.Fill(d.words.Taken, d.write(at))
	}
	return d.words.FullThen
}

// of returns the service as a prefix of a question, if it was taken from the conversation and not named. It
// does so once, so that the contact can correct it.
func (d *Dialog) of() string {
	if d.state.Service == "" || !d.state.Topical {
		return ""
	}
	d.state.Topical, d.state.Vague = false, false
	return d.state.Service + ". "
}

// offers returns the numbered list of the offered times.
func (d *Dialog) offers() string {
	var lines []string
	for _, t := range d.state.Offers {
		lines = append(lines, d.write(t))
	}
	return text.Numbered(lines)
}

// lengthOf sets the agenda's length to that of the appointment that is being moved, if there is one.
func (d *Dialog) lengthOf(own []appointment.Busy) *Dialog {
	for _, b := range own {
		if b.ID == d.state.Appointment {
			d.agenda.Length, d.agenda.About = b.End.Sub(b.Start), b.Start.In(d.Zone)
		}
	}
	return d
}

// confirm books the found time once all details are known, and otherwise asks for them. sure is set if the
// contact has chosen exactly this time, so that no confirmation is needed.
func (d *Dialog) confirm(own []appointment.Busy, sure bool) Outcome {
	d.lengthOf(own)
	start := d.state.Start
	if !d.agenda.Free(start) { // taken meanwhile
		d.state.Dates, d.state.Clock = []when.Date{when.DateOf(start.In(d.Zone))},
			when.Clock{From: clockOf(start.In(d.Zone)), To: clockOf(start.In(d.Zone))}
		return d.time(own)
	}
	if d.state.Appointment == 0 && d.state.AskedWho < 2 &&
		(!d.Named || !d.Reachable && d.state.AskedWho == 0) {
		if d.wish.Empty() || d.state.AskedWho == 0 { // naming another time does not count as an answer
			d.state.AskedWho++
		}
		if d.Tells && d.Named {
			return d.ask(frame.AskedDetails, d.acknowledge(d.detailsQuestion()))
		}
		return d.ask(frame.AskedDetails,
			d.of()+text.Fill(d.words.ForTime, d.write(start))+" "+d.detailsQuestion())
	}
	title := d.title(own)
	if !sure || d.state.Vague {
		d.state.Topical, d.state.Vague = false, false
		if d.state.Appointment != 0 {
			return d.ask(frame.AskedConfirm, text.Fill(d.words.ConfirmMove, title, d.write(start)))
		}
		return d.ask(frame.AskedConfirm, text.Fill(d.words.Confirm, title, d.write(start)))
	}
	end := start.Add(d.agenda.Length)
	if d.state.Appointment != 0 {
		d.state.Service = withoutParty(title)
		o := d.booked(text.Fill(d.words.Moved, title, d.write(start)), start)
		o.Change, o.Title, o.Start, o.End = d.state.Appointment, title, start, end
		return o
	}
	a := appointment.Appointment{Title: title, Notes: d.state.Notes, StartTime: start.In(d.Zone),
		EndTime: end.In(d.Zone), Status: appointment.Confirmed}
	o := d.booked(text.Fill(d.words.Booked, title, d.write(start)), start)
	if !d.agenda.Hours.Known() {
		a.Status = appointment.Pending
		o.Reply = text.Fill(d.words.Noted, title, d.write(start))
	}
	o.Book = &a
	return o
}

// detailsQuestion returns the question for the missing contact details.
func (d *Dialog) detailsQuestion() string {
	switch {
	case d.Named:
		return d.words.AskReach
	case d.Reachable || d.state.AskedWho > 1:
		return d.words.AskName
	}
	return d.words.AskDetails
}

// title returns the title of the appointment.
func (d *Dialog) title(own []appointment.Busy) string {
	for _, b := range own {
		if b.ID == d.state.Appointment && d.state.Party > 0 {
			return d.withParty(withoutParty(b.Title))
		}
		if b.ID == d.state.Appointment {
			return b.Title
		}
	}
	alike := strings.Join(d.state.Alike, " / ")
	return d.withParty(cmp.Or(d.state.Service, alike, d.state.Words, d.words.Appointment))
}

func (d *Dialog) write(t time.Time) string { return when.Write(d.Language, t.In(d.Zone)) }
