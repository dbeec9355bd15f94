package messaging

import (
	"encoding/json"
	"fmt"
	"strings"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/internal/graph"
)

// The part of Meta's webhooks for Messenger and Instagram that is read.
type (
	posted struct {
		Object string `json:"object"`
		Entry  []struct {
			ID        graph.ID          `json:"id"`
			Messaging []json.RawMessage `json:"messaging"`
			// Standby has the events that another app of the page handles.
			Standby []json.RawMessage `json:"standby"`
		} `json:"entry"`
	}
	event struct {
		Sender    party           `json:"sender"`
		Recipient party           `json:"recipient"`
		Timestamp graph.Timestamp `json:"timestamp"`
		Message   *said           `json:"message"`
		Edit      *said           `json:"message_edit"`
		Postback  *postback       `json:"postback"`
		Reaction  *struct {
			ID     string `json:"mid"`
			Action string `json:"action"`
			Emoji  string `json:"emoji"`
		} `json:"reaction"`
		Delivery *watermark `json:"delivery"`
		Read     *watermark `json:"read"`
		Referral *referral  `json:"referral"`
	}
	party struct {
		ID graph.ID `json:"id"`
	}
	said struct {
		ID          string `json:"mid"`
		Text        string `json:"text"`
		Echo        bool   `json:"is_echo"`
		Metadata    string `json:"metadata"`
		Deleted     bool   `json:"is_deleted"`
		Unsupported bool   `json:"is_unsupported"`
		QuickReply  *struct {
			Payload string `json:"payload"`
		} `json:"quick_reply"`
		Attachments []struct {
			Type    string `json:"type"`
			Title   string `json:"title"`
			Payload struct {
				URL         string   `json:"url"`
				Title       string   `json:"title"`
				StickerID   graph.ID `json:"sticker_id"`
				Coordinates *struct {
					Lat  float64 `json:"lat"`
					Long float64 `json:"long"`
				} `json:"coordinates"`
			} `json:"payload"`
		} `json:"attachments"`
		ReplyTo *struct {
			Story *struct {
				URL string `json:"url"`
			} `json:"story"`
		} `json:"reply_to"`
		Referral *referral `json:"referral"`
	}
	postback struct {
		ID       string    `json:"mid"`
		Title    string    `json:"title"`
		Payload  string    `json:"payload"`
		Referral *referral `json:"referral"`
	}
	watermark struct {
		IDs       []string        `json:"mids"`
		ID        string          `json:"mid"`
		Watermark graph.Timestamp `json:"watermark"`
	}
	referral struct {
		Ref    string   `json:"ref"`
		Source string   `json:"source"`
		AdID   graph.ID `json:"ad_id"`
	}
)

// parse reads the updates of an account, a page or an Instagram account, of an object's webhooks. What
// another app of the page is handling, in standby, is left out.
func parse(object, account string, body []byte) ([]channel.Update, error) {
	var all posted
	if err := json.Unmarshal(body, &all); err != nil || all.Object == "" {
		return nil, channel.ErrMalformed
	}
	if all.Object != object {
		return nil, nil
	}
	var updates []channel.Update
	for _, entry := range all.Entry {
		if string(entry.ID) != account {
			continue
		}
		for _, raw := range entry.Messaging {
			var e event
			if json.Unmarshal(raw, &e) != nil {
				continue
			}
			if u, ok := e.update(account); ok {
				updates = append(updates, u)
			}
		}
	}
	return updates, nil
}

// update converts an event.
func (e *event) update(account string) (channel.Update, bool) {
	u := channel.Update{At: e.Timestamp.Time(), From: channel.Person{Address: string(e.Sender.ID)}}
	switch {
	case e.Message != nil && (e.Message.Echo || string(e.Sender.ID) == account):
		u.From.Address = string(e.Recipient.ID)
		e.Message.echo(&u)
	case e.Message != nil:
		e.Message.read(&u)
	case e.Edit != nil:
		u.Kind, u.MessageID, u.Type = channel.MessageUpdate, e.Edit.ID, channel.EditedMessage
		u.ID = fmt.Sprintf("%s:edit:%d", e.Edit.ID, u.At.UnixMilli())
		u.Text = graph.Note("edited", e.Edit.Text)
	case e.Postback != nil:
		e.Postback.read(&u)
	case e.Reaction != nil:
		u.Kind, u.Type = channel.MessageUpdate, channel.ReactionMessage
		u.Silent, u.MessageID = true, e.Reaction.ID
		u.ID = fmt.Sprintf("%s:reaction:%s:%d", e.Reaction.ID, e.Sender.ID, u.At.UnixMilli())
		u.Text = graph.Note("reaction", e.Reaction.Emoji)
		if e.Reaction.Action == "unreact" {
			u.Text = "[reaction]"
		}
	case e.Delivery != nil:
		e.Delivery.read(channel.Delivered, &u)
	case e.Read != nil:
		e.Read.read(channel.Seen, &u)
	default:
		return channel.Update{}, false
	}
	return u, u.ID != "" && u.From.Address != "" && u.From.Address != account
}

// read converts a message of a contact.
func (m *said) read(u *channel.Update) {
	u.Kind, u.ID, u.MessageID = channel.MessageUpdate, m.ID, m.ID
	u.Source = m.Referral.source()
	switch {
	case m.Deleted:
		u.ID, u.Type, u.Silent, u.Text = m.ID+":deleted", channel.DeletedMessage, true, "[deleted]"
	case m.Unsupported:
		u.Type, u.NeedsWords, u.Text = channel.UnsupportedMessage, true, "[unsupported]"
	case len(m.Attachments) > 0:
		m.attached(u)
	case m.ReplyTo != nil && m.ReplyTo.Story != nil:
		u.Type, u.Text = channel.StoryMessage, graph.Note("story reply", m.Text)
		u.Attachments = []channel.Attachment{{Type: channel.StoryMessage, URL: m.ReplyTo.Story.URL}}
	default:
		u.Type, u.Text = channel.TextMessage, m.Text
		u.NeedsWords = strings.TrimSpace(m.Text) == ""
		if m.QuickReply != nil {
			u.Choice = m.QuickReply.Payload
		}
	}
}

// attachmentTypes maps Meta's types of attachments; others are unsupported.
var attachmentTypes = map[string]channel.MessageType{
	"image": channel.ImageMessage, "video": channel.VideoMessage, "audio": channel.AudioMessage,
	"file": channel.FileMessage, "location": channel.LocationMessage, "story_mention": channel.StoryMessage,
	"like_heart": channel.StickerMessage, "share": channel.FileMessage, "reel": channel.VideoMessage,
	"ig_reel": channel.VideoMessage, "ig_post": channel.ImageMessage, "fallback": channel.FileMessage,
	"template": channel.FileMessage,
}

// attached converts a message with files. The first file determines its type.
func (m *said) attached(u *channel.Update) {
	for _, a := range m.Attachments {
		as, known := attachmentTypes[a.Type]
		if !known {
			as = channel.UnsupportedMessage
		}
		if a.Payload.StickerID != "" {
			as = channel.StickerMessage
		}
		file := channel.Attachment{Type: as, Name: a.Payload.Title, URL: a.Payload.URL}
		u.Attachments = append(u.Attachments, file)
	}
	first := m.Attachments[0]
	u.Type = u.Attachments[0].Type
	note, text := string(u.Type), m.Text
	switch {
	case first.Type == "story_mention":
		note = "story mention"
	case first.Payload.Coordinates != nil:
		text = fmt.Sprintf("%g, %g", first.Payload.Coordinates.Lat, first.Payload.Coordinates.Long)
	}
	u.Text = graph.Note(note, text)
	wordless := strings.TrimSpace(text) == ""
	complete := u.Type == channel.StickerMessage || u.Type == channel.StoryMessage
	u.NeedsWords, u.Silent = wordless && !complete, wordless && complete
}

// echo reads a message that was sent in the business's name. If it has our reference, Frontdesk sent it, and
// its status is now known even if the response was lost.
func (m *said) echo(u *channel.Update) {
	if _, _, ours := channel.ReadRef(m.Metadata); ours {
		u.Kind, u.ID, u.MessageID = channel.StatusUpdate, m.ID+":sent", m.ID
		u.Status, u.Ref = channel.Accepted, m.Metadata
		return
	}
	m.read(u)
	u.Kind, u.NeedsWords, u.Silent = channel.EchoUpdate, false, false
	if m.Deleted {
		u.ID = "" // nothing is to be stored of it
	}
}

// read converts the press of a button.
func (p *postback) read(u *channel.Update) {
	u.Kind, u.Type = channel.MessageUpdate, channel.TextMessage
	u.ID, u.MessageID, u.Text = p.ID, p.ID, p.Title
	if u.ID == "" {
		u.ID = fmt.Sprintf("postback:%s:%s:%d", u.From.Address, p.Payload, u.At.UnixMilli())
	}
	if u.Choice = p.Payload; u.Text == "" {
		u.Text = p.Payload
	}
	u.Source = p.Referral.source()
}

// read converts a delivery or read receipt: for one message, or for all until a time.
func (w *watermark) read(status channel.Status, u *channel.Update) {
	u.Kind, u.Status = channel.StatusUpdate, status
	switch {
	case w.ID != "":
		u.ID, u.MessageID = w.ID+":"+string(status), w.ID
	case w.Watermark.Time().IsZero() && len(w.IDs) > 0:
		u.ID, u.MessageID = w.IDs[0]+":"+string(status), w.IDs[0]
	case !w.Watermark.Time().IsZero():
		u.At, u.Watermark = w.Watermark.Time(), true
		u.ID = fmt.Sprintf("watermark:%s:%s:%d", status, u.From.Address, u.At.UnixMilli())
	}
}

func (r *referral) source() *channel.Source {
	if r == nil {
		return nil
	}
	return &channel.Source{Type: r.Source, ID: string(r.AdID), Headline: channel.CleanText(r.Ref)}
}
