package api

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"strings"
)

// A seal encrypts answers that hold a secret before they are kept. Its key follows from the text of the API
// key that made the request, of which the table knows a hash alone: so the answer can be replayed to who sent
// the request, and otherwise be read by nobody.
type seal struct{ aead cipher.AEAD }

// sealFor is the seal of a request that is noted under that name, by the value of its header Authorization or
// Cookie.
func sealFor(authorization, request string) (*seal, error) {
	_, key, _ := strings.Cut(authorization, " ")
	derived, err := hkdf.Key(sha256.New, []byte(strings.TrimSpace(key)), nil, "frontdesk answer "+request, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(derived)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return &seal{aead}, err
}

// close encrypts a text. A nil seal leaves it as it is.
func (s *seal) close(text []byte) []byte {
	if s == nil {
		return text
	}
	return s.aead.Seal(nil, nil, text, nil)
}

// open decrypts what close made. ok is false where another API key made it.
func (s *seal) open(text []byte) (_ []byte, ok bool) {
	if s == nil {
		return text, true
	}
	open, err := s.aead.Open(nil, nil, text, nil)
	return open, err == nil
}
