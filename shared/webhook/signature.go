package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"

	"frontdesk/shared/secret"
)

// Headers of deliveries.
const (
	EventHeader     = "X-Service-Event"
	AgentHeader     = "X-Service-Agent"     // of live deliveries
	DeliveryHeader  = "X-Service-Delivery"  // of test deliveries
	SignatureHeader = "X-Service-Signature" // of the body alone

	// Headers of the Standard Webhooks specification, which signs id, timestamp and body together.
	IDHeader             = "Webhook-Id"
	TimestampHeader      = "Webhook-Timestamp" // Unix time in seconds
	SignaturesHeader     = "Webhook-Signature" // one or more, separated by spaces
	standardSecretPrefix = "whsec_"
)

// A Signature is what a request is signed with.
type Signature struct {
	// Secrets are one secret, or two during the overlap after a rotation, newest first. Without any the
	// request is not signed.
	Secrets []secret.Plain
	// ID identifies the event for the receiver; all attempts to deliver it have the same.
	ID string
	// At is the time of the request.
	At time.Time
	// Attempt is the number of the attempt, from 1.
	Attempt int
	// Bare omits the prefix of X-Service-Signature, for the webhooks of actions.
	Bare bool
}

// signaturePrefix begins X-Service-Signature.
const signaturePrefix = "sha256="

// sign adds the signatures of a body to the header of its request.
//
// Webhook-Signature has one signature for each secret. X-Service-Signature has a single one: with two secrets
// the newer one signs odd attempts, the older one even attempts. So a receiver that knows only one of them
// gets each event at the second attempt at the latest.
func (s Signature) sign(header http.Header, body []byte) {
	at := strconv.FormatInt(s.At.Unix(), 10)
	header.Set(IDHeader, s.ID)
	header.Set(TimestampHeader, at)
	if len(s.Secrets) == 0 {
		return
	}
	var standard []string
	for _, text := range s.Secrets {
		sum := digest(standardKey(text), s.ID+"."+at+"."+string(body))
		standard = append(standard, "v1,"+base64.StdEncoding.EncodeToString(sum))
	}
	header.Set(SignaturesHeader, strings.Join(standard, " "))

	turn := s.Secrets[(max(1, s.Attempt)-1)%len(s.Secrets)]
	own := hex.EncodeToString(digest([]byte(turn), string(body)))
	if !s.Bare {
		own = signaturePrefix + own
	}
	header.Set(SignatureHeader, own)
}

// standardKey returns the key of Webhook-Signature: the decoded bytes of a secret of the form whsec_ and
// base64, and otherwise the bytes of the secret itself.
func standardKey(text secret.Plain) []byte {
	if encoded, ok := strings.CutPrefix(string(text), standardSecretPrefix); ok {
		if key, err := base64.StdEncoding.DecodeString(encoded); err == nil && len(key) > 0 {
			return key
		}
	}
	return []byte(text)
}

func digest(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}
