package whatsapp

import (
	"encoding/json"
	"fmt"
	"strings"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/internal/graph"
)

// A body is the part of a message that its type names.
type body struct {
	Text *struct {
		Body string `json:"body"`
	} `json:"text"`
	Button *struct {
		Payload string `json:"payload"`
		Text    string `json:"text"`
	} `json:"button"`
	Interactive *struct {
		Button *reply `json:"button_reply"`
		List   *reply `json:"list_reply"`
		Flow   *struct {
			Body     string `json:"body"`
			Response string `json:"response_json"`
		} `json:"nfm_reply"`
	} `json:"interactive"`
	Image    *media `json:"image"`
	Audio    *media `json:"audio"`
	Video    *media `json:"video"`
	Document *media `json:"document"`
	Sticker  *media `json:"sticker"`
	Location *struct {
		Latitude  float64 `json:"latitude"`
		Longitude float64 `json:"longitude"`
		Name      string  `json:"name"`
		Address   string  `json:"address"`
	} `json:"location"`
	Contacts []struct {
		Name struct {
			Formatted string `json:"formatted_name"`
		} `json:"name"`
		Phones []struct {
			Phone string `json:"phone"`
		} `json:"phones"`
	} `json:"contacts"`
	Reaction *struct {
		MessageID string `json:"message_id"`
		Emoji     string `json:"emoji"`
	} `json:"reaction"`
	Order *struct {
		Text  string `json:"text"`
		Items []struct {
			ID       string       `json:"product_retailer_id"`
			Quantity graph.Number `json:"quantity"`
			Price    graph.Number `json:"item_price"`
			Currency string       `json:"currency"`
		} `json:"product_items"`
	} `json:"order"`
	Edit *struct {
		Original string          `json:"original_message_id"`
		Message  json.RawMessage `json:"message"`
	} `json:"edit"`
	Revoke *struct {
		Original string `json:"original_message_id"`
	} `json:"revoke"`
	System struct {
		WaID   graph.ID `json:"wa_id"`
		UserID string   `json:"user_id"`
		Type   string   `json:"type"`
	} `json:"system"`
}

type reply struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

type media struct {
	Caption     string `json:"caption"`
	ContentType string `json:"mime_type"`
	ID          string `json:"id"`
	Name        string `json:"filename"`
	Voice       bool   `json:"voice"`
}

// readers read messages by their types. One reports false if the message lacks what its type names. An
// edit is not among them, as it holds a message of another type.
var readers = map[string]func(*body, *channel.Update) bool{
	"text": (*body).readText, "button": (*body).readButton, "interactive": (*body).readInteractive,
	"location": (*body).readLocation, "contacts": (*body).readContacts, "reaction": (*body).readReaction,
	"order": (*body).readOrder, "revoke": (*body).readRevoke,
	"image": (*body).readImage, "audio": (*body).readAudio, "video": (*body).readVideo,
	"document": (*body).readDocument, "sticker": (*body).readSticker,
}

// read converts a message of that type.
func (b *body) read(kind string, u *channel.Update) {
	if kind == "edit" && b.Edit != nil {
		b.readEdit(u)
		return
	}
	if reader := readers[kind]; reader == nil || !reader(b, u) {
		u.Type, u.Text, u.NeedsWords = channel.UnsupportedMessage, "[unsupported]", true
	}
}

func (b *body) readText(u *channel.Update) bool {
	if b.Text == nil {
		return false
	}
	u.Type, u.Text = channel.TextMessage, b.Text.Body
	return true
}

func (b *body) readButton(u *channel.Update) bool {
	if b.Button == nil {
		return false
	}
	u.Type, u.Text, u.Choice = channel.TextMessage, b.Button.Text, b.Button.Payload
	return true
}

// readInteractive reads the button or row that was chosen, or what a form says.
func (b *body) readInteractive(u *channel.Update) bool {
	if b.Interactive == nil {
		return false
	}
	var chosen reply
	switch i := b.Interactive; {
	case i.Button != nil:
		chosen = *i.Button
	case i.List != nil:
		chosen = *i.List
	case i.Flow != nil:
		chosen.Title = i.Flow.Body
	}
	u.Type, u.Text, u.Choice = channel.TextMessage, chosen.Title, chosen.ID
	return chosen.Title != ""
}

func (b *body) readLocation(u *channel.Update) bool {
	l := b.Location
	if l == nil {
		return false
	}
	place := graph.Filled(l.Name, l.Address, fmt.Sprintf("%g, %g", l.Latitude, l.Longitude))
	u.Type, u.Text = channel.LocationMessage, graph.Note("location", strings.Join(place, ", "))
	return true
}

func (b *body) readContacts(u *channel.Update) bool {
	if len(b.Contacts) == 0 {
		return false
	}
	u.Type, u.Text = channel.ContactsMessage, graph.Note("contact", b.cards())
	return true
}

func (b *body) readReaction(u *channel.Update) bool {
	if b.Reaction == nil {
		return false
	}
	u.Type, u.Silent, u.MessageID = channel.ReactionMessage, true, b.Reaction.MessageID
	u.Text = graph.Note("reaction", b.Reaction.Emoji)
	return true
}

func (b *body) readOrder(u *channel.Update) bool {
	if b.Order == nil {
		return false
	}
	u.Type, u.Text = channel.OrderMessage, graph.Note("order", b.order())
	return true
}

func (b *body) readRevoke(u *channel.Update) bool {
	if b.Revoke == nil {
		return false
	}
	u.Type, u.Silent, u.MessageID, u.Text = channel.DeletedMessage, true, b.Revoke.Original, "[deleted]"
	return true
}

func (b *body) readImage(u *channel.Update) bool { return b.Image.read(channel.ImageMessage, u) }

func (b *body) readAudio(u *channel.Update) bool { return b.Audio.read(channel.AudioMessage, u) }

func (b *body) readVideo(u *channel.Update) bool { return b.Video.read(channel.VideoMessage, u) }

func (b *body) readDocument(u *channel.Update) bool { return b.Document.read(channel.FileMessage, u) }

func (b *body) readSticker(u *channel.Update) bool {
	u.Silent = b.Sticker != nil
	return b.Sticker.read(channel.StickerMessage, u)
}

// read converts a file. It returns false if there is none.
func (m *media) read(as channel.MessageType, u *channel.Update) bool {
	if m == nil {
		return false
	}
	note := string(as)
	if m.Voice {
		note = "voice message"
	}
	u.Type = as
	u.Text = graph.Note(note, strings.Join(graph.Filled(m.Name, m.Caption), " "))
	u.NeedsWords = strings.TrimSpace(m.Caption) == "" && !u.Silent
	u.Attachments = []channel.Attachment{{Type: as, Name: m.Name, ContentType: m.ContentType, ID: m.ID}}
	return true
}

// readEdit returns the new text of an edited message.
func (b *body) readEdit(u *channel.Update) {
	var now message
	if json.Unmarshal(b.Edit.Message, &now) == nil && now.Edit == nil {
		now.read(now.Type, u)
	}
	u.Type, u.MessageID, u.Text = channel.EditedMessage, b.Edit.Original, graph.Note("edited", u.Text)
}

// cards returns the names and numbers of shared contacts.
func (b *body) cards() string {
	var cards []string
	for _, c := range b.Contacts {
		parts := []string{c.Name.Formatted}
		for _, p := range c.Phones {
			parts = append(parts, p.Phone)
		}
		cards = append(cards, strings.Join(graph.Filled(parts...), " "))
	}
	return strings.Join(graph.Filled(cards...), ", ")
}

// order returns what was ordered, one line for each product.
func (b *body) order() string {
	lines := graph.Filled(b.Order.Text)
	for _, item := range b.Order.Items {
		line := fmt.Sprintf("%s × %s", item.Quantity, item.ID)
		if item.Price != "" {
			line += fmt.Sprintf(" (%s %s)", item.Price, item.Currency)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
