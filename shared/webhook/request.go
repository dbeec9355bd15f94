package webhook

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"frontdesk/shared/egress"
	"frontdesk/shared/event"
)

const (
	// Timeout limits an attempt to deliver, from the DNS lookup to the end of the response.
	Timeout = 10 * time.Second
	// maxAnswer is how many bytes of a response's body are read. Its content is ignored.
	maxAnswer = 64 << 10
	userAgent = "Service-Webhook/1.0"
)

// Live returns the request of a live delivery.
func Live(url string, kind event.Kind, agent int64, body []byte, s Signature) egress.Call {
	call := request(url, kind, body, s)
	call.Header.Set(AgentHeader, strconv.FormatInt(agent, 10))
	return call
}

// Test returns the request of a test delivery. It sets the signature's ID.
func Test(w Webhook, kind event.Kind, s Signature) (egress.Call, error) {
	s.ID = "test_" + randomHex(8)
	body, err := testBody(s.ID, kind, w.AgentID, s.At)
	call := request(w.URL, kind, body, s)
	call.Header.Set(DeliveryHeader, randomHex(16))
	return call, err
}

// randomHex returns n random bytes in hexadecimal.
func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// request returns the request that both kinds of delivery share. Redirects count as responses and are not
// followed.
func request(url string, kind event.Kind, body []byte, s Signature) egress.Call {
	call := egress.Call{
		Method: http.MethodPost, URL: url, Header: http.Header{}, Body: body, Timeout: Timeout,
		MaxBody: maxAnswer,
	}
	call.Header.Set("Content-Type", "application/json")
	call.Header.Set("User-Agent", userAgent)
	// The body is ignored, so it need not be decompressed, which could fail.
	call.Header.Set("Accept-Encoding", "identity")
	call.Header.Set(EventHeader, string(kind))
	s.sign(call.Header, body)
	return call
}

// Delivered reports whether a response with that status completes a delivery.
func Delivered(status int) bool { return status < http.StatusBadRequest }

// Refusal describes a status that does not.
func Refusal(status int) string {
	return fmt.Sprintf("The address answered with HTTP status %d.", status)
}
