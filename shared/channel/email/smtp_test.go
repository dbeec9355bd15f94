package email

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http/httptest"
	"net/smtp"
	"strings"
	"testing"

	"frontdesk/infra/platforms"
	"frontdesk/shared/channel"
)

// certificate is one for 127.0.0.1 and example.com, and who vouches for it.
func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return server.TLS.Certificates[0], roots
}

// TestTLS sends by servers that want TLS. None of those that cannot be trusted gets the password or the mail.
func TestTLS(t *testing.T) {
	const unknown = "not trusted: x509: certificate signed by unknown authority"
	own, roots := certificate(t)
	upTo := func(version uint16) *tls.Config { return &tls.Config{MaxVersion: version} }
	for name, test := range map[string]struct {
		config   *tls.Config
		implicit bool
		roots    *x509.CertPool
		host     string // in place of the server's address; "" leaves it
		want     string // the error's detail has it; "" where the mail is taken
	}{
		"STARTTLS":                     {upTo(0), false, roots, "", ""},
		"TLS from the beginning":       {upTo(0), true, roots, "", ""},
		"TLS 1.2":                      {upTo(tls.VersionTLS12), false, roots, "", ""},
		"TLS 1.1":                      {upTo(tls.VersionTLS11), false, roots, "", "not be reached"},
		"an unknown authority":         {upTo(0), false, nil, "", unknown},
		"the same, from the beginning": {upTo(0), true, nil, "", unknown},
		"another name":                 {upTo(0), false, roots, "localhost", "valid for example.com"},
	} {
		t.Run(name, func(t *testing.T) {
			test.config.Certificates = []tls.Certificate{own}
			standIn := platforms.NewTLSMailServer(t, test.config, test.implicit)
			s, problem := parseSMTP(standIn.URL)
			if problem != "" {
				t.Fatal(problem)
			}
			s.roots = test.roots
			if test.host != "" {
				s.host = test.host
			}
			_, err := s.send(t.Context(), envelope{
				from: "hello@acme.example", to: "ada@example.com", data: []byte("Subject: Hi\r\n\r\nHi\r\n"),
			})
			sent := standIn.Sent()
			if test.want == "" {
				if err != nil || len(sent) != 1 || !sent[0].TLS {
					t.Errorf("%v, %+v", err, sent)
				}
				return
			}
			var e *channel.Error
			if !errors.As(err, &e) || e.Class != channel.Transient || !strings.Contains(e.Detail, test.want) {
				t.Errorf("%v", err)
			}
			if len(sent) != 0 {
				t.Errorf("%+v", sent)
			}
			findings := s.check(t.Context(), "hello@acme.example")
			if len(findings) != 1 || findings[0].OK || !strings.Contains(findings[0].Detail, test.want) {
				t.Errorf("%+v", findings)
			}
		})
	}
}

// TestNoTLS gives no password to a server elsewhere that offers no TLS, as one does whose offer somebody on
// the way took out.
func TestNoTLS(t *testing.T) {
	standIn := platforms.NewMailServer(t)
	s, problem := parseSMTP(standIn.URL)
	if problem != "" {
		t.Fatal(problem)
	}
	for host, want := range map[string]error{
		"127.0.0.1": nil, "localhost": nil, "mail.example.com": errPlain,
	} {
		conn, err := net.Dial("tcp", net.JoinHostPort(s.host, s.port))
		if err != nil {
			t.Fatal(err)
		}
		client, err := smtp.NewClient(conn, host)
		if err != nil {
			t.Fatal(err)
		}
		of := s
		of.host = host
		if err := of.begin(client, &tls.Config{ServerName: host}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", host, err, want)
		}
		client.Close()
	}
}
