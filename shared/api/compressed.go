package api

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
)

// A Compressed is JSON as the Out of an endpoint, compressed with gzip beforehand. Clients that take gzip get
// it as it is; for others it is decompressed.
type Compressed []byte

// serve writes the answer.
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

// accepts reports whether a header Accept-Encoding names an encoding and does not refuse it.
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
