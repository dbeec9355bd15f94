package conversation

import (
	"context"

	"frontdesk/shared/identity"
	"frontdesk/shared/table"
)

// A Partner is what a conversation knows of the contact that it is with. It changes with the contact; see
// Renew.
type Partner struct {
	ContactID   int64  `json:"contact_id"`
	ContactName string `json:"contact_name,omitempty"`
	LeadScore   int    `json:"lead_score,omitempty"`
	// Verified tells that it is proved who the contact is; Claimed is what the contact only stated.
	Verified bool            `json:"verified,omitempty"`
	Claimed  identity.Claims `json:"claimed,omitzero"`
}

// Renew is the writes that have conversations know their contact as it is now, for the transaction that
// changes the contact. It reads the conversations, in one trip where there are any. Those that are gone, or
// with somebody else by now, are left alone, and so are those that know it already.
func Renew(ctx context.Context, t table.Table, account int64, conversations []int64,
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
