// Package secret encrypts what nobody may read in the table, such as the credentials of channels.
//
// A text is sealed with AES-256-GCM for one place, the item and field that it is kept in, and opens nowhere
// else: whoever can write to the table but lacks the key can neither make a credential nor move one from a
// workspace to another.
package secret

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// Errors of Open. They are compared with errors.Is.
var (
	// ErrKeyGone says that the text was sealed under a key that is no longer there.
	ErrKeyGone = errors.New("secret: sealed under a key that is not there")
	// ErrBroken says that the text was changed, or was sealed for another place.
	ErrBroken = errors.New("secret: not what was sealed for this place")
)

// A Sealed is a text that was encrypted: the version of this form, the id of the key and, in base64, nonce
// and ciphertext, with dots between. It may be stored and logged. The empty one stands for no text.
type Sealed string

// version begins every Sealed.
const version = "v1"

// Keys seal and open texts. They are safe for concurrent use.
type Keys struct {
	// Read returns the text of the keys: one or several, each 32 bytes in standard base64, with white space
	// between. The first one seals; the others open what was sealed under them, so that a key is replaced by
	// putting a new one before it. Read is called for every text that is sealed, and to open one whose key
	// was not there before.
	Read func(context.Context) (string, error)
	// Fresh is called in place of Read for a key that was not there, where Read may give what it has kept for
	// a while; nil where Read gives nothing old.
	Fresh func(context.Context) (string, error) `wiring:"optional"`

	mu   sync.Mutex
	keys []key // empty until they are needed
}

// Static returns a Read for keys whose text is at hand.
func Static(text string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return text, nil }
}

// Check reports whether the keys can be read. Its error holds nothing of them.
func (k *Keys) Check(ctx context.Context) error {
	text, err := k.Read(ctx)
	if err != nil {
		return fmt.Errorf("secret: reading the keys: %w", err)
	}
	_, err = parse(text)
	return err
}

// Seal encrypts a text for a place, which is any text that tells it from all other places.
func (k *Keys) Seal(ctx context.Context, place string, text Plain) (Sealed, error) {
	newest, err := k.current(ctx)
	if err != nil {
		return "", err
	}
	sealed := newest.aead.Seal(nil, nil, []byte(text), []byte(place))
	return Sealed(version + "." + newest.id + "." + base64.RawURLEncoding.EncodeToString(sealed)), nil
}

// Open decrypts what was sealed for the place. ErrKeyGone or ErrBroken where that is not possible.
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

// current returns the key that seals. The keys are read anew for it, so that a new one comes into use
// everywhere as soon as Read gives it; what Read keeps in memory costs nothing.
func (k *Keys) current(ctx context.Context) (key, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.readBy(ctx, k.Read); err != nil {
		return key{}, err
	}
	return k.keys[0], nil
}

// byID returns the key of an id. It reads the keys anew where it is not among them.
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
