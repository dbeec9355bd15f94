package main

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"frontdesk/infra/authenticator"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/auth"
)

// An entrance holds expired and used credentials of all ways to sign in. None of them may open a session.
type entrance struct {
	base    string   // the service by the name of its host, since addresses have no passkeys
	tokens  []string // of links that were used
	cookies []string // of sessions that ended
	device  *authenticator.Device
	answers []map[string]any // of the device, to challenges that were answered
	others  []string         // user handles of members without a passkey, and of nobody
}

// newEntrance invites a member, who adds a passkey, signs in by it and signs out again.
func newEntrance(owner *apitest.Client) (*entrance, error) {
	e := &entrance{base: strings.Replace(owner.Base, "127.0.0.1", "localhost", 1)}
	site, err := url.Parse(e.base)
	if err != nil {
		return nil, err
	}
	e.device = &authenticator.Device{Origin: "http://" + site.Host, Host: site.Hostname()}
	member, err := want(owner, "POST", "members/", map[string]any{"name": "Ada", "role": "agent"})
	if err != nil {
		return nil, err
	}
	link, err := want(owner, "POST", "members/"+member.Number("id")+"/invite/", nil)
	if err != nil {
		return nil, err
	}
	_, token, _ := strings.Cut(link.Text("url"), "#token=")
	e.tokens = []string{token}
	visitor := &apitest.Client{Base: e.base}
	signed, err := want(visitor, "POST", "session/", map[string]any{"token": token})
	if err != nil {
		return nil, err
	}
	person := e.person(signed)
	creation, err := want(person, "POST", "session/passkey-creation/", nil)
	if err != nil {
		return nil, err
	}
	made, err := e.device.Create("Phone", creation.Text("challenge"), creation.Text("user_id"))
	if err != nil {
		return nil, err
	}
	if _, err := want(person, "POST", "passkeys/", made); err != nil {
		return nil, err
	}
	challenge, err := want(visitor, "POST", "session/passkey-request/", nil)
	if err != nil {
		return nil, err
	}
	answer, err := e.device.SignIn(challenge.Text("challenge"))
	if err != nil {
		return nil, err
	}
	again, err := want(visitor, "POST", "session/passkey/", answer)
	if err != nil {
		return nil, err
	}
	e.answers = []map[string]any{answer, made}
	for _, client := range []*apitest.Client{person, e.person(again)} {
		if _, err := want(client, "DELETE", "session/", nil); err != nil {
			return nil, err
		}
		e.cookies = append(e.cookies, client.Header.Get("Cookie"))
	}
	e.others = []string{creation.Text("user_id") + "AA", "MS8x", "LzE", ""}
	return e, nil
}

// person returns a client with the session of an answer that signed somebody in.
func (e *entrance) person(signed apitest.Answer) *apitest.Client {
	cookie, _, _ := strings.Cut(signed.Header.Get("Set-Cookie"), ";")
	return &apitest.Client{Base: e.base, Header: http.Header{"Cookie": {cookie}}}
}

// signIn returns a random request that must sign nobody in.
func (m *maker) signIn() request {
	r := request{method: "POST", base: m.door.base, refused: true, header: http.Header{}}
	switch m.IntN(6) {
	case 0, 1:
		r.path, r.body = "session/", m.broken(map[string]any{"token": m.token()})
	case 2, 3:
		r.path, r.body = "session/passkey/", m.broken(m.assertion())
	case 4:
		r.path, r.body, r.refused = "session/passkey-request/", nil, false
	default:
		r.method = one(m, "GET", "POST", "PATCH", "DELETE")
		r.path = one(m, "me/", "session/", "members/", "api-keys/", "passkeys/", "sessions/", "audit/",
			"changes/", "agents/", "contacts/", "session/passkey-creation/")
		r.header.Set("Cookie", m.cookie())
		r.refused = r.path != "session/" || r.method != "DELETE" // nobody is signed out, which is no fault
	}
	if m.IntN(3) == 0 {
		r.header.Set(one(m, "Origin", "Sec-Fetch-Site", "Referer", "X-Forwarded-Host", "Idempotency-Key"),
			one(m, "https://evil.example", "null", "cross-site", "same-origin", "1"))
	}
	return r
}

// token returns the token of a used link, or a made-up one.
func (m *maker) token() string {
	used := one(m, m.door.tokens...)
	return one(m, used, strings.ToUpper(used), used[:len(used)-1], used+"a", " "+used, m.text())
}

// cookie returns the cookie of a session that ended, or a made-up one.
func (m *maker) cookie() string {
	name, ended, _ := strings.Cut(one(m, m.door.cookies...), "=")
	value := one(m, ended, ended[:len(ended)-1], strings.ToUpper(ended), ended+"; "+name+"=x", "",
		auth.HashAPIKey(ended), fmt.Sprintf("%032x", m.Uint64()))
	return one(m, name, "__Host-"+name, strings.TrimPrefix(name, "__Host-")) + "=" + value
}

// assertion returns an answer to a challenge that must be refused: a replayed one, one changed in one place,
// or another user's.
func (m *maker) assertion() map[string]any {
	body := maps.Clone(m.door.answers[0])
	switch m.IntN(5) {
	case 0: // as it was
	case 1:
		body["user_handle"] = one(m, m.door.others...)
	case 2: // what made the passkey
		body["client_data"] = m.door.answers[1]["client_data"]
		body["authenticator_data"] = m.door.answers[1]["attestation_object"]
	case 3:
		name := one(m, slices.Sorted(maps.Keys(body))...)
		text := []byte(body[name].(string))
		text[m.IntN(len(text))] = one(m, byte('A'), '_', '=', '!', 0x80)
		body[name] = string(text[:1+m.IntN(len(text))])
	default:
		fresh, err := m.door.device.SignIn(m.text())
		if err == nil {
			body = fresh
		}
	}
	return body
}

// file returns a random request for one of the files that browsers load.
func (m *maker) file() request {
	name := one(m, "widget.js", "app.js", "index.html", "..", "%2e%2e%2f%2e%2e%2fgo.mod", "%00", "x.map",
		url.PathEscape(one(m, odd[3:]...)), strings.Repeat("a", 3000))
	r := request{method: one(m, "GET", "HEAD", "POST", "OPTIONS"), header: http.Header{}}
	r.path = one(m, "app/", "app/"+name, "widget/widget.js", "widget/loader/"+name, "openapi.json")
	switch m.IntN(3) {
	case 0:
		r.header.Set("Range", one(m, "bytes=0-0", "bytes=-1", "bytes=9-1", "bytes=0-9,5-", "lines=1"))
	case 1:
		r.header.Set("Accept-Encoding", one(m, "gzip", "br", "gzip;q=0", "*", "identity;q=0"))
	}
	return r
}
