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

// Headers of a delivery.
const (
	EventHeader     = "X-Service-Event"
	AgentHeader     = "X-Service-Agent"     // of live deliveries
	DeliveryHeader  = "X-Service-Delivery"  // of test deliveries
	SignatureHeader = "X-Service-Signature" // of the body alone

	// Those of the Standard Webhooks specification. Signed are the id, the time and the body together.
	IDHeader             = "Webhook-Id"
	TimestampHeader      = "Webhook-Timestamp" // seconds since 1970
	SignaturesHeader     = "Webhook-Signature" // one or several, with spaces between
	standardSecretPrefix = "whsec_"
)

// A Signature is what a request is signed with.
type Signature struct {
	// Secrets are one or, during the overlap after a rotation, two, the newest first. Without any the request
	// is not signed.
	Secrets []secret.Plain
	// ID names the event for the receiver: it is the same for every attempt to deliver it.
	ID string
	// At is when the request is made.
	At time.Time
	// Attempt is the number of the attempt, from 1.
	Attempt int
	// Bare leaves out what X-Service-Signature begins with, as for the webhooks of actions.
	Bare bool
}

// signaturePrefix begins X-Service-Signature.
const signaturePrefix = "sha256="

// sign adds the signatures of a body to the header of its request.
//
// Webhook-Signature has one for each secret, so that a receiver finds its own. X-Service-Signature has room
// for one: of two secrets the newer signs the first attempt, the older the second, and so on in turns. So a
// receiver that knows one of them only, and refuses what the other signed, gets each event all the same, at
// the latest with the attempt after.
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

// standardKey is the key of Webhook-Signature: what a secret in the specification's own form, whsec_ and
// base64, encodes, and the bytes of any other.
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
