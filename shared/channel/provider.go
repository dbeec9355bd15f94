package channel

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"frontdesk/shared/secret"
)

// A Provider is everything that Frontdesk knows about one channel: its settings and limits, how calls of its
// platform are verified and read, and how messages are sent. Implementations are safe for concurrent use, and
// hold no state of an agent: that is in the Connection of each call. Package channeltest holds them to this
// contract.
//
// What only some platforms have is an interface of its own: Handshaker, Marker, Templater, Fetcher,
// Refresher, MailReader.
type Provider interface {
	// Info describes the channel. It never changes.
	Info() Info

	// Verify reports whether a request comes from the platform, over its raw bytes and in constant time. The
	// error is ErrForbidden where it does not, or where the connection lacks the setting to tell.
	Verify(c Connection, r Request) error

	// Parse reads the updates of a verified request, in the platform's order. Events that it does not know,
	// and those of another number, page or account than the connection's, are left out. ErrMalformed where
	// the body is none of the platform's; it never panics.
	Parse(c Connection, r Request) ([]Update, error)

	// Send hands one message to the platform, whose text is within Info.Text; see Split. The error is an
	// *Error. A platform that has accepted the message has neither delivered it nor promised to.
	Send(ctx context.Context, c Connection, m Message) (Receipt, error)

	// Check asks the platform whether the connection works, in both directions.
	Check(ctx context.Context, c Connection) []Finding
}

// Info describes a channel.
type Info struct {
	Type Type
	// Fields are the settings, in the order in which they are shown. A channel without any is always
	// connected.
	Fields []Field
	// OneOf are settings of which one must have a value; nil for none.
	OneOf []Setting
	// OnPlatform says that messages leave for a platform. Those of the other channels are kept for the caller
	// of the API or the visitor of a website, who fetch them.
	OnPlatform bool
	// Window is how long after a contact's message a business may write freely; 0 where it always may.
	Window time.Duration
	// HumanWindow is the same for messages that a person writes; at least Window.
	HumanWindow time.Duration
	// Templates says that messages approved beforehand may be sent at any time.
	Templates bool
	// Text bounds the text of one message.
	Text Limit
	// Choices is how many quick replies a message may offer; 0 where the platform has none.
	Choices int
	// Idle is how long after its last message a conversation goes on; 0 for ever.
	Idle time.Duration
	// MaxBody is how many bytes a request of the platform may have; 0 where the channel takes none.
	MaxBody int64
	// Threads says that each message names the conversation that it goes on with, by what it answers; one
	// that names none begins another.
	Threads bool
}

// A Field is one setting of a channel.
type Field struct {
	Setting  Setting
	Required bool // without it the channel cannot send; what only receiving needs is not required
	Secret   bool
	Doc      string // what it is, for the API's description
	Example  string // no real credential
	// Read returns a value as it is stored, or what is wrong with it, as the rest of a sentence that begins
	// with the field. It gets no empty value.
	Read func(value string) (stored, problem string)
}

// A Connection is an agent's connected channel, ready for use: its settings with the secrets opened.
type Connection struct {
	AccountID, AgentID int64
	// URL is the address that the platform was told to call, with the slash at its end:
	// {base}inbound/{agent}/{type}/.
	URL     string
	Texts   map[Setting]string
	Secrets map[Setting]secret.Plain
}

// Address returns the address that a platform is to call for a channel of an agent. Base is that of the API,
// with the slash at its end.
func Address(base string, agent int64, t Type) string {
	return fmt.Sprintf("%sinbound/%d/%s/", base, agent, t)
}

// Text returns a setting that is no secret; "" where it has no value.
func (c Connection) Text(s Setting) string { return c.Texts[s] }

// Secret returns a setting that is a secret; "" where it has no value.
func (c Connection) Secret(s Setting) secret.Plain { return c.Secrets[s] }

// A Request is a call of the platform, as it came.
type Request struct {
	Method   string
	Path     string // below the connection's URL; mostly ""
	RawQuery string // as sent, not re-encoded
	Header   http.Header
	Body     []byte
}

// Errors of Verify, Handshake and Parse. They are compared with errors.Is.
var (
	ErrForbidden = errors.New("channel: the request is not signed rightly")
	ErrMalformed = errors.New("channel: the request is none of the platform's")
)

// A Handshaker answers the call by which a platform verifies the address.
type Handshaker interface {
	// Handshake returns the body of the answer; ErrForbidden where the platform shows the wrong token.
	Handshake(c Connection, r Request) (body string, err error)
}

// An Acknowledger says what the platform wants as the answer to a request that was accepted.
type Acknowledger interface {
	// Acknowledge returns the answer's content type and body.
	Acknowledge() (contentType, body string)
}

// A Conditional is a channel that sends only where the service was set up for it.
type Conditional interface {
	// Unavailable says, in whole sentences, why nothing can be sent; "" where it can.
	Unavailable() string
}

// A Marker shows a contact that the message was read and an answer is being written.
type Marker interface {
	// Mark does so for a message of a person. It is best effort: its error is for logs alone.
	Mark(ctx context.Context, c Connection, to, messageID string) error
}

// A Templater lists the approved templates of an account.
type Templater interface {
	// ListTemplates returns them in the platform's order, at most 1,000. The error is an *Error.
	ListTemplates(ctx context.Context, c Connection) ([]TemplateInfo, error)
}

// TemplateInfo describes an approved template.
type TemplateInfo struct {
	Name     string `json:"name" example:"order_ready"`
	Language string `json:"language" example:"en_US"`
	Status   string `json:"status" doc:"The platform's word, such as APPROVED, PENDING or REJECTED." example:"APPROVED"`
	Category string `json:"category" example:"UTILITY"`
	Body     string `json:"body" doc:"The text, with placeholders such as {{1}}." example:"Hello {{1}}, your order is ready."`
}

// A Fetcher reads attachments that the platform keeps.
type Fetcher interface {
	// Fetch returns an attachment's bytes, at most maxBytes. The error is an *Error.
	Fetch(ctx context.Context, c Connection, a Attachment, maxBytes int64) (File, error)
}

// A MailReader reads mail that was not posted, but taken by a service of AWS that this one trusts.
type MailReader interface {
	// ReadMail reads the updates of a mail. ErrMalformed where it is none.
	ReadMail(c Connection, m TakenMail) ([]Update, error)
}

// A TakenMail is a raw mail with what the service that took it says of it.
type TakenMail struct {
	Raw        []byte
	Recipients []string // of the envelope
	Sender     string   // of the envelope; "" for a report
	// DMARC, SPF and DKIM tell that the mail passed; DMARCNone that the domain of its From asks for nothing,
	// so that the other two decide.
	DMARC, DMARCNone, SPF, DKIM bool
	// Spam tells that it looks like it: it is kept and never answered.
	Spam bool
}

// A File is the content of an attachment.
type File struct {
	ContentType string
	Name        string
	Content     []byte
}

// A Refresher exchanges credentials that expire.
type Refresher interface {
	// Refresh returns the settings that are new, or none where credentials of that age need none yet. The
	// error is an *Error.
	Refresh(ctx context.Context, c Connection, age time.Duration) (map[Setting]secret.Plain, error)
}

// CredentialsCheck is the name of the finding that says whether the platform accepts the credentials. Every
// check of a connected platform has it.
const CredentialsCheck = "credentials"

// A Finding is the answer to one question that Check asks.
type Finding struct {
	Name   string `json:"name" doc:"What was checked, such as credentials, webhook or subscription." example:"credentials"`
	OK     bool   `json:"ok" example:"true"`
	Detail string `json:"detail" doc:"What was found, or what is missing and where to set it." example:"WhatsApp knows the number."`
	// Refused says that the platform does not accept the credentials.
	Refused bool `json:"-"`
}

// CredentialsFinding is the finding of a first call that failed. Its Detail is that of an *Error; of another
// error it says only that there is one.
func CredentialsFinding(err error) Finding {
	var e *Error
	return Finding{Name: CredentialsCheck, Detail: DetailOf(err), Refused: errors.As(err, &e) &&
		e.Class == Reconnect}
}
