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
	Gzip []byte // the same compressed, for browsers that take it; nil where there is none
	// how long a browser may use it without asking; with 0 it asks each time, at no cost in bytes
	MaxAge time.Duration
}

// HandleFile adds a file that anyone may read. The pattern is a method and a path from the root of the site,
// without Prefix; In may have fields from the path. The file is no part of the OpenAPI document.
func HandleFile[In any](r *Router, pattern string, fn func(context.Context, In) (File, error)) {
	method, path, _ := strings.Cut(pattern, " ")
	r.add(route{method: method, path: path, doc: Doc{Public: true}},
		func(w http.ResponseWriter, req *http.Request) {
			var in In
			if err := bind(w, req, reflect.ValueOf(&in).Elem()); err != nil {
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
			body, variant := file.Body, ""
			if file.Gzip != nil {
				w.Header().Set("Vary", "Accept-Encoding")
				if strings.Contains(req.Header.Get("Accept-Encoding"), "gzip") {
					w.Header().Set("Content-Encoding", "gzip")
					body, variant = file.Gzip, "-gzip"
				}
			}
			w.Header().Set("ETag", fmt.Sprintf(`"%x%s"`, sha256.Sum256(file.Body), variant))
			http.ServeContent(w, req, "", time.Time{}, bytes.NewReader(body))
		})
}
