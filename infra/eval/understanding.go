package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"frontdesk/infra/phrasing"
	"frontdesk/shared/language"
	"frontdesk/shared/understand"
)

// understanding measures the understanding of messages on the phrasings that are kept from training, below
// the project's folder, and writes a table. With misses it lists the phrasings whose skill is not seen.
func understanding(w io.Writer, root string, misses bool) error {
	lines, err := phrasing.Load(filepath.Join(root, "shared/language"))
	if err != nil {
		return err
	}
	lines = slices.DeleteFunc(lines, func(l phrasing.Line) bool { return !l.Held })
	if len(lines) == 0 {
		return fmt.Errorf("no phrasings are kept from training below %q", root)
	}
	c := count{bySkill: map[string]*score{}, byLanguage: map[string]*score{}}
	understand.Read("en", "hello") // which parses the models
	start := time.Now()
	for _, l := range lines {
		c.add(w, l, misses)
	}
	each := time.Since(start) / time.Duration(3*len(lines)) // a reading, and its language twice more
	fmt.Fprintf(w, "\nUnderstanding: %d phrasings that were kept from training, %v each\n", len(lines),
		each.Round(time.Microsecond))
	fmt.Fprintln(w,
		"| language | phrasings | skill | act | language, own agent | language, other agent "+
			"|\n|---|---|---|---|---|---|")
	for _, tag := range language.Tags() {
		if t := c.byLanguage[tag]; t != nil {
			fmt.Fprintf(w, "| %s %s\n", tag, t.row())
		}
	}
	fmt.Fprintf(w, "| all %s\n\n| skill | phrasings | skill | act |\n|---|---|---|---|\n", c.all.row())
	for i := range understand.Skills {
		if t := c.bySkill[understand.Skill(i).String()]; t != nil {
			fmt.Fprintf(w, "| %v | %d | %.3f | %.3f |\n", understand.Skill(i), t.n, t.share(t.skill),
				t.share(t.act))
		}
	}
	fmt.Fprintf(w, "\nThe best skill, by its probability:\n%s", c.said.table())
	return nil
}

// A score counts phrasings, and those of which each part was understood.
type score struct{ n, skill, act, own, other int }

func (t *score) share(part int) float64 { return ratio(part, t.n) }

func (t *score) row() string {
	return fmt.Sprintf("| %d | %.3f | %.3f | %.3f | %.3f |",
		t.n, t.share(t.skill), t.share(t.act), t.share(t.own), t.share(t.other))
}

type count struct {
	all                 score
	bySkill, byLanguage map[string]*score
	said                calibration
}

func (c *count) add(w io.Writer, l phrasing.Line, misses bool) {
	said := l.Say(rand.New(rand.NewPCG(0, 0)))
	r := understand.Read(l.Language, said)
	best := r.Best()
	act := 0
	for i, p := range r.Acts {
		if p > r.Acts[act] {
			act = i
		}
	}
	other := "en"
	if l.Language == "en" {
		other = "de"
	}
	right := slices.Contains(l.Skills, best.Skill.String())
	if misses && !right {
		fmt.Fprintf(w, "%s: %q is taken for %v (%.2f), not %v\n", l.Language, said, best.Skill, best.P,
			l.Skills)
	}
	c.said.add(best.P, right)
	for _, t := range []*score{&c.all, of(c.byLanguage, l.Language), of(c.bySkill, l.Skills[0])} {
		t.n++
		for _, part := range []struct {
			count *int
			right bool
		}{
			{&t.skill, right},
			{&t.act, slices.Contains(l.Acts, understand.Act(act).String())},
			{&t.own, r.Language == l.Language},
			{&t.other, understand.Language(said, other) == l.Language},
		} {
			if part.right {
				*part.count++
			}
		}
	}
}

func of(all map[string]*score, name string) *score {
	if all[name] == nil {
		all[name] = &score{}
	}
	return all[name]
}
