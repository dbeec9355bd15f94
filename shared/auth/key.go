package auth

import (
	"encoding/json"
	"fmt"
	"time"
)

// KeyAge is how long an API key is valid.
const KeyAge = 90 * 24 * time.Hour

// A Key is an API key without its text, which is shown once and stored only as a hash.
type Key struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at"`
}

// ExpiresAt returns when the key expires.
func (k Key) ExpiresAt() time.Time { return k.CreatedAt.Add(KeyAge) }

// A record is stored under the hash of a key. It has all that a request needs to know about its caller.
type record struct {
	Key     Key     `json:"key"`
	Account Account `json:"account"`
}

// revoked is the attribute that is above 0 once a key is revoked. It is not part of the document, so that
// revoking does not conflict with counting requests.
const revoked = "revoked"

func readRecord(doc []byte) (record, error) {
	var r record
	if err := json.Unmarshal(doc, &r); err != nil {
		return record{}, fmt.Errorf("auth: record of a key: %w", err)
	}
	return r, nil
}
