// Package apitest makes requests to the REST API in tests and checks the responses.
package apitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A Client calls a service with one API key. It is safe for concurrent use.
type Client struct {
	Base string // base address; ends in /api/v1/
	Key  string // "" for none
	// Account is the id of the key's workspace, 0 if it is not known.
	Account int64
	// Header is sent with every request.
	Header http.Header
	// Transport makes the requests; nil is http.DefaultTransport.
	Transport http.RoundTripper
}

// An Answer is a response.
type Answer struct {
	Status int
	Header http.Header
	Body   string
	// Fields is the body as a JSON object; nil if it is none. Numbers are of type json.Number.
	Fields map[string]any
}

// Call makes a request and ends the test if there is no response. path is relative to Base, or a whole URL
// as in next. A string body is sent unchanged, others as JSON, and nil sends none.
func (c *Client) Call(t testing.TB, method, path string, body any) Answer {
	t.Helper()
	a, err := c.Try(method, path, body)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Try is Call for goroutines other than the test's.
func (c *Client) Try(method, path string, body any) (Answer, error) {
	var reader io.Reader
	switch body := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(body)
	default:
		text, err := json.Marshal(body)
		if err != nil {
			return Answer{}, err
		}
		reader = bytes.NewReader(text)
	}
	address := path
	if !strings.HasPrefix(path, "http") {
		address = c.Base + strings.TrimPrefix(path, "/")
	}
	req, err := http.NewRequest(method, address, reader)
	if err != nil {
		return Answer{}, err
	}
	// `sam local` passes compressed bodies on in base64 unless there is an Accept header.
	req.Header.Set("Accept", "*/*")
	for name, values := range c.Header {
		req.Header[name] = values
	}
	if c.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.Key)
	}
	req.Header.Set("Content-Type", "application/json")
	client := http.Client{
		Transport:     c.Transport,
		Timeout:       time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Status: resp.StatusCode, Header: resp.Header, Body: string(text)}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if dec.Decode(&a.Fields) != nil {
		a.Fields = nil
	}
	return a, nil
}

// Want makes a request and ends the test unless the response has the status.
func (c *Client) Want(t testing.TB, status int, method, path string, body any) Answer {
	t.Helper()
	a := c.Call(t, method, path, body)
	if a.Status != status {
		t.Fatalf("%s %s: %d %s, want %d", method, path, a.Status, a.Body, status)
	}
	return a
}

// WantError makes a request and fails the test unless the response is an error with the status, code and
// field.
func (c *Client) WantError(t testing.TB, status int, code, field, method, path string, body any) Answer {
	t.Helper()
	a := c.Call(t, method, path, body)
	got := fmt.Sprint(a.Status, " ", a.Fields["error"], " ", a.Text("field"))
	if want := fmt.Sprint(status, " ", code, " ", field); got != want {
		t.Errorf("%s %s: %s, want %s: %s", method, path, got, want, a.Body)
	}
	if a.Text("detail") == "" || !strings.HasPrefix(a.Header.Get("Content-Type"), "application/json") {
		t.Errorf("%s %s: no error body of the API: %q %s", method, path, a.Header.Get("Content-Type"), a.Body)
	}
	return a
}

// Into decodes the body into out.
func (a Answer) Into(t testing.TB, out any) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.Body), out); err != nil {
		t.Fatalf("%v in %.500s", err, a.Body)
	}
}

// Text returns a string field, or "" if it is none.
func (a Answer) Text(field string) string {
	s, _ := a.Fields[field].(string)
	return s
}

// Number returns a number field as text, or "" if it is none.
func (a Answer) Number(field string) string {
	n, _ := a.Fields[field].(json.Number)
	return n.String()
}

// Results returns the items of a page.
func (a Answer) Results() []map[string]any {
	list, _ := a.Fields["results"].([]any)
	items := make([]map[string]any, 0, len(list))
	for _, v := range list {
		item, _ := v.(map[string]any)
		items = append(items, item)
	}
	return items
}
