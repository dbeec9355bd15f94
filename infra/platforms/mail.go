package platforms

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// A MailServer stands in for a service that sends mail: an SMTP server that accepts mail from every client
// with the password, or Amazon SES, whose API it serves as a Handler. It keeps the mail. The zero MailServer
// is ready to be served as SES.
type MailServer struct {
	URL string // the value for SMTP_URL

	mu      sync.Mutex
	sent    []Mail
	refusal error
	denied  bool
}

// A Mail is a mail that was sent.
type Mail struct {
	Sender, Recipient string // of the envelope
	Raw               string
	At                time.Time
	TLS               bool // whether it was received over TLS
}

// The user and the password of a MailServer.
const (
	MailUser     = "desk"
	MailPassword = "mail-server-password"
)

// NewMailServer serves a MailServer until the test ends.
func NewMailServer(t testing.TB) *MailServer {
	m, end, err := ServeMail()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	return m
}

// NewTLSMailServer serves a MailServer that refuses unencrypted passwords until the test ends. It offers
// STARTTLS, or uses TLS from the start if implicit is set.
func NewTLSMailServer(t testing.TB, config *tls.Config, implicit bool) *MailServer {
	m := &MailServer{}
	server := smtp.NewServer(m)
	server.Domain, server.TLSConfig = "localhost", config
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	scheme := "smtp"
	if implicit {
		listener, scheme = tls.NewListener(listener, config), "smtps"
	}
	m.serve(server, listener, scheme)
	t.Cleanup(func() { server.Close() })
	return m
}

// ServeMail serves a MailServer without TLS until end is called.
func ServeMail() (m *MailServer, end func(), err error) {
	m = &MailServer{}
	server := smtp.NewServer(m)
	server.AllowInsecureAuth, server.Domain = true, "localhost"
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	m.serve(server, listener, "smtp")
	return m, func() { server.Close() }, nil
}

func (m *MailServer) serve(server *smtp.Server, listener net.Listener, scheme string) {
	server.ErrorLog = log.New(io.Discard, "", 0)
	go server.Serve(listener) // until it is closed
	m.URL = fmt.Sprintf("%s://%s:%s@%s", scheme, MailUser, MailPassword, listener.Addr())
}

// Sent returns the mail received so far.
func (m *MailServer) Sent() []Mail {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.sent)
}

// Refuse sets the code with which the server refuses further mail; 0 accepts it again.
func (m *MailServer) Refuse(code int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refusal = nil
	if code != 0 {
		m.refusal = &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 0, 0},
			Message: "not now"}
	}
}

// Deny sets whether the server refuses all credentials.
func (m *MailServer) Deny(denied bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.denied = denied
}

func (m *MailServer) denies() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.denied
}

// NewSession implements smtp.Backend.
func (m *MailServer) NewSession(c *smtp.Conn) (smtp.Session, error) {
	return &mailSession{server: m, conn: c}, nil
}

// A mailSession is one connection.
type mailSession struct {
	server            *MailServer
	conn              *smtp.Conn
	known             bool
	sender, recipient string
}

// AuthMechanisms implements smtp.AuthSession.
func (s *mailSession) AuthMechanisms() []string { return []string{sasl.Plain} }

// Auth implements smtp.AuthSession.
func (s *mailSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != MailUser || password != MailPassword || s.server.denies() {
			return smtp.ErrAuthFailed
		}
		s.known = true
		return nil
	}), nil
}

// Mail implements smtp.Session.
func (s *mailSession) Mail(from string, _ *smtp.MailOptions) error {
	if !s.known {
		return smtp.ErrAuthRequired
	}
	s.sender = from
	return nil
}

// Rcpt implements smtp.Session.
func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.recipient = to
	return s.server.refusal
}

// Data implements smtp.Session.
func (s *mailSession) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	_, secure := s.conn.TLSConnectionState()
	s.server.sent = append(s.server.sent, Mail{s.sender, s.recipient, string(raw), time.Now(), secure})
	return nil
}

// Reset implements smtp.Session.
func (s *mailSession) Reset() { s.sender, s.recipient = "", "" }

// Logout implements smtp.Session.
func (s *mailSession) Logout() error { return nil }

// Header returns a decoded header field of a mail.
func (m Mail) Header(name string) string {
	parsed, err := mail.ReadMessage(strings.NewReader(m.Raw))
	if err != nil {
		return ""
	}
	value, err := new(mime.WordDecoder).DecodeHeader(parsed.Header.Get(name))
	if err != nil {
		return ""
	}
	return value
}

// Part returns the content of the part with a media type, such as text/plain, or "" if there is none.
func (m Mail) Part(mediaType string) string {
	parsed, err := mail.ReadMessage(strings.NewReader(m.Raw))
	if err != nil {
		return ""
	}
	_, params, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	for parts := multipart.NewReader(parsed.Body, params["boundary"]); ; {
		part, err := parts.NextRawPart()
		if err != nil {
			return ""
		}
		if strings.HasPrefix(part.Header.Get("Content-Type"), mediaType+";") {
			text, err := io.ReadAll(quotedprintable.NewReader(part))
			if err != nil {
				return ""
			}
			return strings.ReplaceAll(string(text), "\r\n", "\n")
		}
	}
}

// PostMail posts a mail to an address as inbound services do, and returns the status of the answer.
func PostMail(address, password, contentType string, body []byte) (status int, err error) {
	req, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.SetBasicAuth("inbound", password)
	req.Header.Set("Content-Type", contentType)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, errors.Join(err, resp.Body.Close())
}
