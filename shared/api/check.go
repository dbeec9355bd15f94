package api

import (
	"fmt"
	"net/mail"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"frontdesk/shared/phone"
)

// A rule is what one word of a `check` tag means: for the validator, and for the schema in the OpenAPI
// document. A tag is a list of rules with commas between, each a name and perhaps a value:
// `check:"required,max=100"`. Rules of a list of texts hold for each of them, but for "required" and "items".
type rule struct {
	// check tells what is wrong with a value, "" when nothing is. It may change the value, as "cut" does. Nil
	// where the validator does the work itself.
	check  func(v reflect.Value, arg string) string
	schema func(s *Schema, arg string)
}

// rules is the one table of them. Lengths count characters (Unicode code points).
var rules = map[string]rule{
	// required: the field must be there. A text must hold something other than white space, a list at least
	// one thing.
	"required": {nil, func(s *Schema, _ string) {
		switch s.Type {
		case "string":
			if len(s.Enum) == 0 && s.Format == "" && s.Pattern == "" {
				s.Pattern = `\S`
			}
		case "array":
			s.MinItems = 1
		}
	}},
	// filled: a text holds something other than white space where it is sent, which "required" asks for too.
	"filled": {func(v reflect.Value, _ string) string {
		if strings.TrimSpace(v.String()) == "" {
			return "may not be empty"
		}
		return ""
	}, func(s *Schema, _ string) { s.Pattern = `\S` }},
	// null: the field may be null.
	"null": {nil, func(s *Schema, _ string) { s.Nullable = true }},
	// place: a place in a list. A text that is none is not found, rather than invalid.
	"place": {nil, func(*Schema, string) {}},
	// trim: white space at both ends goes.
	"trim": {func(v reflect.Value, _ string) string {
		v.SetString(strings.TrimSpace(v.String()))
		return ""
	}, func(*Schema, string) {}},
	// max=n: a longer text is an error.
	"max": {func(v reflect.Value, arg string) string {
		if n, _ := strconv.Atoi(arg); utf8.RuneCountInString(v.String()) > n {
			return "may have at most " + arg + " characters"
		}
		return ""
	}, func(s *Schema, arg string) { s.MaxLength, _ = strconv.Atoi(arg) }},
	// cut=n: white space at both ends goes, and what is longer than n is cut off.
	"cut": {func(v reflect.Value, arg string) string {
		n, _ := strconv.Atoi(arg)
		v.SetString(strings.TrimSpace(truncate(strings.TrimSpace(v.String()), n)))
		return ""
	}, func(s *Schema, arg string) { s.Note = "Longer text is cut to " + arg + " characters." }},
	// range=a..b: a number from a to b.
	"range": {func(v reflect.Value, arg string) string {
		low, high, _ := strings.Cut(arg, "..")
		a, _ := strconv.ParseFloat(low, 64)
		b, _ := strconv.ParseFloat(high, 64)
		n := 0.0
		if v.CanInt() {
			n = float64(v.Int())
		} else {
			n = v.Float()
		}
		if n < a || n > b {
			return "must be from " + low + " to " + high
		}
		return ""
	}, func(s *Schema, arg string) {
		low, high, _ := strings.Cut(arg, "..")
		a, _ := strconv.ParseFloat(low, 64)
		b, _ := strconv.ParseFloat(high, 64)
		s.Minimum, s.Maximum = &a, &b
	}},
	// items=n: a list of at most n.
	"items": {func(v reflect.Value, arg string) string {
		if n, _ := strconv.Atoi(arg); v.Len() > n {
			return "may have at most " + arg + " entries"
		}
		return ""
	}, func(s *Schema, arg string) { s.MaxItems, _ = strconv.Atoi(arg) }},
	// format=name: a text of one of the formats below. An empty text is left to "required".
	"format": {func(v reflect.Value, arg string) string {
		if v.String() == "" {
			return ""
		}
		text, problem := formats[arg].read(v.String())
		if problem == "" {
			v.SetString(text)
		}
		return problem
	}, func(s *Schema, arg string) {
		f := formats[arg]
		s.Format, s.Pattern = f.schema, f.pattern
	}},
}

// A format is a form of text: how it is read, with the text as it is kept, and how JSON Schema names or
// matches it.
type format struct {
	read    func(string) (text, problem string)
	schema  string
	pattern string
}

var formats = map[string]format{
	"uuid":   {readUUID, "uuid", `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`},
	"email":  {readEmail, "email", `^[^@\s]+@[^@\s]+$`},
	"url":    {readURL("http", "https"), "uri", `^https?://\S+$`},
	"https":  {readURL("https"), "uri", `^https://\S+$`},
	"domain": {readDomain, "", `^\S+$`},
	"color":  {readColor, "", `^#[0-9A-Fa-f]{6}$`},
	"e164":   {readE164, "", `^\+[0-9 ().\-]{6,30}$`},
	"time":   {readTime, "date-time", `^\d{4}-\d\d-\d\d[Tt]`},
	"day":    {readDay, "", dayPattern},
	"since":  {readSince, "", dayPattern},
	"until":  {readUntil, "", dayPattern},
	"key":    {readKey, "", `^[A-Za-z0-9_.\-]{1,64}$`},
	"ident":  {readIdentifier, "", `^[A-Za-z_][A-Za-z0-9_]{0,63}$`},
}

const dayPattern = `^\d{4}-\d\d-\d\d([Tt]|$)`

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// readDomain takes a host name, or an address of which it is the host. It comes back in small letters. A name
// in other letters than ASCII is given as browsers state it, which begins with xn--.
func readDomain(s string) (string, string) {
	if !strings.Contains(s, "://") {
		s = "https://" + s
	}
	u, err := url.Parse(s)
	if err != nil {
		return "", "must be a domain such as acme.example"
	}
	host := strings.ToLower(strings.Trim(u.Hostname(), "."))
	if host == "" || strings.Trim(host, letters+"0123456789.-") != "" {
		return "", "must be a domain such as acme.example, in ASCII"
	}
	return host, ""
}

// readKey takes a name that programs know something by.
func readKey(s string) (string, string) {
	if len(s) > 64 || strings.Trim(s, letters+"0123456789_.-") != "" {
		return "", "must be at most 64 letters, digits, and the signs _ . -"
	}
	return s, ""
}

// readIdentifier takes a name as programming languages have them.
func readIdentifier(s string) (string, string) {
	if len(s) > 64 || strings.Trim(s, letters+"0123456789_") != "" || strings.Trim(s[:1], letters+"_") != "" {
		return "", "must be at most 64 letters, digits and underscores, the first no digit"
	}
	return s, ""
}

var uuidPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
})

// readUUID takes the text form of RFC 9562, in any case.
func readUUID(s string) (string, string) {
	s = strings.ToLower(s)
	if !uuidPattern().MatchString(s) {
		return "", "must be a UUID"
	}
	return s, ""
}

// readEmail takes an address alone, without a name or brackets around it.
func readEmail(s string) (string, string) {
	s = strings.TrimSpace(s)
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s || utf8.RuneCountInString(s) > 254 {
		return "", "must be an e-mail address"
	}
	return s, ""
}

func readURL(schemes ...string) func(string) (string, string) {
	return func(s string) (string, string) {
		s = strings.TrimSpace(s)
		problem := "must be an address that begins with " + strings.Join(schemes, ":// or ") +
			"://, without spaces or a password"
		u, err := url.Parse(s)
		switch {
		case utf8.RuneCountInString(s) > 2000:
			return "", "may have at most 2000 characters"
		case err != nil || u.Hostname() == "" || u.User != nil || strings.ContainsFunc(s, isSpaceOrControl):
			return "", problem
		}
		for _, scheme := range schemes {
			if u.Scheme == scheme {
				return s, ""
			}
		}
		return "", problem
	}
}

func isSpaceOrControl(r rune) bool { return r <= ' ' || r == 0x7f }

func readColor(s string) (string, string) {
	if len(s) == 7 && s[0] == '#' && strings.Trim(s[1:], "0123456789abcdefABCDEF") == "" {
		return s, ""
	}
	return "", "must be a colour such as #1a2b3c"
}

func readE164(s string) (string, string) {
	text, ok := phone.Normalize(s)
	if !ok {
		return "", "must be a phone number in E.164, such as +14155550123"
	}
	return text, ""
}

// readTime takes a plus sign for what it is also where an address has it unescaped, which makes it a space. T
// and Z may be small letters, as RFC 3339 has it.
func readTime(s string) (string, string) {
	s = strings.ToUpper(s)
	if i := strings.LastIndexByte(s, ' '); i > len("2026-03-01T") {
		s = s[:i] + "+" + s[i+1:]
	}
	t, err := time.Parse(time.RFC3339, s)
	if err == nil {
		_, err = t.MarshalText() // which refuses an offset of a day or more
	}
	if err != nil {
		return "", "must be a time in ISO 8601 with an offset, such as 2026-03-01T09:30:00Z"
	}
	return s, ""
}

// readDay takes a date or a time, and keeps the date of the day in UTC.
func readDay(s string) (string, string) {
	t, _, problem := readDateOrTime(s)
	return t.Format(time.DateOnly), problem
}

// readSince takes a date or a time, and keeps the time: of a date that at which the day begins in UTC.
func readSince(s string) (string, string) {
	t, _, problem := readDateOrTime(s)
	return t.Format(time.RFC3339Nano), problem
}

// readUntil takes a date or a time, and keeps the time: of a date the last one of the day in UTC.
func readUntil(s string) (string, string) {
	t, isDate, problem := readDateOrTime(s)
	if isDate {
		t = t.Add(24*time.Hour - time.Nanosecond)
	}
	return t.Format(time.RFC3339Nano), problem
}

// readDateOrTime reads either, in UTC; a date as the time at which the day begins. A time without an offset
// is one in UTC.
func readDateOrTime(s string) (t time.Time, isDate bool, problem string) {
	t, err := time.Parse(time.DateOnly, s)
	isDate = err == nil
	if err != nil {
		t, err = time.Parse("2006-01-02T15:04:05", s)
	}
	if err != nil {
		text, problem := readTime(s)
		if problem != "" {
			problem = "must be a date or a time in ISO 8601, such as 2026-03-01 or 2026-03-01T09:30:00Z"
			return time.Time{}, false, problem
		}
		t, err = time.Parse(time.RFC3339, text)
	}
	if t = t.UTC(); err != nil || t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}, false, "must be in the years 1 to 9999"
	}
	return t, isDate, ""
}

// An Enum is a type of text with a closed set of values.
type Enum interface{ Values() []string }

// An OpenEnum is a type of text whose values cannot all be listed.
type OpenEnum interface {
	Valid() bool
	// Choices lists values, and what stands for those that have no end.
	Choices() []string
	// Pattern matches the valid values, as JSON Schema writes it.
	Pattern() string
}

// openEnumOf returns a value as that of an open enum.
func openEnumOf(v reflect.Value) (OpenEnum, bool) {
	if v.Kind() != reflect.String {
		return nil, false
	}
	e, ok := v.Interface().(OpenEnum)
	return e, ok
}

// enumOf returns the values of a type of text, nil when it has no set of them.
func enumOf(t reflect.Type) []string {
	if t.Kind() != reflect.String {
		return nil
	}
	if e, ok := reflect.Zero(t).Interface().(Enum); ok {
		return e.Values()
	}
	return nil
}

// check applies a field's rules to its value and says what is wrong with it, "" when nothing is.
func check(v reflect.Value, tag string) string {
	if v.Kind() == reflect.String {
		if values := enumOf(v.Type()); values != nil && !oneOf(v.String(), values) {
			return "must be one of: " + strings.Join(values, ", ")
		}
		if e, ok := openEnumOf(v); ok && !e.Valid() {
			return "must be one of: " + strings.Join(e.Choices(), ", ")
		}
	}
	for name, arg := range tagRules(tag) {
		r := rules[name]
		if r.check == nil {
			continue
		}
		if v.Kind() == reflect.Slice && name != "items" {
			for i := range v.Len() {
				if problem := r.check(v.Index(i), arg); problem != "" {
					return problem
				}
			}
			continue
		}
		if problem := r.check(v, arg); problem != "" {
			return problem
		}
	}
	empty := v.Kind() == reflect.String && strings.TrimSpace(v.String()) == "" ||
		v.Kind() == reflect.Slice && v.Len() == 0
	if empty && hasRule(tag, "required") {
		return "may not be empty"
	}
	return ""
}

// tagRules goes through the rules of a tag. It panics on a rule that the table lacks: a mistake in the
// program, which the OpenAPI test finds.
func tagRules(tag string) func(yield func(name, arg string) bool) {
	return func(yield func(name, arg string) bool) {
		for word := range strings.SplitSeq(tag, ",") {
			if word == "" {
				continue
			}
			name, arg, _ := strings.Cut(word, "=")
			if _, ok := rules[name]; !ok {
				panic(fmt.Sprintf("api: no rule %q", name))
			}
			if !yield(name, arg) {
				return
			}
		}
	}
}

func hasRule(tag, name string) bool {
	for n := range tagRules(tag) {
		if n == name {
			return true
		}
	}
	return false
}

func oneOf(s string, values []string) bool {
	for _, v := range values {
		if s == v {
			return true
		}
	}
	return false
}

// truncate cuts s after n characters.
func truncate(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
