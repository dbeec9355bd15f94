package contact

import (
	"context"
	"encoding/json"
	"fmt"

	"frontdesk/shared/table"
)

// A Pointer leads from a phone or an e-mail address to the contact that has it, under a key of KeyByPhone or
// KeyByEmail. The zero Pointer is one that is not there.
type Pointer struct {
	// ContactID is 0 where no contact has the phone any more, and OptedOut is kept for the next that has it.
	ContactID int64 `json:"contact_id"`
	// OptedOut tells of a phone without a contact that the last one wanted no messages: neither does the
	// next.
	OptedOut bool `json:"opted_out,omitempty"`
	// Version is that of the item it was read from.
	Version int64 `json:"-"`
}

// Item is the pointer as it is stored under a key.
func (p Pointer) Item(key table.Key) (table.Item, error) {
	doc, err := json.Marshal(p)
	return table.Item{Key: key, Doc: doc, Version: p.Version}, err
}

// ReadPointer is the pointer that an item holds.
func ReadPointer(item table.Item) (Pointer, error) {
	var p Pointer
	if err := json.Unmarshal(item.Doc, &p); err != nil {
		return Pointer{}, fmt.Errorf("contact: %s: %w", item.PK, err)
	}
	p.Version = item.Version
	return p, nil
}

// leave is the writes that have nothing lead to a contact any more, which is being deleted. What leads to
// another is left alone. That the contact wanted no messages stays with its phones, unless it is erased.
func (s *Store) leave(ctx context.Context, account int64, c Contact, erase bool) ([]table.Write, error) {
	phones := map[table.Key]string{}
	for _, phone := range append([]string{c.Phone}, c.OtherPhones...) {
		phones[KeyByPhone(account, c.AgentID, phone)] = phone
	}
	items, err := s.Table.BatchGet(ctx, c.pointers(account)...)
	if err != nil {
		return nil, err
	}
	var writes []table.Write
	for key, item := range items {
		pointer, err := ReadPointer(item)
		if err != nil {
			return nil, err
		}
		phone, isPhone := phones[key]
		switch {
		case pointer.ContactID != c.ID:
		case isPhone && !c.OptedIn && !erase:
			kept, err := Pointer{OptedOut: true, Version: pointer.Version}.Item(key)
			if err != nil {
				return nil, err
			}
			kept.Index1 = OptOutKey(account, c.AgentID, phone)
			writes = append(writes, table.PutIfVersion(kept))
		default:
			writes = append(writes, table.DeleteIfVersion(key, pointer.Version))
		}
	}
	return writes, nil
}
