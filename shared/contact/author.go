package contact

import (
	"context"
	"maps"
	"time"

	"frontdesk/shared/counter"
	"frontdesk/shared/id"
	"frontdesk/shared/identity"
	"frontdesk/shared/table"
	"frontdesk/shared/text"
)

// An Author resolves who wrote a message: it finds the writer's contact by verified identity or by session,
// and writes what the message changes of it. A caller reads the items of Keys and passes them to Read, reads
// those of LinkedKeys and passes them to Choose, then calls Update as often as it learns something, and
// stores Writes. An Author is for one attempt at one message.
type Author struct {
	Account, Agent int64
	Named          identity.Claims // verified
	Claimed        identity.Claims // stated without proof; opens nothing
	Source         Referral

	keys     []table.Key           // of the pointers that were asked for
	pointers map[table.Key]Pointer // those that exist
	stored   Contact               // the contact as it was read, or new
	version  int64                 // of stored; 0 if it is new
	// left is the anonymous contact that the session had before its writer was recognised.
	left        Contact
	leftVersion int64
}

// Keys returns the keys of the pointers from the verified identity.
func (a *Author) Keys() []table.Key { return a.lookUp(a.Named) }

// lookUp returns the keys of the pointers from an identity, for Read to look for.
func (a *Author) lookUp(who identity.Claims) []table.Key {
	keys := a.pointerKeys(who)
	a.keys = append(a.keys, keys...)
	return keys
}

// MentionedKeys returns the keys of the pointers from a phone number and an e-mail address in the message,
// for those that Named lacks.
func (a *Author) MentionedKeys(phone, email string) []table.Key {
	var told identity.Claims
	if a.Named.Phone == "" {
		told.Phone = phone
	}
	if a.Named.Email == "" {
		told.Email = email
	}
	return a.lookUp(told)
}

func (a *Author) pointerKeys(who identity.Claims) []table.Key {
	var keys []table.Key
	if who.ExternalID != "" {
		keys = append(keys, KeyByExternalID(a.Account, a.Agent, who.ExternalID))
	}
	if who.Phone != "" {
		keys = append(keys, a.byPhone(who.Phone))
	}
	if who.Email != "" {
		keys = append(keys, a.byEmail(who.Email))
	}
	return keys
}

func (a *Author) byPhone(phone string) table.Key { return KeyByPhone(a.Account, a.Agent, phone) }

func (a *Author) byEmail(email string) table.Key { return KeyByEmail(a.Account, a.Agent, email) }

// Read reads the pointers among the items.
func (a *Author) Read(items map[table.Key]table.Item) error {
	for _, key := range a.keys {
		item, ok := items[key]
		if !ok {
			continue
		}
		pointer, err := ReadPointer(item)
		if err != nil {
			return err
		}
		if a.pointers == nil {
			a.pointers = map[table.Key]Pointer{}
		}
		a.pointers[key] = pointer
	}
	return nil
}

// known returns the contact of the verified identity, 0 for none: by the external id if that has a contact,
// by the phone number if there is one, or else by the e-mail address.
func (a *Author) known() int64 {
	external := a.pointers[KeyByExternalID(a.Account, a.Agent, a.Named.ExternalID)].ContactID
	switch {
	case a.Named.ExternalID != "" && external != 0:
		return external
	case a.Named.Phone != "":
		return a.pointers[a.byPhone(a.Named.Phone)].ContactID
	case a.Named.Email != "":
		return a.pointers[a.byEmail(a.Named.Email)].ContactID
	}
	return 0
}

// LinkedKeys returns the keys of the contacts that the message may be from. session is the contact of its
// session, 0 for none.
func (a *Author) LinkedKeys(session int64) []table.Key {
	var keys []table.Key
	known := a.known()
	if known != 0 {
		keys = append(keys, Key(a.Account, known))
	}
	if session != 0 && session != known {
		keys = append(keys, Key(a.Account, session))
	}
	return keys
}

// Choose returns the writer's contact: the one that the verified identity names; or else the session's,
// unless the identity contradicts it; or else a new one. It returns a *table.ConditionError if the named
// contact was deleted since the pointers were read, so that the caller retries.
func (a *Author) Choose(
	ctx context.Context, t table.Table, ids *id.Source, now time.Time, session int64,
	items map[table.Key]table.Item,
) (Contact, error) {
	known := a.known()
	if _, ok := items[Key(a.Account, known)]; known != 0 && !ok {
		if err := a.dropPointers(ctx, t, known); err != nil {
			return Contact{}, err
		}
	}
	named, namedVersion, err := a.read(items, known)
	if err != nil {
		return Contact{}, err
	}
	before, beforeVersion, err := a.read(items, session)
	if err != nil {
		return Contact{}, err
	}
	switch {
	case namedVersion != 0:
		a.stored, a.version = named, namedVersion
		if beforeVersion != 0 && before.ID != named.ID && before.Anonymous() {
			a.left, a.leftVersion = before, beforeVersion
			for name, value := range before.Facts {
				a.stored.Remember(name, value)
			}
			a.stored.OptedIn = a.stored.OptedIn && before.OptedIn
		}
	case beforeVersion != 0 && a.agreesWith(before):
		a.stored, a.version = before, beforeVersion
	default:
		a.stored = New(ids.Next(), a.Agent, now)
	}
	return a.stored, nil
}

// read decodes a contact among the items; the version is 0 if it is not there.
func (a *Author) read(items map[table.Key]table.Item, contact int64) (Contact, int64, error) {
	item, ok := items[Key(a.Account, contact)]
	if !ok || contact == 0 {
		return Contact{}, 0, nil
	}
	c, err := Read(item)
	return c, item.Version, err
}

// agreesWith reports whether the verified identity has nothing that a contact has otherwise.
func (a *Author) agreesWith(c Contact) bool {
	return (a.Named.ExternalID == "" || c.ExternalID == "") &&
		(a.Named.Phone == "" || c.Phone == "") &&
		(a.Named.Email == "" || c.Email == "" || a.Named.Phone != "")
}

// dropPointers ignores the pointers to a contact that does not exist, if they are unchanged. It returns a
// *table.ConditionError if one has changed.
func (a *Author) dropPointers(ctx context.Context, t table.Table, missing int64) error {
	items, err := t.BatchGet(ctx, a.pointerKeys(a.Named)...)
	if err != nil {
		return err
	}
	for key, pointer := range a.pointers {
		if pointer.ContactID != missing {
			continue
		}
		if items[key].Version != pointer.Version {
			return &table.ConditionError{}
		}
		pointer.ContactID = 0
		a.pointers[key] = pointer
	}
	return nil
}

// PhoneIsFree reports whether a phone number that was looked up has no contact.
func (a *Author) PhoneIsFree(phone string) bool { return a.pointers[a.byPhone(phone)].ContactID == 0 }

// EmailIsFree reports whether an e-mail address that was looked up has no contact.
func (a *Author) EmailIsFree(email string) bool { return a.pointers[a.byEmail(email)].ContactID == 0 }

// Update copies what the message says about its writer into empty fields of the contact. A phone number of
// another contact is not copied. If the number's last contact had opted out, this one is opted out too.
func (a *Author) Update(c *Contact, now time.Time) {
	phone := a.pointers[a.byPhone(a.Named.Phone)]
	if c.Phone == "" {
		c.OptedIn = c.OptedIn && !phone.OptedOut
		if phone.ContactID == 0 || phone.ContactID == c.ID {
			c.Phone = a.Named.Phone
		}
	}
	for field, value := range map[*string]string{
		&c.Name: a.Named.Name, &c.Email: a.Named.Email, &c.ExternalID: a.Named.ExternalID,
	} {
		if *field == "" {
			*field = value
		}
	}
	if c.Source == (Referral{}) {
		c.Source = a.Source
	}
	c.Claim(a.Claimed)
	c.LastSeenAt = now
	c.LeadScore = c.Score()
}

// Writes returns the writes that store the contact if it is new or changed, the pointers to it that are new,
// and the deletion of the anonymous contact that it replaces. It sets OwnsEmail if the e-mail address now
// leads here.
func (a *Author) Writes(c *Contact) ([]table.Write, error) {
	writes, err := a.pointerWrites(c)
	if err != nil {
		return nil, err
	}
	if a.version == 0 || a.leftVersion != 0 || c.Changed(a.stored) {
		item, err := c.Item(a.Account, a.version)
		if err != nil {
			return nil, err
		}
		writes = append(writes, table.PutAsRead(item))
	}
	if a.leftVersion != 0 {
		writes = append(writes, table.DeleteIfVersion(Key(a.Account, a.left.ID), a.leftVersion))
	}
	return writes, nil
}

func (a *Author) pointerWrites(c *Contact) ([]table.Write, error) {
	own := a.Named // as far as the contact has it
	if c.ExternalID != own.ExternalID {
		own.ExternalID = ""
	}
	if c.Phone != own.Phone {
		own.Phone = ""
	}
	if c.Email != own.Email {
		own.Email = ""
	}
	email := a.byEmail(own.Email)
	var writes []table.Write
	for _, key := range a.pointerKeys(own) {
		before := a.pointers[key]
		if before.ContactID == c.ID || before.ContactID != 0 && key == email &&
			(a.Named.Phone != "" || a.Named.ExternalID != "") {
			continue // it leads here, or to another contact that gave the same e-mail address first
		}
		item, err := Pointer{ContactID: c.ID, Version: before.Version}.Item(key)
		if err != nil {
			return nil, err
		}
		c.OwnsEmail = c.OwnsEmail || key == email
		writes = append(writes, table.PutAsRead(item))
	}
	return writes, nil
}

// Stored returns the contact as it was read, nil if it is new.
func (a *Author) Stored() *Contact {
	if a.version == 0 {
		return nil
	}
	return &a.stored
}

// PartnerChanged reports whether what conversations copy of the contact has changed.
func (a *Author) PartnerChanged(c Contact) bool { return c.Partner() != a.stored.Partner() }

// Counts returns the changes of the agent's contact counters.
func (a *Author) Counts(c Contact) []counter.Change {
	counts := []counter.Change{Recount(a.Stored(), &c)}
	if a.leftVersion != 0 {
		counts = append(counts, Recount(&a.left, nil))
	}
	return counts
}

// Limits of the facts of a contact.
const (
	MaxFacts = 50
	MaxFact  = 500 // characters
)

// Remember sets a fact, cut to MaxFact characters. An empty value, and a new fact of a contact that has
// MaxFacts, are ignored. The map is replaced, so copies of the contact keep theirs.
func (c *Contact) Remember(name, value string) {
	if _, known := c.Facts[name]; !known && len(c.Facts) >= MaxFacts || value == "" {
		return
	}
	c.Facts = maps.Clone(c.Facts)
	if c.Facts == nil {
		c.Facts = map[string]string{}
	}
	c.Facts[name] = text.Cut(value, MaxFact)
}
