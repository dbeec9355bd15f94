package page

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// decode converts a page to UTF-8. The Content-Type header and a byte order mark decide. The page's own
// declaration applies unless all bytes are valid UTF-8, which text in other encodings hardly ever is.
func decode(body []byte, contentType string) string {
	enc, name, certain := charset.DetermineEncoding(body, contentType)
	if name != "utf-8" && (certain || ascii(body) || !utf8.Valid(body)) {
		if decoded, err := enc.NewDecoder().Bytes(body); err == nil {
			body = decoded
		}
	}
	return strings.TrimPrefix(strings.ToValidUTF8(string(body), "\ufffd"), "\ufeff")
}

// ascii reports whether no byte has its high bit set. Encodings such as ISO-2022-JP use only such bytes.
func ascii(body []byte) bool {
	for _, b := range body {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
