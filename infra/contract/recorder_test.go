package contract

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A recorder makes the requests of all tests. It holds each answer to the API's description and remembers
// which of the answers in it were seen.
type recorder struct {
	description *description
	transport   http.RoundTripper

	mu       sync.Mutex
	seen     map[string]bool // as written by seenAs
	problems []string
}

// seenAs names an answer of an operation. The code is "" for a success.
func seenAs(o *operation, status int, code string) string {
	return strings.TrimSpace(fmt.Sprint(o, " ", status, " ", code))
}

// RoundTrip makes a request.
func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	_, path, ok := strings.Cut(req.URL.EscapedPath(), "/api/v1/")
	if !ok || req.Method == http.MethodHead {
		return resp, nil
	}
	if problem := r.read(req.Method, "/"+path, resp, body); problem != "" {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.problems = append(r.problems, fmt.Sprintf("%s /%s: %d %.300s: %s", req.Method, path,
			resp.StatusCode, body, problem))
	}
	return resp, nil
}

// read looks at one answer, and says what is wrong with it, "" when nothing is.
func (r *recorder) read(method, path string, resp *http.Response, body []byte) string {
	p, o := r.description.find(method, path)
	switch {
	case p == nil:
		return r.failure(resp, body, "not_found")
	case o == nil:
		return r.otherMethod(p, method, resp, body)
	}
	a, ok := o.answers[resp.StatusCode]
	if !ok {
		return "the description has no such status"
	}
	code := ""
	if a.schema == nil {
		if len(body) > 0 && !o.raw {
			return "a body where the description has none"
		}
	} else {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
		if err != nil {
			return err.Error()
		}
		if err := a.schema.Validate(value); err != nil {
			return err.Error()
		}
		if a.codes != nil {
			code, _ = value.(map[string]any)["error"].(string)
		}
		if problem := isJSON(resp); problem != "" {
			return problem
		}
	}
	r.mu.Lock()
	r.seen[seenAs(o, resp.StatusCode, code)] = true
	r.mu.Unlock()
	return headers(o, code, resp.Header)
}

// failure holds an answer that belongs to no operation to the form of errors.
func (r *recorder) failure(resp *http.Response, body []byte, code string) string {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err.Error()
	}
	fields, _ := value.(map[string]any)
	if detail, _ := fields["detail"].(string); fields["error"] != code || detail == "" {
		return "want the error " + code
	}
	return isJSON(resp)
}

// otherMethod holds the answer to a method that a path lacks to the rule for those.
func (r *recorder) otherMethod(p *pattern, method string, resp *http.Response, body []byte) string {
	if method == http.MethodOptions && resp.StatusCode == http.StatusNoContent &&
		strings.HasPrefix(p.path, "/widget/") && len(body) == 0 {
		return "" // what browsers ask before they call another site
	}
	if resp.StatusCode != http.StatusMethodNotAllowed || len(body) > 0 {
		return "want 405 without a body"
	}
	var allowed []string
	for _, allow := range strings.Split(resp.Header.Get("Allow"), ", ") {
		if allow != http.MethodHead && allow != http.MethodOptions {
			allowed = append(allowed, allow)
		}
	}
	slices.Sort(allowed)
	if !slices.Equal(allowed, p.methods) {
		return fmt.Sprintf("Allow is %q, want %q", allowed, p.methods)
	}
	return ""
}

func isJSON(resp *http.Response) string {
	if kind := resp.Header.Get("Content-Type"); kind != "application/json" {
		return fmt.Sprintf("the content type is %q", kind)
	}
	return ""
}

// headers looks at those that go with every answer of a kind.
func headers(o *operation, code string, header http.Header) string {
	if code == "rate_limited" || code == "unavailable" {
		if wait, err := strconv.Atoi(header.Get("Retry-After")); err != nil || wait < 1 {
			return fmt.Sprintf("Retry-After is %q", header.Get("Retry-After"))
		}
	}
	unknown := code == "authentication_required" || code == "invalid_api_key" || code == "api_key_expired"
	if unknown && header.Get("WWW-Authenticate") == "" {
		return "no WWW-Authenticate"
	}
	if o.public || unknown || code == "forbidden" {
		return ""
	}
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		if _, err := strconv.Atoi(header.Get(name)); err != nil {
			return fmt.Sprintf("%s is %q", name, header.Get(name))
		}
	}
	return ""
}

// unseen names the answers of the description that no test got, but for the exceptions, and the exceptions
// that a test did get.
func (r *recorder) unseen(exceptions map[string]string) (missing, needless []string) {
	for _, o := range slices.Concat(r.description.operations, r.description.raw) {
		for status, a := range o.answers {
			codes := a.codes
			if codes == nil {
				codes = []string{""}
			}
			for _, code := range codes {
				name := seenAs(o, status, code)
				if !r.seen[name] && exceptions[name] == "" {
					missing = append(missing, name)
				}
			}
		}
	}
	for name := range exceptions {
		if r.seen[name] {
			needless = append(needless, name)
		}
	}
	slices.Sort(missing)
	slices.Sort(needless)
	return missing, needless
}
