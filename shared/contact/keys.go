package contact

import (
	"strings"

	"frontdesk/shared/table"
)

const (
	contacts table.Prefix = "contact"
	// lists begins the partitions of the indexes that list contacts.
	lists       table.Prefix = "contacts"
	phones      table.Prefix = "phone"
	emails      table.Prefix = "email"
	externalIDs table.Prefix = "external"
	optOuts     table.Prefix = "opt-outs"
)

// Key returns the key of a contact.
func Key(account, contact int64) table.Key {
	return table.Key{PK: contacts.Join(account, contact), SK: "contact"}
}

// KeyByAgent returns the key in Index1, where an agent's contacts are listed.
func KeyByAgent(account, agent, contact int64) table.Key {
	return table.Key{PK: lists.Join(account, agent), SK: table.PadID(contact)}
}

// KeyByAccount returns the key in Index2, where a workspace's contacts are listed.
func KeyByAccount(account, contact int64) table.Key {
	return table.Key{PK: lists.Join(account), SK: table.PadID(contact)}
}

// KeyByPhone returns the key of the Pointer from a phone number to an agent's contact.
func KeyByPhone(account, agent int64, phone string) table.Key {
	return table.Key{PK: phones.Join(account, agent, phone), SK: "contact"}
}

// KeyByEmail returns the key of the Pointer from an e-mail address to an agent's contact. Case does not
// count.
func KeyByEmail(account, agent int64, email string) table.Key {
	return table.Key{PK: emails.Join(account, agent, strings.ToLower(email)), SK: "contact"}
}

// KeyByExternalID returns the key of the Pointer from an id in the business's systems to an agent's contact.
func KeyByExternalID(account, agent int64, id string) table.Key {
	return table.Key{PK: externalIDs.Join(account, agent, id), SK: "contact"}
}

// OptOutKey returns the key in Index1 that lists an agent's phone numbers without a contact whose last
// contact had opted out.
func OptOutKey(account, agent int64, phone string) table.Key {
	return table.Key{PK: optOuts.Join(account, agent), SK: phone}
}
