package identity

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	for want, c := range map[string]Claims{
		`{}`: {},
		`{"external_id":"42","email":"ada@example.com","phone":"+14155550123","name":"Ada"}`: {
			Name: "Ada", Email: "ada@example.com", Phone: "+14155550123", ExternalID: "42",
		},
		`{"phone":"+14155550123"}`:                           {Phone: "+14155550123"},
		"{\"name\":\"Zoë <b>&\u2028😀 \\\"\\\\ \\n\\u0001\"}": {Name: "Zoë <b>&\u2028😀 \"\\ \n\x01"},
	} {
		if got := string(c.canonical()); got != want {
			t.Errorf("%+v: %s, want %s", c, got, want)
		}
	}
}

// TestSign compares with the output of
// printf '{"external_id":"42","email":"ada@example.com"}' | openssl dgst -sha256 -hmac secret.
func TestSign(t *testing.T) {
	c := Claims{Email: "ada@example.com", ExternalID: "42"}
	const want = "048d6efbf9de6d9d95f1ab1526234b1b63c5de14b0c1967acfe8de56578a538b"
	if got := Sign("secret", c); got != want {
		t.Errorf("the signature is %s, want %s", got, want)
	}
	for _, test := range []struct {
		secret, signature string
		claims            Claims
		want              bool
	}{
		{"secret", want, c, true},
		{"other", want, c, false},
		{"secret", strings.ToUpper(want), c, false},
		{"secret", "", c, false},
		{"secret", want, Claims{Email: "bob@example.com", ExternalID: "42"}, false},
		{"secret", want, Claims{Email: "ada@example.com", ExternalID: "42", Name: "Bob"}, false},
		{"", Sign("", c), c, false},
	} {
		if got := Verify(test.secret, test.signature, test.claims); got != test.want {
			t.Errorf("%q of %+v under %q: %v", test.signature, test.claims, test.secret, got)
		}
	}
}

func TestOf(t *testing.T) {
	for _, test := range []struct {
		proved bool
		claims Claims
		want   State
	}{
		{false, Claims{}, Anonymous},
		{false, Claims{Name: "Ada"}, Claimed},
		{true, Claims{}, Verified},
		{true, Claims{Name: "Ada"}, Verified},
	} {
		if got := Of(test.proved, test.claims); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

// FuzzCanonical holds the signed text to be JSON that says what the claims say.
func FuzzCanonical(f *testing.F) {
	f.Add("Ada", "ada@example.com", "+14155550123", "42")
	f.Add("\u2028\"\\</script>", "", "\x00\x1f\x7f", "é😀")
	f.Fuzz(func(t *testing.T, name, email, phone, external string) {
		want := Claims{
			strings.ToValidUTF8(name, ""), strings.ToValidUTF8(email, ""), strings.ToValidUTF8(phone, ""),
			strings.ToValidUTF8(external, ""),
		}
		var got Claims
		if err := json.Unmarshal(want.canonical(), &got); err != nil || got != want {
			t.Errorf("%s is %+v, want %+v: %v", want.canonical(), got, want, err)
		}
	})
}
