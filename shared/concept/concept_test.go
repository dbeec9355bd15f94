package concept_test

import (
	"slices"
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
	} {
		if got := concept.Names(tt.tag, tt.message); !slices.Contains(got, tt.want) {
			t.Errorf("%s: %q is about %v, want %s", tt.tag, tt.message, got, tt.want)
		}
	}
	if got := concept.Names("en", "the quick brown fox"); len(got) > 0 {
		t.Errorf("a fox is about %v", got)
	}
}

// TestKnown holds that no language has a concept of its own, whose name was misspelt, and shows what each
// lacks.
func TestKnown(t *testing.T) {
	english := language.Of("en").Concepts()
	for _, tag := range language.Tags() {
		own := language.Of(tag).Concepts()
		for name, list := range own {
			if _, ok := english[name]; !ok {
				t.Errorf("%s: English has no concept %s", tag, name)
			}
			if len(text.Phrases(tag, list)) == 0 {
				t.Errorf("%s: nothing stands for %s", tag, name)
			}
		}
		t.Logf("%s has %d of %d concepts", tag, len(own), len(english))
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
