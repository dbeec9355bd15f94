package booking

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"frontdesk/shared/appointment"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/when"
)

// An Input is a message and what is known of where it comes from.
type Input struct {
	Language string // that the contact and the agent talk in
	Stated   string // that the business states its hours and services in; "" where that is Language
	Zone     *time.Location
	Hours    string   // the business's opening hours in its own words, "" where it has not stated any
	Services []string // likewise its services
	Now      time.Time

	Message string
	// Wants tells that the message is about an appointment by its words.
	Wants bool
	// Wishes tells that it wants something, whatever that is.
	Wishes bool
	// Asks, Agrees, Refuses and Drops tell that it asks something, says yes, says no, and does not want to go on.
	Asks, Agrees, Refuses, Drops bool
	// Leaves tells that it says goodbye and nothing else.
	Leaves bool
	// Inquires tells that it asks with a word for what it wants to know: "Until when can I cancel?" AsksWhen tells that
	// this is a time.
	Inquires, AsksWhen bool

	ContactID int64
	// Named and Reachable tell that the contact's name, and its phone or e-mail address, are known, what this message
	// tells included.
	Named, Reachable bool
	// Tells tells that the message says who the contact is or how to reach it.
	Tells bool
}

// A Step is what the agent asked last.
type Step string

// The steps.
const (
	AskedService Step = "service"
	AskedTime    Step = "time"
	Offered      Step = "offer"   // times to choose from
	AskedDetails Step = "details" // who the contact is
	AskedConfirm Step = "confirm" // whether to book the time
	AskedWhich   Step = "which"   // of several appointments
	AskedCancel  Step = "cancel"  // whether to cancel
	Booked       Step = "booked"  // nothing: an appointment was made
)

// A State is a booking under way. The zero State is none.
type State struct {
	Step Step `json:"step,omitempty"`
	// Language is the one that is talked in, where that is not the business's.
	Language string `json:"language,omitempty"`

	Service string      `json:"service,omitempty"`
	Dates   []when.Date `json:"dates,omitempty"` // the wish so far
	Clock   when.Clock  `json:"clock,omitzero"`
	Start   time.Time   `json:"start,omitzero"`   // the time to book
	Offers  []time.Time `json:"offers,omitempty"` // in the order in which they were told
	Own     []int64     `json:"own,omitempty"`    // the appointments that were told
	// Appointment is the one to move or to cancel.
	Appointment int64     `json:"appointment,omitempty"`
	Cancel      bool      `json:"cancel,omitempty"`
	Notes       string    `json:"notes,omitempty"` // what the contact wrote first
	Asked       int       `json:"asked,omitempty"` // how often who the contact is
	At          time.Time `json:"at,omitzero"`     // of the last message
}

// forgotten is how long a booking that the contact does not go on with is under way.
const forgotten = 24 * time.Hour

// ReadState is the State that String wrote; the zero State for what it did not.
func ReadState(s string) State {
	var state State
	if s == "" || json.Unmarshal([]byte(s), &state) != nil {
		return State{}
	}
	return state
}

// String is the State as it is stored, "" for the zero State.
func (s State) String() string {
	if s.Step == "" {
		return ""
	}
	doc, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return string(doc)
}

// An Outcome is what comes of a message.
type Outcome struct {
	// Passed tells that the message is none of the booking's after all. Nothing else is set but the State and the
	// Reminder, which goes back to what is still to be known, once the message has its answer.
	Passed   bool
	Reminder string
	Reply    string
	State    State
	// Book is an appointment to make, nil for none.
	Book *appointment.Appointment
	// Change is the appointment to move to Start, or to cancel where that is zero; 0 for none.
	Change int64
	Start  time.Time
	End    time.Time
}

// Takes reports whether the outcome takes time of the agent.
func (o Outcome) Takes() bool { return o.Book != nil || o.Change != 0 && !o.Start.IsZero() }

// A Dialog is a message that belongs to a booking, before it is decided.
type Dialog struct {
	Input
	state    State
	wish     when.Wish
	tokens   []text.Token
	services []service
	words    *language.BookingReplies
	heard    *language.Bookings
	agenda   Agenda
	cancels  bool
	moves    bool
	recalls  bool      // asks about the appointment that it has
	mentions bool      // tells something of it: "I'll be late for my appointment"
	agreed   time.Time // the time that it agrees to and names again
}

// Begin looks whether a message belongs to a booking: to one under way, or because it wants an appointment, or to change
// one.
func Begin(in Input, state State) (*Dialog, bool) {
	in.Stated = cmp.Or(in.Stated, in.Language)
	if in.Now.Sub(state.At) > forgotten {
		state = State{}
	}
	d := &Dialog{
		Input: in, state: state, tokens: text.Tokens(in.Language, in.Message), words: language.Of(in.Language).BookingReplies(), heard: language.Of(in.Language).Bookings(),
		wish: when.Parse(in.Language, in.Message, in.Now.In(in.Zone)), services: readServices(in.Stated, in.Services),
	}
	if !state.Start.IsZero() {
		d.wish = d.wish.From(state.Start.In(in.Zone))
	}
	_, named := d.namedService()
	about := in.Wants || state.Step != "" || d.says(d.heard.Noun) || named && (in.Wishes || !in.Asks)
	d.cancels = about && !in.Inquires && d.wants(d.heard.Cancel)
	d.moves = about && !in.Inquires && !d.cancels && (d.wants(d.heard.Move) || d.again())
	if own := d.says(d.heard.Mine) && d.says(d.heard.Noun) && !d.says(d.heard.Cancel) && !d.says(d.heard.Move) && !d.wish.HasClock(); own {
		d.recalls = d.wish.Empty() && (in.AsksWhen || in.Asks && !in.Inquires && !in.Wishes)
		d.mentions = !in.Asks && !in.Wishes
	}
	underWay := state.Step != "" && state.Step != Booked
	if state.Step == Booked {
		d.state = State{}
	}
	return d, underWay || in.Wants || d.cancels || d.moves || d.recalls || d.wantsService()
}

// wants reports whether the message says one of the list's phrases, and not as a word of a service's name: an oil change
// changes no appointment.
func (d *Dialog) wants(list string) bool {
	s, _ := d.namedService()
	beside := slices.DeleteFunc(slices.Clone(d.tokens), func(t text.Token) bool { return s.words[t.Stem] })
	_, n := text.Find(text.Phrases(d.Language, list), beside)
	return n > 0
}

// again reports whether the message wants another time for the appointment that was just made: "Can we make it 2 instead?"
func (d *Dialog) again() bool {
	return d.state.Step == Booked && !d.wish.Empty() && d.says(d.heard.Instead)
}

// wantsService reports whether the message wants one of the services, or names one with a time for it.
func (d *Dialog) wantsService() bool {
	if _, ok := d.namedService(); !ok || d.Inquires {
		return false
	}
	return d.Wishes && (!d.Asks || !d.wish.Empty()) || !d.Asks && !d.wish.Empty()
}

func (d *Dialog) says(list string) bool {
	_, n := text.Find(text.Phrases(d.Language, list), d.tokens)
	return n > 0
}

// Window is the time of which Decide must know what is taken.
func (d *Dialog) Window() (from, to time.Time) {
	from, to = d.Now, d.Now.Add(21*24*time.Hour)
	if dates := d.wish.Over(d.state.wish()).Dates; len(dates) > 0 {
		last, _ := dates[len(dates)-1].At(0, d.Zone)
		to = last.Add(15 * 24 * time.Hour)
	}
	if !d.state.Start.IsZero() && d.state.Start.Add(24*time.Hour).After(to) {
		to = d.state.Start.Add(24 * time.Hour)
	}
	if d.cancels || d.moves || d.recalls || d.mentions || d.state.Appointment != 0 || d.state.Step == AskedWhich || to.After(d.Now.Add(horizon)) {
		to = d.Now.Add(horizon + 24*time.Hour)
	}
	return from, to
}

func (s State) wish() when.Wish { return when.Wish{Dates: s.Dates, Clock: s.Clock} }

// Decide finds out what is to come of the message, by what takes the agent's time in the Window.
func (d *Dialog) Decide(busy []appointment.Busy) Outcome {
	o := d.decide(busy)
	if o.State.Step != "" && d.Language != d.Stated {
		o.State.Language = d.Language
	}
	o.Reply = text.Capital(o.Reply) // a day's name may be the first word
	return o
}

func (d *Dialog) decide(busy []appointment.Busy) Outcome {
	hours := when.ParseHours(d.Stated, d.Hours)
	service, _ := named(d.services, d.state.Service)
	d.agenda = Agenda{Hours: hours, Zone: d.Zone, Now: d.Now, Busy: busy, Length: service.length, Moving: d.state.Appointment}
	d.state.At = d.Now
	own := d.own()
	if d.state.Appointment != 0 && !slices.ContainsFunc(own, func(b appointment.Busy) bool { return b.ID == d.state.Appointment }) {
		return d.end(d.words.None) // somebody else cancelled it
	}
	unbooked := d.state.Step != "" && d.state.Appointment == 0 && len(own) == 0 // all there is to cancel or move is what is under way
	switch {
	case d.recalls && (len(own) > 0 || d.AsksWhen && d.state.Step == ""):
		return d.recall(own)
	case d.state.Step == "" && (d.recalls || d.mentions && len(own) > 0):
		return Outcome{Passed: true}
	case d.Leaves && d.state.Step != "":
		return Outcome{Passed: true, State: d.state}
	case d.cancels && d.state.Step != AskedCancel && (d.state.Step == "" || len(own) > 0):
		d.state = State{Cancel: true, At: d.Now}
		return d.which(own)
	case d.moves && unbooked && d.wish.Empty():
		return d.anotherTime()
	case d.moves && d.state.Appointment == 0 && !unbooked:
		d.state = State{Dates: d.wish.Dates, Clock: d.wish.Clock, At: d.Now}
		return d.which(own)
	case d.moves && d.state.Step == AskedCancel:
		d.state = State{Dates: d.wish.Dates, Clock: d.wish.Clock, Appointment: d.state.Appointment, At: d.Now}
		return d.found(own[slices.IndexFunc(own, func(b appointment.Busy) bool { return b.ID == d.state.Appointment })])
	case d.state.Step == AskedWhich:
		return d.chosenOwn(own)
	case d.state.Step == AskedCancel:
		return d.cancel(own)
	case d.state.Step != "" && d.wish.Empty() && (d.Drops || d.cancels && unbooked || d.Refuses && d.state.Step != AskedDetails):
		return d.refused()
	}
	return d.book(own)
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
func (d *Dialog) booked(reply string) Outcome {
	return Outcome{Reply: reply, State: State{Step: Booked, At: d.Now}}
}

// ask goes on with a question.
func (d *Dialog) ask(step Step, reply string) Outcome {
	d.state.Step = step
	return Outcome{Reply: reply, State: d.state}
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
		o.State = State{Step: Booked, At: d.Now} // "Can we make it later?"
	}
	return o
}

// maxOwn is how many of the contact's own appointments a reply lists.
const maxOwn = 5

// which finds the appointment that is to be cancelled or moved, or asks for it.
func (d *Dialog) which(own []appointment.Busy) Outcome {
	switch len(own) {
	case 0:
		return d.end(d.words.None)
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
	return d.ask(AskedWhich, d.words.Which+"\n"+numbered(lines))
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
	case d.state.Cancel:
		return d.ask(AskedCancel, text.Fill(d.words.AskCancel, at))
	case d.state.wish().Empty():
		return d.ask(AskedTime, text.Fill(d.words.AskMove, at))
	}
	if w := d.wish.From(b.Start.In(d.Zone)); d.wish.Later > 0 {
		d.state.Dates, d.state.Clock = w.Dates, w.Clock
	} else if len(d.state.Dates) == 0 { // "Can we make it 2 instead?"
		d.state.Dates = []when.Date{when.DateOf(b.Start.In(d.Zone))}
	}
	d.wish = when.Wish{}
	return d.book([]appointment.Busy{b})
}

// cancel takes the answer to whether to cancel.
func (d *Dialog) cancel(own []appointment.Busy) Outcome {
	i := slices.IndexFunc(own, func(b appointment.Busy) bool { return b.ID == d.state.Appointment })
	switch {
	case d.Refuses:
		return d.end(d.words.Kept)
	case d.Agrees || d.cancels:
		o := d.end(text.Fill(d.words.Cancelled, text.Fill(d.words.Entry, own[i].Title, d.write(own[i].Start))))
		o.Change = own[i].ID
		return o
	case d.Drops:
		return d.end(d.words.Kept)
	}
	return d.pass()
}

// pass leaves the message to others. What was asked stays asked.
func (d *Dialog) pass() Outcome {
	o := Outcome{Passed: true, State: d.state}
	switch d.state.Step {
	case AskedService:
		o.Reminder = text.Fill(d.words.AskService, d.serviceNames())
	case AskedTime, Offered:
		o.Reminder = d.words.AskTime
	case AskedDetails:
		o.Reminder = d.detailsQuestion()
	}
	return o
}

// refused ends a booking, or offers to look for another time.
func (d *Dialog) refused() Outcome {
	switch {
	case d.state.Appointment != 0:
		return d.end(d.words.Kept)
	case d.Drops || d.cancels || d.state.Step == AskedService || d.state.Step == AskedTime:
		return d.end(d.words.Dropped)
	}
	return d.anotherTime()
}

// anotherTime forgets the time that was found and asks for another.
func (d *Dialog) anotherTime() Outcome {
	d.state.Start, d.state.Offers, d.state.Dates, d.state.Clock = time.Time{}, nil, nil, when.Clock{}
	return d.ask(AskedTime, d.words.AskTime)
}

// book goes on with what is still to be known of an appointment: the service, the time, who it is for.
func (d *Dialog) book(own []appointment.Busy) Outcome {
	begins := d.state.Step == ""
	if begins && d.state.Appointment == 0 {
		d.state.Notes = text.Cut(d.Message, 500)
	}
	understood := begins || d.state.Appointment != 0 && d.state.Step == "" || d.service()
	switch i := d.choice(d.state.Offers); {
	case d.state.Step == Offered && i >= 0:
		d.state.Start, d.state.Offers = d.state.Offers[i], nil
		return d.settle(own, d.wish.Empty() || d.wish.Exact() || d.place() == i+1)
	case !d.wish.Empty():
		if d.Agrees {
			d.agreed = d.state.Start
		}
		w := d.wish.Over(d.state.wish())
		d.state.Dates, d.state.Clock, d.state.Start = w.Dates, w.Clock, time.Time{}
		if d.wish.Soonest {
			d.state.Dates, d.state.Clock = d.wish.Dates, d.wish.Clock
		}
	case d.state.Step == AskedConfirm && d.Agrees:
		return d.settle(own, true)
	case d.state.Step == Offered && d.Agrees && len(d.state.Offers) == 1:
		d.state.Start, d.state.Offers = d.state.Offers[0], nil
		return d.settle(own, true)
	case d.state.Step == Offered && d.Agrees:
		return d.ask(Offered, d.words.Which+"\n"+d.offers())
	case d.state.Step == AskedDetails && (d.Tells || !d.Asks):
		return d.settle(own, true)
	case d.Tells && d.state.Step == Offered: // who it is, and not yet for when
		return d.ask(Offered, d.words.Which+"\n"+d.offers())
	case d.Tells && d.state.Step == AskedTime:
		return d.ask(AskedTime, d.words.AskTime)
	case !understood && d.Asks || !understood && d.state.Step != AskedService && !d.Wants:
		return d.pass()
	}
	if begins {
		d.service()
	}
	if d.state.Service == "" && d.state.Appointment == 0 && len(d.services) > 0 {
		if len(d.services) > 1 {
			if d.state.Step == AskedService && !understood && d.wish.Empty() && !d.Tells && len(d.tokens) <= ownService {
				d.state.Service = text.Cut(strings.TrimSpace(d.Message), 100) // in the contact's words
			} else if !begins && !understood && d.wish.Empty() && !d.Tells && !d.Wants {
				return d.pass() // it tells something else
			} else {
				return d.ask(AskedService, text.Fill(d.words.AskService, d.serviceNames()))
			}
		} else {
			d.take(d.services[0])
		}
	}
	return d.time(own)
}

// ownService is how many words a message has at most that may name a service which the business does not list.
const ownService = 6

// service takes the service that the message names, and reports whether it names one.
func (d *Dialog) service() bool {
	s, ok := d.namedService()
	if ok && d.state.Appointment == 0 {
		d.take(s)
	}
	return ok
}

func (d *Dialog) namedService() (service, bool) {
	return choose(d.services, text.Tokens(d.Stated, d.Message))
}

func (d *Dialog) take(s service) { d.state.Service, d.agenda.Length = s.name, s.length }

func (d *Dialog) serviceNames() string {
	var names []string
	for _, s := range d.services[:min(len(d.services), 8)] {
		names = append(names, s.name)
	}
	return strings.Join(names, ", ")
}

// time finds a time for the wish, or offers some.
func (d *Dialog) time(own []appointment.Busy) Outcome {
	d.lengthOf(own)
	w := d.state.wish()
	at, exact := d.agenda.At(w)
	if exact && d.wish.Weekday && at.Before(d.Now) { // "Friday at 9", on a Friday at 10
		w.Dates = []when.Date{w.Dates[0].Add(7)}
		d.state.Dates = w.Dates
		at, exact = d.agenda.At(w)
	}
	if !d.agenda.Hours.Known() {
		switch {
		case !exact:
			return d.ask(AskedTime, d.words.AskTime)
		case !d.agenda.Free(at):
			d.state.Clock = when.Clock{}
			return d.ask(AskedTime, text.Fill(d.words.Taken, d.write(at))+" "+d.words.AskTime)
		}
		d.state.Start = at
		return d.settle(own, true) // a person confirms it in any case
	}
	if exact && d.agenda.Free(at) {
		d.state.Start, d.state.Offers = at, nil
		return d.settle(own, at.Equal(d.agreed))
	}
	if w.Empty() && !d.wish.Soonest && d.state.Step != AskedTime {
		return d.ask(AskedTime, d.words.AskTime)
	}
	times, fits := d.agenda.Near(w)
	if len(times) == 0 {
		d.state.Dates, d.state.Clock = nil, when.Clock{}
		return d.ask(AskedTime, d.words.Full)
	}
	if len(times) == 1 && fits && len(w.Dates) > 0 {
		d.state.Start, d.state.Offers = times[0], nil
		return d.settle(own, false)
	}
	d.state.Offers, d.state.Start = times, time.Time{}
	lead := d.words.Offer
	switch {
	case exact:
		lead = text.Fill(d.words.Taken, d.write(at)) + " " + lead
	case !fits:
		lead = d.words.FullThen + " " + lead
	}
	return d.ask(Offered, lead+"\n"+d.offers())
}

// offers writes the times that are offered.
func (d *Dialog) offers() string {
	var lines []string
	for _, t := range d.state.Offers {
		lines = append(lines, d.write(t))
	}
	return numbered(lines)
}

// lengthOf has an appointment that is moved last as long as before.
func (d *Dialog) lengthOf(own []appointment.Busy) {
	for _, b := range own {
		if b.ID == d.state.Appointment {
			d.agenda.Length = b.End.Sub(b.Start)
		}
	}
}

// settle books the time that was found once all is known. Sure tells that the contact has chosen just this time.
func (d *Dialog) settle(own []appointment.Busy, sure bool) Outcome {
	d.lengthOf(own)
	start := d.state.Start
	if !d.agenda.Free(start) { // somebody else was faster
		d.state.Dates, d.state.Clock = []when.Date{when.DateOf(start.In(d.Zone))}, when.Clock{From: clockOf(start.In(d.Zone)), To: clockOf(start.In(d.Zone))}
		return d.time(own)
	}
	if d.state.Appointment == 0 && d.state.Asked < 2 && (!d.Named || !d.Reachable && d.state.Asked == 0) {
		if d.wish.Empty() || d.state.Asked == 0 { // who names another time has left the question open
			d.state.Asked++
		}
		return d.ask(AskedDetails, text.Fill(d.words.ForTime, d.write(start))+" "+d.detailsQuestion())
	}
	title := d.title(own)
	if !sure {
		if d.state.Appointment != 0 {
			return d.ask(AskedConfirm, text.Fill(d.words.ConfirmMove, title, d.write(start)))
		}
		return d.ask(AskedConfirm, text.Fill(d.words.Confirm, title, d.write(start)))
	}
	end := start.Add(d.agenda.Length)
	if d.state.Appointment != 0 {
		o := d.booked(text.Fill(d.words.Moved, title, d.write(start)))
		o.Change, o.Start, o.End = d.state.Appointment, start, end
		return o
	}
	a := appointment.Appointment{Title: title, Notes: d.state.Notes, StartTime: start.In(d.Zone), EndTime: end.In(d.Zone), Status: appointment.Confirmed}
	o := d.booked(text.Fill(d.words.Booked, title, d.write(start)))
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
	case d.Reachable || d.state.Asked > 1:
		return d.words.AskName
	}
	return d.words.AskDetails
}

// title is what the appointment is called.
func (d *Dialog) title(own []appointment.Busy) string {
	for _, b := range own {
		if b.ID == d.state.Appointment {
			return b.Title
		}
	}
	if d.state.Service != "" {
		return d.state.Service
	}
	return d.words.Appointment
}

func (d *Dialog) write(t time.Time) string { return when.Write(d.Language, t.In(d.Zone)) }

// choice is which of the times that were told the message means, by its place or by its day and time; -1 for none.
func (d *Dialog) choice(of []time.Time) int {
	if len(of) == 0 {
		return -1
	}
	if d.wish.Empty() {
		for i, ordinal := range strings.Split(d.heard.Ordinals, ";") {
			if i < len(of) && d.says(ordinal) {
				return i
			}
		}
		if d.says(d.heard.Last) {
			return len(of) - 1
		}
	}
	if n := d.place(); 1 <= n && n <= len(of) {
		return n - 1
	}
	if d.wish.Soonest {
		return 0
	}
	if d.wish.Empty() {
		return -1
	}
	found := -1
	for i, t := range of {
		local := t.In(d.Zone)
		if len(d.wish.Dates) > 0 && !slices.Contains(d.wish.Dates, when.DateOf(local)) || !meansClock(d.wish, clockOf(local)) {
			continue
		}
		if found >= 0 {
			return -1 // it may be either
		}
		found = i
	}
	return found
}

// place is the number that a message of few words is: "2", "number 2", "le 2"; 0 for none. Behind a word that says so it
// is an hour.
func (d *Dialog) place() int {
	words := strings.FieldsFunc(d.Message, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ':' })
	if len(words) == 0 || len(words) > 2 || len(words) == 2 && d.wish.HasClock() {
		return 0
	}
	n, err := strconv.Atoi(words[len(words)-1])
	if err != nil {
		return 0
	}
	return n
}

// meansClock reports whether a minute of the day is in what a wish says of the time of the day.
func meansClock(w when.Wish, minute int) bool {
	if !w.HasClock() {
		return true
	}
	return slices.ContainsFunc(w.Clock.Clocks(), func(c when.Clock) bool { return c.From <= minute && minute <= c.To })
}

// numbered writes a list of things to choose from.
func numbered(lines []string) string {
	for i, line := range lines {
		lines[i] = strconv.Itoa(i+1) + ". " + line
	}
	return strings.Join(lines, "\n")
}
