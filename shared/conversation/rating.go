package conversation

import (
	"time"

	"frontdesk/shared/id"
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

// rating is the name of the number of a message's item that says how it was rated: 1 or -1, and 0 or nothing when it was
// not. It is a number since the message itself may be put anew meanwhile, with another status.
const rating = "rating"

// sign is the rating as that number.
func (r Rating) sign() int64 {
	if r == Positive {
		return 1
	}
	return -1
}

// Rate rates the message that an item holds: it replaces the rating that the message had, and keeps the counts of the
// day on which the message was sent. It fails when the message was rated otherwise or deleted since it was read. There
// is nothing to write where it has the rating already.
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
	count := table.Add(table.RatingsKey(account, agent, id.Time(message.ID)), string(r), 1)
	switch before {
	case Positive.sign():
		count.Add[string(Positive)] = -1
	case Negative.sign():
		count.Add[string(Negative)] = -1
	}
	return []table.Write{mark, count}, nil
}

// RatingsQuery reads the counts of the ratings of an agent's messages that were sent on the days, in UTC, of two
// moments and on those between.
func RatingsQuery(account, agent int64, since, until time.Time) table.Query {
	from, to := table.RatingsKey(account, agent, since), table.RatingsKey(account, agent, until)
	return table.Query{PK: from.PK, From: from.SK, To: to.SK}
}

// Ratings sums up the items of a RatingsQuery.
func Ratings(items ...table.Item) (positive, negative int64) {
	for _, item := range items {
		positive += item.Numbers[string(Positive)]
		negative += item.Numbers[string(Negative)]
	}
	return positive, negative
}
