package api

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"strings"
)

// A seal encrypts stored answers that contain a secret. Its key is derived from the caller's API key, of
// which the table has only a hash, so an answer can be read only with that key.
type seal struct{ aead cipher.AEAD }

// sealFor returns the seal of a recorded request. authorization is the value of its Authorization or Cookie
// header. The key is derived by HKDF (RFC 5869) with SHA-256; the cipher is AES-256-GCM with random nonces.
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

// close encrypts a text. A nil seal returns it unchanged.
func (s *seal) close(text []byte) []byte {
	if s == nil {
		return text
	}
	return s.aead.Seal(nil, nil, text, nil)
}

// open decrypts what close returned. ok is false if another API key encrypted it.
func (s *seal) open(text []byte) (_ []byte, ok bool) {
	if s == nil {
		return text, true
	}
	open, err := s.aead.Open(nil, nil, text, nil)
	return open, err == nil
}
