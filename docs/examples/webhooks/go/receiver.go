// Command receiver takes webhooks of Frontdesk on 127.0.0.1:$PORT that are signed with $WEBHOOK_SECRET.
package main

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tolerance = 5 * time.Minute // how far the time of a request may be from ours
	maxBody   = 1 << 20
)

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	if secret == "" {
		log.Fatal("WEBHOOK_SECRET is not set") // anybody can sign with an empty secret
	}
	http.HandleFunc("POST /webhooks", receive(func(h http.Header,
		body []byte) bool {
		return signedMessage(h, body, secret)
	}))
	http.HandleFunc("POST /webhooks/body", receive(func(h http.Header,
		body []byte) bool {
		return signedBody(h, body, secret, "sha256=")
	}))
	http.HandleFunc("POST /actions/body", receive(func(h http.Header,
		body []byte) bool {
		return signedBody(h, body, secret, "")
	}))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "8080"), nil))
}

// signedMessage checks webhook-signature, which is over the id, the time and the body.
func signedMessage(h http.Header, body []byte, secret string) bool {
	id, at := h.Get("Webhook-Id"), h.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false // a request of back then, sent again by somebody
	}
	key := []byte(secret)
	if encoded, ok := strings.CutPrefix(secret, "whsec_"); ok {
		if key, err = base64.StdEncoding.DecodeString(encoded); err != nil {
			return false
		}
	}
	want := "v1," + base64.StdEncoding.EncodeToString(sum(key, []byte(id+"."+at+"."), body))
	for _, signature := range strings.Fields(h.Get("Webhook-Signature")) {
		if hmac.Equal([]byte(signature), []byte(want)) {
			return true // after a rotation there are two, and one of them is ours
		}
	}
	return false
}

// signedBody checks X-Service-Signature, which is over the body: with the prefix sha256= for events, without
// for actions.
func signedBody(h http.Header, body []byte, secret, prefix string) bool {
	want := prefix + hex.EncodeToString(sum([]byte(secret), body))
	return hmac.Equal([]byte(h.Get("X-Service-Signature")), []byte(want))
}

// sum is the HMAC-SHA256 of all parts together.
func sum(key []byte, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write(part)
	}
	return mac.Sum(nil)
}

var (
	mu   sync.Mutex
	seen = map[string]bool{} // yours is a table in your database, written along with what the event leads to
)

// receive answers 403 to what was not signed, and hands on the rest, each event once.
func receive(signed func(http.Header, []byte) bool) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody)) // the bytes as they came
		if err != nil {
			http.Error(w, "not read", http.StatusBadRequest)
			return
		}
		if !signed(req.Header, body) {
			http.Error(w, "not signed", http.StatusForbidden)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if id := req.Header.Get("Webhook-Id"); !seen[id] {
			handle(req.Header.Get("X-Service-Event"), body)
			seen[id] = true
		}
		w.WriteHeader(http.StatusNoContent) // an event that is known is answered like a new one
	}
}

// handle is where your own work begins. It has ten seconds; what takes longer goes to a queue of yours.
func handle(event string, body []byte) {
	fmt.Printf("%s %s\n", event, body)
}
