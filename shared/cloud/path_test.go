package cloud

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/aws/aws-lambda-go/events"
)

// TestEscaped hands paths to a handler in an event, as API Gateway has them and as `sam local` does.
func TestEscaped(t *testing.T) {
	for sent, want := range map[string]string{
		"/tags/vip/":                     "/tags/vip/",
		"/tags/a%2Fb/":                   "/tags/a/b/",
		"/tags/100%25/":                  "/tags/100%/",
		"/tags/100%/":                    "/tags/100%/",
		"/tags/%/":                       "/tags/%/",
		"/tags/5%x%2/":                   "/tags/5%x%2/",
		"/tags/%F0%9F%A6%8A/":            "/tags/🦊/",
		"/tags/🦊 é/":                     "/tags/🦊 é/",
		"/tags/why? #1/":                 "/tags/why? #1/",
		"/tags/\x00\"<>[\\]^`{|}\x7f/":   "/tags/\x00\"<>[\\]^`{|}\x7f/",
		"/tags/a+b&c=d;e,f:g@h!$'()*~-_": "/tags/a+b&c=d;e,f:g@h!$'()*~-_",
		"/":                              "/",
		"":                               "/",
	} {
		var got, raw string
		g := gateway{http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			w.WriteHeader(http.StatusNoContent)
			got, raw = req.URL.Path, req.URL.EscapedPath()
		})}
		payload, err := json.Marshal(events.APIGatewayProxyRequest{HTTPMethod: "GET", Path: sent})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.handle(t.Context(), payload); err != nil {
			t.Errorf("%q: %v", sent, err)
		}
		if got != want {
			t.Errorf("%q arrived as %q, want %q", sent, got, want)
		}
		if again, err := url.PathUnescape(raw); err != nil || again != want {
			t.Errorf("%q is escaped as %q", sent, raw)
		}
	}
}

// FuzzEscaped expects every path to be one that an address can have, and those that were to stay as they are.
func FuzzEscaped(f *testing.F) {
	f.Add("/a%2Fb/%/é")
	f.Fuzz(func(t *testing.T, path string) {
		text := escaped("/" + path)
		u, err := url.Parse("https://host" + text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if u.EscapedPath() != text || u.RawQuery != "" || u.Fragment != "" {
			t.Errorf("%q is read as %q, %q, %q", text, u.EscapedPath(), u.RawQuery, u.Fragment)
		}
		if again := escaped(text); again != text {
			t.Errorf("%q changes to %q", text, again)
		}
	})
}
