package llm

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A Client calls a service over HTTP and streams its answer. Addresses come from the operator, so they may
// be private; calls to addresses of outsiders use [frontdesk/shared/egress].
type Client struct {
	service string
	http    *http.Client
}

const (
	maxAnswer = 8 << 20  // bytes of a streamed answer
	maxError  = 64 << 10 // bytes read of an answer that says what went wrong
	// maxAfter is the longest Retry-After that is worth waiting for.
	maxAfter = 5 * time.Second
)

// NewClient returns a Client. The name of the service is used in its failures. Redirects are not followed,
// since they would forward the key and the prompt.
func NewClient(service string) *Client {
	return &Client{service, &http.Client{
		Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			TLSHandshakeTimeout:    5 * time.Second,
			IdleConnTimeout:        time.Minute,
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Do sends the request and passes the header and the body of the answer to read, if its status is 200. Any
// other answer, and an error while reading, is a *Failure or the error of the context.
func (c *Client) Do(req *http.Request, read func(http.Header, io.Reader) error) error {
	ctx := req.Context()
	resp, err := c.http.Do(req)
	if err != nil {
		return c.ended(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return c.refusal(resp)
	}
	err = read(resp.Header, io.LimitReader(resp.Body, maxAnswer))
	if err == nil {
		return nil
	}
	return c.ended(ctx, err)
}

// ended returns the error of a call that failed.
func (c *Client) ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if f, ok := err.(*Failure); ok {
		f.Service = c.service
		return f
	}
	return broken(c.service, err)
}

// refusal returns the failure that an answer with another status than 200 describes.
func (c *Client) refusal(resp *http.Response) *Failure {
	f := &Failure{Service: c.service, Status: resp.StatusCode}
	switch resp.StatusCode {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusFailedDependency,
		http.StatusTooManyRequests:
		f.Passing = true
	default:
		f.Passing = resp.StatusCode >= 500
	}
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && seconds > 0 {
		f.After = time.Duration(seconds) * time.Second
		f.Passing = f.Passing && f.After <= maxAfter
	}
	// The header is Bedrock's, the body OpenAI's.
	f.Code, _, _ = strings.Cut(resp.Header.Get("X-Amzn-Errortype"), ":")
	if f.Code == "" {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, maxError))
		f.Code = ErrorCode(text)
	}
	if f.Code == "insufficient_quota" {
		f.Passing = false // it has the status of too many requests, and passes when somebody pays
	}
	return f
}

// ErrorCode returns the name of the error in an answer of OpenAI's format, or "".
func ErrorCode(body []byte) string {
	var answer struct {
		Error struct {
			Code any    `json:"code"` // a text, a number or null
			Type string `json:"type"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return ""
	}
	if code, ok := answer.Error.Code.(string); ok && code != "" {
		return code
	}
	return answer.Error.Type
}
