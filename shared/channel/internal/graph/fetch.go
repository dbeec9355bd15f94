package graph

import (
	"context"

	"frontdesk/shared/channel"
)

// Fetch reads an attachment of Messenger or Instagram, whose address came with the message and needs no token.
func (c *Client) Fetch(ctx context.Context, a channel.Attachment, maxBytes int64) (channel.File, error) {
	if a.URL == "" {
		return channel.File{}, &channel.Error{Class: channel.Rejected, Detail: c.name + " gave no file."}
	}
	answer, err := c.Get(ctx, a.URL, "", maxBytes)
	file := channel.File{ContentType: answer.Header.Get("Content-Type"), Name: a.Name, Content: answer.Body}
	return file, err
}
