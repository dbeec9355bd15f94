package cloud

import (
	"fmt"
	"strings"
)

// escaped is the path of an event as it stands in an address. API Gateway hands paths on as they came; `sam
// local` decodes them, and so a name with a percent sign in it would be no address any more. What can be in
// none is escaped again, and the rest left alone.
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
