package concept_test

import (
	"slices"
	"strings"
	"testing"

	"frontdesk/shared/concept"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// TestNames holds that other words for the same thing, in any language, are one concept.
func TestNames(t *testing.T) {
	for _, tt := range []struct{ tag, message, want string }{
		{"en", "is there any parking", "park"},
		{"de", "Habt ihr Parkplätze?", "park"},
		{"de", "Kundenparkplätze", "park"},
		{"fr", "on peut se garer où", "park"},
		{"es", "hay aparcamiento", "park"},
		{"fr", "vos promos du moment", "discount"},
		{"fr", "les offres en cours", "discount"},
		{"fr", "le magasin", "shop"},
		{"fr", "le showroom", "shop"},
		{"de", "nehmt ihr Hunde auf", "dog"},
		{"en", "do you take apple pay", "card"},
		{"tr", "otopark var mı", "park"},
		{"ru", "можно с собакой", "dog"},
		{"sv", "kan man betala med kort", "card"},
		{"fi", "onko teillä hissi", "lift"},
		{"hu", "mennyibe kerül", "price"},
		{"ar", "هل يوجد موقف", "park"},
		{"nl", "zijn jullie rolstoeltoegankelijk", "wheelchair"},
		{"de", "gibt es eine Betäubungscreme?", "numb"},
		{"sv", "vad kostar däckskifte", "tyrestorage"},
		{"fi", "onko teillä lastenlista", "kidsmenu"},
		{"hu", "hol a csomagom", "tracking"},
		{"tr", "kargom nerede", "tracking"},
		{"ru", "нужно ли приходить натощак", "fasting"},
	} {
		if got := concept.Names(tt.tag, tt.message); !slices.Contains(got, tt.want) {
			t.Errorf("%s: %q is about %v, want %s", tt.tag, tt.message, got, tt.want)
		}
	}
	if got := concept.Names("en", "the quick brown fox"); len(got) > 0 {
		t.Errorf("a fox is about %v", got)
	}
}

// TestComplete holds that every language has every concept, that none has one of its own, whose name was
// misspelt, and that no word stands twice in one.
func TestComplete(t *testing.T) {
	english := language.Of("en").Concepts()
	for _, tag := range language.Tags() {
		own := language.Of(tag).Concepts()
		for name, list := range own {
			if _, ok := english[name]; !ok {
				t.Errorf("%s: English has no concept %s", tag, name)
			}
			seen := map[string]bool{}
			for word := range strings.SplitSeq(list, ",") {
				word = strings.ToLower(strings.TrimSpace(word))
				if len(text.Tokens(tag, word)) == 0 || seen[word] {
					t.Errorf("%s: %q of %s is no word, or stands twice", tag, word, name)
				}
				seen[word] = true
			}
		}
		for name := range english {
			if _, ok := own[name]; !ok {
				t.Errorf("%s: nothing stands for %s", tag, name)
			}
		}
	}
}

// TestWhole holds that words which other words hold by chance are no parts of them, and that no word is
// listed for it in vain.
func TestWhole(t *testing.T) {
	for _, tt := range []struct{ tag, word string }{
		{"sv", "regeringen"}, {"sv", "fullständigt"}, {"da", "modstand"}, {"no", "innspill"},
		{"de", "Unterhaltung"}, {"nl", "verstand"},
	} {
		if got := concept.Names(tt.tag, tt.word); len(got) > 0 {
			t.Errorf("%s: %q is about %v", tt.tag, tt.word, got)
		}
	}
	for _, tag := range language.Tags() {
		for _, word := range text.Tokens(tag, language.Of(tag).Script().Whole) {
			if len(concept.Of(tag, word.Stem)) == 0 {
				t.Errorf("%s: %q stands for no concept", tag, word.Stem)
			}
		}
	}
}

// TestNear holds that a word with one slip stands for what it is misspelt for, and that other words do not.
func TestNear(t *testing.T) {
	for _, tt := range []struct{ tag, stem, want string }{
		{"en", "brdal", "wedding"},   // a letter left out
		{"en", "vouchre", "voucher"}, // two swapped
		{"de", "aufzuug", "lift"},    // one more
		{"en", "lift", ""},           // known
		{"en", "zebra", ""},
		{"en", "xy", ""},
	} {
		got := concept.Near(tt.tag, tt.stem)
		if tt.want == "" && len(got) > 0 || tt.want != "" && !slices.Contains(got, tt.want) {
			t.Errorf("%s: %q may stand for %v, want %q", tt.tag, tt.stem, got, tt.want)
		}
	}
}
