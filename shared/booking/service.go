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
	name   string
	length time.Duration
	words  map[string]bool // the stems of its name
	also   map[string]bool // the stems of what stands in brackets behind it
	nouns  []string        // the stems of words for an appointment, which name no service
}

// readServices reads services as a business lists them: "Hair cut, 45 min, 30 €".
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
			if !t.Stop {
				s.words[t.Stem] = true
			}
		}
		for _, t := range text.Tokens(language, bracketed(line)) {
			if !t.Stop && t.Kind == text.Word && when.Length(language, bracketed(line)) == 0 {
				s.also[t.Stem] = true
			}
		}
		// any appointment is one, and an Emergency appointment is for an emergency
		for _, noun := range nouns {
			if len(s.words) > 1 {
				delete(s.words, noun)
			}
		}
		for _, noun := range nouns {
			for _, t := range text.Tokens(language, s.name) {
				if rest, ok := strings.CutSuffix(t.Stem, noun); ok &&
					utf8.RuneCountInString(rest) >= leastPart {
					s.words[rest] = true // a Schmerztermin is for Schmerz
				}
			}
		}
		if s.name != "" {
			all = append(all, s)
		}
	}
	return all
}

// leastPart is how many letters a part of a compound has at least that stands for it.
const leastPart = 5

// leastRest is how many letters the other part of a compound has at least: an ending is none.
const leastRest = 3

// has reports whether the service's name has a word, or shares a part of a compound with it: Zahnschmerz,
// where the name has Schmerz, and Reinigung, where it has Zahnreinigung.
func (s service) has(stem string) (word string, ok bool) {
	if s.words[stem] || s.also[stem] {
		return stem, true
	}
	if slices.Contains(s.nouns, stem) {
		return "", false
	}
	for own := range s.words {
		if len(own) > len(word) && (partOf(own, stem) || endsWith(stem, own)) {
			word, ok = own, true
		}
	}
	return word, ok
}

// partOf reports whether a word begins or ends a longer one.
func partOf(compound, word string) bool {
	rest := utf8.RuneCountInString(compound) - utf8.RuneCountInString(word)
	return rest >= leastRest && (endsWith(compound, word) ||
		utf8.RuneCountInString(word) >= leastPart && strings.HasPrefix(compound, word))
}

func endsWith(compound, word string) bool {
	return utf8.RuneCountInString(word) >= leastPart && strings.HasSuffix(compound, word)
}

// PricedService finds among services, as a business lists them, the one that a message asks the price of, and
// says nothing of beside that: what is stated of it, in the business's words. None where that has no price.
func PricedService(language string, lines []string, tokens []text.Token) (string, bool) {
	s, ok := choose(readServices(language, lines), tokens)
	if !ok || saysElse(language, s, tokens) {
		return "", false
	}
	for _, line := range lines {
		if serviceName(language, line) == s.name && Priced(language, line) {
			return line, true
		}
	}
	return "", false
}

// PricedAlike are the names of two services that a message asks the price of with the same right, as
// PricedService does of one; none where it names one, or more than two.
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

// saysElse reports whether tokens say more of something else than that a price is asked for beside a service.
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

// Priced reports whether a service is listed with a price: a currency, or a number that is no duration.
func Priced(language, line string) bool {
	if strings.IndexFunc(line, func(r rune) bool { return unicode.Is(unicode.Sc, r) }) >= 0 {
		return true
	}
	return slices.ContainsFunc(strings.FieldsFunc(line,
		func(r rune) bool { return strings.ContainsRune(",;|:()–—", r) }), func(part string) bool {
		return strings.IndexFunc(part, unicode.IsDigit) >= 0 && when.Length(language, part) == 0
	})
}

// serviceName is what stands before the price, the duration and what else is said of a service. A number that
// is neither, of a size or a class, is part of the name: "Tattoo up to 5 cm".
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

// amount reports whether a text that begins with a number states a price or a duration: nothing but the
// number, a currency, or a length of time stands there.
func amount(language, words string) bool {
	rest := strings.TrimLeftFunc(words, func(r rune) bool { return !unicode.IsLetter(r) })
	unit, _, _ := strings.Cut(strings.ToLower(rest), " ")
	return rest == "" || when.Length(language, words) > 0 || slices.Contains(currencies, unit)
}

// currencies are words for money behind an amount.
var currencies = []string{
	"eur", "euro", "euros", "usd", "gbp", "chf", "sek", "nok", "dkk", "kr", "kronor", "kroner", "lei", "ron",
	"ft", "huf", "forint", "rub", "руб", "tl", "try", "lira", "pln", "zł", "reais", "brl", "aed", "sar",
	"dollars", "pounds", "franken", "fr",
}

// bracketed is what stands in the first brackets of a line; "" for nothing.
func bracketed(line string) string {
	_, rest, _ := strings.Cut(line, "(")
	inside, _, _ := strings.Cut(rest, ")")
	return inside
}

// choose finds the service that a message names: the one whose name has most of its words there. None where
// two have as many.
func choose(services []service, tokens []text.Token) (service, bool) {
	best := mostNamed(services, tokens)
	if len(best) != 1 {
		return service{}, false
	}
	return best[0], true
}

// mostNamed are the services of whose names the tokens have most; none where they have nothing of any.
func mostNamed(services []service, tokens []text.Token) (best []service) {
	share := 0.0
	for _, s := range services {
		found := 0
		seen := map[string]bool{}
		for _, t := range tokens {
			if word, ok := s.has(t.Stem); ok && !seen[word] {
				seen[word] = true
				found++
			}
		}
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

// aside are concepts that say nothing of what an appointment is for, with spaces around each.
const aside = " appointment book move cancel visit person soon today tomorrow month night first last " +
	"hours open price free duration phone email contact callback wait late new yes no hello thanks bye " +
	"repair fix pay card cash invoice insurance reimburse contact "

// meant finds the service whose name stands for most concepts of a message, in whichever language: a check-up
// is a Kontrolle, and a dripping tap a leak repair. None where several do.
func meant(services []service, language string, concepts []string) (found service, ok bool) {
	most := 0.0
	for _, s := range services {
		shared, all := 0.0, 0.0
		for _, name := range concept.Names(language, s.name) {
			if strings.Contains(aside, " "+name+" ") {
				continue
			}
			all++
			if slices.Contains(concepts, name) {
				shared++
			}
		}
		if shared == 0 {
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

// Named is the name of the service, among those that a business lists in a language, that words in the same
// or another language name; "" for none or several. Exactly tells that they have words of the name itself.
func Named(stated string, lines []string, language, words string) (name string, exactly bool) {
	services := readServices(stated, lines)
	if s, ok := choose(services, text.Tokens(stated, words)); ok {
		return s.name, true
	}
	s, _ := meant(services, stated, concept.Names(language, words))
	return s.name, false
}

// namedIn is the service that words name, or else the one that they mean.
func namedIn(services []service, stated, language, words string) (service, bool) {
	if s, ok := choose(services, text.Tokens(stated, words)); ok {
		return s, true
	}
	return meant(services, stated, concept.Names(language, words))
}

// named is the service of a name.
func named(services []service, name string) (service, bool) {
	for _, s := range services {
		if s.name == name {
			return s, true
		}
	}
	return service{length: usual}, false
}
