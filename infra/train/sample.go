package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"frontdesk/infra/phrasing"
	"frontdesk/shared/language"
)

// A sample is a text with the classes that it is of.
type sample struct {
	text   string
	tag    string // of its language
	is     []bool // by class
	group  int    // samples of one phrasing have one group, and are kept from training together
	weight float32
}

// weightOf is the weight of each way of saying a phrasing: a phrasing with many ways counts for more than one
// with a single way, but not for so many times as much, or the skills whose phrasings have most choices would
// be read into everything.
func weightOf(ways int) float32 { return float32(1.5 / math.Sqrt(float64(ways))) }

// perLine is how many ways of saying a phrasing are learnt from, at most.
const perLine = 14

// samples says each phrasing in several ways, as people write them: with a greeting before or thanks behind,
// with a letter missing or two in the wrong order, two things in one message.
func samples(lines []phrasing.Line) []sample {
	chance := rand.New(rand.NewPCG(1, 2))
	var out []sample
	byLanguage := map[string][]phrasing.Line{}
	for group, l := range lines {
		if l.Held {
			continue
		}
		byLanguage[l.Language] = append(byLanguage[l.Language], l)
		seen := map[string]bool{}
		first := len(out)
		for range min(2*l.Ways(), perLine) {
			said := l.Say(chance)
			if seen[said] {
				continue
			}
			seen[said] = true
			out = append(out, sample{text: said, tag: l.Language, is: labels(l), group: group})
		}
		for i := first; i < len(out); i++ {
			out[i].weight = weightOf(len(out) - first)
		}
	}
	plain := len(out)
	for i := range plain {
		s := out[i]
		l := lines[s.group]
		mates := byLanguage[l.Language]
		switch chance.IntN(6) {
		case 0:
			out = append(out, sample{misspelt(s.text, chance), l.Language, s.is, s.group, s.weight})
		case 1:
			said := courteous(s.text, l.Language, chance)
			out = append(out, sample{said, l.Language, s.is, s.group, s.weight})
		case 2: // two things at once
			other := mates[chance.IntN(len(mates))]
			if slices.Contains(other.Skills, "none") || slices.Contains(l.Skills, "none") {
				continue
			}
			glue := []string{". ", " ", ", ", "? ", " + "}[chance.IntN(5)]
			said := s.text + glue + other.Say(chance)
			out = append(out, sample{said, l.Language, both(s.is, labels(other)), s.group, 0.7 * s.weight})
		}
	}
	return out
}

// fromWords makes phrasings of the lists of words.txt, for languages that have few of their own.
func fromWords() []phrasing.Line {
	var out []phrasing.Line
	for _, tag := range languages {
		l := language.Of(tag)
		t, r := l.Talk(), l.Requests()
		for _, from := range []struct{ list, skill, act string }{
			{t.Greeting, "smalltalk", "greets"}, {t.Goodbye, "smalltalk", "goodbye"},
			{t.Thanks, "smalltalk", "thanks"}, {t.Human, "person", "wishes"},
			{t.Complaint, "complaint", "complains"}, {r.WhoAreYou, "identity", "asks"},
			{r.Yes, "reply", "agrees"}, {r.No, "reply", "refuses"},
		} {
			for entry := range strings.SplitSeq(from.list, ",") {
				if entry = strings.TrimSpace(entry); entry != "" {
					out = append(out, phrasing.Line{
						Language: tag, Skills: []string{from.skill}, Acts: []string{from.act}, Text: entry,
					})
				}
			}
		}
	}
	return out
}

func labels(l phrasing.Line) []bool {
	is := make([]bool, len(classes))
	for _, name := range slices.Concat(l.Skills, l.Acts) {
		at := slices.Index(classes, name)
		if at < 0 {
			panic(l.Place + ": no skill or act is called " + name)
		}
		is[at] = true
	}
	return is
}

func both(a, b []bool) []bool {
	out := slices.Clone(a)
	for i := range b {
		out[i] = out[i] || b[i]
	}
	return out
}

// courteous puts a greeting before the text or thanks behind it, in words of the language.
func courteous(s, tag string, chance *rand.Rand) string {
	pick := func(list string) string {
		all := strings.Split(list, ",")
		return strings.TrimSpace(all[chance.IntN(min(len(all), 6))])
	}
	t := language.Of(tag).Talk()
	if chance.IntN(3) > 0 {
		return pick(t.Greeting) + []string{", ", " ", "! "}[chance.IntN(3)] + s
	}
	return s + []string{", ", " ", ". "}[chance.IntN(3)] + pick(t.Thanks)
}

// misspelt leaves a letter out, doubles one, or has two change places.
func misspelt(s string, chance *rand.Rand) string {
	r := []rune(s)
	if len(r) < 5 {
		return s
	}
	at := 1 + chance.IntN(len(r)-3)
	switch chance.IntN(3) {
	case 0:
		r = slices.Delete(r, at, at+1)
	case 1:
		r = slices.Insert(r, at, r[at])
	default:
		r[at], r[at+1] = r[at+1], r[at]
	}
	return string(r)
}
