package api

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
)

// Compressed is an Out that is JSON compressed with gzip. It is decompressed for clients that do not accept
// gzip.
type Compressed []byte

// serve writes the response.
func (c Compressed) serve(w http.ResponseWriter, req *http.Request, status int) error {
	w.Header().Add("Vary", "Accept-Encoding")
	if accepts(req.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		write(w, status, c)
		return nil
	}
	r, err := gzip.NewReader(bytes.NewReader(c))
	if err != nil {
		return err
	}
	body, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	write(w, status, body)
	return nil
}

// accepts reports whether an Accept-Encoding header names the encoding with a quality other than 0.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		q := strings.ReplaceAll(quality, " ", "")
		if strings.TrimSpace(name) == encoding && q != "q=0" && q != "q=0.0" {
			return true
		}
	}
	return false
}
