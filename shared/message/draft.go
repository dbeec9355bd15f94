package message

import (
	"slices"
	"strings"
	"time"

	"frontdesk/shared/ai"
	"frontdesk/shared/channel"
	"frontdesk/shared/conversation"
	"frontdesk/shared/table"
)

// MaxText is how many characters a message of an agent may have: as many as the longest that a platform
// takes.
const MaxText = 4096

// RetryTime is how long a message is tried again that its platform cannot take for the moment, mostly.
const RetryTime = time.Hour

// A Draft is something to say to the contact of a unit.
type Draft struct {
	Text string // at most MaxText characters
	// Template is sent in place of a text; nil for none.
	Template *conversation.TemplateRef
	// Choices are the answers that it offers, which Text tells too where they are more than yes and no.
	Choices []conversation.Choice
	// Cards are the products that it offers, and Sources the documents that it draws on.
	Cards    []conversation.Card
	Sources  []conversation.Source
	SentByAI bool
	// ByPerson tells that a person takes part in the conversation with it, who has read it so far.
	ByPerson bool
	Author   string // the person's name, "" where it is not known
	// Action, Intent and Confidence are what the event of the message tells.
	Action, Intent string
	Confidence     *float64
	// ByAction tells that an action says it: its event triggers no actions.
	ByAction bool
	// Reply tells that it answers the contact, which it may though the contact has opted out of messages.
	Reply bool
	Usage ai.Usage // what it took of a language model
	// Attempt tells that the caller makes the first attempt to send it as soon as it is stored; else the
	// queue of jobs does.
	Attempt bool
	// Retry is how long it is tried again where the platform cannot take it for the moment; 0 is not at all.
	Retry time.Duration
}

// A Part is one of several messages of a contact that are answered together.
type Part struct {
	Kind    conversation.Kind
	Content string
	// Subject and ProviderID are those of a mail; "" elsewhere.
	Subject, ProviderID string
	// Attachments are the files that came with it, and Files where they are, in their order.
	Attachments []conversation.Attachment
	Files       []conversation.File
}

// Receive adds messages of the contact, which came together, and returns the last. Their event is that of the
// last. Intent and confidence are what the agent understood, "" and nil where it did not answer.
func (u *Unit) Receive(intent string, confidence *float64, parts ...Part) conversation.Message {
	var m conversation.Message
	for i, part := range parts {
		m = u.newMessage(conversation.Inbound, part.Content, u.now, u.store.IDs.NextTwo())
		m.Type, m.Status = part.Kind, conversation.Received
		m.Subject, m.ProviderID = part.Subject, part.ProviderID
		m.Attachments, m.Files = part.Attachments, part.Files
		u.add(added{m, Draft{Intent: intent, Confidence: confidence}, i == len(parts)-1})
	}
	u.asked, u.reply = len(u.writes)-1, m.ID+1
	return m
}

// Echo adds what a person of the business wrote to the contact in the platform's own app, under the
// platform's id of the message. It has no event.
func (u *Unit) Echo(part Part, providerID string) {
	m := u.newMessage(conversation.Outbound, part.Content, u.now, u.store.IDs.Next())
	m.Type, m.Status = part.Kind, conversation.Sent
	m.Attachments, m.Files = part.Attachments, part.Files
	m.Sending = &conversation.Sending{
		Channel: u.Conversation.Channel, To: u.Conversation.Address, ProviderID: providerID,
	}
	u.Conversation.ByPerson, u.Conversation.Unread = true, 0
	u.add(added{Message: m})
}

// Say adds a message to the contact. Where it leaves for a platform it is kept as queued, with the event that
// has it sent; else it is sent. Nothing is stored where the contact changes meanwhile, who may opt out.
func (u *Unit) Say(d Draft) conversation.Message {
	next := u.reply
	if next == 0 {
		next = u.store.IDs.Next()
	}
	m := u.newMessage(conversation.Outbound, d.Text, u.store.Now().UTC().Truncate(time.Millisecond), next)
	answers := u.reply != 0
	u.reply = 0
	m.SentByAI, m.Author, m.Status, m.Usage = d.SentByAI, d.Author, conversation.Sent, d.Usage
	m.Choices, m.Cards, m.Sources = d.Choices, d.Cards, d.Sources
	if d.Template != nil {
		m.Type = conversation.Template
		m.Content = strings.Join(append([]string{d.Template.Name}, d.Template.Params...), "\n")
	}
	if c := u.Conversation; c.SendsByPlatform() {
		m.Status = conversation.Queued
		m.Sending = &conversation.Sending{
			Channel: c.Channel, To: c.Address, Template: d.Template, Until: m.CreatedAt.Add(d.Retry),
			Action: d.Action, Intent: d.Intent, Confidence: d.Confidence, ByAction: d.ByAction,
			ByPerson: d.ByPerson, Reply: d.Reply,
		}
		if d.Attempt {
			m.Sending.Attempts, m.Sending.UnderWay = 1, true
		}
	}
	if d.ByPerson {
		u.Conversation.ByPerson, u.Conversation.Unread = true, 0
	}
	u.checkContact = true
	u.add(added{m, d, true})
	if answers {
		u.join(m)
	}
	return m
}

// join has the contact's last message and the reply to it, which was added last, stored in one item where
// they can be. Elsewhere Store.Message finds the former by the reply.
func (u *Unit) join(reply conversation.Message) {
	i := slices.IndexFunc(u.added, func(a added) bool { return a.ID == reply.ID-1 })
	if i < 0 {
		return // the conversation has a later message, which both ids come behind
	}
	item, together, err := conversation.Pair(u.account, u.added[i].Message, reply)
	switch {
	case err != nil && u.err == nil:
		u.err = err
	case together:
		u.writes[len(u.writes)-1].Item = item
		u.writes = slices.Delete(u.writes, u.asked, u.asked+1)
	default:
		u.writes[u.asked].Item.Index1 = table.Key{}
	}
}

// newMessage is a message with that id, or one greater than those of the conversation so far: whoever asks
// for what came after a message sees the next one, though a clock was set back or another machine's is slow.
func (u *Unit) newMessage(
	way conversation.Direction, text string, at time.Time, next int64,
) conversation.Message {
	return conversation.Message{
		ID: max(next, u.Conversation.LastID+1), ConversationID: u.Conversation.ID,
		AgentID: u.Conversation.AgentID, Direction: way, Type: conversation.Text, Content: text,
		CreatedAt: at,
	}
}

func (u *Unit) add(a added) {
	put, err := u.Conversation.AddMessage(u.account, a.Message)
	if err != nil && u.err == nil {
		u.err = err
	}
	u.writes, u.added = append(u.writes, put), append(u.added, a)
}

// Note adds a note to the conversation, by the person of that name; "" where it is not known.
func (u *Unit) Note(content, author string) (conversation.Note, error) {
	n := conversation.Note{
		ID: u.store.IDs.Next(), ConversationID: u.Conversation.ID, Content: content, Author: author,
		CreatedAt: u.now,
	}
	item, err := n.Item(u.account)
	u.Conversation.Notes++
	u.Add(table.PutIfAbsent(item))
	return n, err
}

// MayWrite reports whether the agent may write to the contact by itself: the contact is there, has not opted
// out, and the channel's window is open.
func (u *Unit) MayWrite() bool {
	return u.contactBefore != nil && u.Contact.OptedIn && u.InWindow(false)
}

// InWindow reports whether the contact wrote recently enough for the rules of the channel, which may give a
// person more time than an agent.
func (u *Unit) InWindow(person bool) bool {
	info := u.store.Channels.Info(channel.Type(u.Conversation.Channel))
	window := info.Window
	if person {
		window = max(window, info.HumanWindow)
	}
	return u.Address.InWindow(u.now, window)
}
