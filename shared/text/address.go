package text

import (
	"strings"
)

// address reads an e-mail address or a web address that begins at pos.
func (c *scanner) address() bool {
	if end := c.url(); end > 0 {
		c.emit(strings.ToLower(c.s[c.pos:end]), end, URL, false)
		return true
	}
	if c.at != -1 && c.at < c.pos {
		c.at = strings.IndexByte(c.s[c.pos:], '@')
		if c.at >= 0 {
			c.at += c.pos
		}
	}
	if c.at < 0 || c.at-c.pos > 64 {
		return false
	}
	for _, b := range []byte(c.s[c.pos:c.at]) {
		if !isAlphanumeric(b) && strings.IndexByte("._%+-", b) < 0 {
			return false
		}
	}
	end, dots := c.at+1, 0
	for end < len(c.s) {
		b := c.s[end]
		if b == '.' || b == '-' {
			if end+1 == len(c.s) || !isAlphanumeric(c.s[end+1]) {
				break
			}
			if b == '.' {
				dots++
			}
		} else if !isAlphanumeric(b) {
			break
		}
		end++
	}
	if dots == 0 {
		return false
	}
	c.emit(strings.ToLower(c.s[c.pos:end]), end, Email, false)
	return true
}

// url returns the end of the web address at pos, 0 if there is none.
func (c *scanner) url() int {
	rest := c.s[c.pos:]
	ok := false
	for _, prefix := range [...]string{"http://", "https://", "www."} {
		if len(rest) > len(prefix) && strings.EqualFold(rest[:len(prefix)], prefix) &&
			isAlphanumeric(rest[len(prefix)]) {
			ok = true
		}
	}
	if !ok {
		return 0
	}
	n := strings.IndexFunc(rest, func(r rune) bool {
		return r <= ' ' || strings.ContainsRune(`<>"'`+"`", r) || r >= 0x80 && classOf(r) != letter
	})
	if n < 0 {
		n = len(rest)
	}
	return c.pos + len(strings.TrimRight(rest[:n], ".,;:!?)]}"))
}

// phone takes a phone number that begins at pos: one with a plus, with its area code in brackets or a leading
// zero, or three groups parted by hyphens or dots. Dates and hours are none.
func (c *scanner) phone() bool {
	s := c.s[c.pos:]
	n := readPhone(s)
	if len(n.digits) < 7 || len(n.digits) > 15 || n.end < len(s) && isAlphanumeric(s[n.end]) {
		return false
	}
	switch {
	case s[0] == '+':
	case s[0] == '(', s[0] == '0' && len(n.groups) > 1:
		if len(n.digits) < 9 {
			return false
		}
	case !n.tight || !n.threeGroups():
		return false
	}
	c.emit(string(n.digits), c.pos+n.end, Phone, false)
	return true
}

// phoneDigits are the digits that may be a phone number, with what parts them.
type phoneDigits struct {
	digits []byte
	groups []int // digits of each group
	end    int   // bytes of the text that they take
	tight  bool  // only hyphens and dots part them
}

// readPhone reads the digits at the beginning of s, at most 16. Up to two marks part one group from the next.
func readPhone(s string) phoneDigits {
	n := phoneDigits{tight: true}
	gap := 0
	for i := 0; i < len(s) && len(n.digits) <= 15; i++ {
		switch b := s[i]; {
		case isDigit(b):
			if gap > 0 || len(n.groups) == 0 {
				n.groups = append(n.groups, 0)
			}
			n.groups[len(n.groups)-1]++
			n.digits = append(n.digits, b)
			n.end, gap = i+1, 0
		case b == '+' && i == 0:
		case strings.IndexByte("() -./", b) >= 0:
			n.tight = n.tight && (b == '-' || b == '.')
			if gap++; gap > 2 {
				return n
			}
		default:
			return n
		}
	}
	return n
}

// threeGroups reports whether the digits are grouped as in 415-555-0123.
func (n phoneDigits) threeGroups() bool {
	g := n.groups
	return len(g) == 3 && g[0] == 3 && g[1] >= 3 && g[2] >= 3 && len(n.digits) >= 9
}

func isAlphanumeric(b byte) bool { return isASCIILetter(b) || isDigit(b) }
