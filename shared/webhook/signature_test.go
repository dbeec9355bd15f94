package webhook

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/event"
	"frontdesk/shared/secret"
)

// The signatures that are wanted here were made by openssl dgst -sha256 -mac HMAC.
func TestSignature(t *testing.T) {
	const body = `{"event": "conversation.resolved", "agent_id": 7, "data": {"conversation_id": 9}}`
	at := time.Unix(1674087231, 0)
	const (
		first, second = "hunter2", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
		firstHex      = "68b66500354941ddfc856b5700f8211666f47a71586cda20a7a15ac3244e961c"
		secondHex     = "aa1f6fad1331b5ff731cdd46ee7b6fe918c5e19474771234815abe5d7e16120a"
		firstBase64   = "EA/wLEvG+sP+sD4sCKfWsNKKN85OJAlVZToMXusVYW8="
		secondBase64  = "Um5hMJGrk+FBNTBpwWv2Wiq5lUcFWzy+lXdYzXTuhVI="
	)
	for _, test := range []struct {
		name string
		Signature
		own, standard string
	}{
		{"one secret", Signature{Secrets: []secret.Plain{first}}, "sha256=" + firstHex, "v1," + firstBase64},
		{"a secret in the form of the specification", Signature{Secrets: []secret.Plain{second}}, "sha256=" +
			secondHex, "v1," + secondBase64},
		{"two secrets, first attempt", Signature{Secrets: []secret.Plain{first, second}, Attempt: 1},
			"sha256=" + firstHex, "v1," + firstBase64 + " v1," + secondBase64},
		{"two secrets, second attempt", Signature{Secrets: []secret.Plain{first, second}, Attempt: 2},
			"sha256=" + secondHex, "v1," + firstBase64 + " v1," + secondBase64},
		{"two secrets, third attempt", Signature{Secrets: []secret.Plain{first, second}, Attempt: 3},
			"sha256=" + firstHex, "v1," + firstBase64 + " v1," + secondBase64},
		{"of an action", Signature{Secrets: []secret.Plain{first}, Bare: true}, firstHex, "v1," +
			firstBase64},
		{"no secret", Signature{}, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.ID, test.At = "msg_219482113093632", at
			header := http.Header{}
			test.sign(header, []byte(body))
			want := http.Header{"Webhook-Id": {"msg_219482113093632"}, "Webhook-Timestamp": {"1674087231"}}
			if test.own != "" {
				want.Set("X-Service-Signature", test.own)
				want.Set("Webhook-Signature", test.standard)
			}
			if diff := cmp.Diff(want, header); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBody(t *testing.T) {
	data := json.RawMessage(`{"conversation_id":9,"content":"a:b,c \"d:e\", \\","note":"<ü & 日本>","list":[1,2,{"x":null}],"empty":{}}`)
	const want = `{"event": "message.sent", "agent_id": 7, "data": {"conversation_id": 9, "content": "a:b,c \"d:e\", \\", ` +
		`"note": "<ü & 日本>", "list": [1, 2, {"x": null}], "empty": {}}}`
	got, err := Body(event.MessageSent, 7, data)
	if err != nil || string(got) != want {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
}

func TestTestBody(t *testing.T) {
	got, err := testBody("test_0123456789abcdef", event.MessageReceived, 7,
		time.Date(2026, 3, 2, 10, 30, 0, 5, time.FixedZone("", 3600)))
	const want = `{"id": "test_0123456789abcdef", "type": "message.received", "created_at": "2026-03-02T09:30:00+00:00", ` +
		`"agent_id": 7, "livemode": false, "data": {"test": true, "message": "This is a test of your webhook. Nothing happened."}}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
}

// FuzzSpaced holds the spaces to what they may be: outside of strings alone, and one after each colon and
// comma.
func FuzzSpaced(f *testing.F) {
	f.Add(`{"a":"b,c:d\\","e":[1,2]}`)
	f.Add(`["\"",":",{"":","}]`)
	f.Fuzz(func(t *testing.T, text string) {
		var value any
		if json.Unmarshal([]byte(text), &value) != nil {
			return
		}
		compact, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		got := spaced(compact)
		var again any
		if err := json.Unmarshal(got, &again); err != nil || !cmp.Equal(value, again) {
			t.Fatalf("%s became %s, %v", compact, got, err)
		}
		if want := len(compact) + separators(t, compact); len(got) != want {
			t.Errorf("%s has %d bytes, not %d", got, len(got), want)
		}
	})
}

// separators counts the colons and commas of compact JSON by its tokens.
func separators(t *testing.T, text []byte) int {
	dec := json.NewDecoder(strings.NewReader(string(text)))
	dec.UseNumber()
	total := len(text)
	for dec.More() || dec.InputOffset() < int64(len(text)) {
		before := dec.InputOffset()
		_, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		// What the decoder passed over without making it part of a token is a separator.
		piece := strings.TrimLeft(string(text[before:dec.InputOffset()]), ":,")
		total -= len(piece)
	}
	return total
}

func TestHealth(t *testing.T) {
	start := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	w := Webhook{Active: true}
	for _, step := range []struct {
		at      time.Duration
		failed  bool
		changed bool
		active  bool
	}{
		{0, false, false, true},
		{time.Hour, true, true, true},
		{2 * time.Hour, true, false, true},
		{3 * time.Hour, false, true, true}, // it begins anew
		{4 * time.Hour, true, true, true},
		{4*time.Hour + 5*24*time.Hour - 1, true, false, true},
		{4*time.Hour + 5*24*time.Hour, true, true, false},
		{200 * time.Hour, true, false, false},
	} {
		changed := false
		if step.failed {
			changed = w.Failed(start.Add(step.at))
		} else {
			changed = w.Succeeded()
		}
		if changed != step.changed || w.Active != step.active {
			t.Errorf("after %v: changed %v, active %v", step.at, changed, w.Active)
		}
	}
	if !w.DisabledAt.Equal(start.Add(4*time.Hour+5*24*time.Hour)) || w.DisabledReason == "" ||
		!w.FailingSince.Equal(start.Add(4*time.Hour)) {
		t.Errorf("%+v", w)
	}
	off := w
	if w.MoveTo("https://example.com/new"); w.URL == "" || w.FailingSince != off.FailingSince ||
		w.DisabledAt != off.DisabledAt || w.DisabledReason != off.DisabledReason {
		t.Errorf("another address makes it %+v", w)
	}
	if w.Switch(true); !w.Active || !w.FailingSince.IsZero() || !w.DisabledAt.IsZero() ||
		w.DisabledReason != "" {
		t.Errorf("switched on it is %+v", w)
	}
	w.Failed(start)
	if w.MoveTo(w.URL); w.FailingSince.IsZero() {
		t.Error("the same address makes it forget what failed there")
	}
	if w.MoveTo("https://example.com/newer"); !w.FailingSince.IsZero() {
		t.Errorf("what failed at another address makes it %+v", w)
	}
}
