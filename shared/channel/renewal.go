package channel

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/event"
	"frontdesk/shared/table"
	"frontdesk/shared/wire"
)

// A Renewal identifies a channel whose platform exchanges expiring credentials. It is listed while it is
// connected, for a daily job.
type Renewal struct {
	AccountID int64 `json:"account_id"`
	AgentID   int64 `json:"agent_id"`
	Type      Type  `json:"type"`
}

// Event returns the event that asks for the credentials to be exchanged if they are due.
func (r Renewal) Event(at time.Time) event.Event {
	return event.Event{
		Kind: event.RenewalDue, At: at, AccountID: r.AccountID, AgentID: r.AgentID, Channel: string(r.Type),
	}
}

// ReadRenewal decodes a listed item.
func ReadRenewal(item table.Item) (r Renewal, err error) {
	if err = json.Unmarshal(item.Doc, &r); err != nil {
		err = fmt.Errorf("channel: %s/%s: %w", item.PK, item.SK, err)
	}
	return r, err
}

// List returns the write that lists the channel.
func (r Renewal) List() (table.Write, error) {
	doc, err := wire.Marshal(r)
	return table.Put(table.Item{Key: r.key(), Doc: doc}), err
}

// Unlist returns the write that removes the channel from the list, if it is there.
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
