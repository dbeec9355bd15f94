package understand_test

import (
	"strings"
	"testing"

	"frontdesk/shared/understand"
)

// TestModels holds that both models can be read, are of the classes that there are, and are small enough.
func TestModels(t *testing.T) {
	if skills, languages := understand.Digests(); skills == "" || skills != languages {
		t.Errorf("the models were trained on %q and %q", skills, languages)
	}
	if n := understand.Size(); n > 1<<20 {
		t.Errorf("the models have %d bytes together", n)
	}
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		tag, message string
		skill        understand.Skill
		language     string
	}{
		{"en", "what time do you close on saturdays?", understand.Hours, "en"},
		{"en", "Cancel my appointment please", understand.Cancel, "en"},
		{"de", "can someone call me back please", understand.Person, "en"},
		{"en", "was kostet eine massage bei euch", understand.Prices, "de"},
		{"de", "bist du ein roboter", understand.Identity, "de"},
		{"en", "une table pour deux demain soir svp", understand.Book, "fr"},
		{"fr", "oui d'accord", understand.Reply, "fr"},
	} {
		r := understand.Read(tt.tag, tt.message)
		if best := r.Best(); best.Skill != tt.skill || r.Language != tt.language {
			t.Errorf("%q is %v in %s, want %v in %s", tt.message, best, r.Language, tt.skill, tt.language)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"", "?", "\xff", "👍", "hello", strings.Repeat("a b ", 3000), "٣ غدا", "İıſ"} {
		f.Add("en", s)
	}
	f.Fuzz(func(t *testing.T, tag, s string) {
		r := understand.Read(tag, s)
		for i, p := range append(r.Skills[:], r.Acts[:]...) {
			if !(p >= 0 && p <= 1) {
				t.Errorf("%q: class %d has the probability %v", s, i, p)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		understand.Read("en",
			"hi, could you squeeze me in for a quick trim tomorrow afternoon? also is there parking nearby")
	}
}
