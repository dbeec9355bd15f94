package text

import (
	"strings"
)

// address takes an e-mail address or a web address that begins at pos.
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

// url returns the end of the web address at pos, or 0.
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
	var digits []byte
	var groups []int
	end, gap, tight := 0, 0, true
loop:
	for i := 0; i < len(s) && len(digits) <= 15; i++ {
		switch b := s[i]; {
		case '0' <= b && b <= '9':
			if gap > 0 || len(groups) == 0 {
				groups = append(groups, 0)
			}
			groups[len(groups)-1]++
			digits = append(digits, b)
			end, gap = i+1, 0
		case b == '+' && i == 0:
		case b == '(' || b == ')' || b == ' ' || b == '-' || b == '.' || b == '/':
			tight = tight && (b == '-' || b == '.')
			if gap++; gap > 2 {
				break loop
			}
		default:
			break loop
		}
	}
	if len(digits) < 7 || len(digits) > 15 || end < len(s) && isAlphanumeric(s[end]) {
		return false
	}
	n := len(groups)
	switch {
	case s[0] == '+':
	case s[0] == '(', s[0] == '0' && n > 1:
		if len(digits) < 9 {
			return false
		}
	case tight && n == 3 && groups[0] == 3 && groups[1] >= 3 && groups[2] >= 3 && len(digits) >= 9:
	default:
		return false
	}
	c.emit(string(digits), c.pos+end, Phone, false)
	return true
}

func isAlphanumeric(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}
