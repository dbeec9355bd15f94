package inbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"frontdesk/shared/assistant"
	"frontdesk/shared/channel"
	"frontdesk/shared/conversation"
	"frontdesk/shared/inbox"
	"frontdesk/shared/table"
)

// mailsPerHour is the limit of mails of one address that are answered in an hour. It stops loops with
// machines that do not mark their mail as automatic.
const mailsPerHour = 20

// thread finds the conversation that a message continues, on channels whose messages name it: by the token
// in the recipient's address, or by the referenced messages. A sender other than the conversation's always
// begins a new conversation.
func (s *Service) thread(ctx context.Context, lane inbox.Lane, entry inbox.Entry,
	sender *assistant.Sender) error {
	if entry.Mail == nil {
		return nil
	}
	sender.Threads = true
	mail := conversation.Mail{Subject: entry.Mail.Subject, MessageID: entry.MessageID}
	known, err := s.conversationOf(ctx, lane, entry)
	if err != nil {
		return err
	}
	if known.ID != 0 {
		sender.ConversationID, sender.Address = known.ID, known.Address
		mail.References = continued(known.Mail)
		if strings.TrimSpace(mail.Subject) == "" {
			mail.Subject = known.Mail.Subject
		}
	} else {
		sum := sha256.Sum256([]byte(entry.ID))
		sender.Address = channel.ClaimedIn(hex.EncodeToString(sum[:8]), sender.Address)
	}
	sender.Mail = mail
	return nil
}

// maxReferences is the limit of the stored Message-IDs of earlier mails, in bytes.
const maxReferences = 2000

// continued returns the Message-IDs of a thread with one more mail: the first and the latest.
func continued(before conversation.Mail) string {
	ids := strings.Fields(before.References + " " + before.MessageID)
	for len(strings.Join(ids, " ")) > maxReferences && len(ids) > 1 {
		ids = append(ids[:1:1], ids[2:]...)
	}
	return strings.Join(ids, " ")
}

// conversationOf returns the conversation that a mail continues, the zero Conversation if there is none.
func (s *Service) conversationOf(
	ctx context.Context, lane inbox.Lane, entry inbox.Entry,
) (conversation.Conversation, error) {
	talk, err := s.sameSender(ctx, lane, entry, entry.Conversation)
	if err != nil || talk.ID != 0 {
		return talk, err
	}
	for _, ref := range entry.Mail.Refs {
		message, _, _ := channel.ReadRef(ref)
		m, err := s.conversations().Message(ctx, lane.AccountID, message)
		if errors.Is(err, conversation.ErrNotFound) {
			continue
		}
		if err != nil {
			return talk, err
		}
		if talk, err = s.sameSender(ctx, lane, entry, m.ConversationID); err != nil || talk.ID != 0 {
			return talk, err
		}
	}
	for _, parent := range entry.Mail.Parents {
		for _, id := range []string{parent, local(parent)} {
			m, found, err := s.byProviderID(ctx, lane, id)
			if err != nil {
				return talk, err
			}
			if !found {
				continue
			}
			if talk, err = s.sameSender(ctx, lane, entry, m.ConversationID); err != nil || talk.ID != 0 {
				return talk, err
			}
		}
	}
	return conversation.Conversation{}, nil
}

// local returns the part of a Message-ID before the @, which is the id that SES uses.
func local(id string) string {
	before, _, _ := strings.Cut(strings.Trim(id, "<>"), "@")
	return before
}

// sameSender reads a conversation. It returns the zero Conversation if that belongs to another agent or
// another sender.
func (s *Service) sameSender(
	ctx context.Context, lane inbox.Lane, entry inbox.Entry, id int64,
) (conversation.Conversation, error) {
	none := conversation.Conversation{}
	if id == 0 {
		return none, nil
	}
	item, err := s.Table.Get(ctx, conversation.Key(lane.AccountID, id))
	if errors.Is(err, table.ErrNotFound) {
		return none, nil
	}
	if err != nil {
		return none, err
	}
	talk, err := conversation.Read(item)
	if err != nil {
		return none, err
	}
	address := entry.From.Address
	claimed := entry.From.Claimed != ""
	same := talk.Address == address
	if claimed {
		same = talk.Address != channel.MailAddress(talk.Address) &&
			channel.MailAddress(talk.Address) == channel.MailAddress(address)
	}
	if talk.AgentID != lane.AgentID || string(talk.Channel) != string(lane.Channel) || !same {
		return none, nil
	}
	return talk, nil
}

// byProviderID finds a message by the platform's id.
func (s *Service) byProviderID(
	ctx context.Context, lane inbox.Lane, id string,
) (m conversation.Message, found bool, err error) {
	key := conversation.MessageKeyByProviderID(lane.AccountID, lane.AgentID, string(lane.Channel), id)
	page, err := s.Table.Query(ctx, table.Query{Index: table.Index2, PK: key.PK, Limit: 1})
	if err != nil || len(page.Items) == 0 {
		return m, false, err
	}
	m, err = conversation.ReadMessage(page.Items[0])
	return m, err == nil, err
}

// wisher returns the person whose consent an update changes: its sender, or the recipient of the message to
// which it refers.
func (s *Service) wisher(ctx context.Context, lane inbox.Lane, u channel.Update) (channel.Person, error) {
	id, _, ok := channel.ReadRef(u.Ref)
	switch {
	case ok:
		m, err := s.conversations().Message(ctx, lane.AccountID, id)
		if err != nil || m.AgentID != lane.AgentID || m.Sending == nil {
			return channel.Person{}, ignoreMissing(err)
		}
		return channel.Person{Address: m.Sending.To}, nil
	case u.Conversation != 0:
		// Only the contact got the token in the address, so it identifies them, whoever sent the mail.
		talk, err := s.conversations().Load(ctx, lane.AccountID, u.Conversation)
		if err != nil || talk.AgentID != lane.AgentID {
			return channel.Person{}, ignoreMissing(err)
		}
		return channel.Person{Address: talk.Address}, nil
	}
	return u.From, nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, conversation.ErrNotFound) {
		return nil
	}
	return err
}
