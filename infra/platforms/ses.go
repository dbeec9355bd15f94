package platforms

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// ServeHTTP serves version 2 of Amazon SES's API, and keeps the mail together with that received by SMTP. It
// replaces the Message-ID of each mail, as SES does.
func (m *MailServer) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	switch {
	case !strings.HasPrefix(req.Header.Get("Authorization"), "AWS4-HMAC-SHA256 "):
		respond(w, 403, `{"__type":"MissingAuthenticationTokenException","message":"Missing Authentication Token"}`)
	case m.denies():
		respond(w, 403, `{"__type":"AccessDeniedException","message":"User is not authorized."}`)
	case req.Method == http.MethodPost && req.URL.Path == "/v2/email/outbound-emails":
		m.takeSES(w, req)
	case req.Method == http.MethodGet && req.URL.Path == "/v2/email/account":
		respond(w, 200, `{"ProductionAccessEnabled":true,"SendingEnabled":true}`)
	case req.Method == http.MethodGet && strings.HasPrefix(req.URL.Path, "/v2/email/identities/"):
		respond(w, 200, `{"VerifiedForSendingStatus":true}`)
	default:
		respond(w, 404, `{"__type":"NotFoundException","message":"There is no such operation."}`)
	}
}

func (m *MailServer) takeSES(w http.ResponseWriter, req *http.Request) {
	var call struct {
		Feedback    string `json:"FeedbackForwardingEmailAddress"`
		Destination struct{ ToAddresses []string }
		Content     struct{ Raw struct{ Data []byte } }
	}
	body, err := io.ReadAll(req.Body)
	if err != nil || json.Unmarshal(body, &call) != nil || len(call.Destination.ToAddresses) != 1 {
		respond(w, 400, `{"__type":"BadRequestException","message":"The request cannot be read."}`)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refusal != nil {
		respond(w, 400, `{"__type":"MessageRejected","message":"Email address is not verified."}`)
		return
	}
	id := fmt.Sprintf("0100019%025d-000000", len(m.sent)+1)
	m.sent = append(m.sent, Mail{
		Sender: call.Feedback, Recipient: call.Destination.ToAddresses[0], At: time.Now(),
		Raw: withMessageID(string(call.Content.Raw.Data), "<"+id+"@email.amazonses.com>"),
	})
	respond(w, 200, fmt.Sprintf(`{"MessageId":%q}`, id))
}

// withMessageID returns a mail with its Message-ID replaced.
func withMessageID(raw, id string) string {
	header, body, _ := strings.Cut(raw, "\r\n\r\n")
	fields := strings.Split(header, "\r\n")
	for i, field := range fields {
		if name, _, _ := strings.Cut(field, ":"); strings.EqualFold(name, "Message-ID") {
			fields[i] = "Message-ID: " + id
		}
	}
	return strings.Join(fields, "\r\n") + "\r\n\r\n" + body
}
