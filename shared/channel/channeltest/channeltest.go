// Package channeltest tests providers against the contract of channel.Provider.
package channeltest

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"frontdesk/shared/channel"
	"frontdesk/shared/secret"
)

// A Subject is a provider with what the suite needs to know about its platform.
type Subject struct {
	// New returns the provider for a platform's API at an address.
	New func(address string) channel.Provider
	// Connection is complete. Its secrets must be words that occur nowhere else.
	Connection channel.Connection
	// Credential is the setting with the credential for calls of the API.
	Credential channel.Setting
	// Sign adds the platform's signature to a request for the connection.
	Sign func(r *channel.Request)
	// Password is set if Sign adds a password, which does not depend on the body.
	Password bool
	// To is the recipient of messages; "" means a phone number.
	To string
	// Batch is the unsigned body of a request with several updates, as many as a request may have.
	Batch string
	// IDs are the ids of the updates in Batch, in their order.
	IDs []string
	// Unknown are valid bodies without any known update.
	Unknown []string
	// Refusals are responses of the API to a send, with their expected classes.
	Refusals []Refusal
}

// A Refusal is a response of a platform's API to a send. %s in its body is replaced by the credential, which
// platforms sometimes repeat.
type Refusal struct {
	Name   string
	Status int // 0 breaks the connection after the request was read
	Body   string
	Want   channel.Class
}

// Refuse returns a Refusal.
func Refuse(name string, status int, body string, want channel.Class) Refusal {
	return Refusal{Name: name, Status: status, Body: body, Want: want}
}

// Run runs the suite.
func Run(t *testing.T, s Subject) {
	t.Run("Info", s.info)
	t.Run("Verify", s.verify)
	t.Run("Parse", s.parse)
	t.Run("Broken", s.broken)
	t.Run("Choices", s.choices)
	t.Run("Refusals", s.refusals)
}

// request returns a signed POST with a body.
func (s Subject) request(body string) channel.Request {
	r := channel.Request{Method: http.MethodPost, Header: http.Header{}, Body: []byte(body)}
	s.Sign(&r)
	return r
}

func (s Subject) info(t *testing.T) {
	info := s.New("").Info()
	for _, f := range info.Fields {
		if f.Doc == "" || f.Example == "" || f.Read == nil {
			t.Errorf("%s is not described", f.Setting)
			continue
		}
		if _, problem := f.Read(f.Example); problem != "" {
			t.Errorf("the example of %s: %s", f.Setting, problem)
		}
	}
	if info.HumanWindow < info.Window || info.MaxBody <= 0 || info.Text.Max <= 0 || info.Idle <= 0 {
		t.Errorf("%+v", info)
	}
	long := strings.Repeat("Grüße aus Köln 👋🏽. ", 2000)
	for i, part := range channel.Split(info.Text, long) {
		if !info.Text.Fits(part) || part == "" {
			t.Fatalf("part %d of a long text has %d of %d", i, info.Text.Len(part), info.Text.Max)
		}
	}
}

func (s Subject) verify(t *testing.T) {
	p := s.New("")
	if err := p.Verify(s.Connection, s.request(s.Batch)); err != nil {
		t.Errorf("signed rightly: %v", err)
	}
	for name, change := range map[string]func(*channel.Request, *channel.Connection){
		"another body":    func(r *channel.Request, _ *channel.Connection) { r.Body = append(r.Body, '0') },
		"no body":         func(r *channel.Request, _ *channel.Connection) { r.Body = nil },
		"no signature":    func(r *channel.Request, _ *channel.Connection) { r.Header = http.Header{} },
		"no secrets here": func(_ *channel.Request, c *channel.Connection) { c.Secrets = nil },
		"other secrets": func(_ *channel.Request, c *channel.Connection) {
			other := map[channel.Setting]secret.Plain{}
			for setting := range c.Secrets {
				other[setting] = "another"
			}
			c.Secrets = other
		},
		"half a signature": func(r *channel.Request, _ *channel.Connection) {
			for name, values := range r.Header {
				r.Header[name] = []string{values[0][:len(values[0])/2]}
			}
		},
		"an empty signature": func(r *channel.Request, _ *channel.Connection) {
			for name := range r.Header {
				r.Header[name] = []string{""}
			}
		},
	} {
		if s.Password && strings.HasSuffix(name, " body") {
			continue
		}
		r, c := s.request(s.Batch), s.Connection
		change(&r, &c)
		if err := p.Verify(c, r); !errors.Is(err, channel.ErrForbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// parse parses the batch twice, as after a repeated request.
func (s Subject) parse(t *testing.T) {
	p := s.New("")
	for range 2 {
		updates, err := p.Parse(s.Connection, s.request(s.Batch))
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		seen := map[string]bool{}
		for _, u := range updates {
			ids = append(ids, u.ID)
			if u.ID == "" || u.From.Address == "" || u.Kind == "" || seen[string(u.Kind)+u.ID] {
				t.Errorf("%+v", u)
			}
			seen[string(u.Kind)+u.ID] = true
		}
		if got, want := strings.Join(ids, " "), strings.Join(s.IDs, " "); got != want {
			t.Errorf("the ids are\n%s, want\n%s", got, want)
		}
	}
	for _, body := range s.Unknown {
		if updates, err := p.Parse(s.Connection, s.request(body)); err != nil || len(updates) > 0 {
			t.Errorf("%s: %v, %v", body, updates, err)
		}
	}
}

// broken parses truncated bodies and bodies with other JSON types.
func (s Subject) broken(t *testing.T) {
	p := s.New("")
	bodies := []string{"", "null", "[]", "{}", `"x"`, "\x00", "%zz=%", strings.Repeat("[", 20_000)}
	for i := range s.Batch {
		bodies = append(bodies, s.Batch[:i])
	}
	for _, wrong := range []string{"null", "5", `"x"`, "[]", "{}", "[null]", "true", "1e999"} {
		for i := range s.Batch {
			if strings.ContainsRune(`{["`, rune(s.Batch[i])) && i > 0 && strings.ContainsRune(`:[,`, rune(s.Batch[i-1])) {
				if end := strings.IndexAny(s.Batch[i+1:], `}]"`); end >= 0 {
					bodies = append(bodies, s.Batch[:i]+wrong+s.Batch[i+end+2:])
				}
			}
		}
	}
	for _, body := range bodies {
		updates, err := p.Parse(s.Connection, channel.Request{Method: http.MethodPost, Body: []byte(body)})
		if err != nil && !errors.Is(err, channel.ErrMalformed) {
			t.Errorf("%q: %v", body, err)
		}
		for _, u := range updates {
			// A status is found by its message, and may lack the recipient.
			if u.ID == "" || u.From.Address == "" && u.Kind != channel.StatusUpdate {
				t.Errorf("%q: %+v", body, u)
			}
		}
	}
}

// choices sends as many choices as the platform has buttons, and then more and longer ones. The text is
// always sent, buttons only if all of them can be shown.
func (s Subject) choices(t *testing.T) {
	if s.New("").Info().Choices == 0 {
		t.Skip("the platform has no buttons")
	}
	var body atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		text, _ := io.ReadAll(req.Body)
		body.Store(text)
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer server.Close()
	p := s.New(server.URL)
	n := p.Info().Choices
	for _, test := range []struct {
		count, length int
		shown         bool
	}{{1, 5, true}, {min(n, 3), 20, true}, {n, 20, true}, {n + 1, 20, false}, {2, 2000, false}} {
		m := channel.Message{
			Ref: channel.NewRef(5, 0), To: cmp.Or(s.To, "+16505551234"), Text: "Which-of-these?",
		}
		for i := range test.count {
			label := fmt.Sprint(i, strings.Repeat("a", test.length-2))
			m.Choices = append(m.Choices, channel.Choice{Label: label, Value: label})
		}
		body.Store([]byte(nil))
		if _, err := p.Send(t.Context(), s.Connection, m); err == nil {
			t.Fatal("a message that the platform refused was sent")
		}
		sent := string(body.Load().([]byte))
		shown := strings.Contains(sent, "0"+strings.Repeat("a", test.length-2))
		if !strings.Contains(sent, "Which-of-these") || shown != test.shown {
			t.Errorf("%d choices of %d characters: %.500s", test.count, test.length, sent)
		}
	}
}

// refusals sends a message to an API that refuses it. The error must not contain a credential.
func (s Subject) refusals(t *testing.T) {
	credential := string(s.Connection.Secret(s.Credential))
	if credential == "" {
		t.Fatal("the connection has no credential")
	}
	all := append([]Refusal{
		{"a proxy's page", 502, "<html>Bad gateway %s</html>", channel.Unclear},
		{"a success that is not understood", 200, "<html>Welcome %s</html>", channel.Unclear},
		{"a success without an id", 200, "{}", channel.Unclear},
		{"a broken connection", 0, "", channel.Unclear},
		{"too many requests", 429, "", channel.Transient},
		{"unauthorized", 401, "", channel.Reconnect},
	}, s.Refusals...)
	for _, refusal := range all {
		t.Run(refusal.Name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				io.Copy(io.Discard, req.Body)
				if refusal.Status == 0 {
					panic(http.ErrAbortHandler)
				}
				w.WriteHeader(refusal.Status)
				io.WriteString(w, strings.ReplaceAll(refusal.Body, "%s", credential))
			}))
			defer server.Close()
			m := channel.Message{Ref: channel.NewRef(5, 0), To: cmp.Or(s.To, "+16505551234"), Text: "Hello"}
			_, err := s.New(server.URL).Send(t.Context(), s.Connection, m)
			var e *channel.Error
			if !errors.As(err, &e) || e.Class != refusal.Want || e.Detail == "" {
				t.Fatalf("%v, want %s", err, refusal.Want)
			}
			if text := fmt.Sprintf("%v %+v", err, *e); strings.Contains(text, credential) {
				t.Errorf("the credential is shown: %s", text)
			}
		})
	}
}
