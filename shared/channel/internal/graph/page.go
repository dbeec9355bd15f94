package graph

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/channel"
)

// What the API of Messenger and Instagram takes.
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

// Bounds of quick replies.
const (
	// MaxReplies is how many a message may have.
	MaxReplies = 13
	maxTitle   = 20 // characters
	maxPayload = 1000
	// ServiceWindow is how long after a contact's message the business may write.
	ServiceWindow = 24 * time.Hour
	// HumanWindow is how long a person of the business may, where Meta approved that for the app.
	HumanWindow = 7 * 24 * time.Hour
	maxID       = 512
)

// SendMessage sends a message below the path of a page or account. Metadata says that the platform echoes our reference.
func (c *Client) SendMessage(ctx context.Context, conn channel.Connection, path string, m channel.Message, metadata bool) (channel.Receipt, error) {
	body := sendRequest{Recipient: recipient{m.To}, Type: "RESPONSE", Message: outgoing{Text: m.Text, Replies: repliesOf(m.Choices)}}
	if metadata {
		body.Message.Metadata = m.Ref
	}
	if m.ByPerson && !m.LastInboundAt.IsZero() && time.Since(m.LastInboundAt) >= ServiceWindow {
		body.Type, body.Tag = "MESSAGE_TAG", "HUMAN_AGENT"
	}
	var accepted struct {
		ID string `json:"message_id"`
	}
	if err := c.Call(ctx, path+"/messages", conn.Secret(channel.AccessToken), body, &accepted); err != nil {
		return channel.Receipt{}, err
	}
	if accepted.ID == "" || len(accepted.ID) > maxID {
		return channel.Receipt{}, c.NotUnderstood()
	}
	return channel.Receipt{ID: accepted.ID}, nil
}

// repliesOf are choices as quick replies; none where the platform cannot show all of them.
func repliesOf(choices []channel.Choice) []quickReply {
	labels := channel.Labels(choices, maxTitle)
	if len(labels) > MaxReplies {
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

// MarkSeen shows a contact that the message was read and an answer is being written.
func (c *Client) MarkSeen(ctx context.Context, conn channel.Connection, path, to string) error {
	for _, action := range []string{"mark_seen", "typing_on"} {
		body := map[string]any{"recipient": recipient{to}, "sender_action": action}
		var ignored struct{}
		if err := c.Call(ctx, path+"/messages", conn.Secret(channel.AccessToken), body, &ignored); err != nil {
			return err
		}
	}
	return nil
}

// CheckSubscription asks whether an app gets what happens at a page or account.
func (c *Client) CheckSubscription(ctx context.Context, conn channel.Connection, path string) channel.Finding {
	var found struct {
		Data []struct {
			Fields []string `json:"subscribed_fields"`
		} `json:"data"`
	}
	if err := c.Call(ctx, path+"/subscribed_apps", conn.Secret(channel.AccessToken), nil, &found); err != nil {
		return channel.Finding{Name: "webhook", Detail: channel.DetailOf(err)}
	}
	for _, app := range found.Data {
		if slices.Contains(app.Fields, "messages") {
			return channel.Finding{Name: "webhook", OK: true, Detail: "An app is subscribed to messages. Its address must be " + conn.URL + "."}
		}
	}
	return channel.Finding{Name: "webhook", Detail: "No app is subscribed to messages. Enter " + conn.URL +
		" as the callback URL of the app, and subscribe the page to messages, messaging_postbacks and message_echoes."}
}

// CheckSettings says which of the settings are missing that receiving needs.
func CheckSettings(conn channel.Connection) []channel.Finding {
	var missing []string
	for _, s := range []channel.Setting{channel.AppSecret, channel.VerifyToken} {
		if conn.Secret(s) == "" {
			missing = append(missing, string(s))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return []channel.Finding{{Name: "settings", Detail: "No messages are received without " + strings.Join(missing, " and ") + "."}}
}

// Escape is an id as it may stand in a path.
func Escape(id string) string { return url.PathEscape(id) }
