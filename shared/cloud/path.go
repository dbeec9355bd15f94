package cloud

import (
	"fmt"
	"strings"
)

// escaped returns the path of an event as a valid URL path. API Gateway passes paths on unchanged, but `sam
// local` decodes them, so that a percent sign in a name would make the URL invalid. Characters that are not
// allowed are escaped again; all others stay.
func escaped(path string) string {
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		switch {
		case c == '%' && (i+2 >= len(path) || !isHex(path[i+1]) || !isHex(path[i+2])),
			c <= ' ', c >= 0x7f, strings.IndexByte(`"#<>?[\]^{|}`+"`", c) >= 0:
			fmt.Fprintf(&b, "%%%02X", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
