// Package authenticator is a device with passkeys, for tests of signing in by them.
package authenticator

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"slices"
)

// A Device holds one passkey. It answers as a browser at Origin does, and vouches for nothing.
type Device struct {
	Origin string // such as http://localhost:8080
	Host   string // the host of the origin, without a port
	// Count is how often it has signed. Each signature counts on.
	Count uint32

	id, user []byte
	key      *ecdsa.PrivateKey
}

// Flags of what an authenticator signs: the person was there, was verified, and a new key is in the data.
const (
	present  = 1
	verified = 4
	attested = 64
)

func encode(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

// clientData is what a browser says that it was asked for.
func (d *Device) clientData(kind, challenge string) []byte {
	data, err := json.Marshal(map[string]any{
		"type": kind, "challenge": challenge, "origin": d.Origin, "crossOrigin": false,
	})
	if err != nil {
		panic(err) // texts only
	}
	return data
}

// data is the authenticator's own data.
func (d *Device) data(flags byte) []byte {
	host := sha256.Sum256([]byte(d.Host))
	d.Count++
	return binary.BigEndian.AppendUint32(append(host[:], flags), d.Count)
}

// Create makes a new passkey of a user for a challenge, both as POST /session/passkey-creation/ gave them,
// and returns the body of POST /passkeys/.
func (d *Device) Create(name, challenge, user string) (map[string]any, error) {
	var err error
	if d.user, err = base64.RawURLEncoding.DecodeString(user); err != nil {
		return nil, err
	}
	if d.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		return nil, err
	}
	d.id = []byte(rand.Text()[:16])
	point, err := d.key.PublicKey.Bytes() // 4, x and y
	if err != nil {
		return nil, err
	}
	data := slices.Concat(d.data(present|verified|attested), make([]byte, 16),
		[]byte{0, byte(len(d.id))}, d.id,
		// {1: 2, 3: -7, -1: 1, -2: x, -3: y} in CBOR: a key for ECDSA with P-256
		[]byte{0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32}, point[1:33], []byte{0x22, 0x58, 32}, point[33:])
	object := slices.Concat([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58"),
		[]byte{byte(len(data))}, data)
	return map[string]any{
		"name": name, "credential_id": encode(d.id), "attestation_object": encode(object),
		"client_data": encode(d.clientData("webauthn.create", challenge)),
	}, nil
}

// SignIn signs a challenge of POST /session/passkey-request/, and returns the body of POST /session/passkey/.
func (d *Device) SignIn(challenge string) (map[string]any, error) {
	data, client := d.data(present|verified), d.clientData("webauthn.get", challenge)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(slices.Concat(data, hash[:]))
	signature, err := ecdsa.SignASN1(rand.Reader, d.key, digest[:])
	return map[string]any{
		"credential_id": encode(d.id), "client_data": encode(client), "authenticator_data": encode(data),
		"signature": encode(signature), "user_handle": encode(d.user),
	}, err
}

// As is the device with another user's handle, in base64url.
func (d *Device) As(user string) (*Device, error) {
	other := *d
	var err error
	other.user, err = base64.RawURLEncoding.DecodeString(user)
	return &other, err
}
