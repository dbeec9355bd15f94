package cloud

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// A handler answers the events of a function. It works on one at a time.
type handler func(ctx context.Context, event []byte) ([]byte, error)

// start processes the invocations of the function. It does not return: if the Runtime API fails or the
// handler panics, the process ends with a log line, and Lambda starts another.
func start(handle handler) {
	api := &runtimeAPI{address: Env("AWS_LAMBDA_RUNTIME_API")}
	err := api.serve(handle)
	Log().Error("runtime ends", "error", err.Error())
	os.Exit(1)
}

// typed returns a handler that decodes its event from JSON and encodes its result.
func typed[E, A any](handle func(context.Context, E) (A, error)) handler {
	return func(ctx context.Context, payload []byte) ([]byte, error) {
		var event E
		if err := json.Unmarshal(payload, &event); err != nil {
			return nil, fmt.Errorf("cloud: read the event: %w", err)
		}
		answer, err := handle(ctx, event)
		if err != nil {
			return nil, err
		}
		return json.Marshal(answer)
	}
}

// A runtimeAPI is a client of the Lambda Runtime API, three HTTP requests to a server on the same machine:
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html. It writes them to one connection itself.
// aws-lambda-go uses the client of net/http, whose pool, goroutines and HTTP/2 take a seventh of a cold
// start.
type runtimeAPI struct {
	address string
	conn    net.Conn // nil before the first request and after a failed one
	reader  *bufio.Reader
}

// serve answers invocations until that fails.
func (a *runtimeAPI) serve(handle handler) error {
	for {
		if err := a.invocation(handle); err != nil {
			return err
		}
	}
}

// invocation awaits an invocation and answers it. An error of the handler is an answer, a panic is also the
// end.
func (a *runtimeAPI) invocation(handle handler) error {
	header, event, err := a.request(http.MethodGet, "next", nil, http.StatusOK)
	if err != nil {
		return err
	}
	deadline, err := strconv.ParseInt(header.Get("Lambda-Runtime-Deadline-Ms"), 10, 64)
	if err != nil {
		return fmt.Errorf("read the deadline: %w", err)
	}
	ctx, cancel := context.WithDeadline(context.Background(), time.UnixMilli(deadline))
	defer cancel()
	// The SDK passes the trace on with its requests, by which Lambda finds functions that call each other in
	// a circle.
	os.Setenv("_X_AMZN_TRACE_ID", header.Get("Lambda-Runtime-Trace-Id"))
	id := header.Get("Lambda-Runtime-Aws-Request-Id")
	answer, failed := call(ctx, handle, event)
	if failed == nil {
		_, _, err = a.request(http.MethodPost, id+"/response", answer, http.StatusAccepted)
		return err
	}
	if answer, err = json.Marshal(failed); err != nil {
		return err
	}
	Log().Error("invocation failed", "request_id", id, "failure", failed)
	_, _, err = a.request(http.MethodPost, id+"/error", answer, http.StatusAccepted)
	if err == nil && failed.Stack != nil {
		err = fmt.Errorf("panic: %s", failed.Message)
	}
	return err
}

// A failure is what the Runtime API is sent instead of a result.
type failure struct {
	Type    string   `json:"errorType"`
	Message string   `json:"errorMessage"`
	Stack   []string `json:"stackTrace,omitempty"` // of a panic
}

// call returns what the handler answers, or how it failed.
func call(ctx context.Context, handle handler, event []byte) (answer []byte, failed *failure) {
	defer func() {
		if cause := recover(); cause != nil {
			failed = &failure{Type: fmt.Sprintf("%T", cause), Message: fmt.Sprint(cause),
				Stack: strings.Split(strings.TrimSpace(string(debug.Stack())), "\n")}
		}
	}()
	answer, err := handle(ctx, event)
	if err != nil {
		return nil, &failure{Type: fmt.Sprintf("%T", err), Message: err.Error()}
	}
	return answer, nil
}

// request makes a request and returns header and body of the response, which must have the status want. A
// connection that the server closed since the request before is replaced.
func (a *runtimeAPI) request(method, path string, content []byte, want int) (http.Header, []byte, error) {
	head := method + " /2018-06-01/runtime/invocation/" + path + " HTTP/1.1\r\nHost: " + a.address + "\r\n"
	if method == http.MethodPost {
		head += "Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(content)) + "\r\n"
	}
	for {
		reused := a.conn != nil
		resp, body, err := a.send(head+"\r\n", content)
		if err == nil && resp.StatusCode != want {
			err = fmt.Errorf("status %d: %s", resp.StatusCode, body)
		}
		if err == nil {
			return resp.Header, body, nil
		}
		if resp != nil || !reused {
			return nil, nil, fmt.Errorf("%s %s of the Runtime API: %w", method, path, err)
		}
	}
}

// send writes a request to the connection and reads the response. If the connection fails, it is closed and
// the response is nil.
func (a *runtimeAPI) send(head string, content []byte) (*http.Response, []byte, error) {
	if a.conn == nil {
		conn, err := net.Dial("tcp", a.address)
		if err != nil {
			return nil, nil, err
		}
		a.conn, a.reader = conn, bufio.NewReader(conn)
	}
	packets := net.Buffers{[]byte(head), content}
	_, err := packets.WriteTo(a.conn)
	var resp *http.Response
	if err == nil {
		resp, err = http.ReadResponse(a.reader, nil)
	}
	if err != nil {
		a.close()
		return nil, nil, err
	}
	body := bytes.NewBuffer(make([]byte, 0, max(resp.ContentLength, 0)+bytes.MinRead))
	if _, err := body.ReadFrom(resp.Body); err != nil || resp.Close {
		a.close()
		return resp, body.Bytes(), err
	}
	return resp, body.Bytes(), nil
}

func (a *runtimeAPI) close() {
	a.conn.Close()
	a.conn = nil
}
