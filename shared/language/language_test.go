package language_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"frontdesk/shared/language"
)

// TestComplete shows what a language lacks: every key stands in every language.
func TestComplete(t *testing.T) {
	for _, tag := range language.Tags() {
		for _, lack := range language.Lacks(tag) {
			t.Error(lack)
		}
	}
	folders, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if f.IsDir() && language.Find(f.Name()) == nil {
			t.Errorf("%s is a folder and in no list", f.Name())
		}
	}
}

// TestPlaces holds that a text of any language has as many places to fill in as in English.
func TestPlaces(t *testing.T) {
	said := func(l *language.Language) map[string]string {
		out := map[string]string{}
		for _, s := range []any{
			l.Replies(), l.BookingReplies(), l.Widget(), l.Voice(true), l.Voice(false), l.Bookings(),
		} {
			v := reflect.ValueOf(s).Elem()
			for i := range v.NumField() {
				out[v.Type().Name()+"."+v.Type().Field(i).Name] = v.Field(i).String()
			}
		}
		return out
	}
	english := said(language.Of("en"))
	for _, tag := range language.Tags() {
		for name, text := range said(language.Of(tag)) {
			if got, want := strings.Count(text, "%s"), strings.Count(english[name], "%s"); got != want {
				t.Errorf("%s: %s is %q, with %d places for %d", tag, name, text, got, want)
			}
		}
		dates := language.Of(tag).Dates()
		for _, form := range []string{"{day}", "{clock}"} {
			if !strings.Contains(dates.Moment, form) {
				t.Errorf("%s: a moment has no %s", tag, form)
			}
		}
	}
}

// TestGroups holds that the lists whose places have a meaning have all of them.
func TestGroups(t *testing.T) {
	for _, tag := range language.Tags() {
		times, bookings := language.Of(tag).Times(), language.Of(tag).Bookings()
		for _, g := range []struct {
			name, list string
			groups     int
		}{
			{"relative", times.Relative, 4}, {"weekdays", times.Weekdays, 7}, {"months", times.Months, 12},
			{"numbers", times.Numbers, 17}, {"parts", times.Parts, 5}, {"ordinals", bookings.Ordinals, 3},
			{"titles", language.Of(tag).Requests().Titles, 7},
		} {
			if n := len(strings.Split(g.list, ";")); n != g.groups {
				t.Errorf("%s: %s has %d groups, not %d", tag, g.name, n, g.groups)
			}
		}
	}
}

func TestFind(t *testing.T) {
	for tag, want := range map[string]string{"pt-BR": "pt", "DE": "de", "zh": "en", "": "en", "fr_CA": "fr"} {
		if got := language.Of(tag).Tag(); got != want {
			t.Errorf("Of(%q) is %s, want %s", tag, got, want)
		}
	}
	if language.Find("zh") != nil {
		t.Error("a language that the product does not speak is found")
	}
	if got := language.Of("de").Industry("restaurant"); !reflect.ValueOf(got).IsZero() {
		t.Errorf("German has no texts for industries, yet %+v", got)
	}
}

// BenchmarkFirstUse is what the first message of a language costs a process beyond the next one.
func BenchmarkFirstUse(b *testing.B) {
	for b.Loop() {
		language.Lacks("de")
	}
}
