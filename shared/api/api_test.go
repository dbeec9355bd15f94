package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/opt"
)

type colour string

func (colour) Values() []string { return []string{"red", "green"} }

type inner struct {
	Phone string `json:"phone" check:"format=e164"`
	Email string `json:"email" check:"format=email"`
}

type thingIn struct {
	ID     int64              `path:"id" json:"-"`
	Name   string             `json:"name" check:"required,max=5"`
	Bio    string             `json:"bio" check:"cut=4"`
	Colour colour             `json:"colour"`
	Count  opt.Value[int]     `json:"count" check:"range=50..4000"`
	On     opt.Value[bool]    `json:"on"`
	Note   opt.Value[string]  `json:"note" check:"null"`
	Tags   []string           `json:"tags" check:"items=2,max=3"`
	Person inner              `json:"person" check:"null"`
	Price  opt.Value[float64] `json:"price" check:"range=0..10"`
}

type thing struct {
	ID    int64    `json:"id"`
	Name  string   `json:"name"`
	Bio   string   `json:"bio"`
	Count int      `json:"count"`
	On    *bool    `json:"on"`
	Note  string   `json:"note"`
	Tags  []string `json:"tags"`
	Phone string   `json:"phone"`
	Price float64  `json:"price"`
}

// open is the Authenticator of a service without callers.
type open struct{}

func (open) Account(context.Context) int64 { return 0 }

func (open) Authenticate(call auth.Call) (context.Context, http.Header, error) {
	ctx, authorization := call.Context(), call.Header.Get("Authorization")
	if authorization == "" {
		return nil, http.Header{"Www-Authenticate": {"Bearer"}},
			fault.New(fault.AuthenticationRequired, "No key.")
	}
	return ctx, http.Header{"X-Ratelimit-Limit": {"5"}}, nil
}

// serve starts a service with one resource, and with an endpoint for each way of failing.
func serve(t *testing.T, log io.Writer) *httptest.Server {
	t.Helper()
	r := &api.Router{Auth: open{}, Log: slog.New(slog.NewJSONHandler(log, nil))}
	api.Handle(r, "POST /things/{id}/", api.Doc{Summary: "Make a thing", Status: 201},
		func(_ context.Context, in thingIn) (thing, error) {
			out := thing{ID: in.ID, Name: in.Name, Bio: in.Bio, Count: in.Count.Value, Tags: in.Tags,
				Phone: in.Person.Phone, Price: in.Price.Value}
			if in.On.Set {
				out.On = &in.On.Value
			}
			switch {
			case in.Note.Null:
				out.Note = "null"
			case in.Note.Set:
				out.Note = "set"
			}
			return out, nil
		})
	api.Handle(r, "DELETE /things/{id}/", api.Doc{Summary: "Delete a thing", Status: 204},
		func(_ context.Context, in struct {
			ID int64 `path:"id"`
		}) (api.None, error) {
			return api.None{}, nil
		})
	api.Handle(r, "PUT /things/send/", api.Doc{Summary: "Send a thing", Public: true},
		func(context.Context, api.None) (api.None, error) {
			return api.None{}, nil
		})
	api.Handle(r, "GET /panic/", api.Doc{Summary: "Panic", Public: true},
		func(context.Context, api.None) (api.None, error) {
			panic("the secret cause")
		})
	api.Handle(r, "GET /fail/", api.Doc{Summary: "Fail", Public: true},
		func(context.Context, api.None) (api.None, error) {
			return api.None{}, errors.New("the secret cause")
		})
	api.Handle(r, "GET /plain.json", api.Doc{Summary: "Read a file", Public: true},
		func(context.Context, api.None) (json.RawMessage, error) {
			return json.RawMessage(`{"a": "<"}`), nil
		})
	api.Handle(r, "GET /names/{name...}/", api.Doc{Summary: "Say a name", Public: true},
		func(_ context.Context, in struct {
			Name string `path:"name"`
		}) (map[string]string, error) {
			return map[string]string{"name": in.Name}, nil
		})
	api.Handle(r, "POST /names/", api.Doc{Summary: "Make a name", Public: true},
		func(context.Context, api.None) (api.None, error) {
			return api.None{}, nil
		})
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	return server
}

func call(t *testing.T, server *httptest.Server, method, path, body string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(method, server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer x")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

func TestRouting(t *testing.T) {
	server := serve(t, io.Discard)
	for _, test := range []struct {
		method, path string
		status       int
		body, allow  string
	}{
		{"DELETE", "/api/v1/things/5/", 204, "", ""},
		{"GET", "/api/v1/plain.json", 200, `{"a": "<"}`, ""},
		{"GET", "/api/v1/things/5/", 405, "", "DELETE, POST"},
		{"POST", "/api/v1/plain.json", 405, "", "GET, HEAD"},
		{"PUT", "/api/v1/names/", 405, "", "POST"},
		{"DELETE", "/api/v1/things/send/", 405, "", "PUT"},
		{"PUT", "/api/v1/names/vip/", 405, "", "GET, HEAD"},
		{"DELETE", "/api/v1/things/5", 404, `{"detail":"The resource does not exist.","error":"not_found"}`,
			""},
		{"DELETE", "/api/v1//things/5/", 404, `{"detail":"The resource does not exist.","error":"not_found"}`,
			""},
		{"DELETE", "/api/v1/things/../things/5/", 404,
			`{"detail":"The resource does not exist.","error":"not_found"}`, ""},
		{"DELETE", "/api/v1/things/5/more/", 404,
			`{"detail":"The resource does not exist.","error":"not_found"}`, ""},
		{"GET", "/api/v1/plain.json/", 404, `{"detail":"The resource does not exist.","error":"not_found"}`,
			""},
		{"GET", "/", 404, `{"detail":"The resource does not exist.","error":"not_found"}`, ""},
		{"DELETE", "/api/v1/things/five/", 404,
			`{"detail":"The resource does not exist.","error":"not_found"}`, ""},
		{"DELETE", "/api/v1/things/0/", 404, `{"detail":"The resource does not exist.","error":"not_found"}`,
			""},
		{"DELETE", "/api/v1/things/+5/", 404, `{"detail":"The resource does not exist.","error":"not_found"}`,
			""},
		{"DELETE", "/api/v1/things/05/", 404, `{"detail":"The resource does not exist.","error":"not_found"}`,
			""},
		{"DELETE", "/api/v1/things/9007199254740992/", 404,
			`{"detail":"The resource does not exist.","error":"not_found"}`, ""},
	} {
		resp, body := call(t, server, test.method, test.path, "")
		if resp.StatusCode != test.status || body != test.body || resp.Header.Get("Allow") != test.allow {
			t.Errorf("%s %s: %d %q, Allow %q", test.method, test.path, resp.StatusCode, body,
				resp.Header.Get("Allow"))
		}
	}
}

// TestGreedyPath reads names from paths, those with slashes as clients escape them and as gateways hand them
// on.
func TestGreedyPath(t *testing.T) {
	server := serve(t, io.Discard)
	for path, want := range map[string]string{
		"vip/":                             "vip",
		"a%2Fb/":                           "a/b",
		"a/b/":                             "a/b",
		"a%2F/":                            "a/",
		"%2F/":                             "/",
		"..%2F..%2Fthings/":                "../../things",
		"%2e%2e/":                          "..",
		"100%25/":                          "100%",
		"%252F/":                           "%2F",
		"two%20words/":                     "two words",
		"a+b/":                             "a+b",
		"%3F%23%26=;/":                     "?#&=;",
		"%F0%9F%A6%8A%E2%80%8D%C3%A9/":     "🦊\u200dé",
		"a/b/c%2Fd/e%2F/":                  "a/b/c/d/e/",
		"%E4%BD%A0%E5%A5%BD/%F0%9F%91%8B/": "你好/👋",
	} {
		resp, body := call(t, server, "GET", "/api/v1/names/"+path, "")
		text, err := json.Marshal(map[string]string{"name": want})
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != 200 || !sameJSON(t, body, string(text)) {
			t.Errorf("%s: %d %s, want %q", path, resp.StatusCode, body, want)
		}
	}
	for path, status := range map[string]int{"": 405, "vip": 404, "a%2Fb": 404, "a/b": 404, "a//b/": 404,
		"../names/x/": 404} {
		if resp, body := call(t, server, "GET", "/api/v1/names/"+path, ""); resp.StatusCode != status {
			t.Errorf("%q: %d %s, want %d", path, resp.StatusCode, body, status)
		}
	}
}

// sameJSON reports whether two texts hold the same value.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal([]byte(a), &x), json.Unmarshal([]byte(b), &y)); err != nil {
		t.Fatal(err)
	}
	return cmp.Equal(x, y)
}

func TestBody(t *testing.T) {
	server := serve(t, io.Discard)
	type result struct {
		Status             int
		Error, Field, Name string
	}
	for _, test := range []struct {
		name, body string
		want       result
	}{
		{"malformed", `{"name": `, result{400, "bad_request", "", ""}},
		{"not UTF-8", "{\"name\": \"\xff\"}", result{400, "bad_request", "", ""}},
		{"two objects", `{"name": "a"} {}`, result{400, "bad_request", "", ""}},
		{"an array", `[]`, result{400, "bad_request", "", ""}},
		{"null", `null`, result{400, "bad_request", "", ""}},
		{"no body", ``, result{400, "validation_error", "name", ""}},
		{"missing", `{}`, result{400, "validation_error", "name", ""}},
		{"other case", `{"Name": "a"}`, result{400, "validation_error", "name", ""}},
		{"blank", `{"name": " \t "}`, result{400, "validation_error", "name", ""}},
		{"a null", `{"name": null}`, result{400, "bad_request", "", ""}},
		{"a number", `{"name": 5}`, result{400, "bad_request", "", ""}},
		{"longest", `{"name": "😀😀😀😀😀"}`, result{201, "", "", "😀😀😀😀😀"}},
		{"too long", `{"name": "abcdef"}`, result{400, "validation_error", "name", ""}},
		{"enum", `{"name": "a", "colour": "blue"}`, result{400, "validation_error", "colour", ""}},
		{"range, below", `{"name": "a", "count": 49}`, result{400, "validation_error", "count", ""}},
		{"range, low end", `{"name": "a", "count": 50}`, result{201, "", "", "a"}},
		{"range, high end", `{"name": "a", "count": 4000.0}`, result{201, "", "", "a"}},
		{"range, above", `{"name": "a", "count": 4001}`, result{400, "validation_error", "count", ""}},
		{"a fraction", `{"name": "a", "count": 50.5}`, result{400, "bad_request", "", ""}},
		{"huge", `{"name": "a", "count": 1e300}`, result{400, "validation_error", "count", ""}},
		{"a text for a number", `{"name": "a", "count": "50"}`, result{400, "bad_request", "", ""}},
		{"a text for a boolean", `{"name": "a", "on": "yes"}`, result{400, "bad_request", "", ""}},
		{"a number for a boolean", `{"name": "a", "on": 1}`, result{400, "bad_request", "", ""}},
		{"fraction out of range", `{"name": "a", "price": 10.01}`,
			result{400, "validation_error", "price", ""}},
		{"too many", `{"name": "a", "tags": ["a", "b", "c"]}`, result{400, "validation_error", "tags", ""}},
		{"entry too long", `{"name": "a", "tags": ["abcd"]}`, result{400, "validation_error", "tags", ""}},
		{"entry of another type", `{"name": "a", "tags": [1]}`, result{400, "bad_request", "", ""}},
		{"object of another type", `{"name": "a", "person": "Ada"}`, result{400, "bad_request", "", ""}},
		{"inside an object", `{"name": "a", "person": {"phone": "0123"}}`,
			result{400, "validation_error", "person.phone", ""}},
		{"address inside an object", `{"name": "a", "person": {"email": "Ada <ada@example.com>"}}`,
			result{400, "validation_error", "person.email", ""}},
		{"object that may be null", `{"name": "a", "person": null}`, result{201, "", "", "a"}},
		{"unknown key", `{"name": "a", "other": {"deep": [1, null]}}`, result{201, "", "", "a"}},
		{"over the limit", `{"name": "` + strings.Repeat("a", api.MaxBody) + `"}`,
			result{413, "payload_too_large", "", ""}},
	} {
		resp, body := call(t, server, "POST", "/api/v1/things/5/", test.body)
		got := result{Status: resp.StatusCode}
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Errorf("%s: answer %q: %v", test.name, body, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s\n%s", test.name, diff, body)
		}
	}
}

func TestBodyValues(t *testing.T) {
	server := serve(t, io.Discard)
	off := false
	for _, test := range []struct {
		body string
		want thing
	}{
		{`{"name": " a ", "bio": "  abcdef"}`, thing{ID: 5, Name: " a ", Bio: "abcd"}},
		{`{"name": "a", "on": false, "count": 5e1, "price": 2}`,
			thing{ID: 5, Name: "a", On: &off, Count: 50, Price: 2}},
		{`{"name": "a", "note": null, "tags": []}`, thing{ID: 5, Name: "a", Note: "null", Tags: []string{}}},
		{`{"name": "a", "note": "", "person": {"phone": "+1 (415) 555-2671"}}`,
			thing{ID: 5, Name: "a", Note: "set", Phone: "+14155552671"}},
		{`{"name": "b", "name": "a"}`, thing{ID: 5, Name: "a"}},
	} {
		_, body := call(t, server, "POST", "/api/v1/things/5/", test.body)
		var got thing
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.body, diff)
		}
	}
}

func TestFailuresStayInside(t *testing.T) {
	var log strings.Builder
	server := serve(t, &log)
	for _, path := range []string{"/api/v1/panic/", "/api/v1/fail/"} {
		log.Reset()
		resp, body := call(t, server, "GET", path, "")
		if resp.StatusCode != 500 ||
			body != `{"detail":"An internal error occurred.","error":"internal_error"}` {
			t.Errorf("%s: %d %s", path, resp.StatusCode, body)
		}
		if !strings.Contains(log.String(), "the secret cause") ||
			!strings.Contains(log.String(), resp.Header.Get(api.RequestIDHeader)) {
			t.Errorf("%s: the log lacks the cause or the request: %s", path, log.String())
		}
	}
}

func TestAuthentication(t *testing.T) {
	server := serve(t, io.Discard)
	resp, err := http.Post(server.URL+"/api/v1/things/x/", "application/json", strings.NewReader("{"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 401 || resp.Header.Get("WWW-Authenticate") != "Bearer" {
		t.Errorf("without a key: %d, WWW-Authenticate %q", resp.StatusCode,
			resp.Header.Get("WWW-Authenticate"))
	}
	answered, _ := call(t, server, "DELETE", "/api/v1/things/5/", "")
	if answered.Header.Get("X-RateLimit-Limit") != "5" {
		t.Errorf("the authenticator's headers are not in the answer: %v", answered.Header)
	}
}

// TestBaseURL has the addresses in answers be those that the caller can reach.
func TestBaseURL(t *testing.T) {
	r := &api.Router{Log: slog.New(slog.DiscardHandler)}
	api.Handle(r, "GET /base/", api.Doc{Public: true}, func(ctx context.Context, _ api.None) (string, error) {
		return api.BaseURL(ctx), nil
	})
	for proto, want := range map[string]string{
		"": "http://api.example.com/api/v1/", "http": "http://api.example.com/api/v1/",
		"https": "https://api.example.com/api/v1/", "javascript": "http://api.example.com/api/v1/",
	} {
		req := httptest.NewRequest("GET", "http://api.example.com/api/v1/base/", nil)
		req.Header.Set("X-Forwarded-Proto", proto)
		answer := httptest.NewRecorder()
		r.ServeHTTP(answer, req)
		if got := answer.Body.String(); got != `"`+want+`"` {
			t.Errorf("X-Forwarded-Proto %q: %s, want %s", proto, got, want)
		}
	}
}

// TestSameRouteTwice adds endpoints that no request could tell apart.
func TestSameRouteTwice(t *testing.T) {
	r := &api.Router{}
	add := func(pattern string) (refused bool) {
		defer func() { refused = recover() != nil }()
		api.Handle(r, pattern, api.Doc{}, func(context.Context, api.None) (api.None, error) {
			return api.None{}, nil
		})
		return false
	}
	for _, test := range []struct {
		pattern string
		refused bool
	}{
		{"GET /things/{id}/", false}, {"GET /things/{name}/", true}, {"PUT /things/{name}/", false},
		{"GET /things/all/", false}, {"GET /things/{id}", false},
	} {
		if refused := add(test.pattern); refused != test.refused {
			t.Errorf("%s: refused %v, want %v", test.pattern, refused, test.refused)
		}
	}
}
