package conversation

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/table"
)

// An Address is what the platform of a channel knows somebody by, stored under AddressKey: it leads to the
// contact and to the conversation that goes on with them there. On WhatsApp it is the phone in E.164, or for
// a user who shows none the id that Meta gives the user.
type Address struct {
	ContactID      int64 `json:"contact_id"`
	ConversationID int64 `json:"conversation_id"` // the latest
	// LastInboundAt is when they last wrote, on this channel; zero while they have not.
	LastInboundAt time.Time `json:"last_inbound_at,omitzero"`
}

// InWindow reports whether they last wrote less than that long ago; 0 is no limit.
func (a Address) InWindow(now time.Time, window time.Duration) bool {
	return window == 0 || now.Before(a.LastInboundAt.Add(window))
}

// Item is the address as it is stored. Version is that of the item it was read from, 0 for a new one.
func (a Address) Item(key table.Key, version int64) (table.Item, error) {
	doc, err := json.Marshal(a)
	return table.Item{Key: key, Doc: doc, Version: version}, err
}

// ReadAddress is the address that an item holds.
func ReadAddress(item table.Item) (Address, error) {
	var a Address
	if err := json.Unmarshal(item.Doc, &a); err != nil {
		return Address{}, fmt.Errorf("conversation: %s: %w", item.PK, err)
	}
	return a, nil
}
