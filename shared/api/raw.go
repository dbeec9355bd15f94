package api

import (
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"frontdesk/shared/fault"
)

// A RawRequest is a request whose body the handler reads itself.
type RawRequest struct {
	*http.Request
	w http.ResponseWriter
}

// ReadBody reads the whole body. It returns a fault with the code PayloadTooLarge if it exceeds limit bytes.
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

// A RawAnswer is a response that is not JSON.
type RawAnswer struct {
	Type string // Content-Type; "" means text/plain
	Body string
}

// HandleRaw adds an endpoint whose format others define, such as a platform's webhook. In has fields of the
// path alone. The endpoint is public: fn authenticates the caller itself. Doc.Accepts and Doc.Answers are the
// content types of request and response.
func HandleRaw[In any](
	r *Router, pattern string, doc Doc, fn func(context.Context, In, RawRequest) (RawAnswer, error),
) {
	method, path, _ := strings.Cut(pattern, " ")
	doc.Public, doc.Status = true, http.StatusOK
	serve := func(w http.ResponseWriter, req *http.Request) {
		var in In
		if err := bind(req, reflect.ValueOf(&in).Elem()); err != nil {
			r.fail(w, req, err)
			return
		}
		answer, err := fn(req.Context(), in, RawRequest{req, w})
		if err != nil {
			r.fail(w, req, err)
			return
		}
		if answer.Type == "" {
			answer.Type = plainText
		}
		w.Header().Set("Content-Type", answer.Type)
		io.WriteString(w, answer.Body) // an error means that the caller has gone
	}
	r.add(route{method: method, path: Prefix + path, doc: doc, in: reflect.TypeFor[In](),
		out: reflect.TypeFor[RawAnswer](), serve: serve})
}

const plainText = "text/plain; charset=utf-8"

// raw reports whether a route was added by HandleRaw.
func (r *route) raw() bool { return r.out == reflect.TypeFor[RawAnswer]() }

// A Download is a response with a file from outside. Browsers save it and never render it as part of a page.
type Download struct {
	Type string // Content-Type; "" means application/octet-stream
	Name string // suggested file name; may be empty
	Body []byte
}

// write writes the response.
func (d Download) write(w http.ResponseWriter) {
	header := w.Header()
	header.Set("Content-Type", cmp.Or(d.Type, octets))
	params := map[string]string{}
	if d.Name != "" {
		params["filename"] = d.Name
	}
	// FormatMediaType returns "" for a name that it cannot encode.
	header.Set("Content-Disposition", cmp.Or(mime.FormatMediaType("attachment", params), "attachment"))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	header.Set("Cache-Control", "private, no-store")
	header.Set("Content-Length", strconv.Itoa(len(d.Body)))
	w.Write(d.Body) // an error means that the caller has gone
}

const octets = "application/octet-stream"

// anyType is the media range of a Download, whose type is that of its file.
const anyType = "*/*"

// rawContent describes bodies of content types for the OpenAPI document.
func rawContent(types []string) map[string]any {
	content := map[string]any{}
	for _, t := range types {
		content[t] = map[string]any{"schema": &Schema{Type: "string"}}
	}
	return content
}
