package booking

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/concept"
	lang "frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/when"
)

// A service is one that the business offers.
type service struct {
	name     string // with its duration if another service has the same name
	title    string // the name alone
	length   time.Duration
	words    map[string]bool // stems of its name
	brackets string          // the text in brackets after it
	also     map[string]bool // stems of the text in brackets after it
	short    []string        // its initials, which people use as a name: PT
	nouns    []string        // stems of words for an appointment, which identify no service
}

// readServices parses services as a business lists them: "Hair cut, 45 min, 30 €".
func readServices(language string, lines []string) []service {
	var all []service
	var nouns []string
	for _, p := range text.Phrases(language, lang.Of(language).Bookings().Noun) {
		if len(p) == 1 {
			nouns = append(nouns, p[0])
		}
	}
	for _, line := range lines {
		s := service{name: serviceName(language, line), length: when.Length(language, line),
			words: map[string]bool{}, also: map[string]bool{}, nouns: nouns}
		if s.length == 0 {
			s.length = usual
		}
		for _, t := range text.Tokens(language, s.name) {
			if !t.Stop && !namesDay(language, s.name[t.Start:t.End]) {
				s.words[t.Stem] = true
			}
		}
		for _, t := range text.Tokens(language, bracketed(line)) {
			if !t.Stop && t.Kind == text.Word && when.Length(language, bracketed(line)) == 0 {
				s.also[t.Stem] = true
			}
		}
		// Words for an appointment fit every service; "Emergency appointment" is identified by "emergency".
		for _, noun := range nouns {
			if len(s.words) > 1 {
				delete(s.words, noun)
			}
		}
		for _, noun := range nouns {
			for _, t := range text.Tokens(language, s.name) {
				if rest, ok := strings.CutSuffix(t.Stem, noun); ok &&
					utf8.RuneCountInString(rest) >= leastPart {
					s.words[rest] = true // Schmerztermin is identified by Schmerz
				}
			}
		}
		s.brackets = bracketed(line)
		s.title, s.short = s.name, initials(language, s.name)
		if s.name != "" {
			all = append(all, s)
		}
	}
	tellTwins(language, all, lines)
	return all
}

// namesDay reports whether a word is the name of a day, which identifies no service: "Sunday brunch".
func namesDay(language, word string) bool {
	return len(when.Parse(language, word, time.Unix(0, 0).UTC()).Dates) > 0
}

// tellTwins adds the duration to the names of services that have the same name: "Massage, 60 minutes".
func tellTwins(language string, all []service, lines []string) {
	durations := map[string]map[time.Duration]string{}
	for _, line := range lines {
		name := serviceName(language, line)
		if durations[name] == nil {
			durations[name] = map[time.Duration]string{}
		}
		for _, part := range parts(line) {
			if length := when.Length(language, part); length > 0 {
				durations[name][length] = strings.TrimSpace(part)
			}
		}
	}
	for i, s := range all {
		if of := durations[s.name]; len(of) > 1 && of[s.length] != "" {
			all[i].name += ", " + of[s.length]
		}
	}
}

// sameTitle reports whether services differ only in their duration.
func sameTitle(all []service) bool {
	return !slices.ContainsFunc(all, func(s service) bool { return s.title != all[0].title })
}

// lasting returns the services of a duration that words state, or all if none of them has it.
func lasting(all []service, language, words string) []service {
	length := when.Length(language, words)
	of := slices.DeleteFunc(slices.Clone(all), func(s service) bool { return s.length != length })
	if len(of) == 0 {
		return all
	}
	return of
}

// initials returns the abbreviations of a name by the initials of its first two words, first three, and so
// on.
func initials(language, name string) []string {
	var letters string
	var all []string
	for _, t := range text.Tokens(language, name) {
		if t.Stop || t.Kind != text.Word {
			continue
		}
		first, _ := utf8.DecodeRuneInString(t.Stem)
		if letters += string(first); utf8.RuneCountInString(letters) > 1 {
			all = append(all, letters)
		}
	}
	return all
}

// leastPart is the least length of a part of a compound that identifies it, in characters.
const leastPart = 5

// leastRest is the least length of a compound's other part, in characters; shorter rests are endings.
const leastRest = 3

// has returns the word of the service's name that equals a word or shares a part of a compound with it:
// Zahnschmerz and Schmerz, Reinigung and Zahnreinigung. ok is false for none.
func (s service) has(stem string) (word string, ok bool) {
	if s.words[stem] || s.also[stem] {
		return stem, true
	}
	if slices.Contains(s.nouns, stem) {
		return "", false
	}
	if slices.Contains(s.short, stem) {
		return stem, true
	}
	for own := range s.words {
		if len(own) > len(word) && (partOf(own, stem) || endsWith(stem, own)) {
			word, ok = own, true
		}
	}
	return word, ok
}

// partOf reports whether a word is the first or last part of a compound.
func partOf(compound, word string) bool {
	rest := utf8.RuneCountInString(compound) - utf8.RuneCountInString(word)
	return rest >= leastRest && (endsWith(compound, word) ||
		utf8.RuneCountInString(word) >= leastPart && strings.HasPrefix(compound, word))
}

func endsWith(compound, word string) bool {
	return utf8.RuneCountInString(word) >= leastPart && strings.HasSuffix(compound, word)
}

// PricedService returns the line of the service whose price a message asks for, as the business states it.
// It returns false if the message also says something else, names no single service, or the line has no
// price.
func PricedService(language string, lines []string, tokens []text.Token) (string, bool) {
	best := mostNamed(readServices(language, lines), tokens)
	if len(best) != 1 || saysElse(language, best[0], tokens) {
		return "", false
	}
	for _, line := range lines {
		if serviceName(language, line) == best[0].name && Priced(language, line) {
			return line, true
		}
	}
	return "", false
}

// PricedAlike returns the names of two services that fit a question for a price equally well; nil if one
// fits best, or more than two fit.
func PricedAlike(language string, lines []string, tokens []text.Token) []string {
	best := mostNamed(readServices(language, lines), tokens)
	if len(best) != 2 {
		return nil
	}
	var names []string
	for _, line := range lines {
		for _, s := range best {
			named := serviceName(language, line) == s.name
			if named && !saysElse(language, s, tokens) && Priced(language, line) {
				names = append(names, s.name)
			}
		}
	}
	if len(names) != 2 {
		return nil
	}
	return names
}

// saysElse reports whether the tokens are mostly about something other than a service and its price.
func saysElse(language string, s service, tokens []text.Token) bool {
	asks := make([]bool, len(tokens))
	for _, f := range concept.In(language, tokens) {
		for i := f.From; f.Name == "price" && i < f.To; i++ {
			asks[i] = true
		}
	}
	prices, others := 0, 0
	for i, t := range tokens {
		switch _, named := s.has(t.Stem); {
		case asks[i]:
			prices++
		case !t.Stop && !named:
			others++
		}
	}
	return others > 1 || others > 0 && prices > 0
}

// Priced reports whether a service's line states a price: a currency, or a number that is no duration.
func Priced(language, line string) bool {
	if strings.IndexFunc(line, func(r rune) bool { return unicode.Is(unicode.Sc, r) }) >= 0 {
		return true
	}
	return slices.ContainsFunc(parts(line), func(part string) bool {
		return strings.IndexFunc(part, unicode.IsDigit) >= 0 && when.Length(language, part) == 0
	})
}

// parts returns the parts of a service's line: its name, its duration, its price.
func parts(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(",;|:()–—", r) })
}

// serviceName returns the part of a line before the price, duration and other details. Other numbers, such
// as sizes, belong to the name: "Tattoo up to 5 cm".
func serviceName(language, line string) string {
	end := strings.IndexFunc(line, func(r rune) bool {
		return unicode.Is(unicode.Sc, r) || strings.ContainsRune("(:–—,;|", r)
	})
	if end <= 0 {
		end = len(line)
	}
	currency, _ := utf8.DecodeRuneInString(line[end:])
	priced := unicode.Is(unicode.Sc, currency)
	name, _, _ := strings.Cut(line[:end], " - ")
	for i, r := range name {
		if i > 0 && unicode.IsDigit(r) && name[i-1] == ' ' && (priced || amount(language, name[i:])) {
			name = name[:i]
			break
		}
	}
	return strings.TrimRightFunc(strings.TrimSpace(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// amount reports whether a text that begins with a number is a price or a duration: it has only the number,
// a currency or a unit of time.
func amount(language, words string) bool {
	rest := strings.TrimLeftFunc(words, func(r rune) bool { return !unicode.IsLetter(r) })
	unit, _, _ := strings.Cut(strings.ToLower(rest), " ")
	return rest == "" || when.Length(language, words) > 0 || slices.Contains(currencies, unit)
}

// currencies are words and symbols for money after an amount.
var currencies = []string{
	"eur", "euro", "euros", "usd", "gbp", "chf", "sek", "nok", "dkk", "kr", "kronor", "kroner", "lei", "ron",
	"ft", "huf", "forint", "rub", "руб", "tl", "try", "lira", "pln", "zł", "reais", "brl", "aed", "sar",
	"dollars", "pounds", "franken", "fr",
}

// bracketed returns the text in the first brackets of a line, "" for none.
func bracketed(line string) string {
	_, rest, _ := strings.Cut(line, "(")
	inside, _, _ := strings.Cut(rest, ")")
	return inside
}

// choose returns the service whose name shares most words with the given ones. Of services that share
// equally many it returns the one of the duration that the words state. It returns false for none or
// several.
func choose(services []service, language, words string) (service, bool) {
	best := mostNamed(services, text.Tokens(language, words))
	if len(best) > 1 {
		best = lasting(best, language, words)
	}
	if len(best) != 1 {
		return service{}, false
	}
	return best[0], true
}

// mostNamed returns the services whose names share most words with the tokens, or of these the shortest
// names; nil if none shares any.
func mostNamed(services []service, tokens []text.Token) (best []service) {
	share := 0.0
	for _, s := range services {
		found := s.found(tokens)
		if found == 0 {
			continue
		}
		of := float64(found) + float64(found)/float64(len(s.words))
		switch {
		case of > share:
			best, share = []service{s}, of
		case of == share:
			best = append(best, s)
		}
	}
	return best
}

// halfNamed returns the services whose names share most words with the tokens, and at least half of them.
func halfNamed(services []service, tokens []text.Token) []service {
	vague := func(s service) bool { return s.share(tokens) < Half }
	return slices.DeleteFunc(mostNamed(services, tokens), vague)
}

// aside are concepts that say nothing about the purpose of an appointment, each with spaces around it.
const aside = " appointment book move cancel visit person soon today tomorrow month night first last " +
	"hours open price free duration phone email contact callback wait late new yes no hello thanks bye " +
	"repair fix pay card cash invoice insurance reimburse contact "

// described returns which of the concepts the text in brackets after the service's name has.
func (s service) described(language string, concepts []string) []string {
	return slices.DeleteFunc(concept.Names(language, s.brackets),
		func(name string) bool { return !slices.Contains(concepts, name) })
}

// meant returns the service whose name shares most concepts with a message of any language: a check-up is a
// Kontrolle, and a dripping tap a leak repair. It returns false for none or several.
func meant(services []service, language string, concepts []string) (found service, ok bool) {
	most := 0.0
	var described []string // the shared concepts that the text in brackets of other services has
	for _, s := range services {
		described = append(described, s.described(language, concepts)...)
	}
	for _, s := range services {
		shared, all := 0.0, 0.0
		only := true // all shared concepts are also another service's
		for _, name := range concept.Names(language, s.name) {
			if strings.Contains(aside, " "+name+" ") {
				continue
			}
			all++
			if slices.Contains(concepts, name) {
				shared++
				only = only && slices.Contains(described, name)
			}
		}
		if shared == 0 || only {
			continue
		}
		switch of := shared + shared/all; {
		case of > most:
			found, most, ok = s, of, true
		case of == most:
			ok = false
		}
	}
	if !ok {
		return service{}, false
	}
	return found, true
}

// cognate returns the service whose name has words similar to those of a message in another language, such
// as scan for escáner. It returns false for none or several.
func cognate(services []service, tokens []text.Token) (service, bool) {
	return onlyNamed(services, tokens, func(own string, t text.Token) bool { return alike(own, t.Stem) })
}

// resembling returns the service whose name has a word that begins like one of the tokens, such as "test
// drive" for "test driving". It returns false for none or several.
func resembling(services []service, tokens []text.Token) (service, bool) {
	return onlyNamed(services, tokens, func(own string, t text.Token) bool {
		return t.Kind == text.Word && resembles(own, t.Stem)
	})
}

// onlyNamed returns the only service that has a token among the words of its name, by what is says. It
// returns false for none or several.
func onlyNamed(services []service, tokens []text.Token, is func(own string, t text.Token) bool) (
	found service, ok bool) {
	for _, s := range services {
		for own := range s.words {
			says := func(t text.Token) bool { return !t.Stop && is(own, t) }
			if !slices.ContainsFunc(tokens, says) {
				continue
			}
			if ok && found.name != s.name {
				return service{}, false
			}
			found, ok = s, true
		}
	}
	return found, ok
}

// alike reports whether stems of different languages are probably the same word: one contains the other, or
// they share most of their beginning.
func alike(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if utf8.RuneCountInString(a) < leastAlike {
		return false
	}
	same := beginning(a, b)
	return strings.Contains(b, a) || same >= leastPart && same >= len(a)-1
}

// resembles reports whether two stems of a language differ in their last letters alone.
func resembles(a, b string) bool {
	same := beginning(a, b)
	return same > leastPart && same >= min(len(a), len(b))-1
}

// beginning returns the length in bytes of the beginning that two words share.
func beginning(a, b string) (same int) {
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	return same
}

// leastAlike is the least length of a word that is recognised in another language, in characters.
const leastAlike = 4

// Half is the share of the words of a service's name from which on they identify it: "small" alone does not
// mean "Small tattoo up to 5 cm".
const Half = 0.5

// Named returns the name of the service in lines that words name, "" for none or several; if those differ
// only in their duration, the name without it. stated is the language of the lines, language that of the
// words. share is the part of the name's words that occur among them, 0 if they name it by a synonym.
func Named(stated string, lines []string, language, words string) (name string, share float64) {
	services, tokens := readServices(stated, lines), text.Tokens(stated, words)
	s, _ := meant(services, stated, concept.Names(language, words))
	best := lasting(mostNamed(services, tokens), stated, words)
	if len(best) > 1 && sameTitle(best) {
		return best[0].title, best[0].share(tokens)
	}
	if chosen, ok := choose(services, stated, words); ok && !(chosen.share(tokens) < Half && s.name != "") {
		return chosen.name, chosen.share(tokens)
	}
	return s.name, 0
}

// namedIn returns the service whose name shares most words with the given ones, if they are at least half of
// the name. If no single service does, it returns the one that they mean by synonyms.
func namedIn(services []service, stated, language, words string) (service, bool) {
	if s, ok := choose(services, stated, words); ok {
		return s, s.share(text.Tokens(stated, words)) >= Half
	}
	return meant(services, stated, concept.Names(language, words))
}

// share returns the part of the words of the service's name that the tokens contain, from 0 to 1.
func (s service) share(tokens []text.Token) float64 {
	if len(s.words) == 0 {
		return 0
	}
	return min(1, float64(s.found(tokens))/float64(len(s.words)))
}

// found returns how many words of the service's name, or of the text in brackets after it, the tokens
// contain.
func (s service) found(tokens []text.Token) int {
	seen := map[string]bool{}
	for _, t := range tokens {
		if word, ok := s.has(t.Stem); ok {
			seen[word] = true
		}
	}
	return len(seen)
}

// plus separates the names of services that are booked as one appointment.
const plus = " + "

// together combines services into one, whose length is their sum.
func together(of []service) service {
	all := service{name: of[0].name, length: of[0].length, words: of[0].words, nouns: of[0].nouns}
	for _, s := range of[1:] {
		all.name += plus + s.name
		all.length += s.length
	}
	return all
}

// allNamed returns the services whose whole names the tokens contain, without those whose name is part of
// another's, such as beard trim and haircut.
func allNamed(services []service, tokens []text.Token) []service {
	var all []service
	said := map[string]bool{}
	for _, t := range tokens {
		said[t.Stem] = true
	}
	for _, s := range services {
		if len(s.words) > 0 && allIn(s.words, said) {
			all = append(all, s)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(s service) bool {
		return slices.ContainsFunc(all, func(of service) bool {
			return len(of.words) > len(s.words) && allIn(s.words, of.words)
		})
	})
}

// allIn reports whether one set of words is a subset of another.
func allIn(words, of map[string]bool) bool {
	for word := range words {
		if !of[word] {
			return false
		}
	}
	return true
}

// named returns the service with a name, or the combined service if the name has several separated by plus.
// It returns false if there is none.
func named(services []service, name string) (service, bool) {
	if strings.Contains(name, plus) {
		var of []service
		for part := range strings.SplitSeq(name, plus) {
			s, ok := named(services, part)
			if !ok {
				return service{length: usual}, false
			}
			of = append(of, s)
		}
		return together(of), true
	}
	for _, s := range services {
		if s.name == name {
			return s, true
		}
	}
	return service{length: usual}, false
}
