package knowledge

import (
	"fmt"
	"strings"
	"testing"

	"frontdesk/shared/table"
)

// TestManyWords holds that the longest content gives no more words than a request has the time to write, and
// no longer a list of them than fits an item.
func TestManyWords(t *testing.T) {
	for name, unit := range map[string]string{
		"short words": "w%06x ",
		"long words":  "%064x ",
		"characters":  "%c%[1]c",
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for n := '一'; b.Len() < MaxContent-100; n++ {
				fmt.Fprintf(&b, unit, n)
			}
			ix, err := newIndex("en", Document{Type: Text, Title: "Words", Content: b.String()})
			if err != nil {
				t.Fatal(err)
			}
			list := len(strings.Join(ix.words, "\n"))
			if len(ix.words) < 5_000 || len(ix.words) > maxWords || list > table.MaxItemSize-256 ||
				len(ix.entries) != len(ix.words) {
				t.Errorf("%d words of %d bytes, %d entries", len(ix.words), list, len(ix.entries))
			}
		})
	}
}

// TestStopWords holds that words that say little are in the index only where a question has them.
func TestStopWords(t *testing.T) {
	for kind, want := range map[Type]string{
		Text: "titl ~ answer",
		FAQ:  "titl ~ who are you answer",
	} {
		d := Document{Type: kind, Title: "The title", Content: "# Who are you?\n\nWe answer that."}
		if kind == FAQ {
			d.Content = "Q: Who are you?\nA: We answer that."
		}
		ix, err := newIndex("en", d)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(ix.words, " "); got != want {
			t.Errorf("%s: words %q, want %q", kind, got, want)
		}
	}
}
