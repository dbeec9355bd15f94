package contact

import (
	"context"
	"encoding/json"
	"fmt"

	"frontdesk/shared/table"
)

// A Pointer leads from a phone number, e-mail address or external id to its contact. The zero Pointer means
// that there is none.
type Pointer struct {
	// ContactID is 0 if no contact has the phone number any more and only OptedOut is kept.
	ContactID int64 `json:"contact_id"`
	// OptedOut is set if the last contact with the phone number had opted out, which the next one inherits.
	OptedOut bool `json:"opted_out,omitempty"`
	// Version is that of the item that was read.
	Version int64 `json:"-"`
}

// Item returns the pointer as it is stored under a key.
func (p Pointer) Item(key table.Key) (table.Item, error) {
	doc, err := json.Marshal(p)
	return table.Item{Key: key, Doc: doc, Version: p.Version}, err
}

// ReadPointer decodes an item of a pointer.
func ReadPointer(item table.Item) (Pointer, error) {
	var p Pointer
	if err := json.Unmarshal(item.Doc, &p); err != nil {
		return Pointer{}, fmt.Errorf("contact: %s: %w", item.PK, err)
	}
	p.Version = item.Version
	return p, nil
}

// leave returns the writes that remove the pointers to a contact that is being deleted. Pointers to other
// contacts stay. An opt-out stays with the phone numbers unless erase is set.
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
