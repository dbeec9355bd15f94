// Package message is the only writer of messages. It has units of work on a conversation, and sends messages
// over the platforms of channels.
//
// A [Unit] holds a conversation and its contact as they were read. Messages, a hand-over or a resolution are
// added to it, and one transaction stores all of it: the messages, the counters, the entries in lists, and
// the events. A [Sender] sends to platforms what a unit has queued.
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
	// Channels has the windows of the channels. Only InWindow needs it.
	Channels *channel.Registry
}

// A Unit is one unit of work on a conversation. The caller changes its exported fields and calls Commit or
// Writes.
type Unit struct {
	Conversation conversation.Conversation
	Contact      contact.Contact      // the zero Contact if it was deleted or not read
	Address      conversation.Address // of a contact on a platform; else only when the contact last wrote
	// Subscriptions are those of the agent's actions, nil if an action makes the change: an action triggers
	// no others.
	Subscriptions event.Subscriptions
	// Allowed are the names of the actions that may run, nil for all.
	Allowed []string

	store    Store
	account  int64
	now      time.Time
	business string // what the agent's business calls itself; "" if it was not read

	before         *conversation.Conversation // nil if it is new
	version        int64
	contactBefore  *contact.Contact // nil if it is new, or was not read
	newContact     bool
	contactItem    table.Item
	addressBefore  conversation.Address
	addressVersion int64
	checkContact   bool // the contact must still be as it was read

	asked int   // place among the writes of the contact's last message
	reply int64 // id of the reply to that message; 0 for none

	added  []added
	events []event.Event
	writes []table.Write
	counts []counter.Change
	err    error // of what was added
}

// An added message is stored by the unit, with the event that it publishes.
type added struct {
	conversation.Message
	Draft
	publish bool // it has an event
}

// New returns an empty unit of a workspace. The caller sets what it has read itself.
func (s Store) New(account int64) *Unit {
	return s.NewAt(account, s.Now().UTC().Truncate(time.Millisecond))
}

// NewAt returns an empty unit that began at a time, in whole milliseconds.
func (s Store) NewAt(account int64, now time.Time) *Unit {
	return &Unit{store: s, account: account, now: now}
}

// Now returns the time of the unit, in whole milliseconds.
func (u *Unit) Now() time.Time { return u.now }

// SetConversation sets the conversation as it was read from an item of that version.
func (u *Unit) SetConversation(c conversation.Conversation, version int64) {
	u.Conversation, u.before, u.version = c, &c, version
}

// ReadConversation decodes and sets the conversation of an item.
func (u *Unit) ReadConversation(item table.Item) error {
	c, err := conversation.Read(item)
	u.SetConversation(c, item.Version)
	return err
}

// ReadContact decodes and sets the contact of an item.
func (u *Unit) ReadContact(item table.Item) error {
	c, err := contact.Read(item)
	u.Contact, u.contactItem = c, item
	before := c
	u.contactBefore = &before
	return err
}

// SetNewContact sets a new contact, to which no phone number or address points yet.
func (u *Unit) SetNewContact(c contact.Contact) { u.Contact, u.newContact = c, true }

// readAgent sets what sending needs of the agent in an item.
func (u *Unit) readAgent(item table.Item) error {
	of, err := agent.ReadSummary(item)
	u.Subscriptions = event.SubscriptionsOf(item.Numbers)
	u.business = cmp.Or(of.BusinessName, of.Name)
	return err
}

// ReadAddress decodes and sets the address of an item.
func (u *Unit) ReadAddress(item table.Item) (err error) {
	u.Address, err = conversation.ReadAddress(item)
	u.addressBefore, u.addressVersion = u.Address, item.Version
	return err
}

// Begin begins a conversation with the unit's contact. address identifies the contact on the channel's
// platform; "" on channels without one.
func (u *Unit) Begin(agent int64, on conversation.Channel, address string) {
	u.before, u.version = nil, 0
	u.Conversation = conversation.New(u.store.IDs.Next(), agent, on, u.Contact.Partner())
	u.Conversation.Address = address
	u.Contact.Join(u.Conversation.ID)
	u.Address.ContactID, u.Address.ConversationID = u.Contact.ID, u.Conversation.ID
}

// Resolve sets the status of the conversation to resolved.
func (u *Unit) Resolve() { u.Conversation.Resolve(u.now) }

// Add adds writes to the unit's transaction.
func (u *Unit) Add(writes ...table.Write) { u.writes = append(u.writes, writes...) }

// Count adds changes of the agent's counters to the unit's transaction.
func (u *Unit) Count(changes ...counter.Change) { u.counts = append(u.counts, changes...) }

// Publish adds events of the unit's conversation to its transaction.
func (u *Unit) Publish(events ...event.Event) { u.events = append(u.events, events...) }

// Commit stores the unit in one transaction. It returns a *table.ConditionError if something has changed
// since it was read.
func (u *Unit) Commit(ctx context.Context) error {
	writes, err := u.Writes(ctx)
	if err != nil || len(writes) == 0 {
		return err
	}
	return u.store.Table.Transact(ctx, writes...)
}

// Writes returns the writes that store the unit, for a transaction of the caller; none if nothing has
// changed. They fail if something has changed since it was read. If the contact's name or score changes, its
// other conversations are read in one round trip.
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
	if len(u.added) == 0 { // new messages are in the feed themselves
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

// contactWrites returns the writes that store the contact if it has changed, and its copies in other
// conversations. If it is unchanged and a message is sent to it, the write checks that it is.
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
		renewed, err := conversation.UpdatePartner(ctx, u.store.Table, u.account, others, with)
		if err != nil {
			return nil, nil, err
		}
		writes = append(writes, renewed...)
	}
	return writes, []counter.Change{contact.Recount(u.contactBefore, &u.Contact)}, nil
}

// allEvents returns the events of the unit.
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
