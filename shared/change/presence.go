package change

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

const (
	// viewingTime is how long a report of viewing is valid.
	viewingTime = 45 * time.Second
	// writingTime is how long a report of writing is valid.
	writingTime = 12 * time.Second
	// rewriteTime is how long the same report is not stored again.
	rewriteTime = 5 * time.Second
)

// An Activity is what a person does in a conversation.
type Activity string

// The activities.
const (
	Viewing Activity = "viewing"
	Writing Activity = "writing" // which includes viewing
	Left    Activity = "left"
)

// Values implements api.Enum.
func (Activity) Values() []string { return []string{string(Viewing), string(Writing), string(Left)} }

// A Presence is a person's latest report from a conversation. It expires by the service's clock, and has no
// message and no event.
type Presence struct {
	ConversationID int64
	At             int64 // an id created when it was reported
	Who
	Activity Activity
}

// A Who is a person in a conversation: its visitor, a member, or for neither the holder of an API key.
type Who struct {
	Visitor  bool   `json:"visitor,omitempty"`
	MemberID int64  `json:"member_id,omitempty"`
	Name     string `json:"name,omitempty"` // of a member; may be empty
}

// In returns a presence of the person in a conversation. at is an id created for it.
func (w Who) In(conversation int64, a Activity, at int64) Presence {
	return Presence{ConversationID: conversation, At: at, Who: w, Activity: a}
}

// Viewing returns for how much longer the person counts as viewing the conversation; 0 if they do not.
func (p Presence) Viewing(now time.Time) time.Duration {
	if p.Activity == Left || p.Visitor {
		return 0
	}
	return p.left(viewingTime, now)
}

// Writing returns for how much longer the person counts as writing; 0 if they do not.
func (p Presence) Writing(now time.Time) time.Duration {
	if p.Activity != Writing {
		return 0
	}
	return p.left(writingTime, now)
}

// left returns what is left of a time since the report. A report from the future, by another machine's clock,
// counts as made now.
func (p Presence) left(of time.Duration, now time.Time) time.Duration {
	return max(0, of-max(0, now.Sub(id.Time(p.At))))
}

// Repeats reports whether a presence says what an earlier one of the same person said moments ago.
func (p Presence) Repeats(earlier Presence) bool {
	return p.Who == earlier.Who && p.Activity == earlier.Activity &&
		id.Time(p.At).Sub(id.Time(earlier.At)) < rewriteTime
}

// A present is the part of a feed item that has the presences of a conversation.
type present struct {
	Who
	Activity Activity `json:"activity"`
}

// Write returns the write that stores the presence, in place of the person's last one there. pk is the
// conversation's partition.
func (p Presence) Write(account int64, pk string) table.Write {
	doc, err := json.Marshal(entry{ConversationID: p.ConversationID, Present: &present{p.Who, p.Activity}})
	if err != nil {
		panic(err) // an entry holds integers and strings
	}
	return table.Put(table.Item{
		Key: presenceKey(pk, p.Who), Doc: doc, Index1: Key(account, p.At),
		Expires: id.Time(p.At).Add(viewingTime + time.Second).Truncate(time.Second),
	})
}

// PresenceQuery returns the query for the presences in the conversation with partition pk. Their sort keys
// follow that of the conversation itself.
func PresenceQuery(pk string) table.Query { return table.Query{PK: pk, Prefix: presences} }

// ReadPresence returns the presence that an item holds.
func ReadPresence(item table.Item) (Presence, error) {
	place, err := placeOf(item)
	if err == nil && place.Present == nil {
		err = fmt.Errorf("change: %s %s: nobody is there", item.PK, item.SK)
	}
	if err != nil {
		return Presence{}, err
	}
	return place.presence(), nil
}
