package channel

import "time"

// UpdateKind says what an Update reports.
type UpdateKind string

// The kinds.
const (
	MessageUpdate  UpdateKind = "message"  // a contact wrote
	EchoUpdate     UpdateKind = "echo"     // a person of the business wrote in the platform's own app
	StatusUpdate   UpdateKind = "status"   // what became of a message that was sent
	IdentityUpdate UpdateKind = "identity" // a contact has another address
	ConsentUpdate  UpdateKind = "consent"  // a contact wants messages or none, or cannot be reached any more
)

// An Update is one thing that a platform reports. It is stored as it is until it is processed.
type Update struct {
	Kind UpdateKind `json:"kind"`
	// ID tells the update from all others of its connection; a repeated request has the same. It is never
	// empty.
	ID string    `json:"id"`
	At time.Time `json:"at"` // by the platform's clock; zero where it does not say
	// From is the contact, also of an echo, a status and an identity.
	From Person `json:"from"`

	// Of messages and echoes.

	Type        MessageType  `json:"type,omitempty"`
	Text        string       `json:"text,omitempty"` // what was written, or a note such as "[image] caption"
	Attachments []Attachment `json:"attachments,omitempty"`
	// Choice is the Value of the Choice whose button was pressed; it may be of a button that others sent.
	Choice string `json:"choice,omitempty"`
	// NeedsWords says that there is nothing in the text to answer, such as an image without a caption.
	NeedsWords bool `json:"needs_words,omitempty"`
	// Silent says that the message is stored and never answered, such as a reaction or an automatic reply.
	Silent bool `json:"silent,omitempty"`
	// MessageID is the platform's id of the message: of this one, or of the one that a status, an edit, a
	// deletion or a reaction is about.
	MessageID string `json:"message_id,omitempty"`
	// Source is where the contact came from, such as an advertisement; nil where the platform does not say.
	Source *Source `json:"source,omitempty"`
	// Mail is what only e-mail has; nil elsewhere.
	Mail *Mail `json:"mail,omitempty"`
	// Conversation is the one that the address names to which the message was sent; 0 where it names none.
	Conversation int64 `json:"conversation,omitempty"`

	// Of statuses.

	Status Status `json:"status,omitempty"`
	// Message.Ref, where the platform echoes it; of consent, whose wish it is
	Ref   string `json:"ref,omitempty"`
	Error *Error `json:"error,omitempty"`
	// Watermark says that the status holds for every message sent to the contact until At.
	Watermark bool `json:"watermark,omitempty"`

	// Of identities and consent.

	Previous string `json:"previous,omitempty"` // the address before, of which From has the new one
	OptedIn  bool   `json:"opted_in,omitempty"` // what the contact wants now
	// Answered says that the platform has answered the contact's word itself.
	Answered bool `json:"answered,omitempty"`
}

// Gathers reports whether messages that soon follow the update are answered together with it. An e-mail is
// complete, and what is never answered waits for nothing.
func (u *Update) Gathers() bool { return u.Kind == MessageUpdate && u.Mail == nil && !u.Silent }

// A Person is a contact as a platform knows them.
type Person struct {
	// Address is what messages are sent to, and what the contact is known by on this channel.
	Address string `json:"address"`
	// Aliases are further addresses of the same contact on this channel, by which it may be known already.
	Aliases []string `json:"aliases,omitempty"`
	Name    string   `json:"name,omitempty"`
	// Phone, in E.164, and Email are vouched for by the platform; "" where it does not.
	Phone string `json:"phone,omitempty"`
	Email string `json:"email,omitempty"`
	// Claimed is the e-mail address that a sender states and the platform does not vouch for.
	Claimed string `json:"claimed,omitempty"`
}

// Lane returns what orders the updates of one person: those of one lane are processed one after the other. It
// is the address that changes least.
func (p Person) Lane() string {
	if n := len(p.Aliases); n > 0 {
		return p.Aliases[n-1]
	}
	return p.Address
}

// MessageType says what a contact sent.
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

// An Attachment is a file that came with a message.
type Attachment struct {
	Type        MessageType `json:"type"`
	Name        string      `json:"name,omitempty"`
	ContentType string      `json:"content_type,omitempty"`
	ID          string      `json:"id,omitempty"`  // the platform's
	URL         string      `json:"url,omitempty"` // where the platform keeps it, for some days
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

// Status is what became of a message.
type Status string

// The statuses.
const (
	Accepted  Status = "sent"
	Delivered Status = "delivered"
	Seen      Status = "read"
	Failed    Status = "failed"
)
