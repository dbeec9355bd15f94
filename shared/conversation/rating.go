package conversation

import (
	"frontdesk/shared/counter"
	"frontdesk/shared/table"
)

// Rating is what a contact thinks of a message.
type Rating string

// The ratings.
const (
	Positive Rating = "positive"
	Negative Rating = "negative"
)

// Values lists the ratings.
func (Rating) Values() []string { return []string{string(Positive), string(Negative)} }

// rating is the name of the number of a message's item that says how it was rated: 1 or -1, and 0 or nothing
// when it was not. It is a number since the message itself may be put anew meanwhile, with another status.
const rating = "rating"

// sign is the rating as that number.
func (r Rating) sign() int64 {
	if r == Positive {
		return 1
	}
	return -1
}

// ratingOf is the rating of the message that an item holds, "" where it has none.
func ratingOf(item table.Item) Rating {
	switch item.Numbers[rating] {
	case Positive.sign():
		return Positive
	case Negative.sign():
		return Negative
	}
	return ""
}

// Rate rates the message that an item holds: it replaces the rating that the message had, and keeps the
// counts of the day on which the message was sent. It fails when the message was rated otherwise or deleted
// since it was read. There is nothing to write where it has the rating already.
func Rate(account, agent int64, item table.Item, r Rating) ([]table.Write, error) {
	message, err := ReadMessage(item)
	if err != nil {
		return nil, err
	}
	before, after := item.Numbers[rating], r.sign()
	if before == after {
		return nil, nil
	}
	mark := table.Add(item.Key, rating, after-before).Existing()
	mark.AtMost, mark.AtLeast = map[string]int64{rating: after}, map[string]int64{rating: after}
	var change counter.Change
	switch before {
	case Positive.sign():
		change.CountOn(message.CreatedAt, rated+string(Positive), -1)
	case Negative.sign():
		change.CountOn(message.CreatedAt, rated+string(Negative), -1)
	}
	change.CountOn(message.CreatedAt, rated+string(r), 1)
	return append([]table.Write{mark}, counter.Add(account, agent, message.ID, change)...), nil
}
