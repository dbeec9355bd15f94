// Package message is how messages come to be: units of work on a conversation, and the attempts to send what
// leaves for the platform of a channel.
//
// A [Unit] holds a conversation with its contact as they were read. It takes in messages, a hand-over or a
// resolution, and commits all of it at once: the messages, the counters, the places in lists, and the events.
// Nothing else in the product writes messages. A [Sender] hands over to platforms what a unit has queued.
package message

import (
	"bytes"
	"cmp"
	"context"
	"reflect"
	"slices"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/change"
	"frontdesk/shared/channel"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// A Store loads units of work.
type Store struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
	// Channels says how long after a contact's message one may write. It is needed for InWindow alone.
	Channels *channel.Registry
}

// A Unit is one unit of work on a conversation. Change what is exported, and let Commit or Writes store it.
type Unit struct {
	Conversation conversation.Conversation
	Contact      contact.Contact      // the zero Contact where it was deleted or not read
	Address      conversation.Address // of a contact on a platform; else only when the contact last wrote
	// Subscriptions are those of the agent's actions, nil where an action makes the change: it triggers no
	// others.
	Subscriptions event.Subscriptions
	// Allowed are the names of the actions that may run, nil for any.
	Allowed []string

	store    Store
	account  int64
	now      time.Time
	business string // what the agent's business calls itself; "" where it was not read

	before         *conversation.Conversation // nil where it is new
	version        int64
	contactBefore  *contact.Contact // nil where it is new, or was not read
	newContact     bool
	contactItem    table.Item
	addressBefore  conversation.Address
	addressVersion int64
	checkContact   bool // the contact must still be as it was read

	asked int   // place among the writes of the contact's last message
	reply int64 // the id after that message's, which its reply gets; 0 for none

	added  []added
	events []event.Event
	writes []table.Write
	counts []counter.Change
	err    error // of what was added
}

// An added message is one that the unit stores, with what its event tells.
type added struct {
	conversation.Message
	Draft
	publish bool // it has an event
}

// New is an empty unit of a workspace, for what the caller reads together with other things.
func (s Store) New(account int64) *Unit {
	return s.NewAt(account, s.Now().UTC().Truncate(time.Millisecond))
}

// NewAt is New for a unit that began at a time, in whole milliseconds.
func (s Store) NewAt(account int64, now time.Time) *Unit {
	return &Unit{store: s, account: account, now: now}
}

// Now is the time of the unit, in whole milliseconds.
func (u *Unit) Now() time.Time { return u.now }

// SetConversation takes in a conversation as it was read from an item of that version.
func (u *Unit) SetConversation(c conversation.Conversation, version int64) {
	u.Conversation, u.before, u.version = c, &c, version
}

// ReadConversation takes in the conversation of an item.
func (u *Unit) ReadConversation(item table.Item) error {
	c, err := conversation.Read(item)
	u.SetConversation(c, item.Version)
	return err
}

// ReadContact takes in the contact of an item.
func (u *Unit) ReadContact(item table.Item) error {
	c, err := contact.Read(item)
	u.Contact, u.contactItem = c, item
	before := c
	u.contactBefore = &before
	return err
}

// Meet takes in a contact that is new and that no phone or address leads to yet.
func (u *Unit) Meet(c contact.Contact) { u.Contact, u.newContact = c, true }

// readAgent takes in what sending needs to know of the agent of an item.
func (u *Unit) readAgent(item table.Item) error {
	of, err := agent.ReadSummary(item)
	u.Subscriptions = event.SubscriptionsOf(item.Numbers)
	u.business = cmp.Or(of.BusinessName, of.Name)
	return err
}

// ReadAddress takes in the address of an item.
func (u *Unit) ReadAddress(item table.Item) (err error) {
	u.Address, err = conversation.ReadAddress(item)
	u.addressBefore, u.addressVersion = u.Address, item.Version
	return err
}

// Begin begins a conversation with the unit's contact. Address is what the channel's platform knows the
// contact by, "" where messages do not leave.
func (u *Unit) Begin(agent int64, on conversation.Channel, address string) {
	u.before, u.version = nil, 0
	u.Conversation = conversation.New(u.store.IDs.Next(), agent, on, u.Contact.Partner())
	u.Conversation.Address = address
	u.Contact.Join(u.Conversation.ID)
	u.Address.ContactID, u.Address.ConversationID = u.Contact.ID, u.Conversation.ID
}

// Resolve makes the conversation resolved.
func (u *Unit) Resolve() { u.Conversation.Resolve(u.now) }

// Add adds writes of the caller's to those of the unit.
func (u *Unit) Add(writes ...table.Write) { u.writes = append(u.writes, writes...) }

// Count adds changes of the agent's counters to those of the unit.
func (u *Unit) Count(changes ...counter.Change) { u.counts = append(u.counts, changes...) }

// Publish adds events of the caller's to those of the unit. They happen in its conversation.
func (u *Unit) Publish(events ...event.Event) { u.events = append(u.events, events...) }

// Commit stores the unit, all or nothing. A *table.ConditionError says that something changed
// since it was read.
func (u *Unit) Commit(ctx context.Context) error {
	writes, err := u.Writes(ctx)
	if err != nil || len(writes) == 0 {
		return err
	}
	return u.store.Table.Transact(ctx, writes...)
}

// Writes returns the writes that store the unit, for a transaction of the caller; none where nothing changed.
// They fail where something changed since it was read. Where the contact's name or score changes, a trip
// reads its other conversations.
func (u *Unit) Writes(ctx context.Context) ([]table.Write, error) {
	changed := u.before == nil || !reflect.DeepEqual(u.Conversation, *u.before)
	if !changed && len(u.added) == 0 && len(u.writes) == 0 {
		return nil, nil
	}
	if u.err != nil {
		return nil, u.err
	}
	writes, counts := slices.Clip(u.writes), slices.Clip(u.counts)
	item, err := u.Conversation.Item(u.account, u.version)
	if err != nil {
		return nil, err
	}
	writes = append(writes, table.PutAsRead(item))
	if len(u.added) == 0 { // messages tell of the change themselves
		at := u.store.IDs.Next()
		writes = append(writes, change.Conversation(u.account, item.PK, u.Conversation.ID, at))
	}
	counts = append(counts, conversation.Recount(u.before, &u.Conversation))
	of, change, err := u.contactWrites(ctx)
	if err != nil {
		return nil, err
	}
	writes, counts = append(writes, of...), append(counts, change...)
	if u.Address != u.addressBefore && u.Conversation.Address != "" {
		item, err := u.Address.Item(u.addressKey(), u.addressVersion)
		if err != nil {
			return nil, err
		}
		writes = append(writes, table.PutAsRead(item))
	}
	writes = append(writes, counter.Add(u.account, u.Conversation.AgentID, u.store.IDs.Next(), counts...)...)
	published, err := event.Publish(u.store.IDs, u.account, u.Subscriptions, u.allEvents()...)
	return append(writes, published...), err
}

func (u *Unit) addressKey() table.Key {
	c := u.Conversation
	return conversation.AddressKey(u.account, c.AgentID, string(c.Channel), c.Address)
}

// contactWrites store the contact where it changed, and what its other conversations know of it. Where it is
// the same and a message is sent to it, they check that it is.
func (u *Unit) contactWrites(ctx context.Context) ([]table.Write, []counter.Change, error) {
	if u.contactBefore == nil && !u.newContact {
		return nil, nil, nil
	}
	item, err := u.Contact.Item(u.account, u.contactItem.Version)
	if err != nil {
		return nil, nil, err
	}
	if u.newContact {
		return []table.Write{table.PutIfAbsent(item)}, []counter.Change{contact.Recount(nil, &u.Contact)}, nil
	}
	if bytes.Equal(item.Doc, u.contactItem.Doc) {
		if u.checkContact {
			return []table.Write{table.CheckVersion(item.Key, item.Version)}, nil, nil
		}
		return nil, nil, nil
	}
	writes := []table.Write{table.PutIfVersion(item)}
	if with := u.Contact.Partner(); with != u.contactBefore.Partner() {
		others := slices.DeleteFunc(
			slices.Clone(u.Contact.Conversations),
			func(id int64) bool { return id == u.Conversation.ID },
		)
		renewed, err := conversation.Renew(ctx, u.store.Table, u.account, others, with)
		if err != nil {
			return nil, nil, err
		}
		writes = append(writes, renewed...)
	}
	return writes, []counter.Change{contact.Recount(u.contactBefore, &u.Contact)}, nil
}

// allEvents are what the unit brings about.
func (u *Unit) allEvents() []event.Event {
	c := u.Conversation
	all := conversation.Events(u.before, c, u.now)
	more := u.events
	if u.contactBefore != nil || u.newContact {
		more = append(slices.Clip(more), contact.Events(u.contactBefore, u.Contact, u.now)...)
	}
	for _, e := range more {
		e.ConversationID, e.Channel = c.ID, string(c.Channel)
		all = append(all, e)
	}
	for _, m := range u.added {
		if !m.publish {
			continue
		}
		if m.Sending != nil { // its event is published once the platform has accepted it
			all = append(all, event.Event{
				Kind: event.MessageQueued, At: u.now, AgentID: c.AgentID, ConversationID: c.ID,
				MessageID: m.ID,
				Attempt:   m.Sending.Attempts,
			})
			continue
		}
		e := c.MessageEvent(m.Message)
		e.Intent, e.Confidence, e.ByAction = m.Intent, m.Confidence, m.ByAction
		if m.Direction == conversation.Outbound {
			e.Action, e.ContactPhone = m.Action, u.Contact.Phone
		}
		all = append(all, e)
	}
	for i := range all {
		if u.Contact.ID != 0 && all[i].Kind != event.MessageQueued {
			all[i].Contact = u.Contact.ForConditions()
		}
		all[i].Allowed = u.Allowed
	}
	return all
}
