package messaging

import (
	"context"

	"frontdesk/shared/channel"
)

// Types of the API's requests.
type (
	sendRequest struct {
		Recipient recipient `json:"recipient"`
		Type      string    `json:"messaging_type,omitempty"`
		Tag       string    `json:"tag,omitempty"`
		Message   outgoing  `json:"message"`
	}
	recipient struct {
		ID string `json:"id"`
	}
	outgoing struct {
		Text     string       `json:"text"`
		Replies  []quickReply `json:"quick_replies,omitempty"`
		Metadata string       `json:"metadata,omitempty"`
	}
	quickReply struct {
		Type    string `json:"content_type"`
		Title   string `json:"title"`
		Payload string `json:"payload"`
	}
)

// Limits of the API.
const (
	maxReplies = 13   // quick replies of a message
	maxTitle   = 20   // characters of one
	maxPayload = 1000 // bytes of what it brings back
	maxID      = 512  // bytes of a message's id
)

// Send implements channel.Provider.
func (b *Base) Send(ctx context.Context, c channel.Connection, m channel.Message) (channel.Receipt, error) {
	client, path := b.Reach(c)
	body := sendRequest{
		Recipient: recipient{m.To}, Type: "RESPONSE",
		Message: outgoing{Text: m.Text, Replies: repliesOf(m.Choices)},
	}
	if b.EchoesRef {
		body.Message.Metadata = m.Ref
	}
	if m.ByPerson && m.AfterWindow {
		body.Type, body.Tag = "MESSAGE_TAG", "HUMAN_AGENT"
	}
	var accepted struct {
		ID string `json:"message_id"`
	}
	if err := client.Call(ctx, path+"/messages", c.Secret(channel.AccessToken), body, &accepted); err != nil {
		return channel.Receipt{}, err
	}
	if accepted.ID == "" || len(accepted.ID) > maxID {
		return channel.Receipt{}, client.NotUnderstood()
	}
	return channel.Receipt{ID: accepted.ID}, nil
}

// repliesOf converts choices to quick replies. It returns none if the platform cannot show all of them.
func repliesOf(choices []channel.Choice) []quickReply {
	labels := channel.Labels(choices, maxTitle)
	if len(labels) > maxReplies {
		return nil
	}
	var replies []quickReply
	for i, label := range labels {
		if len(choices[i].Value) > maxPayload {
			return nil
		}
		replies = append(replies, quickReply{"text", label, choices[i].Value})
	}
	return replies
}

// Mark implements channel.Marker.
func (b *Base) Mark(ctx context.Context, c channel.Connection, to, _ string) error {
	client, path := b.Reach(c)
	token := c.Secret(channel.AccessToken)
	for _, action := range []string{"mark_seen", "typing_on"} {
		body := map[string]any{"recipient": recipient{to}, "sender_action": action}
		var ignored struct{}
		if err := client.Call(ctx, path+"/messages", token, body, &ignored); err != nil {
			return err
		}
	}
	return nil
}
