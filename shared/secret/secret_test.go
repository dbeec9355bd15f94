package secret

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestSealAndOpen(t *testing.T) {
	keys := &Keys{Read: Static(NewKey())}
	for _, text := range []Plain{"", "EAAG0bXk", "ünïcödé\x00", Plain(strings.Repeat("x", 5000))} {
		sealed, err := keys.Seal(t.Context(), "a/b", text)
		if err != nil {
			t.Fatal(err)
		}
		again, err := keys.Seal(t.Context(), "a/b", text)
		if err != nil {
			t.Fatal(err)
		}
		if sealed == again {
			t.Errorf("the same text is sealed alike twice: %s", sealed)
		}
		if text != "" && strings.Contains(string(sealed), string(text)) {
			t.Errorf("%s holds its text", sealed)
		}
		if got, err := keys.Open(t.Context(), "a/b", sealed); err != nil || string(got) != string(text) {
			t.Errorf("opened: %q, %v", string(got), err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	text := NewKey()
	keys := &Keys{Read: Static(text)}
	sealed, err := keys.Seal(t.Context(), "agent/1/2/channel/whatsapp/access_token", "EAAG0bXk")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(sealed), ".")
	flip := func(i int) Sealed {
		raw, err := base64.RawURLEncoding.DecodeString(parts[2])
		if err != nil {
			t.Fatal(err)
		}
		raw[(i+len(raw))%len(raw)] ^= 1
		return Sealed(parts[0] + "." + parts[1] + "." + base64.RawURLEncoding.EncodeToString(raw))
	}
	for _, test := range []struct {
		name, place string
		sealed      Sealed
		want        error
	}{
		{"another place", "agent/1/3/channel/whatsapp/access_token", sealed, ErrBroken},
		{"no place", "", sealed, ErrBroken},
		{"another nonce", "agent/1/2/channel/whatsapp/access_token", flip(0), ErrBroken},
		{"another text", "agent/1/2/channel/whatsapp/access_token", flip(12), ErrBroken},
		{"another tag", "agent/1/2/channel/whatsapp/access_token", flip(-1), ErrBroken},
		{"cut off", "agent/1/2/channel/whatsapp/access_token", sealed[:len(sealed)-8], ErrBroken},
		{"nothing", "agent/1/2/channel/whatsapp/access_token", "", ErrBroken},
		{"plain text", "agent/1/2/channel/whatsapp/access_token", "EAAG0bXk", ErrBroken},
		{"no ciphertext", "agent/1/2/channel/whatsapp/access_token", Sealed(parts[0] + "." + parts[1] + "."),
			ErrBroken},
		{"no base64", "agent/1/2/channel/whatsapp/access_token", Sealed(parts[0] + "." + parts[1] + ".!!"),
			ErrBroken},
		{"another form", "agent/1/2/channel/whatsapp/access_token", "v2" + sealed[2:], ErrBroken},
		{"another key", "agent/1/2/channel/whatsapp/access_token",
			Sealed(parts[0] + ".0123456789ab." + parts[2]), ErrKeyGone},
	} {
		if got, err := keys.Open(t.Context(), test.place, test.sealed); !errors.Is(err, test.want) ||
			got != "" {
			t.Errorf("%s: %q, %v, want %v", test.name, string(got), err, test.want)
		}
	}
}

// TestReplaceKey puts a new key before the old one, as it is done with a service that runs, and takes the old
// one away.
func TestReplaceKey(t *testing.T) {
	old, now := NewKey(), NewKey()
	text, reads := old, 0
	read := func(context.Context) (string, error) {
		reads++
		return text, nil
	}
	seals, opens := &Keys{Read: read}, &Keys{Read: read}
	first, err := seals.Seal(t.Context(), "p", "one")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := opens.Open(t.Context(), "p", first); err != nil {
		t.Fatal(err)
	}
	text = now + "\n" + old
	second, err := (&Keys{Read: read}).Seal(t.Context(), "p", "two")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Split(string(first), ".")[1] == strings.Split(string(second), ".")[1] {
		t.Errorf("the new key does not seal: %s, %s", first, second)
	}
	reads = 0
	for sealed, want := range map[Sealed]string{first: "one", second: "two"} {
		// The process that had read only the old key reads again.
		if got, err := opens.Open(t.Context(), "p", sealed); err != nil || string(got) != want {
			t.Errorf("%s opens as %q, %v, not %s", sealed, string(got), err, want)
		}
	}
	if reads != 1 {
		t.Errorf("the keys were read %d times", reads)
	}
	text = now
	if _, err := (&Keys{Read: read}).Open(t.Context(), "p", first); !errors.Is(err, ErrKeyGone) {
		t.Errorf("without the old key: %v", err)
	}
}

func TestBadKeys(t *testing.T) {
	good := NewKey()
	for name, text := range map[string]string{
		"none": "", "white space": " \n ", "short": base64.StdEncoding.EncodeToString(make([]byte, 16)),
		"long": base64.StdEncoding.EncodeToString(make([]byte, 33)), "no base64": "hunter2hunter2!",
		"the second": good + " hunter2",
	} {
		_, err := (&Keys{Read: Static(text)}).Seal(t.Context(), "p", "text")
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, word := range strings.Fields(text) {
			if strings.Contains(err.Error(), word) {
				t.Errorf("%s: the error shows the key: %v", name, err)
			}
		}
	}
	failed := errors.New("no such parameter")
	keys := &Keys{Read: func(context.Context) (string, error) { return "", failed }}
	if _, err := keys.Seal(t.Context(), "p", "text"); !errors.Is(err, failed) {
		t.Errorf("a failed read: %v", err)
	}
	if _, err := keys.Open(t.Context(), "p", "v1.0123456789ab.AAAA"); !errors.Is(err, failed) {
		t.Errorf("a failed read: %v", err)
	}
}

// TestPlainHides prints a secret in every way that it might get out by accident.
func TestPlainHides(t *testing.T) {
	const text = "hunter2"
	p := Plain(text)
	type holder struct{ Token Plain }
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("m", "token", p, "holder", holder{Token: p})
	slog.New(slog.NewTextHandler(&log, nil)).Info("m", "token", p, "holder", holder{Token: p})
	body, err := json.Marshal(map[string]any{"token": p, "holder": holder{Token: p}})
	if err != nil {
		t.Fatal(err)
	}
	printed := []string{log.String(), string(body), fmt.Sprint(p),
		fmt.Errorf("call: %w, token %v", errors.New("x"), p).Error()}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%t"} {
		printed = append(printed, fmt.Sprintf(verb, p), fmt.Sprintf(verb, holder{Token: p}),
			fmt.Sprintf(verb, []Plain{p}))
	}
	for _, got := range printed {
		if strings.Contains(got, text) || strings.Contains(got, "68756e746572") {
			t.Errorf("shown: %s", got)
		}
	}
	if string(p) != text {
		t.Error("a conversion does not give the text")
	}
}

func TestCredential(t *testing.T) {
	for _, test := range []struct {
		text, want string
		problem    bool
	}{
		{" EAAG0bXk\n", "EAAG0bXk", false},
		{"", "", false},
		{" \t", "", false},
		{"a word of your own, ü", "a word of your own, ü", false},
		{strings.Repeat("é", 2000), strings.Repeat("é", 2000), false},
		{strings.Repeat("é", 2001), "", true},
		{"a\r\nX-Header: b", "", true},
		{"a\x00b", "", true},
		{"a\u0085b", "", true},
	} {
		got, problem := Credential(test.text)
		if string(got) != test.want || (problem != "") != test.problem {
			t.Errorf("%.20q: %.20q, %q", test.text, string(got), problem)
		}
	}
}

func FuzzOpen(f *testing.F) {
	keys := &Keys{Read: Static(NewKey())}
	sealed, err := keys.Seal(f.Context(), "p", "text")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(sealed))
	f.Add("v1..")
	f.Add("v1.0123456789ab.AAAA")
	f.Fuzz(func(t *testing.T, text string) {
		if got, err := keys.Open(t.Context(), "p", Sealed(text)); err == nil && string(got) != "text" {
			t.Errorf("%q opens as %q", text, string(got))
		}
	})
}
