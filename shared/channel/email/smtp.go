package email

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/smtp"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"frontdesk/shared/channel"
	"frontdesk/shared/secret"
)

// A server sends by SMTP.
type server struct {
	host, port string
	implicit   bool // TLS from the beginning
	user       string
	password   secret.Plain
	roots      *x509.CertPool // who vouches for the server; nil for those whom the machine trusts
}

const smtpName = "The mail server"

// parseSMTP reads an address of the form smtp://user:password@host:port or smtps://…
func parseSMTP(address string) (s server, problem string) {
	const form = "SMTP_URL must have the form smtp://user:password@host:port or " +
		"smtps://user:password@host:port."
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return server{}, form
	}
	s = server{host: u.Hostname(), port: u.Port(), implicit: u.Scheme == "smtps"}
	switch {
	case s.port != "":
	case s.implicit:
		s.port = "465"
	default:
		s.port = "587"
	}
	if u.User != nil {
		password, _ := u.User.Password()
		s.user, s.password = u.User.Username(), secret.Plain(password)
	}
	return s, ""
}

// local reports whether the server is on this machine, so that a password may be sent without TLS.
func (s server) local() bool {
	ip := net.ParseIP(s.host)
	return s.host == "localhost" || ip != nil && ip.IsLoopback()
}

// open connects, switches to TLS if the server offers it, and authenticates.
func (s server) open(ctx context.Context) (*smtp.Client, error) {
	address := net.JoinHostPort(s.host, s.port)
	dialer := &net.Dialer{}
	var conn net.Conn
	var err error
	trust := &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12, RootCAs: s.roots}
	if s.implicit {
		conn, err = (&tls.Dialer{NetDialer: dialer, Config: trust}).DialContext(ctx, "tcp", address)
	} else {
		conn, err = dialer.DialContext(ctx, "tcp", address)
	}
	if err != nil {
		return nil, err
	}
	if end, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(end); err != nil {
			conn.Close()
			return nil, err
		}
	}
	client, err := smtp.NewClient(conn, s.host)
	if err != nil {
		conn.Close()
		return nil, err
	}
	if err := s.begin(client, trust); err != nil {
		client.Close()
		return nil, err
	}
	return client, nil
}

func (s server) begin(client *smtp.Client, trust *tls.Config) error {
	if offered, _ := client.Extension("STARTTLS"); offered && !s.implicit {
		if err := client.StartTLS(trust); err != nil {
			return err
		}
	}
	if s.user == "" {
		return nil
	}
	if _, secure := client.TLSConnectionState(); !secure && !s.local() {
		return errPlain
	}
	_, mechanisms := client.Extension("AUTH")
	var auth smtp.Auth = plainAuth{s}
	if offered := strings.Fields(mechanisms); !slices.Contains(offered, "PLAIN") && slices.Contains(offered,
		"LOGIN") {
		auth = loginAuth{s}
	}
	if err := client.Auth(auth); err != nil {
		return &refusedSignIn{err}
	}
	return nil
}

// errPlain says that the server offers no TLS and therefore gets no password.
var errPlain = errors.New("email: the server offers no TLS")

// A refusedSignIn is the response of a server that does not accept the user.
type refusedSignIn struct{ cause error }

func (e *refusedSignIn) Error() string { return "email: sign-in: " + e.cause.Error() }
func (e *refusedSignIn) Unwrap() error { return e.cause }

// plainAuth implements the mechanism PLAIN. That of net/smtp accepts only 127.0.0.1 as a loopback address.
type plainAuth struct{ server }

// Start implements smtp.Auth.
func (a plainAuth) Start(*smtp.ServerInfo) (string, []byte, error) {
	return "PLAIN", []byte("\x00" + a.user + "\x00" + string(a.password)), nil
}

// Next implements smtp.Auth.
func (a plainAuth) Next(_ []byte, more bool) ([]byte, error) {
	if more {
		return nil, errors.New("email: unexpected challenge")
	}
	return nil, nil
}

// loginAuth implements the mechanism LOGIN, the only one of some servers.
type loginAuth struct{ server }

// Start implements smtp.Auth.
func (a loginAuth) Start(*smtp.ServerInfo) (string, []byte, error) { return "LOGIN", nil, nil }

// Next implements smtp.Auth.
func (a loginAuth) Next(challenge []byte, more bool) ([]byte, error) {
	switch {
	case !more:
		return nil, nil
	case bytes.HasPrefix(bytes.ToLower(challenge), []byte("user")):
		return []byte(a.user), nil
	}
	return []byte(string(a.password)), nil
}

// send implements transport.
func (s server) send(ctx context.Context, e envelope) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	client, err := s.open(ctx)
	if err != nil {
		return "", s.failure(err, false)
	}
	defer client.Close()
	from := e.from
	if e.bounces != "" {
		from = e.bounces
	}
	if err := client.Mail(from); err != nil {
		return "", s.failure(err, false)
	}
	if err := client.Rcpt(e.to); err != nil {
		return "", s.failure(err, false)
	}
	w, err := client.Data()
	if err != nil {
		return "", s.failure(err, false)
	}
	if _, err := w.Write(e.data); err != nil {
		return "", s.failure(err, false) // without its end the server does not take the mail
	}
	if err := w.Close(); err != nil {
		return "", s.failure(err, true)
	}
	_ = client.Quit() // the mail is taken
	return "", nil
}

// failure converts an error of a server. sent is set if the server has the whole mail.
func (s server) failure(err error, sent bool) *channel.Error {
	var answer *textproto.Error
	var signIn *refusedSignIn
	var untrusted *tls.CertificateVerificationError
	switch {
	case errors.As(err, &untrusted):
		return &channel.Error{Class: channel.Transient, Cause: err, Detail: smtpName +
			" has a certificate that is not trusted: " + channel.CleanText(untrusted.Err.Error(), s.password)}
	case errors.Is(err, errPlain):
		return &channel.Error{Class: channel.Reconnect, Cause: err,
			Detail: smtpName + " offers no TLS, and so it was not given the password."}
	case !errors.As(err, &answer):
		e := &channel.Error{Class: channel.Transient, Detail: smtpName + " could not be reached.", Cause: err}
		if sent {
			e.Class = channel.Unclear
			e.Detail = smtpName + " did not answer. It may have taken the message all the same."
		}
		return e
	}
	e := &channel.Error{
		Class: channel.Rejected, Code: answer.Code,
		Detail: fmt.Sprintf("%s answered %d: %s", smtpName, answer.Code, channel.CleanText(answer.Msg,
			s.password)),
	}
	switch {
	case answer.Code/100 != 5:
		e.Class = channel.Transient
	case errors.As(err, &signIn), answer.Code == 530, answer.Code == 534, answer.Code == 535:
		e.Class = channel.Reconnect
	}
	return e
}

// check implements transport: it authenticates and sends nothing.
func (s server) check(ctx context.Context, from string) []channel.Finding {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	client, err := s.open(ctx)
	if err == nil {
		defer client.Close()
		err = client.Mail(from)
	}
	if err != nil {
		return []channel.Finding{channel.CredentialsFinding(s.failure(err, false))}
	}
	_ = client.Quit() // nothing was sent
	return []channel.Finding{{
		Name: channel.CredentialsCheck, OK: true, Detail: smtpName + " takes mail from " + from + ".",
	}}
}
