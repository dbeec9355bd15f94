package cloud

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"
)

// A gateway converts the events of API Gateway to requests of an http.Handler. Its types have only the fields
// that are read, since encoding/json prepares every field of a type at its first use: the types of
// aws-lambda-go/events took a tenth of a cold start.
type gateway struct{ handler http.Handler }

// An event is a request to a REST API. Those that are made up by hand may have headers and parameters of one
// value only.
type event struct {
	Method     string              `json:"httpMethod"`
	Path       string              `json:"path"`
	Headers    map[string]string   `json:"headers"`
	HeaderList map[string][]string `json:"multiValueHeaders"`
	Query      map[string]string   `json:"queryStringParameters"`
	QueryList  map[string][]string `json:"multiValueQueryStringParameters"`
	Body       string              `json:"body"`
	Base64     bool                `json:"isBase64Encoded"`
	Origin     origin              `json:"requestContext"`
}

// An origin is the request context of API Gateway.
type origin struct {
	APIID     string `json:"apiId"`
	Domain    string `json:"domainName"`
	Stage     string `json:"stage"`
	RequestID string `json:"requestId"`
	Identity  struct {
		Address string `json:"sourceIp"`
	} `json:"identity"`
}

// originKey is the key of the origin in the context of a request.
type originKey struct{}

// An answer is the response to API Gateway.
type answer struct {
	Status int         `json:"statusCode"`
	Header http.Header `json:"multiValueHeaders"`
	Body   string      `json:"body"`
	Base64 bool        `json:"isBase64Encoded,omitempty"`
}

// handle handles an invocation of the function.
func (g gateway) handle(ctx context.Context, payload []byte) ([]byte, error) {
	var e event
	if err := json.Unmarshal(payload, &e); err != nil {
		return nil, fmt.Errorf("cloud: read the event: %w", err)
	}
	req, err := e.request(ctx)
	if err != nil {
		return nil, fmt.Errorf("cloud: read the request: %w", err)
	}
	w := &response{header: http.Header{}, status: http.StatusOK}
	g.handler.ServeHTTP(w, req)
	a := answer{Status: w.status, Header: w.header}
	if body := w.body.Bytes(); utf8.Valid(body) {
		a.Body = string(body)
	} else {
		a.Body, a.Base64 = base64.StdEncoding.EncodeToString(body), true
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(a)
	return out.Bytes(), err
}

// request returns the event as a request.
func (e *event) request(ctx context.Context) (*http.Request, error) {
	body := []byte(e.Body)
	if e.Base64 {
		var err error
		if body, err = base64.StdEncoding.DecodeString(e.Body); err != nil {
			return nil, err
		}
	}
	address := "https://" + e.Origin.Domain + "/" + strings.TrimPrefix(escaped(e.Path), "/")
	if query := listed(e.QueryList, e.Query); len(query) > 0 {
		address += "?" + url.Values(query).Encode()
	}
	ctx = context.WithValue(ctx, originKey{}, e.Origin)
	req, err := http.NewRequestWithContext(ctx, e.Method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, values := range listed(e.HeaderList, e.Headers) {
		for _, value := range values {
			req.Header.Add(name, value)
		}
	}
	return req, nil
}

// listed returns the lists of values or, if there are none, each single value as a list of one.
func listed(lists map[string][]string, single map[string]string) map[string][]string {
	if lists != nil {
		return lists
	}
	lists = map[string][]string{}
	for name, value := range single {
		lists[name] = []string{value}
	}
	return lists
}

// A response collects what an http.Handler writes.
type response struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (r *response) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter.
func (r *response) WriteHeader(status int) { r.status = status }

// Write implements http.ResponseWriter.
func (r *response) Write(b []byte) (int, error) { return r.body.Write(b) }
