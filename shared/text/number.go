package text

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// number takes a number whose digits begin at from, which is pos or stands behind a currency sign at pos,
// with what belongs to it: separators, am and pm, signs of currency and per cent, and letters that follow at
// once (2nd, 1990s).
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

// clock reads value, and what stands in s from end on, as a time of day.
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
			minutes = minutes[:2] // seconds say nothing here
		}
		if m, err = strconv.Atoi(minutes); err != nil || len(minutes) != 2 || m > 59 {
			return "", 0, false
		}
	}

	next := strings.TrimPrefix(c.s[end:], " ")
	gap := len(c.s) - end - len(next)
	for _, half := range [...]string{"am", "pm", "a.m.", "p.m.", "a.m", "p.m", "a. m.", "p. m."} {
		if len(next) < len(half) || !strings.EqualFold(next[:len(half)], half) || h > 12 {
			continue
		}
		rest = end + gap + len(half)
		if _, _, class := c.peek(rest); class == letter || class == digit || class == mark {
			continue
		}
		if half == "am" && gap > 0 && c.lang.tag == "de" { // "um 10 am Montag"
			continue
		}
		h %= 12
		if half[0] == 'p' {
			h += 12
		}
		return clockStem(h, m), rest, true
	}
	if colon {
		return clockStem(h, m), end, true
	}
	if after, found := strings.CutPrefix(c.s[end:], "h"); found && minutes == "" { // 18h, 18h30
		rest = end + 1
		digits := c.digits(rest) - rest
		if digits == 2 {
			if m, err = strconv.Atoi(after[:2]); err != nil || m > 59 {
				return "", 0, false
			}
			rest += 2
		} else if digits != 0 {
			return "", 0, false
		}
		if _, _, class := c.peek(rest); class == letter || class == mark || class == digit {
			return "", 0, false
		}
		return clockStem(h, m), rest, true
	}
	return "", 0, false
}

func clockStem(h, m int) string {
	stem := strconv.Itoa(h) + ":"
	if m < 10 {
		stem += "0"
	}
	return stem + strconv.Itoa(m)
}

// plain writes a number without separators of thousands and with a decimal point; "12.00" is "12". A value of
// several dots that are no thousands, like a date or a version, stays as it is.
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

// isCurrency reports whether a word behind a number makes it a price.
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
