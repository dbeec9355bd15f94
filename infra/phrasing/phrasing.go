// Package phrasing reads the phrasings that the understanding of messages is trained on and measured by: the
// files phrasings.txt in the folders of shared/language.
package phrasing

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"frontdesk/shared/language"
)

// A Line is a phrasing with what it calls for. Its text may hold choices, (a|b), and slots, {name}.
type Line struct {
	Language string
	Skills   []string
	Acts     []string
	Text     string
	Held     bool // kept from training
	Place    string

	slots map[string][]string
}

// Load reads the phrasings of all languages below the folder of shared/language.
func Load(folder string) ([]Line, error) {
	var all []Line
	for _, tag := range language.Tags() {
		lines, err := load(filepath.Join(folder, tag, "phrasings.txt"), tag)
		if err != nil {
			return nil, err
		}
		all = append(all, lines...)
	}
	return all, nil
}

func load(file, tag string) ([]Line, error) {
	f, err := os.Open(file)
	if os.IsNotExist(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Line
	var skills, acts []string
	slots := map[string][]string{}
	section := ""
	n := 0
	for scan := bufio.NewScanner(f); scan.Scan(); {
		n++
		place := fmt.Sprintf("%s:%d", file, n)
		text := strings.TrimSpace(scan.Text())
		switch {
		case text == "" || text[0] == '#':
		case text[0] == '[':
			section = strings.Trim(text, "[]")
			s, a, _ := strings.Cut(section, "/")
			skills, acts = strings.Fields(s), strings.Fields(a)
		case section == "slots":
			name, values, ok := strings.Cut(text, ":")
			if !ok {
				return nil, fmt.Errorf("%s: a slot has a name and values", place)
			}
			for v := range strings.SplitSeq(values, "|") {
				slots[name] = append(slots[name], strings.TrimSpace(v))
			}
		case section == "":
			return nil, fmt.Errorf("%s: a phrasing stands below no section", place)
		default:
			held := strings.HasPrefix(text, "=")
			out = append(out, Line{
				Language: tag, Skills: skills, Acts: acts, Held: held, Place: place,
				Text: strings.TrimSpace(strings.TrimPrefix(text, "=")), slots: slots,
			})
		}
	}
	return out, nil
}

// Say returns one way to say the line, with choices and slots as the chance falls.
func (l Line) Say(chance *rand.Rand) string {
	s := l.Text
	for {
		open := strings.LastIndexByte(s, '(')
		if open < 0 {
			break
		}
		length := strings.IndexByte(s[open:], ')')
		if length < 0 {
			break
		}
		choices := strings.Split(s[open+1:open+length], "|")
		s = s[:open] + choices[chance.IntN(len(choices))] + s[open+length+1:]
	}
	for {
		open := strings.IndexByte(s, '{')
		if open < 0 {
			break
		}
		length := strings.IndexByte(s[open:], '}')
		values := l.slots[s[open+1:open+max(length, 1)]]
		if length < 0 || len(values) == 0 {
			break
		}
		s = s[:open] + values[chance.IntN(len(values))] + s[open+length+1:]
	}
	return strings.Join(strings.Fields(s), " ")
}

// Ways is about how many ways to say it a line has.
func (l Line) Ways() int {
	n := 1
	for i := 0; i < len(l.Text); i++ {
		switch l.Text[i] {
		case '|':
			n *= 2
		case '{':
			n *= 8
		}
		n = min(n, 1000)
	}
	return n
}
