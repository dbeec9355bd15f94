package booking

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"frontdesk/shared/concept"
	"frontdesk/shared/text"
	"frontdesk/shared/when"
)

// mostPeople is the greatest number that is read as a party size.
const mostPeople = 99

// readParty returns the party size in the message and the range of its number, which is then not read as a
// time: "a table for 4", "we are five". The size is 0 for none.
func (d *Dialog) readParty() (people int, at when.Range) {
	sure, table, _ := strings.Cut(d.heard.PartyBefore, ";")
	if d.atTable() {
		sure += "," + table
	}
	before, after := text.Phrases(d.Language, sure), text.Phrases(d.Language, d.heard.PartyAfter)
	for i, t := range d.tokens {
		n, ok := when.Number(d.Language, d.Message[t.Start:t.End])
		if !ok || n < 1 || n > mostPeople {
			continue
		}
		for _, p := range after {
			if p.At(d.tokens, i+1) {
				return n, when.Range{Start: t.Start, End: d.tokens[i+len(p)].End}
			}
		}
		if d.timed(i) {
			continue
		}
		for _, p := range before {
			if start := i - len(p); start >= 0 && p.At(d.tokens, start) {
				return n, when.Range{Start: t.Start, End: t.End}
			}
		}
	}
	return 0, when.Range{}
}

// atTable reports whether the message or the booking is about a table. "for 4" is then a party size.
func (d *Dialog) atTable() bool {
	if isTable(d.Language, d.Message) || d.state.Service != "" && isTable(d.Stated, d.state.Service) {
		return true
	}
	return len(d.services) == 1 && isTable(d.Stated, d.services[0].name)
}

func isTable(tag, words string) bool { return slices.Contains(concept.Names(tag, words), "table") }

// tables returns the services that are tables.
func (d *Dialog) tables() []service {
	return slices.DeleteFunc(slices.Clone(d.services),
		func(s service) bool { return !isTable(d.Stated, s.name) })
}

// evening is the hour from which people dine, in minutes.
const evening = 17 * 60

// atMeal returns the only one of the tables, or the only one for the meal of the wished hour: lunch before
// the evening, else dinner. ok is false if that tells none apart.
func (d *Dialog) atMeal(tables []service) (found service, ok bool) {
	if len(tables) == 1 {
		return tables[0], true
	}
	if !d.wish.HasClock() {
		return service{}, false
	}
	meal := "lunch"
	if d.wish.Clock.From >= evening {
		meal = "dinner"
	}
	of := slices.DeleteFunc(tables, func(s service) bool {
		return !slices.Contains(concept.Names(d.Stated, s.name), meal)
	})
	if len(of) != 1 {
		return service{}, false
	}
	return of[0], true
}

// timed reports whether the number at a token is part of a time or date: 4 pm, 4:30, 4 December.
func (d *Dialog) timed(i int) bool {
	start := d.tokens[i].Start
	end := d.tokens[min(i+2, len(d.tokens)-1)].End
	if rest := d.Message[d.tokens[i].End:]; strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "/") {
		return true
	}
	for _, said := range when.Parse(d.Language, d.Message[start:end], d.Now.In(d.Zone)).Said {
		if said.Start == 0 && start+said.End > d.tokens[i].End {
			return true
		}
	}
	return false
}

// withParty returns a title with the party size, if that is above one.
func (d *Dialog) withParty(title string) string {
	if d.state.Party < 2 {
		return title
	}
	return title + " (" + text.Fill(d.words.Party, strconv.Itoa(d.state.Party)) + ")"
}

// withoutParty returns a title without its party size.
func withoutParty(title string) string {
	before, behind, found := strings.Cut(title, " (")
	if found && strings.IndexFunc(behind, unicode.IsDigit) == 0 {
		return before
	}
	return title
}
