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

// MaxText is the limit of a message of an agent, in characters: the longest that any platform accepts.
const MaxText = 4096

// RetryTime is how long most messages are retried if their platform cannot accept them for the moment.
const RetryTime = time.Hour

// A Draft is an outbound message before it is added to a unit.
type Draft struct {
	Text string // at most MaxText characters
	// Template is sent instead of a text; nil for none.
	Template *conversation.TemplateRef
	// Choices are the answers that the message offers. Text lists them too, unless they are yes and no.
	Choices []conversation.Choice
	// Cards are the products that the message offers, and Sources the documents that it draws on.
	Cards    []conversation.Card
	Sources  []conversation.Source
	SentByAI bool
	// ByPerson is set if a person wrote the message. The conversation counts as read by them up to here.
	ByPerson bool
	Author   string // the person's name, "" if it is not known
	// Action, Intent and Confidence are the fields of the message's event.
	Action, Intent string
	Confidence     *float64
	// ByAction is set if an action sends the message: its event triggers no actions.
	ByAction bool
	// Reply is set if the message answers the contact. It may then be sent to a contact that has opted out.
	Reply bool
	Usage ai.Usage // what it took of a language model
	// Attempt is set if the caller makes the first attempt to send as soon as the message is stored.
	// Otherwise the queue of jobs makes it.
	Attempt bool
	// Retry is how long sending is retried if the platform cannot accept the message for the moment; 0 for
	// not at all.
	Retry time.Duration
}

// A Part is one of several inbound messages that are answered together.
type Part struct {
	Kind    conversation.Kind
	Content string
	// Subject and ProviderID are those of an e-mail; "" on other channels.
	Subject, ProviderID string
	// Attachments are the files of the message, and Files the places where they are stored, in the same
	// order.
	Attachments []conversation.Attachment
	Files       []conversation.File
}

// Receive adds messages of the contact that are answered together, and returns the last, which has the event
// of all of them. Intent and confidence are what the agent understood, "" and nil if it did not answer.
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

// Echo adds a message that a person of the business wrote in the platform's own app. providerID is the
// platform's id of it. It publishes no event.
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

// Say adds a message to the contact. On a platform it is stored as queued, with the event from which the
// queue of jobs sends it; elsewhere it is stored as sent. The unit's writes fail if the contact has changed
// since it was read, because it may have opted out.
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
			m.Sending.Attempts, m.Sending.InFlight = 1, true
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

// join stores the contact's last message and the reply, which was added last, in one item if both fit (see
// conversation.Pair). Store.Message then finds the contact's message by the id of the reply.
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

// newMessage returns a message with an id that is greater than all ids of the conversation so far, even if
// the clock was set back or another machine's clock is slow. So a reader that asks for messages after an id
// misses none.
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

// Note adds a note to the conversation. author is the name of its writer, "" if that is not known.
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

// MayWrite reports whether the agent may write to the contact unprompted: the contact exists and has not
// opted out, and the channel's window is open.
func (u *Unit) MayWrite() bool {
	return u.contactBefore != nil && u.Contact.OptedIn && u.InWindow(false)
}

// InWindow reports whether the contact wrote recently enough for the rules of the channel. They may allow a
// person more time than an agent.
func (u *Unit) InWindow(person bool) bool {
	info := u.store.Channels.Info(channel.Type(u.Conversation.Channel))
	window := info.Window
	if person {
		window = max(window, info.HumanWindow)
	}
	return u.Address.InWindow(u.now, window)
}
