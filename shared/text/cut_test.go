package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCut(t *testing.T) {
	family := "👩‍👩‍👧" // five code points, one character to a reader
	for _, tt := range []struct {
		name, text string
		n          int
		want       string
	}{
		{"fits", "Hello there", 11, "Hello there"},
		{"nothing", "Hello", 0, ""},
		{"negative", "Hello", -1, ""},
		{"sentence", "One sentence here. Another one follows it.", 25, "One sentence here."},
		{"sentence that just fits", "One two. Three four.", 8, "One two."},
		{"no early sentence", "Yes. This one goes on and on without an end", 30,
			"Yes. This one goes on and on"},
		{"word", "word word word word", 12, "word word"},
		{"word that just fits", "word word word", 9, "word word"},
		{"no word", strings.Repeat("x", 20), 7, "xxxxxxx"},
		{"counts characters", "éééééééé", 4, "éééé"},
		{"cluster", family + family, 6, family},
		{"no cluster fits", family, 3, ""},
		{"combining accent", "abcde\u0301", 5, "abcd"},
		{"flag", "🇪🇸🇫🇷", 3, "🇪🇸"},
		{"japanese", "今日は休みです。明日は開いています。", 10, "今日は休みです。"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Cut(tt.text, tt.n); got != tt.want {
				t.Errorf("Cut(%q, %d) = %q, want %q", tt.text, tt.n, got, tt.want)
			}
		})
	}
}

func TestTruncate(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{
		{"añb", 2, "añ"}, {"añb", 3, "añb"}, {"añb", 9, "añb"}, {"añb", 0, ""}, {"añb", -1, ""}, {"", 1, ""},
	} {
		if got := Truncate(tt.text, tt.n); got != tt.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", tt.text, tt.n, got, tt.want)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("One. Two three 👩‍👩‍👧.", 9)
	f.Fuzz(func(t *testing.T, s string, n int) {
		got := Cut(s, n)
		if !strings.HasPrefix(s, got) || utf8.RuneCountInString(got) > max(n, 0) {
			t.Errorf("Cut(%q, %d) = %q", s, n, got)
		}
	})
}

func TestTruncateExpanded(t *testing.T) {
	for _, test := range []struct {
		s    string
		n    int
		want string
	}{
		{"", 0, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"ﬁsh", 4, "ﬁsh"}, {"ﬁsh", 3, "ﬁs"},
		{"ﬁsh", 1, ""},
		{"éa", 2, "éa"}, {"日本語", 2, "日本"}, {strings.Repeat("ﷺ", 40), 40, "ﷺﷺ"},
	} {
		if got := TruncateExpanded(test.s, test.n); got != test.want {
			t.Errorf("TruncateExpanded(%q, %d) = %q, want %q", test.s, test.n, got, test.want)
		}
	}
}
