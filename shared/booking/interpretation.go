package booking

import (
	"frontdesk/shared/text"
	"frontdesk/shared/when"
)

// An Interpretation is what a language model understood of a message. It replaces what is read from the
// message's words.
type Interpretation struct {
	Does    Does
	Service string    // in the contact's or the business's words; "" for none
	Wish    when.Wish // day and time; if empty, what the words of the message say is used
	// Agrees and Refuses are the answer to the agent's last question.
	Agrees, Refuses bool
}

// Does is the kind of a request.
type Does string

// The kinds of requests.
const (
	Makes   Does = "book"   // make an appointment, or continue making it
	Moves   Does = "move"   // move an appointment to another time
	Cancels Does = "cancel" // cancel an appointment or the booking in progress
	Recalls Does = "recall" // list the contact's appointments
)

// apply replaces what was read from the message's words by an interpretation.
func (d *Dialog) apply(t Interpretation) {
	if !t.Wish.Empty() {
		d.wish, d.declined = t.Wish, nil
	}
	d.Asks, d.Inquires, d.AsksWhen = false, false, t.Does == Recalls
	d.Agrees, d.Refuses, d.Drops = t.Agrees, t.Refuses, false
	d.Courteous, d.Leaves = false, false
	d.cancels, d.moves = t.Does == Cancels, t.Does == Moves
	d.recalls, d.mentions = t.Does == Recalls, false
	d.Wants = true
	if t.Service == "" {
		return
	}
	if s, ok := named(d.services, t.Service); ok {
		d.named, d.names = s, true
	} else if s, ok := choose(d.services, d.Stated, t.Service); ok {
		d.named, d.names = s, true
	} else if d.state.Service == "" {
		d.state.Words, d.state.Sought = text.Cut(t.Service, maxWords), true
	}
}

// maxWords is the limit of an appointment's purpose, in characters.
const maxWords = 100
