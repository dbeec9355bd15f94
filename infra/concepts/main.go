// Command concepts writes the tables of shared/concept: the stems of the words and phrases in the
// concepts.txt of each language, so that agents do not stem them when they are first asked for a concept.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// folder has the tables, in the project's folder.
const folder = "shared/concept/stems"

func main() {
	root := flag.String("root", ".", "the project's folder")
	flag.Parse()
	for _, tag := range language.Tags() {
		file := filepath.Join(*root, folder, tag+".txt")
		if err := os.WriteFile(file, []byte(table(tag)), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "concepts:", err)
			os.Exit(1)
		}
	}
}

// table returns the table of a language: a line for each word or phrase, with its stems, a tab and the names
// of its concepts. The lines are sorted by their stems, the names by themselves. A stop word that stands for
// a concept is marked by an exclamation mark: the Italian "chi", who, is no "chiavi", keys, whose stem it is.
func table(tag string) string {
	lists := language.Of(tag).Concepts()
	names := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		for entry := range strings.SplitSeq(lists[name], ",") {
			key := stems(tag, entry)
			if key != "" && !slices.Contains(names[key], name) {
				names[key] = append(names[key], name)
			}
		}
	}
	var b strings.Builder
	for _, key := range slices.SortedFunc(maps.Keys(names), byStems) {
		b.WriteString(key + "\t" + strings.Join(names[key], ",") + "\n")
	}
	return b.String()
}

// stems are the stems of a word or phrase, with spaces between.
func stems(tag, entry string) string {
	var stems []string
	tokens := text.Tokens(tag, entry)
	for _, t := range tokens {
		stems = append(stems, t.Stem)
	}
	if len(tokens) == 1 && tokens[0].Stop {
		return "!" + stems[0]
	}
	return strings.Join(stems, " ")
}

// byStems orders words and phrases so that those that begin with the same stem stand together.
func byStems(a, b string) int {
	firstA, restA, _ := strings.Cut(a, " ")
	firstB, restB, _ := strings.Cut(b, " ")
	return cmp.Or(cmp.Compare(firstA, firstB), cmp.Compare(restA, restB))
}
