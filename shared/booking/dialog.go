package booking

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/appointment"
	"frontdesk/shared/concept"
	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
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
	// Whole is the message that Message is a part of; "" where it is all of it.
	Whole string
	// Wants tells that the message is about an appointment by its words.
	Wants bool
	// Wishes tells that it wants something, whatever that is.
	Wishes bool
	// Hopes tells the same by what was learnt of how people write.
	Hopes bool
	// Comes tells that it speaks of coming by: "Can I pop in on Thursday?"
	Comes bool
	// Answered tells that the message has an answer elsewhere, so that coming by is no more than its
	// occasion: "Can I come on Sunday with a toothache?"
	Answered bool
	// Negates reports whether words of the message turn round what they stand with: "Thursday doesn't work".
	Negates func([]text.Token) bool
	// Topic is the service that the conversation was about before the message, by its name; "" for none.
	Topic string
	// Knows reports whether the business's knowledge has a word, by its stem. Nil knows none.
	Knows func(stem string) bool
	// Asks, Agrees, Refuses and Drops tell that it asks something, says yes, says no, and does not want to go
	// on.
	Asks, Agrees, Refuses, Drops bool
	// Leaves tells that it says goodbye and nothing else, Courteous that it says thanks and nothing else.
	Leaves, Courteous bool
	// Inquires tells that it asks with a word for what it wants to know: "Until when can I cancel?" AsksWhen
	// tells that this is a time.
	Inquires, AsksWhen bool

	ContactID int64
	// Named and Reachable tell that the contact's name, and its phone or e-mail address, are known, what this
	// message tells included.
	Named, Reachable bool
	// Name is the contact's name, as far as it is known; "" if not.
	Name string
	// GoesOn tells that it goes on with what was talked about: "And on Monday?"
	GoesOn bool
	// Heard is what was learnt of how people write about appointments, applied to the message.
	Heard Heard
	// Before is what the contact wrote before the message; "" for nothing.
	Before string
	// First is the first message of the contact that said something; "" for none before the message.
	First string
	// Complains tells that the message complains, insults or asks for a person by its words.
	Complains bool
	// Done is the agent's reply before the message where it says what was done about an appointment, which
	// may be acknowledged; "" for any other reply.
	Done string
	// Told is what a language model has understood of the message; nil where its words are read.
	Told *Told
	// Tells tells that the message says who the contact is or how to reach it.
	Tells bool
}

// Heard is how probably a message wants an appointment made, moved, cancelled or recalled, each from 0 to 1.
type Heard struct {
	Book, Move, Cancel, Recall float64
	// Answer is how probably it answers what was asked: a time, a choice. Question is how probably it wants
	// to know something of the business, Person that it wants a person, and Complaint that it is
	// dissatisfied.
	Answer, Question, Person, Complaint float64
}

// asks reports whether a message that has a word for an appointment rather asks about the business: "Can we
// book outside?"
func (h Heard) asks() bool { return h.Question >= likely && h.Book+h.Move+h.Cancel < leastLearnt }

// unlike reports whether what was learnt speaks against a wish to come.
func (h Heard) unlike() bool {
	return h != (Heard{}) && max(h.Book, h.Move) < atLeast && h.Answer < perhaps
}

// A State is a booking under way: the part of a conversation's frame that is about an appointment. The zero
// State is none.
type State struct {
	Step frame.Step
	// Language is the one that is talked in, where that is not the business's.
	Language string
	frame.Visit
	frame.Proposal
}

// forgotten is how long a booking that the contact does not go on with is under way.
const forgotten = 24 * time.Hour

// Of is the booking under way in a conversation.
func Of(f frame.Frame) State {
	if f.Asked.Appointment == "" {
		return State{}
	}
	return State{f.Asked.Appointment, f.Slots.Language, f.Slots.Visit, f.Proposal}
}

// Fill makes the State that of a conversation. The language stays where there is nothing under way.
func (s State) Fill(f *frame.Frame) {
	if s.Step == "" {
		s = State{Language: f.Slots.Language}
	}
	f.Asked.Appointment, f.Slots.Language, f.Slots.Visit, f.Proposal = s.Step, s.Language, s.Visit, s.Proposal
}

// An Outcome is what comes of a message.
type Outcome struct {
	// Passed tells that the message is none of the booking's after all. Nothing else is set but the State and
	// the Reminder, which goes back to what is still to be known, once the message has its answer.
	Passed   bool
	Reminder string
	Reply    string
	// Choices are the answers that the reply or the reminder offers.
	Choices []conversation.Choice
	State   State
	// Book is an appointment to make, nil for none.
	Book *appointment.Appointment
	// Change is the appointment to move to Start, to call Title, or to cancel where both are zero; 0 for
	// none.
	Change int64
	Start  time.Time
	End    time.Time
	Title  string
	// ForPerson tells that the business has to do the rest.
	ForPerson bool
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
	speech   *language.Speech
	replies  *language.Replies
	talk     *language.Talk
	agenda   Agenda
	named    service // that the message names
	names    bool
	declined []when.Date // days that the message says will not do
	cancels  bool
	moves    bool
	recalls  bool      // asks about the appointment that it has
	mentions bool      // tells something of it: "I'll be late for my appointment"
	revises  bool      // wants another service or party for the appointment just made
	guesses  bool      // the service is named by other words
	party    int       // how many people it speaks of, 0 for none
	rules    bool      // its words belong to a booking by rule, whatever was learnt
	agreed   time.Time // the time that it agrees to and names again
	off      State     // the appointment that was just cancelled; the zero State is none
	asking   bool      // its words put a question, whatever else was understood of it
	settled  bool      // it says to move an appointment to the very time that it names
}

// Begin looks whether a message belongs to a booking: to one under way, or because it wants an appointment,
// or to change one.
func Begin(in Input, state State) (*Dialog, bool) {
	in.Stated = cmp.Or(in.Stated, in.Language)
	in.Comes = in.Comes && !in.Answered && len(strings.Fields(in.Message)) <= shortWish
	if in.Now.Sub(state.At) > forgotten {
		state = State{}
	}
	of := language.Of(in.Language)
	var off State
	if state.Step == frame.CalledOff {
		state, off = State{}, state
	}
	d := &Dialog{
		Input: in, state: state, off: off, asking: in.Asks, tokens: text.Tokens(in.Language, in.Message),
		words: of.BookingReplies(), heard: of.Bookings(), speech: of.Speech(), replies: of.Replies(),
		talk:     of.Talk(),
		services: readServices(in.Stated, in.Services),
	}
	d.readWish()
	d.readService()
	if in.Told != nil {
		d.heed(*in.Told)
		return d, true
	}
	wants := d.readIntent()
	d.rules = d.goesOn() || d.recalls || d.changesOwn() || d.begins(wants)
	ok := d.rules || d.cancels || d.moves || d.revises || d.learnt() >= atLeast
	return d, ok
}

// goesOn reports whether the message goes on with what is arranged, or with what was just done.
func (d *Dialog) goesOn() bool {
	return d.state.Step.Open() || d.acknowledges() || d.regrets()
}

// begins reports whether the message begins to arrange an appointment. Wants tells that it says so.
func (d *Dialog) begins(wants bool) bool {
	keeps := d.Tells && d.wish.Exact() && !d.Inquires // who says who they are wants the time kept
	wants = wants || keeps || d.wantsService() || d.wantsToCome()
	return wants && !(d.Heard.asks() && !d.wish.Exact())
}

// acknowledges reports whether the message says no more than yes to what was just done about an appointment.
func (d *Dialog) acknowledges() bool {
	return d.Done != "" && d.Agrees && !d.Courteous && !d.Tells && d.wish.Empty() && !d.names &&
		!d.cancels && !d.moves
}

// regrets reports whether the message takes back that an appointment was cancelled: "No, wait, can we move
// it?"
func (d *Dialog) regrets() bool {
	return d.Done != "" && d.off.Step != "" && !d.cancels && (d.Refuses || d.moves || d.wants(d.heard.Move))
}

// readIntent reads by the message's words what it wants of an appointment, and reports whether it wants one
// made.
func (d *Dialog) readIntent() (wants bool) {
	made, noun := d.state.Step == frame.Booked, d.says(d.heard.Noun)
	about := d.Wants || d.state.Step != "" || noun || d.names && (d.Wishes || !d.Asks)
	if !d.Inquires {
		d.revises = made && d.wantsRevised()
		calls := about && (d.wants(d.heard.Cancel) || made && d.Drops) || d.heardCancel()
		d.cancels = !d.revises && calls && !d.putsOff()
		d.moves = !d.cancels && !d.revises && d.wantsMoved(about, noun)
	}
	d.readRecall(made, noun)
	changes := d.says(d.heard.Cancel) || d.says(d.heard.Move)
	return d.Wants && !(d.Inquires && changes) // "Until when can I cancel?"
}

// changesOwn reports whether the message calls off, moves or revises the appointment that was just made, or
// says so in words for it.
func (d *Dialog) changesOwn() bool {
	changes := d.cancels || d.moves || d.revises
	return changes && (d.state.Step == frame.Booked || d.wants(d.heard.Cancel) || d.wants(d.heard.Move))
}

// putsOff reports whether the message names another time in place of one that will not do: "I can't make it
// on Friday, could we do Monday?"
func (d *Dialog) putsOff() bool {
	return !d.wish.Empty() && (len(d.declined) > 0 || d.says(d.heard.Instead) || d.says(d.heard.Move))
}

// wantsMoved reports whether the message wants another time for an appointment.
func (d *Dialog) wantsMoved(about, noun bool) bool {
	again := d.state.Step == frame.Booked && d.again()
	return about && d.wants(d.heard.Move) || d.putsOff() && d.wants(d.heard.Cancel) || again ||
		d.heardMove(noun)
}

// readRecall reads whether the message asks about the contact's own appointment, or tells something of it.
func (d *Dialog) readRecall(made, noun bool) {
	changes := d.says(d.heard.Cancel) || d.says(d.heard.Move)
	if noun && d.says(d.heard.Mine) && !changes && !d.wish.HasClock() {
		d.recalls = d.wish.Empty() && (d.AsksWhen || d.Asks && !d.Inquires && !d.Wishes)
		d.mentions = !d.Asks && !d.Wishes
	}
	if made && d.wish.Empty() && (d.AsksWhen && len(d.tokens) <= shortQuestion || d.Heard.Recall >= likely) {
		d.recalls = true // "What time is it again?"
	}
}

// wantsRevised reports whether the message wants another service or party for the appointment just made.
func (d *Dialog) wantsRevised() bool {
	if !d.wish.Empty() || d.wants(d.heard.Cancel) {
		return false
	}
	if d.party > 0 && !d.Asks {
		return true
	}
	other := d.party > 0 || d.names && !d.Asks || d.elseService() != ""
	return other && (d.Heard.Move >= likely || d.says(d.heard.Instead) || d.Wishes)
}

const (
	// likely is the probability from which a wish that was learnt counts by itself, and leastLearnt that from
	// which it is rather one than not.
	likely      = 0.6
	leastLearnt = 0.5
	// perhaps is the probability from which a learnt wish counts that names a time or a service.
	perhaps = 0.25
)

// heardCancel reports whether the message calls an appointment off by what was learnt. Where it names another
// day, or turns a day down without a word for calling off, it is rather put off.
func (d *Dialog) heardCancel() bool {
	says := d.wants(d.heard.Cancel)
	least := likely
	if says && !d.Asks {
		least = perhaps
	}
	if d.Inquires || d.Heard.Cancel < least || d.Heard.Cancel <= max(d.Heard.Book, d.Heard.Move) {
		return false
	}
	if !says && len(d.tokens) < 2 {
		return false // "Sorry"
	}
	open := d.state.Step.Open()
	return !(open && !d.wish.Empty()) && (says || len(d.declined) == 0)
}

// heardMove reports whether the message puts an appointment off by what was learnt.
func (d *Dialog) heardMove(noun bool) bool {
	made := d.state.Step == frame.Booked
	return d.Heard.Move >= likely && d.Heard.Move > d.Heard.Book &&
		(made || d.state.Step == "" && (noun || !d.wish.Empty()))
}

// learnt is how probably the message belongs to a booking by what was learnt of how people write, 0 where
// that is too little.
func (d *Dialog) learnt() float64 {
	p := d.learntWish()
	switch {
	case d.GoesOn: // it may go on with anything
	case len(d.tokens) > longStory:
		return 0
	case d.Heard.Book >= perhaps && (!d.wish.Empty() || d.names || d.Comes && (d.Hopes || d.AsksWhen)):
		return min(max(p, likely), mostLearnt)
	case p >= leastLearnt && d.wish.Empty():
		return min(p*sayingNoTime, mostLearnt)
	case p < leastLearnt && d.hopesForDay():
		return atLeast
	}
	if p < leastLearnt {
		return 0
	}
	return min(p, mostLearnt)
}

// learntWish is how probably the message wants what can be done with an appointment, by what was learnt.
func (d *Dialog) learntWish() float64 {
	p := max(d.Heard.Book, d.Heard.Move, d.Heard.Cancel, d.Heard.Recall)
	spoken := d.state.Step != "" || !d.wish.Empty() || d.says(d.heard.Noun)
	if d.Heard.Recall == p || d.Heard.Move == p && !spoken {
		return d.Heard.Book // nothing to recall or to move was spoken of
	}
	return p
}

// hopesForDay reports whether a short message wants something on a day, or names one as an answer would.
func (d *Dialog) hopesForDay() bool {
	return len(d.wish.Dates) > 0 && len(d.tokens) <= shortWish &&
		(d.Wishes || d.Hopes || d.Heard.Answer >= perhaps)
}

const (
	// mostLearnt bounds the probability by what was learnt: what the business says of the same may be surer.
	mostLearnt = 0.95
	// longStory is how many words a message has at most that is a wish by what was learnt.
	longStory = 60
	// sayingNoTime is what is left of the probability where neither a time nor a service is named.
	sayingNoTime = 0.9
	// atLeast is the probability of a wish for a day, or of a day alone, which counts where nothing else is
	// likely.
	atLeast = 0.1
)

// Likely is how probably the message belongs to the booking, from 0 to 1.
func (d *Dialog) Likely() float64 {
	switch {
	case d.Told != nil:
		return sure
	case d.Heard.Person >= surelyPerson && d.Heard.Person > d.Heard.Book, d.dissatisfied():
		return min(d.learnt(), likely)
	case d.rules:
		return sure
	}
	if p := d.learnt(); !d.cancels && !d.moves && !d.revises {
		return p
	}
	return max(d.learnt(), d.Heard.Cancel, d.Heard.Move, likely)
}

// dissatisfied reports whether the message rather complains than that it goes on with an appointment.
func (d *Dialog) dissatisfied() bool {
	goes := max(d.Heard.Book, d.Heard.Move, d.Heard.Cancel, d.Heard.Answer)
	if d.Tells || d.Agrees || d.Refuses || d.wish.Exact() || d.Asks && d.Heard.Question >= d.Heard.Complaint {
		return false
	}
	return d.Heard.Complaint >= surelyPerson && d.Heard.Complaint > goes || d.Complains && d.wish.Empty() &&
		goes < likely
}

// surelyPerson is the probability from which a message wants a person, whatever is being arranged.
const surelyPerson = 0.8

// sure is how probably a message that is read as part of a booking by rule is one.
const sure = 0.98

// elseService is what the message wants in place of the service of an appointment, where it only points to
// what was asked before: "Can I have that instead?" It is "" for nothing.
func (d *Dialog) elseService() string {
	if d.Before == "" || len(d.tokens) > shortQuestion || !d.says(d.speech.Back) && !d.says(d.heard.Instead) {
		return ""
	}
	if s, ok := choose(d.services, text.Tokens(d.Stated, d.Before)); ok {
		return s.name
	}
	before := *d
	before.Message, before.tokens, before.wish = d.Before, text.Tokens(d.Language, d.Before), when.Wish{}
	return before.purpose()
}

// readService reads which service the message names, or means by other words.
func (d *Dialog) readService() {
	tokens := d.beside(text.Tokens(d.Stated, d.Message))
	if d.named, d.names = choose(d.services, tokens); d.names {
		return
	}
	d.named, d.names = meant(d.services, d.Stated, concept.Names(d.Language, d.Message))
	d.guesses = d.names && d.Language == d.Stated && len(d.services) > 1
	if !d.names && d.state.Step == frame.Booked { // "a check-up instead of the whitening"
		others := slices.DeleteFunc(slices.Clone(d.services),
			func(s service) bool { return s.name == d.state.Service })
		d.named, d.names = choose(others, tokens)
	}
}

// shortQuestion is how many words a question has at most that is about the appointment just made without
// naming it.
const shortQuestion = 6

// readWish reads what the message says about a time. A day or an hour in a clause that turns it down is none
// to come at: "Thursday doesn't work, Wednesday rather".
func (d *Dialog) readWish() {
	now := d.Now.In(d.Zone)
	message := d.Message
	people, counted := d.readParty()
	if d.party = people; people > 0 {
		message = message[:counted.Start] + strings.Repeat(" ", counted.End-counted.Start) +
			message[counted.End:]
	}
	for _, c := range d.clauses() {
		said := message[c.Start:c.End]
		w := when.Parse(d.Language, said, now)
		if len(w.Dates) == 0 && !w.HasClock() || strings.HasSuffix(said, "?") || d.Negates == nil {
			continue
		}
		outside := slices.DeleteFunc(text.Tokens(d.Language, said),
			func(t text.Token) bool { return within(t, w.Said) })
		if d.Negates(outside) {
			d.declined = append(d.declined, w.Dates...)
			message = message[:c.Start] + strings.Repeat(" ", c.End-c.Start) + message[c.End:]
		}
	}
	d.wish = when.Parse(d.Language, message, now)
	d.readBareHour(message)
	if people > 0 {
		d.wish.Said = append(d.wish.Said, counted)
	}
	if !d.state.Start.IsZero() {
		d.wish = d.wish.From(d.state.Start.In(d.Zone))
	}
}

// readBareHour takes a number alone in a clause for an hour where a time was asked for or is to be changed.
func (d *Dialog) readBareHour(message string) {
	awaited := d.state.Step == frame.AskedTime || d.state.Step == frame.Offered ||
		d.state.Step == frame.AskedConfirm
	changes := d.state.Step == frame.Booked && (d.says(d.heard.Instead) || d.Heard.Move >= likely)
	if n := d.place(); d.wish.HasClock() || !changes && (!awaited || d.Asks) ||
		d.state.Step == frame.Offered && 1 <= n && n <= len(d.state.Offers) {
		return
	}
	for _, c := range slices.Backward(d.clauses()) {
		if hour, at, ok := bareHour(message[c.Start:c.End]); ok {
			d.wish.Clock = when.Clock{From: hour * 60, To: hour * 60, Half: hour < 12}
			d.wish.Said = append(d.wish.Said, when.Range{Start: c.Start + at.Start, End: c.Start + at.End})
			return
		}
	}
}

// clauses parts the message at its marks, and before words that turn to another wish.
func (d *Dialog) clauses() []when.Range {
	ends := map[int]bool{len(d.Message): true}
	for i, r := range d.Message {
		next := i + 1
		if strings.ContainsRune(",;!?\n", r) || r == '.' &&
			(next == len(d.Message) || d.Message[next] == ' ') {
			ends[next] = true
		}
	}
	turns := text.Phrases(d.Language, d.heard.Instead)
	for i, t := range d.tokens {
		if slices.ContainsFunc(turns, func(p text.Phrase) bool { return p.At(d.tokens, i) }) &&
			d.wishesFrom(t.Start) {
			ends[t.Start] = true
		}
	}
	var all []when.Range
	start := 0
	for i := range len(d.Message) + 1 {
		if ends[i] && i > start {
			all = append(all, when.Range{Start: start, End: i})
			start = i
		}
	}
	return all
}

// wishesFrom reports whether a time is named between a place of the message and the next mark.
func (d *Dialog) wishesFrom(start int) bool {
	rest := d.Message[start:]
	if end := strings.IndexAny(rest, ",;.!?\n"); end >= 0 {
		rest = rest[:end]
	}
	_, _, hour := bareHour(rest)
	return hour || !when.Parse(d.Language, rest, d.Now.In(d.Zone)).Empty()
}

// beside are the tokens that do not speak of a time: "half past 2" names no half of anything.
func (d *Dialog) beside(tokens []text.Token) []text.Token {
	return slices.DeleteFunc(slices.Clone(tokens), func(t text.Token) bool { return within(t, d.wish.Said) })
}

func within(t text.Token, ranges []when.Range) bool {
	return slices.ContainsFunc(ranges, func(r when.Range) bool { return t.Start < r.End && r.Start < t.End })
}

// wants reports whether the message says one of the list's phrases, and not as a word of a service's name: an
// oil change changes no appointment.
func (d *Dialog) wants(list string) bool {
	beside := slices.DeleteFunc(slices.Clone(d.tokens),
		func(t text.Token) bool { return d.names && d.named.words[t.Stem] })
	_, n := text.Find(text.Phrases(d.Language, list), beside)
	return n > 0
}

// again reports whether the message wants another time for the appointment that was just made: "Can we make
// it 2 instead?", "Thursday doesn't work after all".
func (d *Dialog) again() bool {
	if d.wish.Empty() || d.asBooked() {
		return len(d.declined) > 0
	}
	if d.Negates != nil && d.Negates(d.beside(d.tokens)) && !d.names { // "I can't after all, Friday?"
		return true
	}
	corrects := d.Done != "" && !d.Asks && !d.Wants && !d.names && !d.Courteous && !d.Leaves
	return corrects || d.says(d.heard.Instead) || d.Heard.Move >= likely || len(d.declined) > 0 ||
		d.wish.Later > 0 || d.wish.Ensuing || d.Refuses || d.Comes
}

// asBooked reports whether the message names no other day or time than that of the appointment just made:
// "See you on Friday".
func (d *Dialog) asBooked() bool {
	at := d.state.Start.In(d.Zone)
	return !d.state.Start.IsZero() && slices.Equal(d.wish.Dates, []when.Date{when.DateOf(at)}) &&
		meansClock(d.wish, clockOf(at))
}

// wantsService reports whether the message wants one of the services, or names one with a time for it.
func (d *Dialog) wantsService() bool {
	if !d.names || d.Inquires || d.guesses && d.Heard.unlike() {
		return false
	}
	return (d.Wishes || d.Comes) && (!d.Asks || !d.wish.Empty()) || !d.Asks && !d.wish.Empty()
}

// wantsToCome reports whether the message wants to come by at some time, or wants something at one that the
// conversation was about.
func (d *Dialog) wantsToCome() bool {
	if d.Inquires || d.wish.Empty() || d.Answered || d.Heard.unlike() {
		return false
	}
	return d.Comes || d.Wishes && d.Topic != "" || d.Topic != "" && d.wish.Exact() && !d.Asks
}

// shortWish is how many words a wish to come by has at most that has no word for an appointment: a story is
// none.
const shortWish = 20

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
	if d.cancels || d.moves || d.recalls || d.mentions || d.state.Appointment != 0 ||
		d.state.Step == frame.AskedWhich || to.After(d.Now.Add(horizon)) {
		to = d.Now.Add(horizon + 24*time.Hour)
	}
	return from, to
}

func (s State) wish() when.Wish { return when.Wish{Dates: s.Dates, Clock: s.Clock} }
