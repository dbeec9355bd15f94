package knowledge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A pair is what a block says.
type pair struct {
	Questions []string
	Answer    string
}

func TestParseFAQ(t *testing.T) {
	for _, test := range []struct {
		name, content string
		want          []pair
	}{
		{"one", "Q: Open?\nA: Yes.", []pair{{[]string{"Open?"}, "Yes."}}},
		{"two", "Q: Open?\nA: Yes.\n\nQ: Dogs?\nA: No.",
			[]pair{{[]string{"Open?"}, "Yes."}, {[]string{"Dogs?"}, "No."}}},
		{"several phrasings", "Q: Open?\nQ: When are you open?\nA: At nine.",
			[]pair{{[]string{"Open?", "When are you open?"}, "At nine."}}},
		{"answer over lines", "Q: Open?\nA: At nine.\nOn Sundays at ten.\n- and late\n",
			[]pair{{[]string{"Open?"}, "At nine.\nOn Sundays at ten.\n- and late"}}},
		{"answer below its label", "Q: Open?\nA:\nAt nine.", []pair{{[]string{"Open?"}, "At nine."}}},
		{"question over lines", "Q: Are you open\non Sundays?\nA: No.",
			[]pair{{[]string{"Are you open on Sundays?"}, "No."}}},
		{"CR LF", "Q: Open?\r\nA: Yes.\r\n\r\nQ: Dogs?\r\nA: No.\r\n",
			[]pair{{[]string{"Open?"}, "Yes."}, {[]string{"Dogs?"}, "No."}}},
		{"CR", "Q: Open?\rA: Yes.\r\rQ: Dogs?\rA: No.",
			[]pair{{[]string{"Open?"}, "Yes."}, {[]string{"Dogs?"}, "No."}}},
		{"small letters", "q: Open?\na: Yes.", []pair{{[]string{"Open?"}, "Yes."}}},
		{"full-width colon", "Q：営業時間は？\nA：9時です。", []pair{{[]string{"営業時間は？"}, "9時です。"}}},
		{"spaces about", "  Q : Open?  \n\tA : Yes.  \n \t \n  Q: Dogs?\n  A: No.",
			[]pair{{[]string{"Open?"}, "Yes."}, {[]string{"Dogs?"}, "No."}}},
		{"no-break spaces in a blank line", "Q: Open?\nA: Yes.\n\u00a0\nQ: Dogs?\nA: No.",
			[]pair{{[]string{"Open?"}, "Yes."}, {[]string{"Dogs?"}, "No."}}},
		{"byte order mark", "\ufeffQ: Open?\nA: Yes.", []pair{{[]string{"Open?"}, "Yes."}}},
		{"many blank lines", "\n\n\nQ: Open?\nA: Yes.\n\n\n\nQ: Dogs?\nA: No.\n\n\n",
			[]pair{{[]string{"Open?"}, "Yes."}, {[]string{"Dogs?"}, "No."}}},
		{"no blank line between", "Q: Open?\nA: Yes.\nQ: Dogs?\nA: No.",
			[]pair{{[]string{"Open?"}, "Yes."}, {[]string{"Dogs?"}, "No."}}},
		{"blank line before the answer", "Q: Open?\n\nA: Yes.\n\nQ: Dogs?\n\nA: No.",
			[]pair{{[]string{"Open?"}, "Yes."}, {[]string{"Dogs?"}, "No."}}},
		{"answer of two paragraphs",
			"Q: Open?\nA: Yes.\n\nOn Sundays we open a little later.\n\nQ: Dogs?\nA: No.",
			[]pair{{[]string{"Open?"}, "Yes.\n\nOn Sundays we open a little later."},
				{[]string{"Dogs?"}, "No."}}},
		{"headings between", "# Shop\n\nQ: Open?\nA: Yes.\n\n## Animals\n\nQ: Dogs?\nA: No.\n\nOther " +
			"matters\n\nQ: Cats?\nA: Yes.", []pair{{[]string{"Open?"}, "Yes."}, {[]string{"Dogs?"}, "No."},
			{[]string{"Cats?"}, "Yes."}}},
		{"A: in an answer", "Q: Grades?\nA: There are two.\nA: the best.\nB: the rest.",
			[]pair{{[]string{"Grades?"}, "There are two.\nA: the best.\nB: the rest."}}},
		{"colons within", "Q: Hours: which?\nA: 9:00 to 17:00: always.",
			[]pair{{[]string{"Hours: which?"}, "9:00 to 17:00: always."}}},
		{"a question without an answer", "Q: Open?\n\nQ: Dogs?\nA: No.", []pair{{[]string{"Dogs?"}, "No."}}},
		{"an empty answer", "Q: Open?\nA:\n\nQ: Dogs?\nA: No.", []pair{{[]string{"Dogs?"}, "No."}}},
		{"an empty question", "Q:\nA: Yes.\n\nQ: \nQ: Dogs?\nA: No.", []pair{{[]string{"Dogs?"}, "No."}}},
		{"an answer alone", "A: Yes.", nil},
		{"a question alone", "Q: Open?", nil},
		{"running text", "We open at nine. Quite early.", nil},
		{"words that begin with the letters", "Quiet: no\nAlways: yes", nil},
		{"nothing", "", nil},
		{"blank", " \n\t\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []pair
			for _, b := range parseFAQ(test.content) {
				got = append(got, pair{b.questions, b.answer})
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// FuzzParseFAQ holds that blocks follow one another in the content, and that each by itself is the same
// block: a search reads it so.
func FuzzParseFAQ(f *testing.F) {
	f.Add("Q: Open?\r\nq: When?\nA: Yes.\n\nOn Sundays too.\n\n# H\n\nQ:x\nA：y")
	f.Fuzz(func(t *testing.T, content string) {
		end := 0
		for _, b := range parseFAQ(content) {
			if b.start < end || b.end <= b.start || b.end > len(content) {
				t.Fatalf("block %v after %d in %d bytes", b.span, end, len(content))
			}
			end = b.end
			again := parseFAQ(content[b.start:b.end])
			if len(again) != 1 || again[0].answer != b.answer ||
				strings.Join(again[0].questions, "\n") != strings.Join(b.questions, "\n") {
				t.Fatalf("%q is %+v alone and %+v in its place", content[b.start:b.end], again, b)
			}
		}
	})
}
