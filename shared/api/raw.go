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

// A RawRequest is a request whose body is read as it came.
type RawRequest struct {
	*http.Request
	w http.ResponseWriter
}

// ReadBody reads the whole body. A fault of the code PayloadTooLarge says that it has more bytes than the
// limit.
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

// HandleRaw adds an endpoint for calls whose form others define, such as the webhooks of platforms. In has
// fields of the path alone. It is public: the function finds out itself who calls. The Doc's Accepts and
// Answers say of which content types body and answer are.
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

// A Download is an answer that is a file of somebody else's. Browsers are told to save it and never to show
// it as a part of a page.
type Download struct {
	Type string // as in Content-Type; application/octet-stream where it is empty
	Name string // what to save it as; may be empty
	Body []byte
}

// write writes the file as an answer.
func (d Download) write(w http.ResponseWriter) {
	header := w.Header()
	header.Set("Content-Type", cmp.Or(d.Type, octets))
	params := map[string]string{}
	if d.Name != "" {
		params["filename"] = d.Name
	}
	header.Set("Content-Disposition", cmp.Or(mime.FormatMediaType("attachment", params), "attachment"))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	header.Set("Cache-Control", "private, no-store")
	header.Set("Content-Length", strconv.Itoa(len(d.Body)))
	w.Write(d.Body) // an error means that the caller has gone
}

const octets = "application/octet-stream"

// rawContent describes bodies of content types, in an OpenAPI document.
func rawContent(types []string) map[string]any {
	content := map[string]any{}
	for _, t := range types {
		content[t] = map[string]any{"schema": &Schema{Type: "string"}}
	}
	return content
}
