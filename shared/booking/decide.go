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
	"frontdesk/shared/text"
	"frontdesk/shared/when"
)

// Decide finds out what is to come of the message, by what takes the agent's time in the Window.
func (d *Dialog) Decide(busy []appointment.Busy) Outcome {
	o := d.decide(busy)
	if o.State.Step != "" && d.Language != d.Stated {
		o.State.Language = d.Language
	}
	o.Reply = text.Capital(o.Reply) // a day's name may be the first word
	return o
}

// open sets out what times there are for the service in hand, and takes in what the message says of the party
// and of days that will not do.
func (d *Dialog) open(busy []appointment.Busy) {
	service, _ := named(d.services, d.state.Service)
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

// noSuchDay says that no calendar has the day that was named, and asks for another.
func (d *Dialog) noSuchDay() Outcome {
	d.service()
	d.state.Clock, d.state.Start, d.state.Offers = d.wish.Over(d.state.wish()).Clock, time.Time{}, nil
	return d.ask(frame.AskedTime, d.words.NoSuchDay+" "+d.words.AskTime)
}

func (d *Dialog) decide(busy []appointment.Busy) Outcome {
	if d.acknowledges() {
		return Outcome{Reply: d.Done, State: d.state}
	}
	d.open(busy)
	own := d.own()
	if d.state.Appointment != 0 &&
		!slices.ContainsFunc(own, func(b appointment.Busy) bool { return b.ID == d.state.Appointment }) {
		return d.end(d.words.None) // somebody else cancelled it
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
	// all there is to cancel or move is what is under way
	unbooked := d.state.Step != "" && d.state.Appointment == 0 && len(own) == 0
	switch {
	case d.recalls && (len(own) > 0 || d.AsksWhen && d.state.Step == "" && !made):
		return d.recall(own)
	case d.state.Step == "" && (d.recalls || d.mentions && len(own) > 0):
		return Outcome{Passed: true}
	case d.state.Step == frame.AskedWhose:
		return d.toldWhose()
	case d.revises && made && len(own) == 1:
		return d.revise(own[0])
	case d.Leaves && d.state.Step != "":
		return Outcome{Passed: true, State: d.state}
	case d.Courteous && d.state.Step != "" && !d.Agrees && !d.Refuses:
		return d.pass()
	case d.cancels && d.state.Step != frame.AskedCancel && (d.state.Step == "" || len(own) > 0):
		d.state = d.fresh(frame.Visit{}, frame.Proposal{Cancel: true})
		return d.which(own)
	case d.moves && unbooked && d.wish.Empty():
		return d.anotherTime()
	case d.moves && d.state.Appointment == 0 && !unbooked:
		d.state = d.fresh(d.wanted(), frame.Proposal{})
		return d.which(own)
	case d.moves && d.state.Step == frame.AskedCancel:
		d.state = d.fresh(d.wanted(), frame.Proposal{Appointment: d.state.Appointment})
		return d.found(
			own[slices.IndexFunc(own, func(b appointment.Busy) bool { return b.ID == d.state.Appointment })])
	case d.state.Step == frame.AskedWhich:
		return d.chosenOwn(own)
	case d.state.Step == frame.AskedCancel:
		return d.cancel(own)
	case d.state.Step != "" && d.wish.Empty() &&
		(d.Drops || d.cancels && unbooked || d.Refuses && d.state.Step != frame.AskedDetails):
		return d.refused()
	}
	return d.book(own)
}

// hoursFor are the hours of a service: the business's, but where these have a part for it.
func (d *Dialog) hoursFor(s service) when.Hours {
	return when.ParseHours(d.Stated, d.Hours).Of(d.Stated, s.name)
}

// movesNothing reports whether the message has no word for an appointment or for moving one, and nothing is
// arranged.
func (d *Dialog) movesNothing() bool {
	return d.Told == nil && d.state.Step == "" && !d.says(d.heard.Move) && !d.says(d.heard.Noun)
}

// seated is how much of the time at a table must lie in the opening hours.
const seated = time.Hour

// toldWhose passes on whose appointment a person has to look for, once that is told.
func (d *Dialog) toldWhose() Outcome {
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

// revise has the appointment be for another service, or for more or fewer people.
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

// fresh is a booking that begins anew, with what is wanted and what is known to be changed.
func (d *Dialog) fresh(wanted frame.Visit, known frame.Proposal) State {
	known.At = d.Now.Truncate(time.Second)
	return State{Visit: wanted, Proposal: known}
}

// wanted is the time that the message wants.
func (d *Dialog) wanted() frame.Visit {
	return frame.Visit{Dates: d.wish.Dates, Clock: d.wish.Clock, Refused: d.state.Refused}
}

// made is the State after an appointment was made, which may be spoken of once more.
func (d *Dialog) made(start time.Time, service string) State {
	s := d.fresh(frame.Visit{Service: service}, frame.Proposal{Start: start})
	s.Step = frame.Booked
	return s
}

// theOne is the appointment that was just made, or else all of them.
func theOne(own []appointment.Busy, start time.Time) []appointment.Busy {
	for _, b := range own {
		if b.Start.Equal(start) {
			return []appointment.Busy{b}
		}
	}
	return own
}

// refuse takes a day out of what is wished and offered.
func (s *State) refuse(day when.Date) {
	s.Refused = append(s.Refused, day)
	s.Dates = slices.DeleteFunc(slices.Clone(s.Dates), func(d when.Date) bool { return d == day })
}

// own are the contact's appointments to come.
func (d *Dialog) own() []appointment.Busy {
	var own []appointment.Busy
	for _, b := range d.agenda.Busy {
		if b.ContactID == d.ContactID && b.Start.After(d.Now) {
			own = append(own, b)
		}
	}
	return own
}

// end ends the booking with a sentence.
func (d *Dialog) end(reply string) Outcome { return Outcome{Reply: reply} }

// booked ends the booking with a sentence, and an appointment that may be spoken of once more.
func (d *Dialog) booked(reply string, start time.Time) Outcome {
	return Outcome{Reply: reply, State: d.made(start, d.state.Service)}
}

// ask goes on with a question.
func (d *Dialog) ask(step frame.Step, reply string) Outcome {
	d.state.Step = step
	return Outcome{Reply: reply, State: d.state, Choices: d.choices()}
}

// recall says when the contact's own appointments are. What is under way stays so.
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

// maxOwn is how many of the contact's own appointments a reply lists.
const maxOwn = 5

// which finds the appointment that is to be cancelled or moved, or asks for it.
func (d *Dialog) which(own []appointment.Busy) Outcome {
	switch len(own) {
	case 0:
		if d.Tells {
			return d.toldWhose()
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

// chosenOwn takes the answer to which.
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

// found goes on with the appointment that is to be cancelled or moved.
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
	d.settled = d.demands(d.wish.Over(d.state.wish()))
	w := d.wish.Over(d.state.wish()).From(start)
	if d.wish.Weekday && len(w.Dates) == 1 {
		w.Dates = []when.Date{besideWeek(w.Dates[0], when.DateOf(start))}
	}
	d.state.Dates, d.state.Clock = besideDay(w.Dates, when.DateOf(start)), w.Clock
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

// besideDay are the days of a wish to move without the one that an appointment is on, where there are others:
// "Monday please, I'm at work on Friday".
func besideDay(days []when.Date, own when.Date) []when.Date {
	if len(days) < 2 {
		return days
	}
	return slices.DeleteFunc(slices.Clone(days), func(d when.Date) bool { return d == own })
}

// cancel takes the answer to whether to cancel.
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

// callsOff reports whether the contact has said that an appointment is to be cancelled, and none but this one
// can be meant.
func (d *Dialog) callsOff(b appointment.Busy) bool {
	if d.state.Step == frame.AskedWhich {
		return true
	}
	day := when.DateOf(b.Start.In(d.Zone))
	elsewhere := len(d.wish.Dates) > 0 && !slices.Contains(d.wish.Dates, day)
	return !d.asking && !elsewhere && d.wants(d.heard.Cancel)
}

// cancelled calls an appointment off.
func (d *Dialog) cancelled(b appointment.Busy) Outcome {
	o := d.end(text.Fill(d.words.Cancelled, text.Fill(d.words.Entry, b.Title, d.write(b.Start))))
	o.Change = b.ID
	o.State = d.fresh(frame.Visit{Service: b.Title}, frame.Proposal{Start: b.Start})
	o.State.Step = frame.CalledOff
	return o
}

// bookAgain makes the appointment that was just cancelled once more, or one like it at another time.
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

// pass leaves the message to others. What was asked stays asked.
func (d *Dialog) pass() Outcome {
	o := Outcome{Passed: true, State: d.state}
	switch d.state.Step {
	case frame.AskedService:
		o.Reminder, o.Choices = d.serviceQuestion(), d.choices()
	case frame.AskedTime, frame.Offered:
		o.Reminder = d.words.AskTime
	case frame.AskedDetails:
		o.Reminder = d.detailsQuestion()
	case frame.AskedWhose:
		o.Reminder = d.words.Whose
	}
	return o
}

// refused ends a booking, or offers to look for another time.
func (d *Dialog) refused() Outcome {
	switch {
	case d.state.Appointment != 0:
		return d.end(d.words.Kept)
	case d.Drops || d.cancels || d.state.Step == frame.AskedService || d.state.Step == frame.AskedTime:
		return d.end(d.words.Dropped)
	}
	return d.anotherTime()
}

// anotherTime forgets the time that was found and asks for another.
func (d *Dialog) anotherTime() Outcome {
	d.state.Start, d.state.Offers, d.state.Dates, d.state.Clock = time.Time{}, nil, nil, when.Clock{}
	return d.ask(frame.AskedTime, d.words.AskTime)
}

// book goes on with what is still to be known of an appointment: the service, the time, who it is for.
func (d *Dialog) book(own []appointment.Busy) Outcome {
	begins := d.state.Step == "" && d.state.Appointment == 0
	if begins {
		d.begin()
	}
	if !begins && d.asksOfService() {
		return d.pass()
	}
	d.lengthOf(own)
	if d.wish.NoSuchDay && len(d.wish.Dates) == 0 {
		return d.noSuchDay()
	}
	d.correct()
	understood := begins || d.state.Appointment != 0 && d.state.Step == "" || d.service()
	if o, done := d.heedTime(own); done {
		return o
	}
	if d.wish.Empty() && len(d.declined) == 0 {
		if o, done := d.heedAnswer(own, understood); done {
			return o
		}
	}
	if d.lacksService() {
		d.state.Sought, d.state.Resought = true, d.state.Sought
		return d.ask(frame.AskedService, d.known(own)+d.serviceQuestion())
	}
	return d.time(own)
}

// asksOfService reports whether the message asks about a service rather than that it chooses it: "What does
// the massage cost?"
func (d *Dialog) asksOfService() bool {
	asks := d.Asks && d.state.Step != frame.AskedService || d.Inquires
	return d.names && asks && d.wish.Empty() && !d.Wishes && d.state.Appointment == 0
}

// lacksService reports whether the service is to be asked for. One that is the only one is taken.
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

// heedTime takes in what the message says of the time: one of those that were offered, another one, or one
// that will not do. Done tells that the Outcome is all that comes of the message.
func (d *Dialog) heedTime(own []appointment.Busy) (o Outcome, done bool) {
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
	case len(d.declined) > 0: // of the days in hand others are left
		d.state.Start, d.state.Offers = time.Time{}, nil
	}
	return Outcome{}, false
}

// heedAnswer takes in what a message that names no time answers to what was asked last. Done tells that the
// Outcome is all that comes of the message.
func (d *Dialog) heedAnswer(own []appointment.Busy, understood bool) (o Outcome, done bool) {
	step := d.state.Step
	switch {
	case step == frame.AskedConfirm && d.Agrees:
		return d.confirm(own, true), true
	case step == frame.Offered && d.Agrees && len(d.state.Offers) == 1:
		d.state.Start, d.state.Offers = d.state.Offers[0], nil
		return d.confirm(own, true), true
	case step == frame.Offered && d.Agrees && !d.Tells:
		return d.ask(frame.Offered, d.words.Which+"\n"+d.offers()), true
	case step == frame.AskedDetails && (d.Tells || !d.Asks):
		return d.confirm(own, true), true
	case d.Tells && step == frame.Offered: // who it is, and not yet for when
		return d.ask(frame.Offered, d.acknowledge(d.words.Which)+"\n"+d.offers()), true
	case d.Tells && step == frame.AskedTime:
		return d.ask(frame.AskedTime, d.acknowledge(d.words.AskTime)), true
	case understood:
		return Outcome{}, false
	}
	return d.heedUnclear(own)
}

// heedUnclear takes in a message that neither names a service or a time nor answers what was asked for them.
// Done tells that the Outcome is all that comes of it.
func (d *Dialog) heedUnclear(own []appointment.Busy) (o Outcome, done bool) {
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

// leavesService reports whether the message answers the question for the service with a time or a name: then
// it is put again, once.
func (d *Dialog) leavesService() bool {
	return d.state.Step == frame.AskedService && !d.state.Resought && d.state.Words == "" &&
		(!d.wish.Empty() || d.Tells)
}

// correct leaves, of several days at one hour, those that are meant: not the day in hand that others are
// named beside, nor those that the business is closed on. "That's a Sunday, then the third at ten."
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

// narrowed is the wish with a day of the week that of the days offered or in hand which is one: "Tuesday"
// after "next week".
func (d *Dialog) narrowed() when.Wish {
	w := d.wish
	if !w.Weekday {
		return w
	}
	for _, t := range d.state.Offers { // "Tuesday" of those that were told
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

// besideWeek is the day, or one so many weeks later, that is nearest to another day: "Wednesday" beside a
// Tuesday in two weeks.
func besideWeek(day, to when.Date) when.Date {
	for day.Add(4).Compare(to) <= 0 {
		day = day.Add(7)
	}
	return day
}

// begin notes what the first message of a booking says that it is for.
func (d *Dialog) begin() {
	d.state.Notes = text.Cut(cmp.Or(d.Whole, d.Message), 500)
	topic, ok := named(d.services, d.Topic)
	switch {
	case d.service():
		d.state.Topical = d.guesses
	case d.namedBeside():
	case ok:
		d.take(topic)
		d.state.Topical = true
	case d.earlier():
	default:
		d.state.Words = d.purpose()
		if d.state.Words != "" && d.Knows != nil {
			d.state.Sought = true // the business knows it, though it does not list it
		}
	}
}

// namedBeside takes the service that another part of the message names, and reports whether one does.
func (d *Dialog) namedBeside() bool {
	s, ok := choose(d.services, text.Tokens(d.Stated, d.Whole))
	if ok {
		d.take(s)
	}
	return ok
}

// earlier takes the service that one of the messages before names, and reports whether one does.
func (d *Dialog) earlier() bool {
	for _, said := range []string{d.Before, d.First} {
		if s, ok := namedIn(d.services, d.Stated, d.Language, said); ok {
			d.take(s)
			d.state.Topical = true
			return true
		}
	}
	return false
}

// known is what is said of the time in hand before the service is asked for.
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

// acknowledge has a question begin with the name that was just told.
func (d *Dialog) acknowledge(question string) string {
	if d.Name == "" {
		return question
	}
	return text.Fill(d.replies.ThanksYou, d.Name) + " " + question
}

const (
	// ownService is how many words a message has at most that may name a service which the business does not
	// list.
	ownService = 6
	// ownPurpose is how many telling words name what an appointment is for.
	ownPurpose = 3
)

// ownWords takes the message for what the appointment is for, where it can be that.
func (d *Dialog) ownWords() bool {
	telling := slices.ContainsFunc(d.tokens,
		func(t text.Token) bool { return !t.Stop && t.Kind == text.Word })
	if d.Told != nil || len(d.tokens) > ownService || !telling || d.wantsElse() || d.Agrees || d.Refuses ||
		d.Courteous || len(d.declined) > 0 {
		return false
	}
	d.state.Words = text.Cut(strings.TrimSpace(d.Message), 100)
	return true
}

// wantsElse reports whether the message rather wants something of the booking, or is a name, than that it
// says what it is for.
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

// purpose is what the message says that the appointment is for, in its own words, where the business knows
// these: "for a brake check".
func (d *Dialog) purpose() string {
	if d.Knows == nil || d.Language != d.Stated {
		return ""
	}
	skip := text.Phrases(d.Language,
		strings.Join([]string{d.heard.Noun, d.heard.Instead, d.speech.Come, d.talk.Booking, d.talk.Filler,
			d.talk.Greeting, d.talk.Thanks}, ","))
	var first, last, n int
	tokens := d.beside(d.tokens)
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if _, said := text.Find(skip, tokens[i:i+1]); t.Stop || said > 0 || t.Kind != text.Word ||
			!d.Knows(t.Stem) {
			continue
		}
		if n > 0 && strings.TrimSpace(d.Message[last:t.Start]) != "" {
			return "" // they do not stand together
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

// service takes the service that the message names, and reports whether it names one. Another than the one in
// hand must be wished for.
func (d *Dialog) service() bool {
	if d.names && d.state.Appointment == 0 &&
		(d.state.Service == "" || d.state.Step == frame.AskedService || !d.Asks || d.Wishes) {
		d.take(d.named)
	}
	return d.names
}

func (d *Dialog) take(s service) {
	d.state.Service, d.state.Words, d.agenda.Length = s.name, "", s.length
	d.agenda.Hours = d.hoursFor(s)
}

// serviceQuestion asks for the service.
func (d *Dialog) serviceQuestion() string {
	return d.words.AskService + "\n" + text.Numbered(d.serviceNames())
}

// maxServices is how many services a question lists.
const maxServices = 8

func (d *Dialog) serviceNames() []string {
	var names []string
	for _, s := range d.services[:min(len(d.services), maxServices)] {
		names = append(names, s.name)
	}
	return names
}

// time finds a time for the wish, or offers some.
func (d *Dialog) time(own []appointment.Busy) Outcome {
	d.lengthOf(own)
	w := d.state.wish()
	if !d.agenda.About.IsZero() && !w.HasClock() && len(w.Dates) == 1 { // "Thursday, same time"
		w.Clock = when.Clock{From: clockOf(d.agenda.About), To: clockOf(d.agenda.About)}
		if at, ok := d.agenda.At(w); ok && d.agenda.Free(at) {
			d.state.Clock = w.Clock
		}
		w = d.state.wish()
	}
	at, exact := d.agenda.At(w)
	if exact && d.wish.Weekday && at.Before(d.Now) { // "Friday at 9", on a Friday at 10
		w.Dates = []when.Date{w.Dates[0].Add(7)}
		d.state.Dates = w.Dates
		at, exact = d.agenda.At(w)
	}
	if !d.agenda.Hours.Known() {
		switch {
		case !exact:
			return d.ask(frame.AskedTime, d.words.AskTime)
		case !d.agenda.Free(at):
			d.state.Clock = when.Clock{}
			return d.ask(frame.AskedTime, text.Fill(d.words.Taken, d.write(at))+" "+d.words.AskTime)
		}
		d.state.Start = at
		return d.confirm(own, true) // a person confirms it in any case
	}
	if exact && d.agenda.Free(at) {
		d.state.Start, d.state.Offers = at, nil
		return d.confirm(own, d.settled || at.Equal(d.agreed) || d.Tells && d.wish.Empty() || d.orders())
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

// orders reports whether the message needs no confirmation, since the contact has said all of it: one time,
// and who it is for. Who asks for a time and leaves a name and a number with it wants it kept.
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

// demands reports whether the message says to move an appointment to the very time that it names, rather than
// that it asks about one. Without hours a person confirms it in any case.
func (d *Dialog) demands(w when.Wish) bool {
	says := d.wants(d.heard.Move) || d.says(d.heard.Instead) || len(d.declined) > 0
	corrects := d.Done != "" && says
	return corrects || (says || !d.asking) && (w.Exact() || d.says(d.heard.Same))
}

// notFree says that there is nothing at the time that is wished for.
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

// of is the service in hand before a question, once, where the conversation was about it and the contact did
// not name it.
func (d *Dialog) of() string {
	if d.state.Service == "" || !d.state.Topical {
		return ""
	}
	d.state.Topical = false
	return d.state.Service + ". "
}

// offers writes the times that are offered.
func (d *Dialog) offers() string {
	var lines []string
	for _, t := range d.state.Offers {
		lines = append(lines, d.write(t))
	}
	return text.Numbered(lines)
}

// lengthOf has an appointment that is moved last as long as before.
func (d *Dialog) lengthOf(own []appointment.Busy) *Dialog {
	for _, b := range own {
		if b.ID == d.state.Appointment {
			d.agenda.Length, d.agenda.About = b.End.Sub(b.Start), b.Start.In(d.Zone)
		}
	}
	return d
}

// confirm books the time that was found once all is known. Sure tells that the contact has chosen just this
// time.
func (d *Dialog) confirm(own []appointment.Busy, sure bool) Outcome {
	d.lengthOf(own)
	start := d.state.Start
	if !d.agenda.Free(start) { // somebody else was faster
		d.state.Dates, d.state.Clock = []when.Date{when.DateOf(start.In(d.Zone))},
			when.Clock{From: clockOf(start.In(d.Zone)), To: clockOf(start.In(d.Zone))}
		return d.time(own)
	}
	if d.state.Appointment == 0 && d.state.AskedWho < 2 &&
		(!d.Named || !d.Reachable && d.state.AskedWho == 0) {
		if d.wish.Empty() || d.state.AskedWho == 0 { // who names another time has left the question open
			d.state.AskedWho++
		}
		if d.Tells && d.Named {
			return d.ask(frame.AskedDetails, d.acknowledge(d.detailsQuestion()))
		}
		return d.ask(frame.AskedDetails,
			d.of()+text.Fill(d.words.ForTime, d.write(start))+" "+d.detailsQuestion())
	}
	title := d.title(own)
	if !sure {
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

// detailsQuestion asks for what is not known yet of the contact.
func (d *Dialog) detailsQuestion() string {
	switch {
	case d.Named:
		return d.words.AskReach
	case d.Reachable || d.state.AskedWho > 1:
		return d.words.AskName
	}
	return d.words.AskDetails
}

// title is what the appointment is called.
func (d *Dialog) title(own []appointment.Busy) string {
	for _, b := range own {
		if b.ID == d.state.Appointment && d.state.Party > 0 {
			return d.withParty(withoutParty(b.Title))
		}
		if b.ID == d.state.Appointment {
			return b.Title
		}
	}
	return d.withParty(cmp.Or(d.state.Service, d.state.Words, d.words.Appointment))
}

func (d *Dialog) write(t time.Time) string { return when.Write(d.Language, t.In(d.Zone)) }
