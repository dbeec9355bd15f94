// Package secret encrypts values that must not be readable in the table, such as credentials of channels.
//
// A text is sealed with AES-256-GCM for one place, its item and field, as additional authenticated data. So
// an attacker who can write to the table but lacks the key can neither forge a credential nor copy one to
// another workspace.
package secret

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// Errors of Open, for errors.Is.
var (
	// ErrKeyGone says that the text was sealed under a key that Keys does not have.
	ErrKeyGone = errors.New("secret: sealed under a key that is not there")
	// ErrBroken says that the text was modified, or sealed for another place.
	ErrBroken = errors.New("secret: not what was sealed for this place")
)

// A Sealed is an encrypted text: format version, key id, and nonce with ciphertext in base64url, separated by
// dots. It may be stored and logged. "" means that there is no text.
type Sealed string

// version begins every Sealed.
const version = "v1"

// Keys seals and opens texts. It is safe for concurrent use.
type Keys struct {
	// Read returns the text of the keys: one or several, each 32 bytes in standard base64, separated by white
	// space. The first key seals; the others only open, so that a key is rotated by putting a new one first.
	// Read is called before each seal, and to open a text with an unknown key.
	Read func(context.Context) (string, error)
	// Fresh is called instead of Read for an unknown key, if Read may return a cached text; nil if it does
	// not.
	Fresh func(context.Context) (string, error) `wiring:"optional"`

	mu   sync.Mutex
	keys []key // empty until first needed
}

// Static returns a Read that returns text.
func Static(text string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return text, nil }
}

// Check returns an error if the keys cannot be read. The error contains nothing of them.
func (k *Keys) Check(ctx context.Context) error {
	text, err := k.Read(ctx)
	if err != nil {
		return fmt.Errorf("secret: reading the keys: %w", err)
	}
	_, err = parse(text)
	return err
}

// Seal encrypts a text for a place, a string that differs from those of all other places.
func (k *Keys) Seal(ctx context.Context, place string, text Plain) (Sealed, error) {
	newest, err := k.current(ctx)
	if err != nil {
		return "", err
	}
	sealed := newest.aead.Seal(nil, nil, []byte(text), []byte(place))
	return Sealed(version + "." + newest.id + "." + base64.RawURLEncoding.EncodeToString(sealed)), nil
}

// Open decrypts what was sealed for the place. It returns ErrKeyGone or ErrBroken if that is not possible.
func (k *Keys) Open(ctx context.Context, place string, sealed Sealed) (Plain, error) {
	form, rest, _ := strings.Cut(string(sealed), ".")
	id, text, _ := strings.Cut(rest, ".")
	encrypted, err := base64.RawURLEncoding.DecodeString(text)
	if form != version || err != nil {
		return "", ErrBroken
	}
	key, err := k.byID(ctx, id)
	if err != nil {
		return "", err
	}
	plain, err := key.aead.Open(nil, nil, encrypted, []byte(place))
	if err != nil {
		return "", ErrBroken
	}
	return Plain(plain), nil
}

// current returns the key that seals. It reads the keys each time, so that a new key is used as soon as Read
// returns it; Read may cache.
func (k *Keys) current(ctx context.Context) (key, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.readBy(ctx, k.Read); err != nil {
		return key{}, err
	}
	return k.keys[0], nil
}

// byID returns the key with an id. It reads the keys again if the key is unknown.
func (k *Keys) byID(ctx context.Context, id string) (key, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, known := range k.keys {
		if known.id == id {
			return known, nil
		}
	}
	read := k.Fresh
	if read == nil || len(k.keys) == 0 {
		read = k.Read
	}
	if err := k.readBy(ctx, read); err != nil {
		return key{}, err
	}
	for _, known := range k.keys {
		if known.id == id {
			return known, nil
		}
	}
	return key{}, fmt.Errorf("%w: %s", ErrKeyGone, id)
}

func (k *Keys) readBy(ctx context.Context, read func(context.Context) (string, error)) error {
	text, err := read(ctx)
	if err != nil {
		return fmt.Errorf("secret: reading the keys: %w", err)
	}
	keys, err := parse(text)
	if err != nil {
		return err
	}
	k.keys = keys
	return nil
}
