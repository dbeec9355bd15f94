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

// keySize is how many bytes a key has: that of AES-256.
const keySize = 32

// A key is one of the Keys, ready for use. Its nonces are random; at four billion texts under one key they
// would begin to repeat.
type key struct {
	id   string
	aead cipher.AEAD
}

// NewKey makes a key and returns its text, for Keys.Read.
func NewKey() string {
	bytes := make([]byte, keySize)
	rand.Read(bytes) // it never fails
	return base64.StdEncoding.EncodeToString(bytes)
}

// parse reads the text of keys. Its errors hold nothing of the text.
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

// idOf names a key by a hash of it, which says nothing of the key itself.
func idOf(bytes []byte) string {
	sum := sha256.Sum256(append([]byte("frontdesk key id "), bytes...))
	return hex.EncodeToString(sum[:6])
}
