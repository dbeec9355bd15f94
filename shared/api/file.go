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

// A File is something that is served beside the API, such as a script for websites.
type File struct {
	Type string // as in Content-Type
	Body []byte
	// how long a browser may use it without asking; with 0 it asks each time, at no cost in bytes
	MaxAge time.Duration
	// Encoded is the body in the encodings of HTTP that it was compressed with beforehand, by their names,
	// such as br.
	Encoded map[string][]byte
	// Immutable is for what never changes under its address: a browser never asks again.
	Immutable bool
	Header    http.Header // more of the answer's headers
}

// encode chooses the smallest form of the body that a request with that header Accept-Encoding takes, and
// says which in the header of the answer.
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

// HandleFile adds a file that anyone may read. The pattern is a method and a path from the root of the site,
// without Prefix; In may have fields from the path. The file is no part of the OpenAPI document.
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
		// Pages that isolate themselves (Cross-Origin-Embedder-Policy) load only what says that they may.
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
