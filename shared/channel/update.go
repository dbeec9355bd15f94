package channel

import (
	"strings"
	"time"
)

// UpdateKind is what an Update reports.
type UpdateKind string

// The kinds.
const (
	MessageUpdate  UpdateKind = "message"  // a contact wrote
	EchoUpdate     UpdateKind = "echo"     // a person of the business wrote in the platform's own app
	StatusUpdate   UpdateKind = "status"   // the state of a sent message changed
	IdentityUpdate UpdateKind = "identity" // a contact has another address
	ConsentUpdate  UpdateKind = "consent"  // a contact opted in or out, or cannot be reached any more
)

// An Update is one report of a platform. It is stored unchanged until it is processed.
type Update struct {
	Kind UpdateKind `json:"kind"`
	// ID is unique in the connection, and the same in a repeated request. It is never empty.
	ID string    `json:"id"`
	At time.Time `json:"at"` // by the platform's clock; zero if unknown
	// From is the contact, also of an echo, a status or an identity.
	From Person `json:"from"`

	// Fields of messages and echoes.

	Type        MessageType  `json:"type,omitempty"`
	Text        string       `json:"text,omitempty"` // the text, or a note such as "[image] caption"
	Attachments []Attachment `json:"attachments,omitempty"`
	// Choice is the Value of the pressed button, which another sender may have offered.
	Choice string `json:"choice,omitempty"`
	// NeedsWords is set if the text has nothing to answer, such as an image without a caption.
	NeedsWords bool `json:"needs_words,omitempty"`
	// Silent is set if the message is stored but never answered, such as a reaction or an automatic reply.
	Silent bool `json:"silent,omitempty"`
	// MessageID is the platform's id of the message: of this one, or of the one that a status, edit, deletion
	// or reaction refers to.
	MessageID string `json:"message_id,omitempty"`
	// Source is where the contact came from, such as an advertisement; nil if unknown.
	Source *Source `json:"source,omitempty"`
	// Mail is what only e-mail has; nil elsewhere.
	Mail *Mail `json:"mail,omitempty"`
	// Conversation is the one in the address that the message was sent to; 0 if there is none.
	Conversation int64 `json:"conversation,omitempty"`

	// Fields of statuses.

	Status Status `json:"status,omitempty"`
	// Message.Ref, if the platform returns it; of a consent, that of the message to which the person replied
	Ref   string `json:"ref,omitempty"`
	Error *Error `json:"error,omitempty"`
	// Watermark is set if the status applies to every message sent to the contact until At.
	Watermark bool `json:"watermark,omitempty"`

	// Fields of identities and consents.

	Previous string `json:"previous,omitempty"` // the old address; From has the new one
	OptedIn  bool   `json:"opted_in,omitempty"` // whether the contact wants messages
	// Answered is set if the platform itself has replied to the contact's keyword.
	Answered bool `json:"answered,omitempty"`
}

// CanBatch reports whether the update is answered together with messages that follow soon. E-mails are not,
// since they are complete, nor are messages without an answer.
func (u *Update) CanBatch() bool { return u.Kind == MessageUpdate && u.Mail == nil && !u.Silent }

// A Person is a contact as a platform knows them.
type Person struct {
	// Address identifies the contact on this channel, and messages are sent to it.
	Address string `json:"address"`
	// Aliases are further addresses of the contact on this channel, by which it may be stored already.
	Aliases []string `json:"aliases,omitempty"`
	Name    string   `json:"name,omitempty"`
	// Phone, in E.164, and Email are verified by the platform; "" if not.
	Phone string `json:"phone,omitempty"`
	Email string `json:"email,omitempty"`
	// Claimed is the sender's e-mail address that is not verified.
	Claimed string `json:"claimed,omitempty"`
}

// Lane returns the key by which a person's updates are processed in order. It is the most stable address.
func (p Person) Lane() string {
	if n := len(p.Aliases); n > 0 {
		return p.Aliases[n-1]
	}
	return p.Address
}

// MessageType is the kind of a contact's message.
type MessageType string

// The types.
const (
	TextMessage        MessageType = "text"
	ImageMessage       MessageType = "image"
	AudioMessage       MessageType = "audio"
	VideoMessage       MessageType = "video"
	FileMessage        MessageType = "file"
	StickerMessage     MessageType = "sticker"
	LocationMessage    MessageType = "location"
	ContactsMessage    MessageType = "contacts"
	ReactionMessage    MessageType = "reaction"
	OrderMessage       MessageType = "order"
	StoryMessage       MessageType = "story"
	EditedMessage      MessageType = "edited"
	DeletedMessage     MessageType = "deleted"
	UnsupportedMessage MessageType = "unsupported"
)

// TypeOfFile returns the type of a file by its media type, such as "image/png": image, audio or video, and
// otherwise FileMessage.
func TypeOfFile(mediaType string) MessageType {
	kind, _, _ := strings.Cut(mediaType, "/")
	switch kind {
	case "image":
		return ImageMessage
	case "audio":
		return AudioMessage
	case "video":
		return VideoMessage
	}
	return FileMessage
}

// An Attachment is a file that came with a message.
type Attachment struct {
	Type        MessageType `json:"type"`
	Name        string      `json:"name,omitempty"`
	ContentType string      `json:"content_type,omitempty"`
	ID          string      `json:"id,omitempty"`  // of the platform
	URL         string      `json:"url,omitempty"` // where the platform stores it for some days
	Size        int64       `json:"size,omitempty"`
	Content     []byte      `json:"content,omitempty"` // of e-mail, until it is stored
}

// A Source is where a contact came from.
type Source struct {
	Type     string `json:"type,omitempty"` // such as ad or post
	ID       string `json:"id,omitempty"`
	URL      string `json:"url,omitempty"`
	Headline string `json:"headline,omitempty"`
}

// Status is the state of a sent message.
type Status string

// The statuses.
const (
	Accepted  Status = "sent"
	Delivered Status = "delivered"
	Seen      Status = "read"
	Failed    Status = "failed"
)
