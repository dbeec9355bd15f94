package conversation

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/table"
)

// An Address identifies a contact on the platform of a channel, and names the contact and the conversation
// that the contact's next message continues. It is stored under AddressKey. On WhatsApp the platform's
// identifier is the phone number in E.164, or Meta's id for a user who hides the number.
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

// Item returns the address as it is stored. version is that of the item it was read from, 0 for a new one.
func (a Address) Item(key table.Key, version int64) (table.Item, error) {
	doc, err := json.Marshal(a)
	return table.Item{Key: key, Doc: doc, Version: version}, err
}

// ReadAddress decodes an item under AddressKey.
func ReadAddress(item table.Item) (Address, error) {
	var a Address
	if err := json.Unmarshal(item.Doc, &a); err != nil {
		return Address{}, fmt.Errorf("conversation: %s: %w", item.PK, err)
	}
	return a, nil
}
