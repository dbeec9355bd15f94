// Package phone brings telephone numbers into the one form that they are stored and compared in, E.164.
//
// It knows the assigned country codes and how long the numbers of each are, and not which numbers are in use:
// the library that knows that, nyaruka/phonenumbers, takes 4 ms at every start of a process. The table here
// is made from that library by the tests, which also hold the two to each other.
package phone

import "slices"

//go:generate go test -run TestPlans -update

// maxDigits is the length of the longest number of E.164, country code included.
const maxDigits = 15

// A plan says what the numbers under a country code look like.
type plan struct {
	code uint16
	// min and max bound the digits behind the country code. They are of numbers of all kinds, so most
	// countries take some that no subscriber has.
	min, max uint8
	// trunk is a digit before the number that is dialled within the country alone; 0 for none.
	trunk byte
}

// Normalize returns the E.164 form of s, "+41315550123", and whether s is a telephone number: a plus sign, an
// assigned country code, and as many digits as numbers have there. Spaces, hyphens, dots, slashes and
// parentheses between the digits are dropped, and so is a trunk prefix, as in "+44 (0)20 7946 0018". A number
// without a plus sign is none, since what "00" or "011" stand for depends on where they are dialled.
func Normalize(s string) (string, bool) {
	digits, ok := digitsOf(s)
	if !ok {
		return "", false
	}
	code, p, ok := lookup(digits)
	if !ok {
		return "", false
	}
	national := digits[code:]
	// Where no digit is to spare it is none: some numbers of Rwanda begin with a 0 of their own.
	for len(national) > int(p.min) && national[0] == p.trunk {
		national = national[1:]
	}
	if len(national) < int(p.min) || len(national) > int(p.max) || code+len(national) > maxDigits {
		return "", false
	}
	return "+" + string(digits[:code]) + string(national), true
}

// digitsOf returns the digits behind the plus sign that s begins with, and false if s holds anything that has
// no place in a number. There are at most maxDigits of them and a trunk prefix.
func digitsOf(s string) ([]byte, bool) {
	digits := make([]byte, 0, maxDigits+1)
	plus := false
	for _, r := range s {
		switch {
		case '0' <= r && r <= '9' && plus && len(digits) < cap(digits):
			digits = append(digits, byte(r))
		case r == '+' && !plus:
			plus = true
		case isSpace(r):
		case !plus || !separates(r):
			return nil, false
		}
	}
	return digits, plus
}

// isSpace reports whether r is white space, or a mark of direction such as address books put around a number.
func isSpace(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\r', '\u00a0', '\u3000', '\u200b', '\ufeff', '\u2060', '\u202f', '\u200e',
		'\u200f':
		return true
	}
	return '\u2000' <= r && r <= '\u200a' || '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
}

// separates reports whether people write r between the digits of a number.
func separates(r rune) bool {
	switch r {
	case '-', '.', '/', '(', ')', '\u2212', '\u00b7':
		return true
	}
	return '\u2010' <= r && r <= '\u2015' // hyphens and dashes
}

// lookup returns the plan of the country code that digits begin with, and its length. No code begins with
// another.
func lookup(digits []byte) (int, plan, bool) {
	if len(digits) > 0 && digits[0] == '0' {
		return 0, plan{}, false
	}
	code := 0
	for i, d := range digits[:min(3, len(digits))] {
		code = 10*code + int(d-'0')
		at, ok := slices.BinarySearchFunc(plans[:], code,
			func(p plan, code int) int { return int(p.code) - code })
		if ok {
			return i + 1, plans[at], true
		}
	}
	return 0, plan{}, false
}

// Local is Normalize for a number without its country code, as it is dialled in the country of another
// number, like, which is in E.164.
func Local(s, like string) (string, bool) {
	digits, ok := digitsOf(like)
	if !ok {
		return "", false
	}
	code, _, ok := lookup(digits)
	if !ok {
		return "", false
	}
	return Normalize("+" + string(digits[:code]) + s)
}
