package email

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"frontdesk/shared/channel"
	"frontdesk/shared/egress"
	"frontdesk/shared/secret"
)

const (
	// callTime limits a call, so that a request that waits for it ends within the 29 s of API Gateway.
	callTime = 10 * time.Second
	// askTime limits a call of a check, which makes up to four.
	askTime = 5 * time.Second
	// maxAnswer is how many bytes of a response are read.
	maxAnswer = 64 << 10
	sesName   = "SES"
)

// ses sends by Amazon SES. It calls the API without the SDK, whose client takes longer to start than the rest
// of a function.
type ses struct {
	address string
	config  aws.Config
	web     *egress.Client
}

func newSES(config aws.Config) ses {
	s := ses{address: "https://email." + config.Region + ".amazonaws.com", config: config}
	allowed := egress.Config{}
	if config.BaseEndpoint != nil {
		s.address = strings.TrimRight(*config.BaseEndpoint, "/")
		if u, err := url.Parse(s.address); err == nil {
			allowed.AllowHosts = u.Host
		}
	}
	s.web = egress.New(allowed)
	return s
}

// Types of the body of SendEmail.
type sesMail struct {
	From        string         `json:"FromEmailAddress"`
	Feedback    string         `json:"FeedbackForwardingEmailAddress,omitempty"`
	Destination sesDestination `json:"Destination"`
	Content     sesContent     `json:"Content"`
	Tags        []sesTag       `json:"EmailTags"`
}

type sesDestination struct {
	To []string `json:"ToAddresses"`
}

type sesContent struct {
	Raw sesRaw `json:"Raw"`
}

type sesRaw struct {
	Data []byte `json:"Data"`
}

type sesTag struct {
	Name  string `json:"Name"`
	Value string `json:"Value"`
}

// send implements transport. SES replaces the Message-ID and returns the local part of the new one.
func (s ses) send(ctx context.Context, e envelope) (string, error) {
	body, err := json.Marshal(sesMail{
		From: e.from, Feedback: e.bounces, Destination: sesDestination{To: []string{e.to}},
		Content: sesContent{Raw: sesRaw{Data: e.data}}, Tags: []sesTag{{"ref", e.ref}},
	})
	if err != nil {
		return "", &channel.Error{Class: channel.Rejected, Detail: "The message cannot be written.",
			Cause: err}
	}
	var accepted struct {
		MessageID string `json:"MessageId"`
	}
	if err := s.call(ctx, http.MethodPost, "/v2/email/outbound-emails", body, &accepted); err != nil {
		return "", err
	}
	if accepted.MessageID == "" || len(accepted.MessageID) > 200 {
		return "", channel.NotUnderstood(sesName, http.StatusOK, true)
	}
	return accepted.MessageID, nil
}

// call calls the API and decodes the response into out.
func (s ses) call(ctx context.Context, method, path string, body []byte, out any) error {
	sending, timeout := method == http.MethodPost, askTime
	if sending {
		timeout = callTime
	}
	credentials, err := s.config.Credentials.Retrieve(ctx)
	if err != nil || credentials.AccessKeyID == "" {
		return &channel.Error{
			Class: channel.Transient, Detail: "The service has no credentials for SES.", Cause: err,
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, s.address+path, nil)
	if err != nil {
		return channel.NoAnswer(sesName, err, false)
	}
	req.Header.Set("Content-Type", "application/json")
	hash := sha256.Sum256(body)
	req.ContentLength = int64(len(body))
	if err := v4.NewSigner().SignHTTP(ctx, credentials, req, hex.EncodeToString(hash[:]), "ses",
		s.config.Region, time.Now()); err != nil {
		return channel.NoAnswer(sesName, err, false)
	}
	answer, err := s.web.Do(ctx, egress.Call{
		Method: method, URL: s.address + path, Header: req.Header, Body: body, Timeout: timeout,
		MaxBody: maxAnswer,
	})
	if err != nil {
		return channel.NoAnswer(sesName, err, sending)
	}
	if answer.Status/100 != 2 {
		return sesFailure(answer, sending, secret.Plain(credentials.SecretAccessKey))
	}
	if err := json.Unmarshal(answer.Body, out); err != nil {
		return channel.NotUnderstood(sesName, answer.Status, sending)
	}
	return nil
}

// sesClasses are the classes of those errors of SES that the HTTP status does not determine.
var sesClasses = map[string]channel.Class{
	"TooManyRequestsException":            channel.Transient,
	"LimitExceededException":              channel.Transient,
	"ThrottlingException":                 channel.Transient,
	"SendingPausedException":              channel.Transient,
	"InternalServiceErrorException":       channel.Unclear,
	"AccountSuspendedException":           channel.Reconnect,
	"MailFromDomainNotVerifiedException":  channel.Reconnect,
	"AccessDeniedException":               channel.Reconnect,
	"UnrecognizedClientException":         channel.Reconnect,
	"InvalidClientTokenId":                channel.Reconnect,
	"SignatureDoesNotMatch":               channel.Reconnect,
	"InvalidSignatureException":           channel.Reconnect,
	"MissingAuthenticationTokenException": channel.Reconnect,
	"MessageRejected":                     channel.Rejected,
	"BadRequestException":                 channel.Rejected,
	"NotFoundException":                   channel.Rejected,
}

// sesFailure converts a response that is not a success.
func sesFailure(answer egress.Answer, sending bool, key secret.Plain) error {
	var body struct {
		Type    string `json:"__type"`
		Message string `json:"message"`
		Legacy  string `json:"Message"`
	}
	broken := json.Unmarshal(answer.Body, &body) != nil
	kind := answer.Header.Get("X-Amzn-Errortype")
	if kind == "" {
		kind = body.Type
	}
	kind, _, _ = strings.Cut(kind, ":")
	kind = kind[strings.LastIndexByte(kind, '#')+1:]
	class, known := sesClasses[kind]
	if !known || broken {
		return channel.NotUnderstood(sesName, answer.Status, sending)
	}
	if body.Message == "" {
		body.Message = body.Legacy
	}
	return &channel.Error{
		Class: class, Status: answer.Status,
		Detail: sesName + " answered " + kind + ": " + channel.CleanText(body.Message, key),
	}
}

// An SESAccount is the response of https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetAccount.html
type SESAccount struct {
	Production bool `json:"ProductionAccessEnabled"` // false in the sandbox
	Sending    bool `json:"SendingEnabled"`
}

// ReadSESAccount asks SES about the account of a configuration, in its region. Errors are *channel.Error.
func ReadSESAccount(ctx context.Context, config aws.Config) (SESAccount, error) {
	return newSES(config).account(ctx)
}

func (s ses) account(ctx context.Context) (account SESAccount, err error) {
	err = s.call(ctx, http.MethodGet, "/v2/email/account", nil, &account)
	return account, err
}

// check implements transport: it asks for the account and for the identity that mail comes from, which is
// the address or its domain.
func (s ses) check(ctx context.Context, from string) []channel.Finding {
	account, err := s.account(ctx)
	if err != nil {
		return []channel.Finding{channel.CredentialsFinding(err)}
	}
	sending := channel.Finding{Name: channel.CredentialsCheck, OK: account.Sending, Detail: "SES sends."}
	if !account.Sending {
		sending.Detail = "SES has switched sending off for the AWS account."
	}
	findings := []channel.Finding{sending}
	if !account.Production {
		findings = append(findings, channel.Finding{
			Name: "sandbox",
			Detail: "The AWS account is in the sandbox of SES: it sends only to verified addresses. " +
				"Request production access.",
		})
	}
	verified := channel.Finding{
		Name:   "sender",
		Detail: "SES has not verified " + from + " or its domain. Add it under Configuration, Identities.",
	}
	for _, identity := range []string{from, domain(from)} {
		var found struct {
			Verified bool `json:"VerifiedForSendingStatus"`
		}
		err := s.call(ctx, http.MethodGet, "/v2/email/identities/"+url.PathEscape(identity), nil, &found)
		if err == nil && found.Verified {
			verified.OK, verified.Detail = true, "SES has verified "+identity+"."
			break
		}
	}
	return append(findings, verified)
}
