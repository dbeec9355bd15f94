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
	// Timeout bounds an attempt to deliver, from looking up the name to the end of the answer.
	Timeout = 10 * time.Second
	// maxAnswer is how many bytes of an answer's body are read. What it says does not matter.
	maxAnswer = 64 << 10
	userAgent = "Service-Webhook/1.0"
)

// Live is the request that delivers an event of an agent.
func Live(url string, kind event.Kind, agent int64, body []byte, s Signature) egress.Call {
	call := request(url, kind, body, s)
	call.Header.Set(AgentHeader, strconv.FormatInt(agent, 10))
	return call
}

// Test is the request of a test delivery to a webhook. Its ids are made here, whatever the signature has.
func Test(w Webhook, kind event.Kind, s Signature) (egress.Call, error) {
	s.ID = "test_" + randomHex(8)
	body, err := testBody(s.ID, kind, w.AgentID, s.At)
	call := request(w.URL, kind, body, s)
	call.Header.Set(DeliveryHeader, randomHex(16))
	return call, err
}

// randomHex is n random bytes in hexadecimal digits.
func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// request is what both have in common. Redirects are answers like others, and are not followed.
func request(url string, kind event.Kind, body []byte, s Signature) egress.Call {
	call := egress.Call{
		Method: http.MethodPost, URL: url, Header: http.Header{}, Body: body, Timeout: Timeout,
		MaxBody: maxAnswer,
	}
	call.Header.Set("Content-Type", "application/json")
	call.Header.Set("User-Agent", userAgent)
	// what is not looked at need not be unpacked, which could fail
	call.Header.Set("Accept-Encoding", "identity")
	call.Header.Set(EventHeader, string(kind))
	s.sign(call.Header, body)
	return call
}

// Delivered reports whether an answer of that status ends a delivery well.
func Delivered(status int) bool { return status < http.StatusBadRequest }

// Refusal says what is wrong with an answer of a status that does not.
func Refusal(status int) string {
	return fmt.Sprintf("The address answered with HTTP status %d.", status)
}
