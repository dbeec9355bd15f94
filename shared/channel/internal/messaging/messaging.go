// Package messaging has what Messenger and Instagram share: the same webhooks and the same calls to answer.
package messaging

import (
	"context"
	"slices"
	"time"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/internal/graph"
)

const (
	// window is how long after a contact's message the business may write.
	window = 24 * time.Hour
	// humanWindow is how long a person of the business may write, if Meta approved that for the app.
	humanWindow = 7 * 24 * time.Hour
	// idle is how long after its last message a conversation continues.
	idle = 24 * time.Hour
)

// A Base is a channel without Check. The channel's package embeds it.
type Base struct {
	Type    channel.Type
	Object  string          // that webhooks name
	MaxText int             // bytes of UTF-8 of a text
	Fields  []channel.Field // before those that all channels of Meta have
	// EchoesRef is set if the platform returns a message's reference with its echo.
	EchoesRef bool
	// Reach returns the client for a connection and the path of its account.
	Reach func(c channel.Connection) (client *graph.Client, path string)
}

// Info implements channel.Provider.
func (b *Base) Info() channel.Info {
	return channel.Info{
		Type: b.Type, Fields: slices.Concat(b.Fields, graph.Fields()),
		OnPlatform: true, Window: window, HumanWindow: humanWindow,
		Text: channel.Limit{Max: b.MaxText, Bytes: true}, Choices: maxReplies, Idle: idle,
		MaxBody: graph.MaxBody,
	}
}

// Verify implements channel.Provider.
func (b *Base) Verify(c channel.Connection, r channel.Request) error { return graph.Verify(c, r) }

// Handshake implements channel.Handshaker.
func (b *Base) Handshake(c channel.Connection, r channel.Request) (string, error) {
	return graph.Handshake(c, r)
}

// Parse implements channel.Provider.
func (b *Base) Parse(c channel.Connection, r channel.Request) ([]channel.Update, error) {
	return parse(b.Object, c.Text(channel.PageID), r.Body)
}

// Fetch implements channel.Fetcher. The address of an attachment came with the message and needs no token.
func (b *Base) Fetch(
	ctx context.Context, c channel.Connection, a channel.Attachment, maxBytes int64,
) (channel.File, error) {
	client, _ := b.Reach(c)
	if a.URL == "" {
		return channel.File{}, &channel.Error{
			Class: channel.Rejected, Detail: "The platform gave no address of the file.",
		}
	}
	answer, err := client.Get(ctx, a.URL, "", maxBytes)
	file := channel.File{ContentType: answer.Header.Get("Content-Type"), Name: a.Name, Content: answer.Body}
	return file, err
}

// CheckReceiving tests whether an app receives the account's events, and reports missing settings.
func (b *Base) CheckReceiving(ctx context.Context, c channel.Connection) []channel.Finding {
	client, path := b.Reach(c)
	var found struct {
		Data []struct {
			Fields []string `json:"subscribed_fields"`
		} `json:"data"`
	}
	webhook := channel.Finding{
		Name: "webhook", Detail: "No app is subscribed to messages. Enter " + c.URL +
			" as the callback URL of the app, and subscribe the page to messages, messaging_postbacks and " +
			"message_echoes.",
	}
	err := client.Call(ctx, path+"/subscribed_apps", c.Secret(channel.AccessToken), nil, &found)
	if err != nil {
		webhook.Detail = channel.DetailOf(err)
	}
	for _, app := range found.Data {
		if slices.Contains(app.Fields, "messages") {
			webhook.OK = true
			webhook.Detail = "An app is subscribed to messages. Its address must be " + c.URL + "."
		}
	}
	return append([]channel.Finding{webhook}, graph.CheckSettings(c)...)
}
