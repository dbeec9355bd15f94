package text

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestPhrasesAreCached reads lists from several places at once: each gets its own language's phrases, long
// lists are read each time, and the cached lists are bounded.
func TestPhrasesAreCached(t *testing.T) {
	const list = "book a table, reserving"
	want := map[string][]Phrase{"en": readPhrases("en", list), "de": readPhrases("de", list)}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range maxPhraseLists {
				Phrases("en", fmt.Sprintf("word%d, of %d", n, i))
				for language, phrases := range want {
					got := Phrases(language, list)
					if !slices.EqualFunc(got, phrases, slices.Equal[Phrase]) || cap(got) != len(got) {
						t.Errorf("%s: %v, want %v", language, got, phrases)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	long := strings.Repeat("word, ", maxPhraseList)
	if got := Phrases("en", long); len(got) != maxPhraseList {
		t.Errorf("a long list has %d phrases", len(got))
	}
	held := phraseCache.Len()
	Phrases("en", long)
	if phraseCache.Len() != held || held > maxPhraseLists {
		t.Errorf("%d lists are cached, and %d after a long one", held, phraseCache.Len())
	}
}

// TestStemsAreCached reads more words than are cached, from several places at once: a word has the same stem
// whether it was read before or not.
func TestStemsAreCached(t *testing.T) {
	l := languageOf("en")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for n := range mostStems + 100 {
				word := fmt.Sprintf("booking%ds", n)
				stem, stop := l.stemOf(word)
				if again, _ := l.newStemOf(word); stem != again || stop {
					t.Errorf("%s: %q, want %q", word, stem, again)
					return
				}
				if stem, stop := l.stemOf("The"); stem != "the" || !stop {
					t.Errorf("The: %q, %v", stem, stop)
					return
				}
			}
		})
	}
	wg.Wait()
	if n := l.stems.Len(); n > mostStems {
		t.Errorf("%d stems are cached", n)
	}
}
