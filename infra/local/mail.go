package local

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/emersion/go-smtp"

	"frontdesk/functions/inbound"
)

// maxMail is how many bytes a mail may have. SES takes as many.
const maxMail = 40 << 20

// A mailServer takes mail for agents by SMTP, as Amazon SES does for a stack: what it takes goes to the
// agents that its recipients name. It checks nobody's identity, so no sender is believed.
type mailServer struct {
	inbound *inbound.Service
	log     *slog.Logger
	server  *smtp.Server
	address string
}

// serveMail takes mail on an address until the server is closed.
func serveMail(address string, to *inbound.Service, logger *slog.Logger) (*mailServer, error) {
	m := &mailServer{inbound: to, log: logger}
	m.server = smtp.NewServer(m)
	m.server.Domain, m.server.MaxMessageBytes, m.server.MaxRecipients = "localhost", maxMail, 100
	m.server.ReadTimeout, m.server.WriteTimeout = time.Minute, time.Minute
	m.server.ErrorLog = log.New(io.Discard, "", 0)
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	m.address = listener.Addr().String()
	go func() {
		if err := m.server.Serve(listener); err != nil && !errors.Is(err, smtp.ErrServerClosed) {
			logger.Error("mail is not taken any more", slog.String("error", err.Error()))
		}
	}()
	return m, nil
}

// close ends the connections.
func (m *mailServer) close() { m.server.Close() }

// NewSession implements smtp.Backend.
func (m *mailServer) NewSession(*smtp.Conn) (smtp.Session, error) {
	return &mailSession{server: m}, nil
}

// A mailSession is a connection, with the envelope of the mail that it brings.
type mailSession struct {
	server     *mailServer
	from       string
	recipients []string
}

// Mail implements smtp.Session.
func (s *mailSession) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	return nil
}

// Rcpt implements smtp.Session.
func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.recipients = append(s.recipients, to)
	return nil
}

// Data implements smtp.Session. A mail that is taken is stored.
func (s *mailSession) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	mailbox := &inbound.Mailbox{
		Inbound: s.server.inbound, Log: s.server.log,
		Get: func(context.Context, string, int64) ([]byte, error) { return bytes.Clone(raw), nil },
	}
	unchecked := events.SimpleEmailVerdict{Status: "GRAY"}
	if err := mailbox.Take(context.Background(), events.SimpleEmailEvent{Records: []events.SimpleEmailRecord{{
		SES: events.SimpleEmailService{
			Mail: events.SimpleEmailMessage{MessageID: rand.Text(), Source: s.from},
			Receipt: events.SimpleEmailReceipt{
				Recipients: s.recipients, SpamVerdict: unchecked, VirusVerdict: unchecked,
				SPFVerdict: unchecked, DKIMVerdict: unchecked, DMARCVerdict: unchecked,
			},
		},
	}}}); err != nil {
		s.server.log.Error("mail not stored", slog.String("error", err.Error()))
		return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0},
			Message: "Try again later."}
	}
	return nil
}

// Reset implements smtp.Session.
func (s *mailSession) Reset() { s.from, s.recipients = "", nil }

// Logout implements smtp.Session.
func (s *mailSession) Logout() error { return nil }
