package conversation

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/table"
)

// An Identity is someone whom a channel knows, stored under IdentityKey: it leads to the contact and to the
// conversation that goes on with them there. What a channel knows people by is up to the channel; WhatsApp's is the
// phone in E.164, or for a user who shows none the id that Meta gives the user.
type Identity struct {
	ContactID      int64 `json:"contact_id"`
	ConversationID int64 `json:"conversation_id"` // the latest
	// LastInboundAt is when they last wrote, on this channel; zero while they have not.
	LastInboundAt time.Time `json:"last_inbound_at,omitzero"`
}

// serviceWindow is how long after a message from a contact a business may answer freely, by the rules of Meta's channels.
const serviceWindow = 24 * time.Hour

// MayWriteFreely reports whether the customer-service window is open: they wrote less than 24 hours ago.
func (i Identity) MayWriteFreely(now time.Time) bool {
	return now.Before(i.LastInboundAt.Add(serviceWindow))
}

// Item is the identity as it is stored. Version is that of the item it was read from, 0 for a new one.
func (i Identity) Item(key table.Key, version int64) (table.Item, error) {
	doc, err := json.Marshal(i)
	return table.Item{Key: key, Doc: doc, Version: version}, err
}

// ReadIdentity is the identity that an item holds.
func ReadIdentity(item table.Item) (Identity, error) {
	var i Identity
	if err := json.Unmarshal(item.Doc, &i); err != nil {
		return Identity{}, fmt.Errorf("conversation: %s: %w", item.PK, err)
	}
	return i, nil
}
