package lambda

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// An invocation is one event that a process handles.
type invocation struct {
	id      string
	trace   string
	payload []byte
	answer  chan answer // has room for the one answer
}

// An answer is the outcome of an invocation.
type answer struct {
	payload []byte
	err     error
}

func newInvocation(payload []byte) *invocation {
	var random [20]byte
	rand.Read(random[:]) // never fails
	return &invocation{
		id: uuid.NewString(),
		trace: fmt.Sprintf("Root=1-%08x-%s;Parent=%s;Sampled=0",
			time.Now().Unix(), hex.EncodeToString(random[:12]), hex.EncodeToString(random[12:])),
		payload: payload,
		answer:  make(chan answer, 1),
	}
}

// runtimeAPI serves the Lambda Runtime API to the process of the environment.
func (e *environment) runtimeAPI() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /2018-06-01/runtime/invocation/next", e.serveNext)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/response", e.serveResponse)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/error", e.serveError)
	mux.HandleFunc("POST /2018-06-01/runtime/init/error", e.serveInitError)
	return mux
}

// serveNext waits for the next invocation and answers with it.
func (e *environment) serveNext(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	if e.init == 0 {
		e.init = time.Since(e.started)
	}
	e.mu.Unlock()
	var i *invocation
	select {
	case i = <-e.next:
	case <-r.Context().Done():
		return
	}
	e.mu.Lock()
	e.current = i
	e.mu.Unlock()
	deadline := time.Now().Add(e.function.config.Timeout)
	h := w.Header()
	h.Set("Lambda-Runtime-Aws-Request-Id", i.id)
	h.Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(deadline.UnixMilli(), 10))
	h.Set("Lambda-Runtime-Invoked-Function-Arn", e.function.arn())
	h.Set("Lambda-Runtime-Trace-Id", i.trace)
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(i.payload)))
	w.Write(i.payload)
}

// serveResponse takes the result of the current invocation.
func (e *environment) serveResponse(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, MaxPayload+1))
	if err != nil {
		refuse(w, http.StatusBadRequest, "InvalidRequest", "The body cannot be read.")
		return
	}
	a := answer{payload: body}
	if len(body) > MaxPayload {
		a = answer{err: &Error{
			Type: "Function.ResponseSizeTooLarge",
			Message: fmt.Sprintf("Response payload size exceeded maximum allowed payload size (%d bytes).",
				MaxPayload),
		}}
	} else if kind := r.Trailer.Get("Lambda-Runtime-Function-Error-Type"); kind != "" {
		// The function failed after it had begun to answer.
		failed := Error{Type: kind}
		if text, err := base64.StdEncoding.DecodeString(
			r.Trailer.Get("Lambda-Runtime-Function-Error-Body")); err == nil {
			failed = readError(text, kind)
		}
		a = answer{err: &failed}
	}
	if !e.finish(r.PathValue("id"), a) {
		refuse(w, http.StatusBadRequest, "InvalidRequestID",
			"The request id is not the one of the current invocation.")
		return
	}
	if len(body) > MaxPayload {
		refuse(w, http.StatusRequestEntityTooLarge, "RequestEntityTooLarge", "The response is too large.")
		return
	}
	accept(w)
}

// serveError takes the error of the current invocation.
func (e *environment) serveError(w http.ResponseWriter, r *http.Request) {
	failed, ok := readErrorOf(w, r)
	if !ok {
		return
	}
	if !e.finish(r.PathValue("id"), answer{err: &failed}) {
		refuse(w, http.StatusBadRequest, "InvalidRequestID",
			"The request id is not the one of the current invocation.")
		return
	}
	accept(w)
}

// serveInitError takes the error for which the process ends before its first invocation.
func (e *environment) serveInitError(w http.ResponseWriter, r *http.Request) {
	failed, ok := readErrorOf(w, r)
	if !ok {
		return
	}
	e.mu.Lock()
	e.initError = &failed
	e.mu.Unlock()
	accept(w)
}

// finish answers the current invocation. It reports false if that has another id.
func (e *environment) finish(id string, a answer) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.current == nil || e.current.id != id {
		return false
	}
	if !e.answered {
		e.answered = true
		e.function.addStart(Start{Init: e.init, Answer: time.Since(e.started)})
	}
	e.current.answer <- a
	e.current = nil
	return true
}

func (f *Function) addStart(s Start) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.starts = append(f.starts, s)
}

// readErrorOf reads the error that a request reports. If the body cannot be read it refuses the request and
// reports false.
func readErrorOf(w http.ResponseWriter, r *http.Request) (Error, bool) {
	body, err := io.ReadAll(io.LimitReader(r.Body, MaxPayload))
	if err != nil {
		refuse(w, http.StatusBadRequest, "InvalidRequest", "The body cannot be read.")
		return Error{}, false
	}
	return readError(body, r.Header.Get("Lambda-Runtime-Function-Error-Type")), true
}

// readError decodes the report of an error. If the report cannot be decoded, the type is that of the
// request's header.
func readError(text []byte, kind string) Error {
	var e Error
	if err := json.Unmarshal(text, &e); err != nil {
		e.Message = string(text)
	}
	if e.Type == "" {
		e.Type = kind
	}
	return e
}

func accept(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusAccepted)
	io.WriteString(w, `{"status":"OK"}`)
}

func refuse(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(Error{Type: kind, Message: message})
}
