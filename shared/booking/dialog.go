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

// An Input is a message with its context. Fields that start with a verb are findings about the message,
// which the caller has read from its words.
type Input struct {
	Language string // language of the conversation
	Stated   string // language of the hours and services; "" for Language
	Zone     *time.Location
	Hours    string   // opening hours as the business states them, "" for none
	Services []string // services as the business states them, one a line
	Now      time.Time

	Message string
	// Whole is the complete message if Message is one part of it; "" otherwise.
	Whole string
	// Wants is set if its words are about an appointment.
	Wants bool
	// Wishes is set if it expresses any wish.
	Wishes bool
	// Hopes is the same by the statistical classifier.
	Hopes bool
	// Comes is set if it speaks of coming by: "Can I pop in on Thursday?"
	Comes bool
	// Answered is set if another skill can answer it. Coming by then only gives context: "Can I come on
	// Sunday with a toothache?"
	Answered bool
	// Negates reports whether words of the message negate the words around them: "Thursday doesn't work".
	Negates func([]text.Token) bool
	// Topic is the name of the service that the conversation was about before; "" for none.
	Topic string
	// Vague is set if the contact used less than half of the Topic's name.
	Vague bool
	// Knows reports whether a stem occurs in the business's knowledge. nil knows no words.
	Knows func(stem string) bool
	// Asks, Agrees, Refuses and Drops are set if it is a question, says yes, says no, or gives up the
	// request.
	Asks, Agrees, Refuses, Drops bool
	// Leaves is set if it is only a goodbye, Courteous if it is only thanks.
	Leaves, Courteous bool
	// Inquires is set if it has a question word: "Until when can I cancel?" AsksWhen is set if that asks for
	// a time.
	Inquires, AsksWhen bool

	ContactID int64
	// Named and Reachable are set if the contact's name, and its phone number or e-mail address, are known,
	// including from this message.
	Named, Reachable bool
	// Name is the contact's name, "" if unknown.
	Name string
	// GoesOn is set if it continues the previous subject: "And on Monday?"
	GoesOn bool
	// Heard are the classifier's probabilities for the message.
	Heard Heard
	// Before is the contact's previous message, "" for none.
	Before string
	// First is the contact's first message with content, "" if this is the first.
	First string
	// Complains is set if its words complain, insult or ask for a person.
	Complains bool
	// Done is the agent's previous reply if it reported a change of an appointment, which the contact may
	// now acknowledge; "" otherwise.
	Done string
	// Interpretation is what a language model understood of the message; nil to read its words.
	Interpretation *Interpretation
	// Tells is set if it gives the contact's name, phone number or e-mail address.
	Tells bool
}

// Heard are probabilities of the statistical classifier, from 0 to 1. Book, Move, Cancel and Recall are
// those of requests to make, move, cancel or look up an appointment.
type Heard struct {
	Book, Move, Cancel, Recall float64
	// Asks is the probability of a question: "What if I can't make it?"
	Asks float64
	// Answer is the probability of an answer to the last question (a time, a choice), Question of a question
	// about the business, Person of a request for a person, and Complaint of a complaint.
	Answer, Question, Person, Complaint float64
}

// asks reports whether a message with a word for an appointment is probably a question about the business:
// "Can we book outside?"
func (h Heard) asks() bool { return h.Question >= likely && h.Book+h.Move+h.Cancel < leastLearnt }

// unlike reports whether the probabilities speak against a wish to come.
func (h Heard) unlike() bool {
	return h != (Heard{}) && max(h.Book, h.Move) < atLeast && h.Answer < perhaps
}

// A State is a booking in progress: the part of a conversation's frame about an appointment. The zero State
// is none.
type State struct {
	Step frame.Step
	// Language is the contact's, if it differs from the business's.
	Language string
	frame.Visit
	frame.Proposal
}

// forgotten is how long a booking stays open without a message about it.
const forgotten = 24 * time.Hour

// Of returns the booking in a conversation's frame.
func Of(f frame.Frame) State {
	if f.Asked.Appointment == "" {
		return State{}
	}
	return State{f.Asked.Appointment, f.Slots.Language, f.Slots.Visit, f.Proposal}
}

// Fill writes the State into a conversation's frame. An empty State leaves the frame's language unchanged.
func (s State) Fill(f *frame.Frame) {
	if s.Step == "" {
		s = State{Language: f.Slots.Language}
	}
	f.Asked.Appointment, f.Slots.Language, f.Slots.Visit, f.Proposal = s.Step, s.Language, s.Visit, s.Proposal
}

// An Outcome is the result of a message.
type Outcome struct {
	// Passed is set if the message does not belong to the booking after all. Only State, Reminder and
	// Choices are set then. The Reminder follows the answer to the message and repeats the open question.
	Passed   bool
	Reminder string
	Reply    string
	// Choices are the answers that the reply or the reminder offers, as buttons.
	Choices []conversation.Choice
	State   State
	// Book is the appointment to create, nil for none.
	Book *appointment.Appointment
	// Change is the id of an appointment to change, 0 for none: it gets the times Start and End and the
	// title Title if they are set, and is cancelled if neither is.
	Change int64
	Start  time.Time
	End    time.Time
	Title  string
	// Settled is set if the reply only repeats the result of an earlier change.
	Settled bool
	// ForPerson is set if a person of the business must do the rest.
	ForPerson bool
}

// Takes reports whether the outcome takes a time in the agenda.
func (o Outcome) Takes() bool { return o.Book != nil || o.Change != 0 && !o.Start.IsZero() }

// A Dialog is a message that belongs to a booking. Begin creates it, Decide handles it.
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
	named    service // the service that the message names
	names    bool
	alike    []service   // services that fit the message equally well if none fits best
	declined []when.Date // dates that the message declines
	cancels  bool
	plainly  bool // a separate clause cancels
	moves    bool
	recalls  bool      // it asks about an existing appointment
	mentions bool      // it says something about one: "I'll be late for my appointment"
	revises  bool      // it asks for another service or party size for the appointment just made
	guesses  bool      // the service is named by a synonym
	party    int       // party size in the message, 0 for none
	rules    bool      // it belongs to a booking by rules, regardless of the classifier
	agreed   time.Time // the offered time that it accepts by repeating it
	off      State     // the appointment that was just cancelled, or the zero State
	asking   bool      // its words form a question, whatever other skills found
	ordered  bool      // it tells to move an appointment to exactly the time that it names
}

// Begin reads a message. It returns false if the message does not belong to a booking: it neither continues
// one nor asks to make, change or look up an appointment.
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
	if in.Interpretation != nil {
		d.apply(*in.Interpretation)
		return d, true
	}
	wants := d.readIntent()
	d.rules = d.goesOn() || d.recalls || d.changesOwn() || d.begins(wants)
	ok := d.rules || d.cancels || d.moves || d.revises || d.learnt() >= atLeast
	return d, ok
}

// goesOn reports whether the message continues the booking or refers to the change just made.
func (d *Dialog) goesOn() bool {
	return d.state.Step.Open() && !d.lapsed() || d.acknowledges() || d.regrets()
}

// lapsed reports whether the contact has changed the subject and the message has nothing about the booking
// either. The booking's details stay stored.
func (d *Dialog) lapsed() bool {
	tells := d.Tells || d.names || len(d.alike) > 0 || d.Drops || !d.wish.Empty() || len(d.declined) > 0
	return d.state.Aside > maxAside && !tells && d.choice(d.state.Offers) < 0
}

// begins reports whether the message starts a booking. wants is set if its words say so.
func (d *Dialog) begins(wants bool) bool {
	keeps := d.Tells && d.wish.Exact() && !d.Inquires // a contact who leaves details wants the time booked
	wants = wants || keeps || d.wantsService() || d.wantsToCome() || d.bareTime()
	return wants && !((d.Heard.asks() || d.walksIn()) && !d.wish.Exact())
}

// walksIn reports whether the message asks about coming without an appointment.
func (d *Dialog) walksIn() bool {
	return slices.Contains(concept.Names(d.Language, d.Message), "walkin")
}

// bareTime reports whether the message contains a day and an hour, and otherwise only words of little
// meaning.
func (d *Dialog) bareTime() bool {
	if !d.wish.Exact() || len(d.wish.Dates) != 1 || d.Inquires {
		return false
	}
	aside := text.Tokens(d.Language, d.talk.Filler+","+language.Of(d.Language).Requests().Yes)
	return !slices.ContainsFunc(d.beside(d.tokens), func(t text.Token) bool {
		light := t.Stop || t.Kind != text.Word || concept.Light(d.Language, t.Stem)
		return !light && !slices.ContainsFunc(aside, func(a text.Token) bool { return a.Stem == t.Stem })
	})
}

// acknowledges reports whether the message only agrees with the change that was just made.
func (d *Dialog) acknowledges() bool {
	thanks := d.off.Step != "" && d.says(d.talk.Thanks) && !d.cancels
	return d.Done != "" && d.Agrees && !d.Asks && !d.Courteous && !thanks && !d.Tells && d.wish.Empty() &&
		!d.names && (!d.cancels || d.off.Step != "") && !d.moves
}

// regrets reports whether the message takes back a cancellation: "No, wait, can we move it?"
func (d *Dialog) regrets() bool {
	return d.Done != "" && d.off.Step != "" && !d.cancels && (d.Refuses || d.moves || d.wants(d.heard.Move))
}

// readIntent reads from the message's words what it wants of an appointment, and reports whether it wants to
// make one.
func (d *Dialog) readIntent() (wants bool) {
	made, noun := d.state.Step == frame.Booked, d.says(d.heard.Noun)
	d.dropsDay()
	d.plainly = d.callsOffAlone() && !(d.Heard.Asks >= surelyAsks && d.onlyAsks())
	if !d.Inquires && !d.asksTerms() || d.plainly {
		d.readChange(made, noun)
	}
	d.readRecall(made, noun)
	changes := d.says(d.heard.Cancel) || d.says(d.heard.Move)
	return d.Wants && !(d.Inquires && changes) // "Until when can I cancel?"
}

// ponders reports whether the message asks about a hypothetical cancellation: "What if I can't make it?"
func (d *Dialog) ponders() bool {
	marked := strings.ContainsAny(d.Message, "?？؟")
	asks := marked || d.Heard.Question > d.Heard.Cancel && !d.wants(d.heard.Cancel) || d.onlyAsks()
	return asks && d.Heard.Asks >= surelyAsks
}

// onlyAsks reports whether the classifier surely takes the message for a question about the business, and
// not for a request to change an appointment.
func (d *Dialog) onlyAsks() bool {
	return d.Heard.Question >= surelyAsks && max(d.Heard.Cancel, d.Heard.Move) < leastLearnt
}

// readChange reads whether the message asks to revise, cancel or move an appointment. made is set if one was
// just made, noun if the message has a word for one.
func (d *Dialog) readChange(made, noun bool) {
	about := d.Wants || d.state.Step != "" || noun || d.names && (d.Wishes || !d.Asks)
	d.revises = made && d.wantsRevised()
	calls := about && (d.wants(d.heard.Cancel) || made && d.Drops) || d.heardCancel()
	d.cancels = !d.revises && calls && !d.putsOff() && (d.plainly || !d.ponders())
	general := d.wish.Empty() && d.Heard.Asks >= surelyAsks && d.onlyAsks()
	d.moves = !d.cancels && !d.revises && !general && d.wantsMoved(about, noun)
}

// callsOffAlone reports whether one clause of the message cancels an appointment and says nothing else: "how
// much was it again, call it off".
func (d *Dialog) callsOffAlone() bool {
	calls := text.Phrases(d.Language, d.heard.Cancel)
	return d.state.Step == frame.Booked && slices.ContainsFunc(d.clauses(), func(c when.Range) bool {
		said := strings.TrimSpace(d.Message[c.Start:c.End])
		tokens := text.Tokens(d.Language, said)
		at, n := text.Find(calls, tokens)
		others := slices.ContainsFunc(slices.Concat(tokens[:at], tokens[at+n:]),
			func(t text.Token) bool { return !t.Stop })
		return n > 0 && !others && !strings.HasSuffix(said, "?")
	})
}

// asksTerms reports whether the message asks what a cancellation costs, without cancelling.
func (d *Dialog) asksTerms() bool {
	if !d.Asks && !d.asking || d.Heard.Cancel >= surelyCancels {
		return false
	}
	costs := []string{"price", "free", "refund", "pay"}
	return slices.ContainsFunc(concept.Names(d.Language, d.Message),
		func(name string) bool { return slices.Contains(costs, name) })
}

// surelyCancels is the probability from which a message cancels although it asks for the costs.
const surelyCancels = 0.8

// dropsDay reads a message that gives up the booking's day as giving up the booking, so that the day is no
// wish: "Leave it for Saturday".
func (d *Dialog) dropsDay() {
	gives := text.Phrases(d.Language, language.Of(d.Language).Requests().Cancel)
	_, n := text.Find(gives, d.tokens)
	same := slices.Equal(d.wish.Dates, d.state.Dates)
	if !d.state.Start.IsZero() {
		same = slices.Equal(d.wish.Dates, []when.Date{when.DateOf(d.state.Start.In(d.Zone))})
	}
	if n > 0 && !d.asking && same && len(d.wish.Dates) == 1 && !d.wish.HasClock() {
		d.Drops, d.wish = true, when.Wish{Said: d.wish.Said}
	}
}

// changesOwn reports whether the message cancels, moves or revises the appointment that was just made, or
// has words for doing so.
func (d *Dialog) changesOwn() bool {
	changes := d.cancels || d.moves || d.revises
	return changes && (d.state.Step == frame.Booked || d.wants(d.heard.Cancel) || d.wants(d.heard.Move))
}

// putsOff reports whether the message names another time to replace a declined one: "I can't make it on
// Friday, could we do Monday?"
func (d *Dialog) putsOff() bool {
	return !d.wish.Empty() && (len(d.declined) > 0 || d.says(d.heard.Instead) || d.says(d.heard.Move))
}

// wantsMoved reports whether the message asks for another time for an appointment.
func (d *Dialog) wantsMoved(about, noun bool) bool {
	again := d.state.Step == frame.Booked && d.again()
	return about && d.wants(d.heard.Move) || d.putsOff() && d.wants(d.heard.Cancel) || again ||
		d.heardMove(noun)
}

// readRecall reads whether the message asks or says something about an existing appointment.
func (d *Dialog) readRecall(made, noun bool) {
	changes := d.says(d.heard.Cancel) || d.says(d.heard.Move)
	if noun && d.says(d.heard.Mine) && !changes && !d.wish.HasClock() {
		d.recalls = d.wish.Empty() && (d.AsksWhen || d.Asks && !d.Inquires && !d.Wishes)
		d.mentions = !d.Asks && !d.Wishes
	}
	again := d.AsksWhen && len(d.tokens) <= shortQuestion || d.Heard.Recall >= likely
	if made && again && !changes && d.wish.Empty() {
		d.recalls = true // "What time is it again?"
	}
}

// wantsRevised reports whether the message asks for another service or party size for the appointment just
// made.
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
	// likely is the probability from which the classifier's intent counts without other evidence, and
	// leastLearnt that from which it counts at all.
	likely      = 0.6
	leastLearnt = 0.5
	// surelyAsks is the probability of a question from which a message does not cancel.
	surelyAsks = 0.9
	// perhaps is the probability from which an intent counts together with a time, a service or a word for
	// it.
	perhaps = 0.25
)

// heardCancel reports whether the message cancels according to the classifier. A message that names another
// day, or declines a day without a word for cancelling, postpones rather than cancels.
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

// heardMove reports whether the message moves an appointment according to the classifier.
func (d *Dialog) heardMove(noun bool) bool {
	made := d.state.Step == frame.Booked
	return d.Heard.Move >= likely && d.Heard.Move > d.Heard.Book &&
		(made || d.state.Step == "" && (noun || !d.wish.Empty()))
}

// learnt returns the classifier's probability that the message belongs to a booking, or 0 if it is too low
// to count.
func (d *Dialog) learnt() float64 {
	p := d.learntWish()
	switch {
	case d.walksIn(), d.asksAside():
		return 0
	case d.GoesOn: // the continuation may be of any length
	case len(d.tokens) > longStory:
		return 0
	case d.Heard.Book >= perhaps && (!d.wish.Empty() || d.names || d.Comes && (d.Hopes || d.AsksWhen)):
		return min(max(p, likely), mostLearnt)
	case d.putsDown():
		return likely
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

// asksAside reports whether the message is a question about the business or the appointment just made.
func (d *Dialog) asksAside() bool {
	made := d.state.Step == frame.Booked && d.wish.Empty() && d.Heard.Question >= likely
	return d.asking && (made || d.Heard.asks() && !d.wish.Exact())
}

// putsDown reports whether the message names a day for the service under discussion, without asking: "Put the
// two of us down for Thursday."
func (d *Dialog) putsDown() bool {
	return d.Heard.Book >= atLeast && d.Topic != "" && len(d.wish.Dates) == 1 && !d.asking &&
		!d.Heard.asks()
}

// learntWish returns the classifier's probability of any request for an appointment.
func (d *Dialog) learntWish() float64 {
	p := max(d.Heard.Book, d.Heard.Move, d.Heard.Cancel, d.Heard.Recall)
	spoken := d.state.Step != "" || !d.wish.Empty() || d.says(d.heard.Noun)
	if d.Heard.Recall == p || d.Heard.Move == p && !spoken || d.Heard.Cancel == p && d.ponders() {
		return d.Heard.Book // nothing to recall or to move was mentioned, or the cancellation is hypothetical
	}
	return p
}

// hopesForDay reports whether a short message asks for something on a day, or names one as an answer.
func (d *Dialog) hopesForDay() bool {
	return len(d.wish.Dates) > 0 && len(d.tokens) <= shortWish &&
		(d.Wishes || d.Hopes || d.Heard.Answer >= perhaps)
}

const (
	// mostLearnt is the upper limit of the result of learnt, so that an exact match in the business's
	// knowledge can win.
	mostLearnt = 0.95
	// longStory is the limit of words for messages without a continuation. Longer ones get the result 0.
	longStory = 60
	// sayingNoTime is the factor for messages without a time.
	sayingNoTime = 0.9
	// atLeast is the result for a short wish for a day that has no other evidence.
	atLeast = 0.1
)

// Likely returns the probability that the message belongs to the booking, from 0 to 1.
func (d *Dialog) Likely() float64 {
	switch {
	case d.Interpretation != nil:
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

// dissatisfied reports whether the message is a complaint rather than part of a booking.
func (d *Dialog) dissatisfied() bool {
	goes := max(d.Heard.Book, d.Heard.Move, d.Heard.Cancel, d.Heard.Answer)
	callsOff := d.state.Step == frame.Booked && d.cancels && (d.Drops || d.wants(d.heard.Cancel))
	if callsOff || d.Tells || d.Agrees || d.Refuses || d.wish.Exact() ||
		d.Asks && d.Heard.Question >= d.Heard.Complaint {
		return false
	}
	return d.Heard.Complaint >= surelyPerson && d.Heard.Complaint > goes || d.Complains && d.wish.Empty() &&
		goes < likely
}

// surelyPerson is the probability from which a request for a person or a complaint takes precedence over the
// booking.
const surelyPerson = 0.8

// sure is the result of Likely for messages that belong to a booking by rules.
const sure = 0.98

// elseService returns the service that replaces that of an appointment if the message only refers to the
// previous one: "Can I have that instead?" It returns "" for none.
func (d *Dialog) elseService() string {
	if d.Before == "" || len(d.tokens) > shortQuestion || !d.says(d.speech.Back) && !d.says(d.heard.Instead) {
		return ""
	}
	if s, ok := choose(d.services, d.Stated, d.Before); ok {
		return s.name
	}
	before := *d
	before.Message, before.tokens, before.wish = d.Before, text.Tokens(d.Language, d.Before), when.Wish{}
	return before.purpose()
}

// readService sets the service that the message names directly, by a synonym or by a word of another
// language.
func (d *Dialog) readService() {
	tokens := d.beside(text.Tokens(d.Stated, d.Message))
	among := d.services
	if asked := d.among(d.state.Alike); len(asked) > 0 && len(mostNamed(asked, tokens)) > 0 {
		among = asked
	}
	if d.readListed(); d.names {
		return
	}
	if all := allNamed(among, tokens); d.wantsAll(all) {
		d.named, d.names = together(all), true
		return
	}
	best := mostNamed(among, tokens)
	if len(best) > 1 {
		best = lasting(best, d.Language, d.untimed())
	}
	means, meaning := meant(among, d.Stated, concept.Names(d.Language, d.Message))
	if len(best) == 1 && !(meaning && best[0].share(tokens) < Half) {
		d.named, d.names = best[0], true
		return
	}
	if len(best) > 1 && len(best) < len(d.services) {
		d.alike, among = best, best
	}
	if d.named, d.names = means, meaning; len(d.alike) > 0 {
		d.named, d.names = meant(d.alike, d.Stated, concept.Names(d.Language, d.Message))
	}
	if !d.names && d.Language != d.Stated {
		d.named, d.names = cognate(among, d.beside(d.tokens))
	}
	d.guesses = d.names && d.Language == d.Stated && len(d.services) > 1
	if !d.names {
		d.readUnnamed()
	}
}

// readUnnamed sets the service of a message that names none clearly: the only table for a party, "Have you
// room for five?", or another than the one that is booked, "a check-up instead of the whitening".
func (d *Dialog) readUnnamed() {
	if tables := d.tables(); len(d.alike) == 0 && d.party > 0 && len(tables) > 0 {
		d.named, d.names = d.atMeal(tables)
		d.guesses = d.names && len(d.services) > 1
	}
	if !d.names && d.state.Service == "" && len(d.alike) == 0 {
		d.named, d.names = resembling(d.services, d.beside(text.Tokens(d.Stated, d.Message)))
		d.guesses = d.names
	}
	if !d.names && d.state.Step == frame.Booked {
		others := slices.DeleteFunc(slices.Clone(d.services),
			func(s service) bool { return s.name == d.state.Service })
		d.named, d.names = choose(others, d.Stated, d.Message)
	}
}

// readListed sets the service of the agent's list that the message chooses by its number, or by its duration
// if only that tells the listed ones apart.
func (d *Dialog) readListed() {
	if n := d.place(); d.state.Step == frame.AskedService && 1 <= n && n <= len(d.serviceNames()) {
		d.named, d.names = named(d.services, d.serviceNames()[n-1])
		return
	}
	if of := lasting(d.among(d.state.Alike), d.Language, d.untimed()); len(of) == 1 {
		d.named, d.names = of[0], true
	}
}

// maxTogether is the limit of services that are booked as one appointment.
const maxTogether = 3

// wantsAll reports whether a message that starts a booking and names several services asks for all of them,
// rather than replacing one or asking about them.
func (d *Dialog) wantsAll(of []service) bool {
	begins := d.state.Step == "" || d.state.Step == frame.AskedService
	several := len(of) > 1 && len(of) <= maxTogether && !sameTitle(of)
	return several && begins && !d.says(d.heard.Instead) && !d.Inquires &&
		(!d.Asks || d.Wishes || d.wish.Exact())
}

// among returns the services with these names.
func (d *Dialog) among(names []string) []service {
	var of []service
	for _, name := range names {
		if s, ok := named(d.services, name); ok {
			of = append(of, s)
		}
	}
	return of
}

// shortQuestion is the limit of words of a question that refers to the appointment just made without naming
// it.
const shortQuestion = 6

// readWish reads the wished time. A day or an hour in a clause that declines it is not part of the wish:
// "Thursday doesn't work, Wednesday rather".
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
	message = d.withoutHeld(d.withoutGreeting(message), now)
	d.wish = when.Parse(d.Language, message, now)
	d.readBareHour(message)
	d.readLastHour(message, now)
	d.keepHour()
	d.dropYesterday()
	if people > 0 {
		d.wish.Said = append(d.wish.Said, counted)
	}
	if !d.state.Start.IsZero() {
		d.wish = d.wish.From(d.state.Start.In(d.Zone))
	}
	d.readDayBefore(now)
}

// withoutHeld returns the message with blanks for clauses that only name the day or the hour that is held
// already, if another clause names another one: "I work on Thursday. Friday afternoon?", "could we do half
// past? I finish at five".
func (d *Dialog) withoutHeld(message string, now time.Time) string {
	start, held := d.state.Start.In(d.Zone), d.heldClock()
	heldDay := func(w when.Wish) bool {
		return len(w.Dates) == 1 && !w.HasClock() && (slices.Contains(d.state.Dates, w.Dates[0]) ||
			!d.state.Start.IsZero() && w.Dates[0] == when.DateOf(start))
	}
	heldHour := func(w when.Wish) bool {
		return len(w.Dates) == 0 && w.Exact() && (when.Wish{Clock: held}).Exact() &&
			(w.Clock.From == held.From || w.Clock.Half && w.Clock.From+12*60 == held.From)
	}
	agrees := text.Phrases(d.Language, language.Of(d.Language).Requests().Yes)
	otherDay, otherHour := false, false
	var days, hours []when.Range
	for _, c := range d.clauses() {
		if _, n := text.Find(agrees, text.Tokens(d.Language, message[c.Start:c.End])); n > 0 {
			continue
		}
		switch w := when.Parse(d.Language, message[c.Start:c.End], now); {
		case heldDay(w):
			days = append(days, c)
		case heldHour(w):
			hours = append(hours, c)
		default:
			otherDay = otherDay || len(w.Dates) > 0
			otherHour = otherHour || w.Exact()
		}
	}
	if !otherDay {
		days = nil
	}
	if otherHour {
		days = append(days, hours...)
	}
	for _, c := range days {
		message = message[:c.Start] + strings.Repeat(" ", c.End-c.Start) + message[c.End:]
	}
	return message
}

// withoutGreeting returns the message with blanks for the greeting that it begins with. The "morning" of
// "Good morning" is no time, and in some languages it is the word for tomorrow.
func (d *Dialog) withoutGreeting(message string) string {
	n := text.LongestAt(text.Phrases(d.Language, d.talk.Greeting), d.tokens, 0)
	if n == 0 {
		return message
	}
	end := d.tokens[n-1].End
	return strings.Repeat(" ", end) + message[end:]
}

// readLastHour takes the hour that the last clause names alone: "After three, say four?"
func (d *Dialog) readLastHour(message string, now time.Time) {
	all := d.clauses()
	if len(all) < 2 || !d.wish.HasClock() || d.wish.Exact() {
		return
	}
	last := all[len(all)-1]
	if w := when.Parse(d.Language, message[last.Start:last.End], now); w.Exact() && len(w.Dates) == 0 {
		d.wish.Clock = w.Clock
	}
}

// heldClock returns the hour of the appointment just made, or else the one that is being arranged.
func (d *Dialog) heldClock() when.Clock {
	if d.state.Start.IsZero() {
		return d.state.Clock
	}
	at := clockOf(d.state.Start.In(d.Zone))
	return when.Clock{From: at, To: at}
}

// keepHour keeps the hour that is being arranged, or that of the appointment just made, if the message asks
// for the same one on another day. Another part of the day is then not meant for the appointment: "That's the
// parents' evening. Thursday, same time?"
func (d *Dialog) keepHour() {
	held := d.heldClock()
	exactly := (when.Wish{Clock: held}).Exact()
	if d.says(d.heard.Same) && len(d.wish.Dates) > 0 && !d.wish.Exact() && exactly {
		d.wish.Clock = held
	}
}

// readDayBefore takes the day from the contact's previous message if this one names only a time and the
// booking has no day: "Are you open on Sunday?", "At one, then".
func (d *Dialog) readDayBefore(now time.Time) {
	known := len(d.wish.Dates) > 0 || len(d.state.Dates) > 0 || !d.state.Start.IsZero()
	if d.Before == "" || known || d.state.Appointment != 0 || !d.wish.Exact() {
		return
	}
	before := when.Parse(d.Language, d.Before, now)
	if len(before.Dates) == 1 && before.Dates[0].Compare(when.DateOf(now)) >= 0 {
		d.wish.Dates, d.wish.Weekday = before.Dates, before.Weekday
	}
}

// dropYesterday removes yesterday from the wish of a message that starts a booking: "I hurt my back
// yesterday". In an open booking it is kept, so that the reply says that it has passed.
func (d *Dialog) dropYesterday() {
	if d.state.Step.Open() {
		return
	}
	days := strings.Split(language.Of(d.Language).Times().Relative, ";")
	if d.says(days[len(days)-1]) {
		yesterday := when.DateOf(d.Now.In(d.Zone)).Add(-1)
		d.wish.Dates = slices.DeleteFunc(d.wish.Dates, func(day when.Date) bool { return day == yesterday })
	}
}

// readBareHour reads a number alone in a clause as an hour if the agent asked for a time or a time is to be
// changed.
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

// clauses splits the message at punctuation marks and before words that introduce another request.
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

// wishesFrom reports whether a time is named between an offset of the message and the next punctuation mark.
func (d *Dialog) wishesFrom(start int) bool {
	rest := d.Message[start:]
	if end := strings.IndexAny(rest, ",;.!?\n"); end >= 0 {
		rest = rest[:end]
	}
	_, _, hour := bareHour(rest)
	return hour || !when.Parse(d.Language, rest, d.Now.In(d.Zone)).Empty()
}

// beside returns the tokens that are not part of a time, "half past 2" contains no half of anything, nor of
// an address: "example.com" is no exam.
func (d *Dialog) beside(tokens []text.Token) []text.Token {
	return slices.DeleteFunc(slices.Clone(tokens), func(t text.Token) bool {
		return t.Kind == text.Email || t.Kind == text.URL || within(t, d.wish.Said)
	})
}

// untimed returns the message with blanks for the times in it: "19h" is no duration.
func (d *Dialog) untimed() string {
	message := d.Message
	for _, r := range d.wish.Said {
		message = message[:r.Start] + strings.Repeat(" ", r.End-r.Start) + message[r.End:]
	}
	return message
}

func within(t text.Token, ranges []when.Range) bool {
	return slices.ContainsFunc(ranges, func(r when.Range) bool { return t.Start < r.End && r.Start < t.End })
}

// wants reports whether the message contains one of the list's phrases outside the name of a service. The
// word in "oil change" changes no appointment.
func (d *Dialog) wants(list string) bool {
	beside := slices.DeleteFunc(slices.Clone(d.tokens),
		func(t text.Token) bool { return d.names && d.named.words[t.Stem] })
	_, n := text.Find(text.Phrases(d.Language, list), beside)
	return n > 0
}

// again reports whether the message asks for another time for the appointment just made: "Can we make it 2
// instead?", "Thursday doesn't work after all".
func (d *Dialog) again() bool {
	if d.wish.Empty() || d.asBooked() {
		return len(d.declined) > 0
	}
	if d.Negates != nil && d.Negates(d.beside(d.tokens)) && !d.names { // "I can't after all, Friday?"
		return true
	}
	corrects := d.Done != "" && !d.Asks && !d.Wants && !d.names && !d.Courteous && !d.Leaves
	return corrects || d.says(d.heard.Instead) || d.Heard.Move >= likely || len(d.declined) > 0 ||
		d.wish.Later != 0 || d.wish.Ensuing || d.Refuses || d.Comes || d.says(d.heard.Same) ||
		d.putsElsewhere()
}

// putsElsewhere reports whether the message names only a time. Just after a booking, it refers to that
// appointment unless it is for another person.
func (d *Dialog) putsElsewhere() bool {
	wants := max(d.Heard.Book, d.Heard.Move, d.Heard.Answer)
	return d.wish.Exact() && len(d.wish.Dates) < 2 && !d.names && !d.Wants && !d.Inquires &&
		d.party == 0 && !d.forOther() && wants >= d.Heard.Question
}

// forOther reports whether the clause with the time names another person: "and one for my dad at 4".
func (d *Dialog) forOther() bool {
	kin := text.Phrases(d.Language, d.heard.Kin)
	for _, c := range d.clauses() {
		timed := slices.ContainsFunc(d.wish.Said,
			func(r when.Range) bool { return r.Start < c.End && c.Start < r.End })
		if !timed {
			continue
		}
		if _, n := text.Find(kin, text.Tokens(d.Language, d.Message[c.Start:c.End])); n > 0 {
			return true
		}
	}
	return false
}

// asBooked reports whether the message repeats the day and time of the appointment just made and names no
// others: "See you on Friday".
func (d *Dialog) asBooked() bool {
	at := d.state.Start.In(d.Zone)
	return !d.state.Start.IsZero() && slices.Equal(d.wish.Dates, []when.Date{when.DateOf(at)}) &&
		meansClock(d.wish, clockOf(at))
}

// wantsService reports whether the message asks for a service, or names one with a time.
func (d *Dialog) wantsService() bool {
	if !d.names || d.Inquires || d.guesses && d.Heard.unlike() {
		return false
	}
	return (d.Wishes || d.Comes) && (!d.Asks || !d.wish.Empty()) || !d.Asks && !d.wish.Empty()
}

// wantsToCome reports whether the message asks to come at some time, or names a time for the conversation's
// service.
func (d *Dialog) wantsToCome() bool {
	if d.Inquires || d.wish.Empty() || d.Answered {
		return false
	}
	timed := d.Topic != "" && !d.Asks && d.namesTime()
	if d.Heard.unlike() {
		return timed && d.wish.Exact() && max(d.Heard.Question, d.Heard.Complaint) < leastLearnt
	}
	return d.Comes || d.Wishes && d.Topic != "" || timed || d.Topic != "" && d.wish.Exact() && !d.Asks
}

// namesTime reports whether the message names a day with a time, and does not speak of opening hours.
func (d *Dialog) namesTime() bool {
	return len(d.wish.Dates) == 1 && d.wish.HasClock() &&
		!slices.ContainsFunc(concept.Names(d.Language, d.Message), ofHours)
}

// ofHours reports whether a concept, given by its name, is about opening hours.
func ofHours(name string) bool { return name == "open" || name == "close" }

// Timed reports whether the message names an exact time for a service: "Can she do my boiler on Friday at
// two?" It then asks for an appointment even if it also resembles a question about the business.
func (d *Dialog) Timed() bool {
	return d.rules && !d.Inquires && d.wish.Exact() && d.namesTime() && (d.names || d.Topic != "")
}

// shortWish is the limit of words of a wish to come without a word for an appointment. Longer messages tell
// a story.
const shortWish = 20

func (d *Dialog) says(list string) bool {
	_, n := text.Find(text.Phrases(d.Language, list), d.tokens)
	return n > 0
}

// Window returns the period for which Decide needs the busy times.
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
