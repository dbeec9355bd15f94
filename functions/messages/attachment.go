package messages

import (
	"context"
	"errors"
	"strconv"

	"frontdesk/shared/api"
	"frontdesk/shared/attachment"
	"frontdesk/shared/auth"
	"frontdesk/shared/channel"
	"frontdesk/shared/conversation"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// maxAttachment is the size in bytes up to which a file is passed on. A Lambda response is limited to 6 MB,
// and base64 adds a third.
const maxAttachment = 4 << 20

type attachmentIn struct {
	ID int64  `path:"id"`
	N  string `path:"n" doc:"Its place among the attachments, from 0." example:"0"`
}

// attachment answers a file that came with a message. The place must be written canonically: "01" is not
// found.
func (s *Service) attachment(ctx context.Context, in attachmentIn) (api.Download, error) {
	account := auth.CallerOf(ctx).Account.ID
	m, err := s.store().Message(ctx, account, in.ID)
	if err != nil {
		return api.Download{}, err
	}
	n, err := strconv.Atoi(in.N)
	if err != nil || n < 0 || n >= len(m.Attachments) || n >= len(m.Files) || strconv.Itoa(n) != in.N {
		return api.Download{}, fault.NotFound()
	}
	talk, err := s.store().Load(ctx, account, m.ConversationID)
	if err != nil {
		return api.Download{}, err
	}
	file, err := s.fetch(ctx, account, talk, m.Attachments[n], m.Files[n])
	var refused *channel.Error
	if errors.As(err, &refused) {
		answer := fault.New(fault.ServerError, "%s", refused.Detail)
		answer.Err = refused
		return api.Download{}, answer
	}
	return file, err
}

// fetch reads a file from the store for e-mail and the web chat, and otherwise from the platform of the
// conversation's channel.
func (s *Service) fetch(
	ctx context.Context, account int64, talk conversation.Conversation, a conversation.Attachment,
	from conversation.File,
) (api.Download, error) {
	if kept := talk.Channel == conversation.Email || talk.Channel == conversation.WebChat; kept &&
		from.ID != "" {
		content, err := attachment.Store{Table: s.Table, Now: s.Sender.Now}.Get(ctx, account, talk.AgentID,
			from.ID)
		if errors.Is(err, table.ErrNotFound) {
			err = fault.NotFound()
		}
		return api.Download{Type: a.ContentType, Name: a.Name, Body: content}, err
	}
	provider, _ := s.Sender.Channels.Provider(channel.Type(talk.Channel))
	fetcher, ok := provider.(channel.Fetcher)
	// A message without a reference to a file has nothing to fetch, whatever its channel.
	if !ok || from == (conversation.File{}) {
		return api.Download{}, fault.NotFound()
	}
	c, err := channel.Load(ctx, s.Table, account, talk.AgentID, channel.Type(talk.Channel))
	if errors.Is(err, channel.ErrNotConnected) {
		return api.Download{}, fault.New(fault.Unprocessable, "The agent is not connected to %s.",
			talk.Channel)
	}
	if err != nil {
		return api.Download{}, err
	}
	open, err := c.Open(ctx, s.Sender.Secrets, account, talk.AgentID, "")
	if err != nil {
		return api.Download{}, err
	}
	file, err := fetcher.Fetch(ctx, open, channel.Attachment{
		Type: channel.MessageType(a.Type), Name: a.Name, ContentType: a.ContentType, ID: from.ID,
		URL: from.URL,
	}, maxAttachment)
	return api.Download{Type: file.ContentType, Name: file.Name, Body: file.Content}, err
}
