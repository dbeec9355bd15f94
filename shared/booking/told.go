package booking

import (
	"frontdesk/shared/text"
	"frontdesk/shared/when"
)

// Told is what somebody else has understood of a message, a language model, in place of what is read off its
// words.
type Told struct {
	Does    Does
	Service string    // in the contact's words or the business's; "" for none
	Wish    when.Wish // the day and the time; where it is empty the message's own stands
	// Agrees and Refuses are the answer to what was asked last.
	Agrees, Refuses bool
}

// Does is what a message wants of an arrangement.
type Does string

// What it can be.
const (
	Makes   Does = "book"   // an appointment, or goes on with making one
	Moves   Does = "move"   // one to another time
	Cancels Does = "cancel" // one, or what is under way
	Recalls Does = "recall" // hear which ones there are
)

// heed puts what was told in the place of what was read.
func (d *Dialog) heed(t Told) {
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
	} else if s, ok := choose(d.services, text.Tokens(d.Stated, t.Service)); ok {
		d.named, d.names = s, true
	} else if d.state.Service == "" {
		d.state.Words, d.state.Sought = text.Cut(t.Service, maxWords), true
	}
}

// maxWords bounds the words that an appointment is for, in characters.
const maxWords = 100
