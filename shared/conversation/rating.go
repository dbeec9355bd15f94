package conversation

import (
	"frontdesk/shared/counter"
	"frontdesk/shared/table"
)

// Rating is a contact's rating of a message.
type Rating string

// The ratings.
const (
	Positive Rating = "positive"
	Negative Rating = "negative"
)

// Values lists the ratings.
func (Rating) Values() []string { return []string{string(Positive), string(Negative)} }

// rating is the attribute of a message's item that has its rating: 1, -1, or 0 for none. It is not in the
// document, since a status may replace the document at the same time.
const rating = "rating"

// sign returns the rating as that number.
func (r Rating) sign() int64 {
	if r == Positive {
		return 1
	}
	return -1
}

// ratingOf returns the rating of the message in an item, "" for none.
func ratingOf(item table.Item) Rating {
	switch item.Numbers[rating] {
	case Positive.sign():
		return Positive
	case Negative.sign():
		return Negative
	}
	return ""
}

// Rate returns the writes that rate the message in an item: they replace its rating and update the counters
// of the day on which it was sent. Their condition fails if the message was rated or deleted since it was
// read. There are none if the message has that rating already.
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
