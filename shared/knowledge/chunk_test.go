package knowledge

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestChunkText(t *testing.T) {
	sentence := func(n int) string {
		return fmt.Sprintf("Sentence %d says something of about sixty characters in all.", n)
	}
	paragraph := func(from, to int) string {
		var said []string
		for n := from; n < to; n++ {
			said = append(said, sentence(n))
		}
		return strings.Join(said, " ")
	}
	unbroken := strings.Repeat("word ", 180) + "end."
	for _, test := range []struct {
		name, content string
		want          []string
	}{
		{"nothing", "", nil},
		{"white space", " \n\n\t", nil},
		{"short", " We open at nine.\n", []string{"We open at nine."}},
		{"short paragraphs together", "One.\n\nTwo.\n\nThree.", []string{"One.\n\nTwo.\n\nThree."}},
		{"long paragraphs apart", paragraph(0, 12) + "\n\n" + paragraph(20, 32),
			[]string{paragraph(0, 12), paragraph(20, 32)}},
		{"a paragraph that is too long", paragraph(0, 30), []string{paragraph(0, 16), paragraph(16, 30)}},
		{
			"sections", "# Hours\n\n" + paragraph(0, 6) + "\n\n# Parking\n\n" + paragraph(20, 26),
			[]string{"# Hours\n\n" + paragraph(0, 6), "# Parking\n\n" + paragraph(20, 26)},
		},
		{"short sections together", "# Hours\n\nAt nine.\n\n# Parking\n\nIn the yard.",
			[]string{"# Hours\n\nAt nine.\n\n# Parking\n\nIn the yard."}},
		{
			"a heading goes with what follows", paragraph(0, 4) + "\n\n# Parking\n\n" + unbroken,
			[]string{paragraph(0, 4), "# Parking\n\n" + unbroken},
		},
		{"headings alone", "# One\n\n# Two", []string{"# One\n\n# Two"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, c := range chunkText(test.content) {
				got = append(got, test.content[c.start:c.end])
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestChunkLabels(t *testing.T) {
	long := strings.Repeat("Cars stand in the yard behind the house. ", 40)
	var got [][]string
	for _, c := range chunkText("Welcome.\n\n# Parking\n\n" + long + "\n\n# Hours\n\nAt nine.") {
		got = append(got, c.labels)
	}
	want := [][]string{{"# Parking"}, {"# Parking"}, {"# Hours"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// contents are texts of all sorts that the properties below must hold for.
var contents = map[string]string{
	"empty":    "",
	"space":    strings.Repeat(" \n", 20_000),
	"gap":      "a" + strings.Repeat(" ", 50_000) + "b",
	"headings": strings.Repeat("# A heading that stands alone\n\n", 500),
	"sentence": strings.Repeat("word ", 20_000),
	"word":     strings.Repeat("x", 50_000),
	"accents":  "e" + strings.Repeat("\u0301", 20_000),
	"emoji":    strings.Repeat("👩‍👩‍👧🇩🇪", 3_000),
	"chinese":  strings.Repeat("我们每天早上九点开门，晚上六点关门。", 2_000),
	"arabic":   strings.Repeat("نفتح كل يوم في التاسعة صباحا. هل لديكم موقف سيارات؟ ", 1_000),
	"list":     strings.Repeat("- an entry of a list without an end\n", 2_000),
	"mixed": strings.Repeat("# Hours\n\nWe open at nine. We close at six.\n\n- Mon: 9-6\n- Tue: "+
		"9-6\n\n", 700),
	"heading long": "# " + strings.Repeat("long ", 190) + "\n\n" + strings.Repeat("Said and done. ", 100),
}

func TestChunksOfAnyText(t *testing.T) {
	for name, content := range contents {
		t.Run(name, func(t *testing.T) { checkChunks(t, content) })
	}
}

func FuzzChunkText(f *testing.F) {
	for _, content := range contents {
		f.Add(content[:min(len(content), 3000)])
	}
	f.Fuzz(func(t *testing.T, content string) {
		if !utf8.ValidString(content) {
			t.Skip("a body is valid UTF-8")
		}
		checkChunks(t, content)
	})
}

// checkChunks holds that chunks are in order, bounded and whole characters, and that nothing but white space
// is in none.
func checkChunks(t *testing.T, content string) {
	t.Helper()
	chunks := chunkText(content)
	end := 0
	for _, c := range chunks {
		if c.start < end || c.end <= c.start || c.end > len(content) {
			t.Fatalf("chunk %v after %d in %d bytes", c.span, end, len(content))
		}
		if n := utf8.RuneCountInString(content[c.start:c.end]); n > maxChunk {
			t.Fatalf("chunk %v has %d characters", c.span, n)
		}
		if !utf8.ValidString(content[c.start:c.end]) {
			t.Fatalf("chunk %v cuts a character", c.span)
		}
		if lost := strings.TrimFunc(content[end:c.start], unicode.IsSpace); lost != "" {
			t.Fatalf("%q is in no chunk", lost)
		}
		end = c.end
	}
	if lost := strings.TrimFunc(content[end:], unicode.IsSpace); lost != "" {
		t.Fatalf("%q is in no chunk", lost)
	}
	checkParts(t, content, chunks)
}

// checkParts holds that the parts joined are the content, that their marks are the chunks, and that there are
// few enough of them for one transaction.
func checkParts(t *testing.T, content string, chunks []chunk) {
	t.Helper()
	parts := split(content, chunks, minPart)
	var joined strings.Builder
	for i, p := range parts {
		if i < len(parts)-1 && len(p.text) < minPart || i == 0 && len(parts) > 1 && len(p.text) < minHead {
			t.Fatalf("part %d of %d has %d bytes", i, len(parts), len(p.text))
		}
		if !utf8.ValidString(p.text) {
			t.Fatalf("part %d cuts a character", i)
		}
		for _, m := range p.marks {
			c := chunks[0]
			if got := p.text[m[0] : m[0]+m[1]]; got != content[c.start:c.end] {
				t.Fatalf("part %d marks %q, want %q", i, got, content[c.start:c.end])
			}
			chunks = chunks[1:]
		}
		joined.WriteString(p.text)
	}
	if joined.String() != content || len(chunks) > 0 || len(parts) == 0 || len(parts) > maxParts {
		t.Fatalf("%d parts have %d bytes of %d, and %d chunks are in none", len(parts), joined.Len(),
			len(content), len(chunks))
	}
}

func TestSplitFAQ(t *testing.T) {
	content := "Before.\n\n" + strings.Repeat("Q: Open?\nA: "+strings.Repeat("Yes. ", 1_800)+"\n\n", 100)
	chunks := chunkFAQ(content)
	if len(chunks) != 100 {
		t.Fatalf("%d chunks", len(chunks))
	}
	checkParts(t, content, chunks)
}
