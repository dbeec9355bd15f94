package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"

	"frontdesk/shared/fault"
)

// A RawRequest is a request whose body is read as it came.
type RawRequest struct {
	*http.Request
	w http.ResponseWriter
}

// ReadBody reads the whole body. A fault of the code PayloadTooLarge says that it has more bytes than the limit.
func (r RawRequest) ReadBody(limit int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(r.w, r.Body, limit))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, fault.New(fault.PayloadTooLarge, "The body is over the limit of %d bytes.", limit)
	}
	if err != nil {
		return nil, fault.New(fault.BadRequest, "The body could not be read.")
	}
	return body, nil
}

// A RawAnswer is an answer of a type of its own.
type RawAnswer struct {
	Type string // as in Content-Type; text/plain where it is empty
	Body string
}

// HandleRaw adds an endpoint for calls whose form others define, such as the webhooks of platforms. In has fields of the
// path alone. It is public: the function finds out itself who calls. It is no part of the OpenAPI document, which is for
// callers of this API's own making.
func HandleRaw[In any](r *Router, pattern string, fn func(context.Context, In, RawRequest) (RawAnswer, error)) {
	method, path, _ := strings.Cut(pattern, " ")
	doc := Doc{Public: true, Status: http.StatusOK}
	entry := route{method, Prefix + path, doc, reflect.TypeFor[In](), reflect.TypeFor[RawAnswer]()}
	r.add(entry, func(w http.ResponseWriter, req *http.Request) {
		var in In
		if err := bind(w, req, reflect.ValueOf(&in).Elem()); err != nil {
			r.fail(w, req, err)
			return
		}
		answer, err := fn(req.Context(), in, RawRequest{req, w})
		if err != nil {
			r.fail(w, req, err)
			return
		}
		if answer.Type == "" {
			answer.Type = "text/plain; charset=utf-8"
		}
		w.Header().Set("Content-Type", answer.Type)
		io.WriteString(w, answer.Body) // an error means that the caller has gone
	})
}

// raw reports whether a route was added by HandleRaw.
func (r route) raw() bool { return r.out == reflect.TypeFor[RawAnswer]() }
