package conversation

import (
	"context"

	"frontdesk/shared/identity"
	"frontdesk/shared/table"
)

// A Partner is the copy of its contact that a conversation has. See UpdatePartner.
type Partner struct {
	ContactID   int64  `json:"contact_id"`
	ContactName string `json:"contact_name,omitempty"`
	LeadScore   int    `json:"lead_score,omitempty"`
	// Verified is set if the contact's identity is proved. Claimed is what the contact only stated.
	Verified bool            `json:"verified,omitempty"`
	Claimed  identity.Claims `json:"claimed,omitzero"`
}

// UpdatePartner returns the writes that update the copy of a contact in its conversations, for the
// transaction that changes the contact. It reads the conversations in one round trip, and makes none if there
// are none. Conversations that are deleted, belong to another contact by now or have the same copy are not
// written.
func UpdatePartner(ctx context.Context, t table.Table, account int64, conversations []int64,
	with Partner) ([]table.Write, error) {
	if len(conversations) == 0 {
		return nil, nil
	}
	var keys []table.Key
	for _, id := range conversations {
		keys = append(keys, Key(account, id))
	}
	items, err := t.BatchGet(ctx, keys...)
	if err != nil {
		return nil, err
	}
	var writes []table.Write
	for _, key := range keys {
		item, ok := items[key]
		if !ok {
			continue
		}
		c, err := Read(item)
		if err != nil {
			return nil, err
		}
		if c.ContactID != with.ContactID || c.Partner == with {
			continue
		}
		c.Partner = with
		renewed, err := c.Item(account, item.Version)
		if err != nil {
			return nil, err
		}
		writes = append(writes, table.PutIfVersion(renewed))
	}
	return writes, nil
}
