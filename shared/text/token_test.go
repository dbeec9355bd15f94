package text

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	known "frontdesk/shared/language"
)

// stems writes the tokens of s with a space between them, stop words in brackets.
func stems(language, s string) string {
	var b strings.Builder
	for i, t := range Tokens(language, s) {
		if i > 0 {
			b.WriteByte(' ')
		}
		if t.Stop {
			fmt.Fprintf(&b, "[%s]", t.Stem)
		} else {
			b.WriteString(t.Stem)
		}
	}
	return b.String()
}

func TestTokens(t *testing.T) {
	for _, tt := range []struct{ name, language, text, want string }{
		{"nothing", "en", "", ""},
		{"punctuation and emoji", "en", "… 👋🏽!? —", ""},
		{"english", "en", "What are your opening hours?", "[what] [are] [your] open hour"},
		{"apostrophes", "en", "What’s the chef's name? I DON'T know",
			"[what's] [the] chef name [i] [don't] [know]"},
		{"compatible forms", "en", "ﬁsh Ｗｉｄｅ", "fish wide"},
		{"words with a letter before", "en", "e-mail Wi-Fi T-shirt check-in", "email wifi tshirt check [in]"},
		{"initials", "en", "the U.S. office", "[the] us offic"},
		{"prices", "en", "€12.50, $1,000.00 or 5 EUR", "12.50 1000 [or] 5 eur"},
		{"thousands with a stop", "de", "1.000 Euro und 3,5", "1000 euro [und] 3.5"},
		{"times", "en", "10:30, 10am, 12 am, 9:05 p.m.", "10:30 10:00 0:00 21:05"},
		{"times in french", "fr", "18h et 18h30", "18:00 [et] 18:30"},
		{"date and version", "en", "2024.05.01 v1.2.3", "2024.05.01 v1 2.3"},
		{"ordinals", "en", "2nd floor, the 1990s", "2nd floor [the] 1990s"},
		{"address", "en", "Write to Info@Example.com.", "write [to] info@example.com"},
		{"web", "en", "see https://Example.com/a?b=c, or www.example.org.",
			"see https://example.com/a?b=c [or] www.example.org"},
		{"phones", "en", "+34 600 123 456 or (555) 123-4567 or 555-123-4567",
			"34600123456 [or] 5551234567 [or] 5551234567"},
		{"hours are no phone", "en", "09.00-17.00", "09 17"},
		{"spanish with and without accents", "es", "habitación habitacion TELÉFONO telefono",
			"habit habit telefon telefon"},
		{"portuguese without accents", "pt", "localização localizacao", "localiz localiz"},
		{"german umlauts", "de", "Öffnungszeiten Oeffnungszeiten öffnet neue",
			"offnungszeit offnungszeit offnet neu"},
		{"french elision", "fr", "L'heure d'ouverture aujourd'hui", "[l] heur [d] ouvertur aujourd hui"},
		{"swedish keeps its letters", "sv", "smörgås", "smörgås"},
		{"turkish case", "tr", "İSTANBUL'da AÇIK", "istanbul [da] acik"},
		{"russian", "ru", "Часы работы ещё", "час работ [еще]"},
		{"arabic", "ar", "ساعات العمل؟", "ساعا عمل"},
		{"japanese", "en", "営業時間", "営業 業時 時間"},
		{"one character", "zh", "茶 tea", "茶 tea"},
		{"thai keeps marks", "th", "กี่โมง", "กี่โ โม มง"},
		{"other language", "xx", "The Hours", "the hours"},
		{"region", "pt-BR", "os horários", "[os] horari"},
		{"invalid UTF-8", "en", "caf\xff opening", "caf open"},
		{"no word", "en", strings.Repeat("a", 100), strings.Repeat("a", MaxStem)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, stems(tt.language, tt.text)); diff != "" {
				t.Errorf("stems of %q differ (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestTokensWhereAndWhat(t *testing.T) {
	s := "Tea: €2, 20% off at 10am, call +34 600 123 456"
	want := []string{"Tea 0", "€2 2", "20% 3", "off 0", "at 0", "10am 4", "call 0", "+34 600 123 456 5"}
	var got []string
	for _, tok := range Tokens("en", s) {
		got = append(got, fmt.Sprint(s[tok.Start:tok.End], " ", tok.Kind))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tokens of %q differ (-want +got):\n%s", s, diff)
	}
}

func TestLanguages(t *testing.T) {
	tags := Languages()
	if tags[0] != "en" {
		t.Errorf("first language is %q, want en", tags[0])
	}
	for _, tag := range tags {
		l := languageOf(tag)
		if l.tag != tag || l.stem == nil {
			t.Errorf("%s: no stemmer", tag)
		}
		for _, word := range strings.Fields(known.Find(tag).Script().Stop) {
			if folded := l.fold(l.lower(word)); folded != word {
				t.Errorf("%s: the stop word %q is never met, since it is folded to %q", tag, word, folded)
			}
		}
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"Hi, e-mail a@b.co at 10:30 p. m.", "a'b U.S. 1,2.3", "ﾞｶﾞ กี่", "+1 (2) 3-4",
		"\xff1h", "½ ₤ 5 $"} {
		f.Add(uint8(0), s)
		f.Add(uint8(14), s)
	}
	f.Fuzz(func(t *testing.T, language uint8, s string) {
		tags := append(Languages(), "ja", "")
		end := 0
		for i, tok := range Tokens(tags[int(language)%len(tags)], s) {
			if tok.Start < 0 || tok.End <= tok.Start || tok.End > len(s) || tok.End <= end && i > 0 {
				t.Fatalf("token %d stands at %d to %d of %q", i, tok.Start, tok.End, s)
			}
			if tok.Stem == "" || len(tok.Stem) > MaxStem || !utf8.ValidString(tok.Stem) {
				t.Fatalf("token %d of %q has the stem %q", i, s, tok.Stem)
			}
			end = tok.End
		}
	})
}
