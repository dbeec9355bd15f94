// Package phone normalizes telephone numbers to E.164, the form in which they are stored and compared.
//
// It knows the assigned country codes and the lengths of their numbers, but not which numbers are in use: the
// library that does, nyaruka/phonenumbers, takes 4 ms at every start of a process. The tests generate the
// table from that library and compare the two.
package phone

import "slices"

//go:generate go test -run TestPlans -update

// maxDigits is the length limit of E.164, with the country code.
const maxDigits = 15

// A plan describes the numbers under a country code.
type plan struct {
	code uint16
	// min and max are the limits of digits after the country code. They cover numbers of all kinds, so some
	// unassigned numbers are accepted.
	min, max uint8
	// trunk is the digit that is dialled before the number within the country; 0 for none.
	trunk byte
}

// Normalize returns s in E.164, such as "+41315550123", and whether s is a telephone number: a plus sign, an
// assigned country code, and a plausible number of digits. It drops spaces, hyphens, dots, slashes and
// parentheses between the digits, and a trunk prefix as in "+44 (0)20 7946 0018". It refuses numbers without
// a plus sign, since the meaning of "00" or "011" depends on where they are dialled.
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
	// A number of minimal length keeps its first digit: some numbers in Rwanda begin with 0.
	for len(national) > int(p.min) && national[0] == p.trunk {
		national = national[1:]
	}
	if len(national) < int(p.min) || len(national) > int(p.max) || code+len(national) > maxDigits {
		return "", false
	}
	return "+" + string(digits[:code]) + string(national), true
}

// digitsOf returns the digits after the leading plus sign, at most maxDigits and a trunk prefix. ok is false
// if s has other characters than digits and separators.
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

// isSpace reports whether r is white space, or a directional mark as address books put around numbers.
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

// lookup returns the length and the plan of the country code that digits begin with. Country codes are
// prefix-free.
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

// Local is Normalize for a number without its country code, which is taken from like, a number in E.164.
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
