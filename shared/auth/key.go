package auth

import (
	"encoding/json"
	"fmt"
	"time"
)

// KeyAge is how long an API key works.
const KeyAge = 90 * 24 * time.Hour

// A Key is an API key without its text, which is shown once and stored as a hash.
type Key struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at"`
}

// ExpiresAt is when the key stops working.
func (k Key) ExpiresAt() time.Time { return k.CreatedAt.Add(KeyAge) }

// A record is what is stored under the hash of a key: all that a request needs to know of its caller.
type record struct {
	Key     Key     `json:"key"`
	Account Account `json:"account"`
}

// revoked is the number that is above 0 when a key has been revoked. It is a number, and no part of the
// document, so that revoking and counting requests do not wait for each other.
const revoked = "revoked"

func readRecord(doc []byte) (record, error) {
	var r record
	if err := json.Unmarshal(doc, &r); err != nil {
		return record{}, fmt.Errorf("auth: record of a key: %w", err)
	}
	return r, nil
}
