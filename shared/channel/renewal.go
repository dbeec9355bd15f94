package channel

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/event"
	"frontdesk/shared/table"
	"frontdesk/shared/wire"
)

// A Renewal names a channel whose platform exchanges credentials that end some day. It is listed from its
// connection until it is disconnected, for the daily look at all of them.
type Renewal struct {
	AccountID int64 `json:"account_id"`
	AgentID   int64 `json:"agent_id"`
	Type      Type  `json:"type"`
}

// Event asks for the credentials of the channel to be exchanged if their time has come.
func (r Renewal) Event(at time.Time) event.Event {
	return event.Event{
		Kind: event.RenewalDue, At: at, AccountID: r.AccountID, AgentID: r.AgentID, Channel: string(r.Type),
	}
}

// ReadRenewal is the channel that a listed item names.
func ReadRenewal(item table.Item) (r Renewal, err error) {
	if err = json.Unmarshal(item.Doc, &r); err != nil {
		err = fmt.Errorf("channel: %s/%s: %w", item.PK, item.SK, err)
	}
	return r, err
}

// List is the write that lists the channel.
func (r Renewal) List() (table.Write, error) {
	doc, err := wire.Marshal(r)
	return table.Put(table.Item{Key: r.key(), Doc: doc}), err
}

// Unlist is the write that takes the channel off the list, whether it was there or not.
func (r Renewal) Unlist() table.Write { return table.Delete(r.key()) }

// renews reports whether the platform of a channel exchanges credentials.
func (s *Store) renews(t Type) bool {
	provider, ok := s.Channels.Provider(t)
	if !ok {
		return false
	}
	_, renews := provider.(Refresher)
	return renews
}
