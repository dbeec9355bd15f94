package contact

import (
	"strings"

	"frontdesk/shared/table"
)

const (
	contacts table.Prefix = "contact"
	// lists begins the partitions of the indexes that contacts are listed by.
	lists       table.Prefix = "contacts"
	phones      table.Prefix = "phone"
	emails      table.Prefix = "email"
	externalIDs table.Prefix = "external"
	optOuts     table.Prefix = "opt-outs"
)

// Key is the key of a contact.
func Key(account, contact int64) table.Key {
	return table.Key{PK: contacts.Of(account, contact), SK: "contact"}
}

// KeyByAgent is where an agent's contacts are listed, in Index1.
func KeyByAgent(account, agent, contact int64) table.Key {
	return table.Key{PK: lists.Of(account, agent), SK: table.PadID(contact)}
}

// KeyByAccount is where a workspace's contacts are listed, in Index2.
func KeyByAccount(account, contact int64) table.Key {
	return table.Key{PK: lists.Of(account), SK: table.PadID(contact)}
}

// KeyByPhone is the key of the item that leads to the contact of an agent with this phone.
func KeyByPhone(account, agent int64, phone string) table.Key {
	return table.Key{PK: phones.Of(account, agent, phone), SK: "contact"}
}

// KeyByEmail is the key of the item that leads to the contact of an agent with this address. Addresses are
// compared without regard to case.
func KeyByEmail(account, agent int64, email string) table.Key {
	return table.Key{PK: emails.Of(account, agent, strings.ToLower(email)), SK: "contact"}
}

// KeyByExternalID is the key of the item that leads to the contact of an agent with this id in the business's
// systems.
func KeyByExternalID(account, agent int64, id string) table.Key {
	return table.Key{PK: externalIDs.Of(account, agent, id), SK: "contact"}
}

// OptOutKey is where those phones of an agent are found, in Index1, that lead to no contact and whose last
// one wanted no messages.
func OptOutKey(account, agent int64, phone string) table.Key {
	return table.Key{PK: optOuts.Of(account, agent), SK: phone}
}
