package channel

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"frontdesk/shared/secret"
)

// A Provider implements one channel: its settings and limits, verifying and parsing the platform's calls, and
// sending. Providers are safe for concurrent use and stateless: the state of an agent is in the Connection of
// each call. Package channeltest tests this contract.
// contract.
//
// Features of some platforms have interfaces of their own: Handshaker, Marker, Templater, Fetcher, Refresher,
// MailReader.
type Provider interface {
	// Info describes the channel. It is constant.
	Info() Info

	// Verify checks that a request comes from the platform, over its raw bytes and in constant time. It
	// returns ErrForbidden if it does not, or if the connection lacks the setting to tell.
	Verify(c Connection, r Request) error

	// Parse returns the updates of a verified request in the platform's order. Unknown events are left out,
	// and so are those of other numbers, pages or accounts. It returns ErrMalformed for an invalid body; it
	// never panics.
	Parse(c Connection, r Request) ([]Update, error)

	// Send sends one message, whose text is within Info.Text; see Split. The error is an *Error. Acceptance
	// by the platform does not mean delivery.
	Send(ctx context.Context, c Connection, m Message) (Receipt, error)

	// Check asks the platform whether the connection works, in both directions.
	Check(ctx context.Context, c Connection) []Finding
}

// Info describes a channel.
type Info struct {
	Type Type
	// Fields are the settings in display order. A channel without any is always connected.
	Fields []Field
	// OneOf are settings of which at least one must have a value; nil for none.
	OneOf []Setting
	// OnPlatform is set if messages are sent to a platform. Those of other channels are stored for the API's
	// caller or the website's visitor.
	OnPlatform bool
	// Window is how long after a contact's message a business may write freely; 0 is no limit.
	Window time.Duration
	// HumanWindow is Window for messages written by a person; at least Window.
	HumanWindow time.Duration
	// Templates is set if approved messages may be sent at any time.
	Templates bool
	// Text is the limit of one message's text.
	Text Limit
	// Choices is the limit of quick replies in a message; 0 if the platform has none.
	Choices int
	// Idle is how long after its last message a conversation continues; 0 is forever.
	Idle time.Duration
	// MaxBody is the size limit of a platform's request in bytes; 0 if the channel has no inbound requests.
	MaxBody int64
	// Threads is set if messages say which conversation they continue; one that does not begins another.
	Threads bool
}

// A Field describes one setting of a channel.
type Field struct {
	Setting  Setting
	Required bool // needed for sending
	Secret   bool
	Doc      string // description for the API
	Example  string // not a real credential
	// Read validates a value and returns its stored form, or what is wrong with it, to follow the field's
	// name in a sentence. It is not called for an empty value.
	Read func(value string) (stored, problem string)
}

// A Connection is an agent's connected channel with opened secrets.
type Connection struct {
	AccountID, AgentID int64
	// URL is the address that the platform calls, with a slash at the end: {base}inbound/{agent}/{type}/.
	URL     string
	Texts   map[Setting]string
	Secrets map[Setting]secret.Plain
}

// Address returns the address that a platform calls for a channel of an agent. base is that of the API, with
// a slash at the end.
func Address(base string, agent int64, t Type) string {
	return fmt.Sprintf("%sinbound/%d/%s/", base, agent, t)
}

// Text returns a setting that is not secret, or "".
func (c Connection) Text(s Setting) string { return c.Texts[s] }

// Secret returns a secret setting, or "".
func (c Connection) Secret(s Setting) secret.Plain { return c.Secrets[s] }

// A Request is a platform's call as it arrived.
type Request struct {
	Method   string
	Path     string // below the connection's URL; usually ""
	RawQuery string // as sent, not re-encoded
	Header   http.Header
	Body     []byte
}

// Errors of Verify, Handshake and Parse, for errors.Is.
var (
	ErrForbidden = errors.New("channel: the request is not signed rightly")
	ErrMalformed = errors.New("channel: the request is none of the platform's")
)

// A Handshaker answers the call by which a platform verifies the address.
type Handshaker interface {
	// Handshake returns the body of the response, or ErrForbidden for a wrong token.
	Handshake(c Connection, r Request) (body string, err error)
}

// An Acknowledger determines the response to an accepted request.
type Acknowledger interface {
	// Acknowledge returns the response's content type and body.
	Acknowledge() (contentType, body string)
}

// A Conditional is a channel that can send only if the service is configured for it.
type Conditional interface {
	// Unavailable returns in whole sentences why nothing can be sent, or "".
	Unavailable() string
}

// A Marker shows the contact that the message was read and that a reply is being written.
type Marker interface {
	// Mark does so for a message. It is best effort: its error is only logged.
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

// A Fetcher downloads attachments that the platform stores.
type Fetcher interface {
	// Fetch returns an attachment's bytes, at most maxBytes. The error is an *Error.
	Fetch(ctx context.Context, c Connection, a Attachment, maxBytes int64) (File, error)
}

// A MailReader parses mail that AWS received for this service.
type MailReader interface {
	// ReadMail returns the updates of a mail, or ErrMalformed.
	ReadMail(c Connection, m ReceivedMail) ([]Update, error)
}

// A ReceivedMail is a raw mail with the verdicts of the receiving service.
type ReceivedMail struct {
	Raw        []byte
	Recipients []string // envelope recipients
	Sender     string   // envelope sender; "" for a delivery report
	// DMARC, SPF and DKIM are set if the mail passed. DMARCNone is set if the From domain has no policy, so
	// that SPF and DKIM decide.
	DMARC, DMARCNone, SPF, DKIM bool
	// Spam is set if the mail looks like spam: it is stored and never answered.
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
	// Refresh returns the new settings, or none if credentials of that age need no exchange yet. The error is
	// an *Error.
	Refresh(ctx context.Context, c Connection, age time.Duration) (map[Setting]secret.Plain, error)
}

// CredentialsCheck is the finding that says whether the platform accepts the credentials. Every check of a
// connected platform has it.
const CredentialsCheck = "credentials"

// A Finding is the result of one test of Check.
type Finding struct {
	Name   string `json:"name" doc:"What was checked, such as credentials, webhook or subscription." example:"credentials"`
	OK     bool   `json:"ok" example:"true"`
	Detail string `json:"detail" doc:"What was found, or what is missing and where to set it." example:"WhatsApp knows the number."`
	// Refused is set if the platform does not accept the credentials.
	Refused bool `json:"-"`
}

// CredentialsFinding returns the finding of a first call that failed, with the Detail of an *Error.
func CredentialsFinding(err error) Finding {
	var e *Error
	return Finding{Name: CredentialsCheck, Detail: DetailOf(err), Refused: errors.As(err, &e) &&
		e.Class == Reconnect}
}
