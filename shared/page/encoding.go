package page

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// decode turns the bytes of a page into UTF-8. What the answer's header or a byte order mark says holds; what
// the page says of itself holds unless the bytes are UTF-8 all through, which in another encoding they hardly
// are by chance.
func decode(body []byte, contentType string) string {
	enc, name, certain := charset.DetermineEncoding(body, contentType)
	if name != "utf-8" && (certain || ascii(body) || !utf8.Valid(body)) {
		if decoded, err := enc.NewDecoder().Bytes(body); err == nil {
			body = decoded
		}
	}
	return strings.TrimPrefix(strings.ToValidUTF8(string(body), "\ufffd"), "\ufeff")
}

// ascii reports whether no byte has its high bit set. Encodings such as ISO-2022-JP write all text so.
func ascii(body []byte) bool {
	for _, b := range body {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
