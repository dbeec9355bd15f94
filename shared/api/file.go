package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"time"
)

// A File is served beside the API, such as the script for websites.
type File struct {
	Type string // Content-Type
	Body []byte
	// MaxAge is how long a browser may use the file without revalidation. With 0 it revalidates each time,
	// and gets 304 if the file is unchanged.
	MaxAge time.Duration
	// Encoded has the body in other content codings, compressed beforehand, by their names, such as br.
	Encoded map[string][]byte
	// Immutable makes browsers never revalidate, for a URL whose content never changes.
	Immutable bool
	Header    http.Header // further headers of the response
}

// encode returns the smallest form of the body that an Accept-Encoding header allows, and sets
// Content-Encoding.
func (f File) encode(header string, answer http.Header) []byte {
	if len(f.Encoded) == 0 {
		return f.Body
	}
	answer.Add("Vary", "Accept-Encoding")
	body := f.Body
	for name, encoded := range f.Encoded {
		if len(encoded) < len(body) && accepts(header, name) {
			body = encoded
			answer.Set("Content-Encoding", name)
		}
	}
	return body
}

// HandleFile adds a public file. The pattern is a method and a path from the root of the site, without
// Prefix; In may have fields from the path. The file is not in the OpenAPI document.
func HandleFile[In any](r *Router, pattern string, fn func(context.Context, In) (File, error)) {
	method, path, _ := strings.Cut(pattern, " ")
	serve := func(w http.ResponseWriter, req *http.Request) {
		var in In
		if err := bind(req, reflect.ValueOf(&in).Elem()); err != nil {
			r.fail(w, req, err)
			return
		}
		file, err := fn(req.Context(), in)
		if err != nil {
			r.fail(w, req, err)
			return
		}
		w.Header().Set("Content-Type", file.Type)
		w.Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d, must-revalidate",
			int(file.MaxAge.Seconds())))
		// Pages with Cross-Origin-Embedder-Policy load only resources with this header.
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		if file.Immutable {
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		for name, values := range file.Header {
			w.Header()[name] = values
		}
		body := file.encode(req.Header.Get("Accept-Encoding"), w.Header())
		w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(body)))
		http.ServeContent(w, req, "", time.Time{}, bytes.NewReader(body))
	}
	r.add(route{method: method, path: path, doc: Doc{Public: true}, serve: serve})
}
