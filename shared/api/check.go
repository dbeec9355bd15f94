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

// A rule is the meaning of one word of a `check` tag, for validation and for the OpenAPI schema. A tag is a
// comma-separated list of rules, each a name and perhaps a value: `check:"required,max=100"`. Rules of a list
// of strings apply to each string, except "required" and "items".
type rule struct {
	// check returns what is wrong with a value, or "". It may change the value, as "cut" does. It is nil if
	// the binder applies the rule itself.
	check  func(v reflect.Value, arg string) string
	schema func(s *Schema, arg string)
}

// rules are all rules by name. Lengths are in characters (Unicode code points).
var rules = map[string]rule{
	// required: the field must be sent. A string must have a character other than white space, a list an
	// entry.
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
	// filled: a string that is sent must have a character other than white space.
	"filled": {func(v reflect.Value, _ string) string {
		if strings.TrimSpace(v.String()) == "" {
			return "may not be empty"
		}
		return ""
	}, func(s *Schema, _ string) { s.Pattern = `\S` }},
	// null: the field may be null.
	"null": {nil, func(s *Schema, _ string) { s.Nullable = true }},
	// place: the value is a position in a list. One that is malformed is not found, rather than invalid.
	"place": {nil, func(*Schema, string) {}},
	// trim: removes white space at both ends.
	"trim": {func(v reflect.Value, _ string) string {
		v.SetString(strings.TrimSpace(v.String()))
		return ""
	}, func(*Schema, string) {}},
	// max=n: a longer string is an error.
	"max": {func(v reflect.Value, arg string) string {
		if n, _ := strconv.Atoi(arg); utf8.RuneCountInString(v.String()) > n {
			return "may have at most " + arg + " characters"
		}
		return ""
	}, func(s *Schema, arg string) { s.MaxLength, _ = strconv.Atoi(arg) }},
	// cut=n: removes white space at both ends and everything after n characters.
	"cut": {func(v reflect.Value, arg string) string {
		n, _ := strconv.Atoi(arg)
		v.SetString(strings.TrimSpace(truncate(strings.TrimSpace(v.String()), n)))
		return ""
	}, func(s *Schema, arg string) { s.Note = "Longer text is cut to " + arg + " characters." }},
	// range=a..b: a number from a to b, both included.
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
	// items=n: a list of at most n entries.
	"items": {func(v reflect.Value, arg string) string {
		if n, _ := strconv.Atoi(arg); v.Len() > n {
			return "may have at most " + arg + " entries"
		}
		return ""
	}, func(s *Schema, arg string) { s.MaxItems, _ = strconv.Atoi(arg) }},
	// format=name: a string of one of the formats below. "required" deals with the empty string.
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

// A format is a syntax of strings: read returns the stored form or a problem; schema and pattern are its
// format and pattern in JSON Schema.
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

// readDomain accepts a host name, or a URL with one, and returns it in lower case. Internationalized names
// must be in their ASCII form (xn--, RFC 5891).
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

// readKey accepts a name that programs use as an identifier.
func readKey(s string) (string, string) {
	if len(s) > 64 || strings.Trim(s, letters+"0123456789_.-") != "" {
		return "", "must be at most 64 letters, digits, and the signs _ . -"
	}
	return s, ""
}

// readIdentifier accepts an identifier as in programming languages.
func readIdentifier(s string) (string, string) {
	if len(s) > 64 || strings.Trim(s, letters+"0123456789_") != "" || strings.Trim(s[:1], letters+"_") != "" {
		return "", "must be at most 64 letters, digits and underscores, the first no digit"
	}
	return s, ""
}

var uuidPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
})

// readUUID accepts the text form of RFC 9562 in any case and returns it in lower case.
func readUUID(s string) (string, string) {
	s = strings.ToLower(s)
	if !uuidPattern().MatchString(s) {
		return "", "must be a UUID"
	}
	return s, ""
}

// readEmail accepts an address without a name or angle brackets (RFC 5322, addr-spec).
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

// readTime accepts RFC 3339, with t and z in lower case too. A space before the offset is taken for a plus
// sign that was not escaped in a URL.
func readTime(s string) (string, string) {
	s = strings.ToUpper(s)
	if i := strings.LastIndexByte(s, ' '); i > len("2026-03-01T") {
		s = s[:i] + "+" + s[i+1:]
	}
	t, err := time.Parse(time.RFC3339, s)
	if err == nil {
		_, err = t.MarshalText() // refuses an offset of 24 hours or more
	}
	if err != nil {
		return "", "must be a time in ISO 8601 with an offset, such as 2026-03-01T09:30:00Z"
	}
	return s, ""
}

// readDay accepts a date or a time and returns the date of its day in UTC.
func readDay(s string) (string, string) {
	t, _, problem := readDateOrTime(s)
	return t.Format(time.DateOnly), problem
}

// readSince accepts a date or a time and returns a time: for a date, the beginning of the day in UTC.
func readSince(s string) (string, string) {
	t, _, problem := readDateOrTime(s)
	return t.Format(time.RFC3339Nano), problem
}

// readUntil accepts a date or a time and returns a time: for a date, the last nanosecond of the day in UTC.
func readUntil(s string) (string, string) {
	t, isDate, problem := readDateOrTime(s)
	if isDate {
		t = t.Add(24*time.Hour - time.Nanosecond)
	}
	return t.Format(time.RFC3339Nano), problem
}

// readDateOrTime returns the time in UTC: for a date, the beginning of the day. A time without an offset is
// taken as UTC.
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

// An Enum is a string type with a closed set of values.
type Enum interface{ Values() []string }

// An OpenEnum is a string type whose valid values cannot all be listed.
type OpenEnum interface {
	Valid() bool
	// Choices returns values for the error message, with placeholders for open-ended ones.
	Choices() []string
	// Pattern returns a regular expression that matches the valid values, as in JSON Schema.
	Pattern() string
}

// openEnumOf returns a value as an OpenEnum, if its type is one.
func openEnumOf(v reflect.Value) (OpenEnum, bool) {
	if v.Kind() != reflect.String {
		return nil, false
	}
	e, ok := v.Interface().(OpenEnum)
	return e, ok
}

// enumOf returns the values of an Enum, or nil for other types.
func enumOf(t reflect.Type) []string {
	if t.Kind() != reflect.String {
		return nil
	}
	if e, ok := reflect.Zero(t).Interface().(Enum); ok {
		return e.Values()
	}
	return nil
}

// check applies a field's rules to its value. It returns what is wrong with the value, or "".
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

// tagRules iterates over the rules of a tag. It panics on an unknown rule, which is a mistake in the program;
// the test of the OpenAPI document finds it.
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

// truncate returns the first n characters of s.
func truncate(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
