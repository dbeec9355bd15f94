package language

import (
	"embed"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unicode"
)

// files embeds the folders of the languages.
//
//go:embed */words.txt */texts.txt */industries.txt */concepts.txt
var files embed.FS

// The files of a language.
const (
	words      = "words.txt"
	texts      = "texts.txt"
	industries = "industries.txt"
	concepts   = "concepts.txt"
)

// A section is a section of a file, parsed when it is first read.
type section[T any] struct {
	once  sync.Once
	value T
}

func (s *section[T]) read(tag, file, name string) *T {
	s.once.Do(func() { fill(&s.value, tag, file, name) })
	return &s.value
}

// fill sets the fields of a struct to the values of a section. A field stays zero if the file, the section
// or the key is missing. Keys without a field are ignored; TestComplete finds both.
func fill(to any, tag, file, name string) {
	content, err := files.ReadFile(tag + "/" + file)
	if err != nil {
		return
	}
	fields := reflect.ValueOf(to).Elem()
	for key, value := range entries(sectionOf(string(content), name)) {
		for i := range fields.NumField() {
			if keyOf(fields.Type().Field(i).Name) != key {
				continue
			}
			switch field := fields.Field(i); field.Kind() {
			case reflect.String:
				field.SetString(strings.Join(value, " "))
			case reflect.Bool:
				field.SetBool(strings.Join(value, " ") == "yes")
			case reflect.Slice:
				field.Set(reflect.ValueOf(value))
			}
			break
		}
	}
}

// sectionOf returns the lines of a section.
func sectionOf(content, name string) string {
	_, body, _ := strings.Cut("\n"+content, "\n["+name+"]\n")
	body, _, _ = strings.Cut(body, "\n[")
	return body
}

// entries iterates over the keys of a section and the lines of their values.
func entries(body string) func(yield func(string, []string) bool) {
	return func(yield func(string, []string) bool) {
		var key string
		var value []string
		for line := range strings.Lines(body) {
			text := strings.TrimSpace(line)
			switch {
			case text == "" || line[0] == '#':
				continue
			case line[0] == ' ' || line[0] == '\t':
				value = append(value, text)
				continue
			}
			if key != "" && !yield(key, value) {
				return
			}
			before, after, _ := strings.Cut(text, ":")
			key, value = before, nil
			if after = strings.TrimSpace(after); after != "" {
				value = append(value, after)
			}
		}
		if key != "" {
			yield(key, value)
		}
	}
}

// keyOf returns the key of a field: "half_to" for HalfTo.
func keyOf(field string) string {
	var b strings.Builder
	for i, r := range field {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Lacks lists the keys that the files of a language lack, repeat or have in excess, and texts that are
// empty. Words may be empty.
func Lacks(tag string) []string {
	l := Find(tag)
	if l == nil {
		return []string{tag + " is not in the list of languages"}
	}
	var out []string
	for _, s := range []struct {
		file, name string
		of         any
	}{
		{words, "script", l.Script()}, {words, "times", l.Times()}, {words, "hours", l.Hours()},
		{words, "talk", l.Talk()},
		{words, "requests", l.Requests()}, {words, "bookings", l.Bookings()}, {texts, "dates", l.Dates()},
		{texts, "amounts", l.Amounts()}, {texts, "familiar", l.Voice(false)},
		{texts, "polite", l.Voice(true)},
		{texts, "replies", l.Replies()}, {texts, "booking_replies", l.BookingReplies()},
		{texts, "widget", l.Widget()},
		{texts, "box", l.Box()},
	} {
		out = append(out, lacks(l.tag, s.file, s.name, reflect.TypeOf(s.of).Elem())...)
	}
	return out
}

func lacks(tag, file, name string, of reflect.Type) []string {
	content, err := files.ReadFile(tag + "/" + file)
	if err != nil {
		return []string{err.Error()}
	}
	has := map[string]string{}
	var out []string
	for key, value := range entries(sectionOf(string(content), name)) {
		if _, twice := has[key]; twice {
			out = append(out, fmt.Sprintf("%s/%s [%s]: %s stands twice", tag, file, name, key))
		}
		has[key] = strings.Join(value, " ")
	}
	for i := range of.NumField() {
		field := of.Field(i)
		key := keyOf(field.Name)
		text, found := has[key]
		delete(has, key)
		switch {
		case !found:
			out = append(out, fmt.Sprintf("%s/%s [%s]: %s is missing", tag, file, name, key))
		case text == "" && file == texts && field.Tag.Get("may") != "lack":
			out = append(out, fmt.Sprintf("%s/%s [%s]: %s is empty", tag, file, name, key))
		case field.Type.Kind() == reflect.Bool && text != "yes" && text != "no":
			out = append(out, fmt.Sprintf("%s/%s [%s]: %s is neither yes nor no", tag, file, name, key))
		}
	}
	for key := range has {
		out = append(out, fmt.Sprintf("%s/%s [%s]: nothing is called %s", tag, file, name, key))
	}
	return out
}

// Phrases returns the words, phrases and sentences in a language's words.txt and texts.txt, as training
// data.
func Phrases(tag string) []string {
	var out []string
	for _, file := range []string{words, texts} {
		content, err := files.ReadFile(tag + "/" + file)
		if err != nil {
			continue
		}
		for _, value := range entries(string(content)) {
			for _, text := range strings.FieldsFunc(strings.Join(value, " "),
				func(r rune) bool { return r == ',' || r == ';' }) {
				if text = strings.TrimSpace(strings.ReplaceAll(text, "%s", "")); text != "" {
					out = append(out, text)
				}
			}
		}
	}
	return out
}

// Concepts returns the words and phrases, separated by commas, for each concept of a front desk. It is nil
// for a language without any.
func (l *Language) Concepts() map[string]string {
	content, err := files.ReadFile(l.tag + "/" + concepts)
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for name, value := range entries(string(content)) {
		out[name] = strings.Join(value, " ")
	}
	return out
}
