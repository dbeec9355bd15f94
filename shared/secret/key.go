package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// keySize is the size of an AES-256 key in bytes.
const keySize = 32

// A key is one of the Keys. Its nonces are random 96-bit numbers, which is safe for up to 2³² texts per key
// (NIST SP 800-38D).
type key struct {
	id   string
	aead cipher.AEAD
}

// NewKey generates a key and returns its text, for Keys.Read.
func NewKey() string {
	bytes := make([]byte, keySize)
	rand.Read(bytes) // never fails
	return base64.StdEncoding.EncodeToString(bytes)
}

// parse parses the text of keys. Its errors contain nothing of the text.
func parse(text string) ([]key, error) {
	var keys []key
	for i, word := range strings.Fields(text) {
		bytes, err := base64.StdEncoding.DecodeString(word)
		if err != nil || len(bytes) != keySize {
			return nil, fmt.Errorf("secret: key %d is not %d bytes in base64", i+1, keySize)
		}
		block, err := aes.NewCipher(bytes)
		if err != nil {
			return nil, err
		}
		aead, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key{idOf(bytes), aead})
	}
	if len(keys) == 0 {
		return nil, errors.New("secret: there is no key")
	}
	return keys, nil
}

// idOf returns the id of a key: a truncated hash, which reveals nothing about the key.
func idOf(bytes []byte) string {
	sum := sha256.Sum256(append([]byte("frontdesk key id "), bytes...))
	return hex.EncodeToString(sum[:6])
}
