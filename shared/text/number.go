package text

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// number reads a number whose digits begin at from, which is pos or follows a currency sign at pos. It
// includes separators, am and pm, currency and per cent signs, and letters that follow directly (2nd,
// 1990s).
func (c *scanner) number(from int) {
	end := c.digits(from)
	for end < len(c.s) {
		r, size, _ := c.peek(end)
		if r != '.' && r != ',' && r != ':' && !isApostrophe(r) {
			break
		}
		if _, _, class := c.peek(end + size); class != digit {
			break
		}
		end = c.digits(end + size)
	}
	value := norm.NFKC.String(c.s[from:end])

	if stem, rest, ok := c.clock(value, end); ok {
		c.emit(stem, rest, Time, false)
		return
	}
	tail := end
	for tail < len(c.s) {
		_, size, class := c.peek(tail)
		if class != letter && class != mark && class != digit {
			break
		}
		tail += size
	}
	suffix := c.s[end:tail]
	if suffix != "" && !isCurrency(suffix) {
		c.emit(c.lang.fold(c.lang.lower(c.s[from:tail])), tail, Word, false)
		return
	}

	kind, stop := Number, end
	next := strings.TrimPrefix(c.s[end:], " ")
	gap := len(c.s) - end - len(next)
	r, size, class := c.peek(end + gap)
	switch {
	case r == '%':
		kind, stop = Percent, end+gap+size
	case class == sign:
		kind, stop = Price, end+gap+size
	case isCurrency(firstWord(next)):
		kind = Price
	}
	c.emit(plain(value), stop, kind, false)
}

func (c *scanner) digits(from int) int {
	for from < len(c.s) {
		_, size, class := c.peek(from)
		if class != digit {
			break
		}
		from += size
	}
	return from
}

// clock reads value and the text of s from end on as a time of day.
func (c *scanner) clock(value string, end int) (stem string, rest int, ok bool) {
	hours, minutes, colon := strings.Cut(value, ":")
	if !colon {
		hours, minutes, _ = strings.Cut(value, ".")
	}
	h, err := strconv.Atoi(hours)
	if err != nil || len(hours) > 2 || h > 24 {
		return "", 0, false
	}
	m := 0
	if minutes != "" {
		if len(minutes) > 2 && minutes[2] == ':' {
			minutes = minutes[:2] // seconds are ignored
		}
		if m, ok = minute(minutes); !ok {
			return "", 0, false
		}
	}
	if half, rest, ok := c.half(end); ok && h <= 12 {
		return clockStem(h%12+half, m), rest, true
	}
	if colon {
		return clockStem(h, m), end, true
	}
	if strings.HasPrefix(c.s[end:], "h") && minutes == "" {
		return c.hourMark(h, end+1)
	}
	return "", 0, false
}

// minute parses the two digits of a minute.
func minute(digits string) (int, bool) {
	m, err := strconv.Atoi(digits)
	return m, err == nil && len(digits) == 2 && m <= 59
}

// half reads am or pm from end on: 0 for "am", 12 for "pm". rest is the offset after it.
func (c *scanner) half(end int) (hours, rest int, ok bool) {
	next := strings.TrimPrefix(c.s[end:], " ")
	gap := len(c.s) - end - len(next)
	for _, half := range [...]string{"am", "pm", "a.m.", "p.m.", "a.m", "p.m", "a. m.", "p. m."} {
		if len(next) < len(half) || !strings.EqualFold(next[:len(half)], half) {
			continue
		}
		rest = end + gap + len(half)
		if c.inWord(rest) || half == "am" && gap > 0 && c.lang.tag == "de" { // "um 10 am Montag"
			continue
		}
		if half[0] == 'p' {
			hours = 12
		}
		return hours, rest, true
	}
	return 0, 0, false
}

// hourMark reads the optional minutes after the h of an hour: "18h", "18h30".
func (c *scanner) hourMark(h, from int) (stem string, rest int, ok bool) {
	m, rest := 0, c.digits(from)
	if rest > from {
		if m, ok = minute(c.s[from:rest]); !ok {
			return "", 0, false
		}
	}
	if c.inWord(rest) {
		return "", 0, false
	}
	return clockStem(h, m), rest, true
}

// inWord reports whether a letter, a digit or a combining mark follows.
func (c *scanner) inWord(at int) bool {
	_, _, class := c.peek(at)
	return class == letter || class == digit || class == mark
}

func clockStem(h, m int) string {
	stem := strconv.Itoa(h) + ":"
	if m < 10 {
		stem += "0"
	}
	return stem + strconv.Itoa(m)
}

// plain returns a number without thousands separators and with a decimal point; "12.00" becomes "12". Values
// with several dots that are not thousands separators, such as dates and versions, are unchanged.
func plain(value string) string {
	last := strings.LastIndexAny(value, ".,")
	if last < 0 {
		return digitsOnly(value)
	}
	whole, fraction := value[:last], value[last+1:]
	if len(fraction) == 3 && whole != "0" {
		whole, fraction = value, ""
	} else if value[last] == '.' && strings.Contains(whole, ".") {
		return value
	}
	whole = digitsOnly(whole)
	if strings.Trim(fraction, "0") == "" {
		return whole
	}
	return whole + "." + fraction
}

func digitsOnly(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsNumber(r) || r == '⁄' {
			return r
		}
		return -1
	}, s)
}

func firstWord(s string) string {
	if i := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
		return s[:i]
	}
	return s
}

// isCurrency reports whether a word after a number makes it a price.
func isCurrency(word string) bool {
	if len(word) < 2 || len(word) > 14 {
		return false
	}
	switch strings.ToLower(word) {
	case "eur", "euro", "euros", "usd", "dollar", "dollars", "dólares", "gbp", "pound", "pounds", "chf",
		"franken", "francs",
		"kr", "kronor", "kroner", "sek", "nok", "dkk", "lei", "leu", "ron", "ft", "huf", "forint", "tl",
		"lira", "try", "руб",
		"рублей", "рубля", "rub", "real", "reais", "brl", "pesos", "mxn", "inr", "rs", "cad", "aud", "درهم",
		"ريال", "دولار", "jpy",
		"cents":
		return true
	}
	return false
}
