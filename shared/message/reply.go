package message

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/channel"
	"frontdesk/shared/conversation"
	"frontdesk/shared/table"
)

// Reply stores what a person of the business says in a conversation, and sends it where it leaves for a
// platform, as Send does; it is tried again for RetryTime. Elsewhere it is sent as soon as it is stored:
// the visitor of a website or the caller of the API fetches it. The agent is silent in the conversation
// from then on, until it is handed back. Author is the person's name, "" where it is not known. The error
// is the API's own where there can be no reply, and nothing is stored then: conversation.ErrNotFound where
// the workspace has no such conversation; on a platform contact_opted_out, and unprocessable where the
// agent is not connected, the contact is gone, or the channel's window is closed.
func (s *Sender) Reply(
	ctx context.Context, account, conversationID int64, text, author string,
) (Sent, error) {
	var by attempt
	var m conversation.Message
	_, err := s.Change(ctx, account, conversationID, func(u *Unit) (err error) {
		if u.Conversation.SendsByPlatform() {
			if by, err = s.replier(ctx, u); err != nil {
				return err
			}
		}
		if !u.Conversation.Ended() {
			u.Conversation.HandOver(conversation.HandoffManual)
		}
		m = u.Say(Draft{Text: text, ByPerson: true, Author: author, Attempt: true, Retry: RetryTime})
		return nil
	})
	if err != nil || m.Sending == nil {
		return Sent{Message: m}, err
	}
	return s.first(ctx, account, by, m, false), nil
}

// replier is what a person's reply on a platform is sent by, in one trip. The error says why there can be
// none.
func (s *Sender) replier(ctx context.Context, u *Unit) (attempt, error) {
	in := u.Conversation
	agentKey := agent.Key(u.account, in.AgentID)
	channelKey := channel.Key(u.account, in.AgentID, string(in.Channel))
	items, err := u.readContact(ctx, agentKey, channelKey)
	if err != nil {
		return attempt{}, err
	}
	ch, err := readChannel(items, channelKey)
	unusable := s.usable(ch, in.Channel)
	switch {
	case err != nil:
		return attempt{}, err
	case u.contactBefore != nil && !u.Contact.OptedIn:
		return attempt{}, optedOut()
	case unusable != nil:
		return attempt{}, unusable
	case u.contactBefore == nil:
		return attempt{}, contactDeleted()
	case !u.InWindow(true):
		return attempt{}, s.windowClosed(u, true)
	}
	if err := u.readAgent(items[agentKey]); err != nil {
		return attempt{}, err
	}
	return s.attempt(ctx, u, ch)
}

func (s *Sender) windowClosed(u *Unit, byPerson bool) error {
	info := s.Channels.Info(channel.Type(u.Conversation.Channel))
	window := info.Window
	if byPerson {
		window = max(window, info.HumanWindow)
	}
	return windowClosed(u.Conversation.Channel, info.Templates, u.Address.LastInboundAt, window)
}

// readChannel is the channel of an item, the zero Channel where it is not there.
func readChannel(items map[table.Key]table.Item, key table.Key) (channel.Channel, error) {
	item, ok := items[key]
	if !ok {
		return channel.Channel{}, nil
	}
	return channel.Read(item)
}
