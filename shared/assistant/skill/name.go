package skill

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/concept"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
	"frontdesk/shared/when"
)

// Introduced are the details with the name that is left of a message once the day, the time, the service,
// the addresses and the courtesies are taken away: "Friday at ten, Ada Lovelace, ada@example.com". Rest is
// what the message says beside all that. Asked tells that the contact was asked for its name, so that less
// evidence makes a name; where it is in doubt there is none.
func (s *State) Introduced(asked bool) Details {
	d := s.Details
	if d.Name == "" {
		if found := s.findName(asked); found.name != "" {
			d.Name, d.Rest = found.name, max(0, d.Rest-found.telling)
			if asked || d.Email != "" || d.Phone != "" {
				d.Rest = 0
			}
		}
	}
	d.Local = d.Local && d.Name == "" && d.Email == ""
	return d
}

const (
	leastRude  = 0.5
	leastOfWho = 0.85
	// leastQuestion is the probability from which a message without a question mark asks something.
	leastQuestion = 0.7
)

// ofAgent reports whether the message speaks of the agent rather than of its writer: it insults, or asks
// who answers.
func (s *State) ofAgent() bool {
	best := s.Understood().Best()
	return s.Learnt(understand.Complaint, leastRude) > 0 && best.Skill == understand.Complaint ||
		s.Learnt(understand.Identity, leastOfWho) > 0
}

// asksSomething reports whether the message puts a question, with or without its mark.
func (s *State) asksSomething() bool {
	return s.Reading.Asks || s.Understood().Acts[understand.Asks] >= leastQuestion
}

// A candidate is a run of words that may be the name of the message's writer.
type candidate struct {
	name    string
	telling int // how many words it has, particles aside
	score   int
}

// The evidence for a name. A candidate with the score of leastName is one.
const (
	inAddress = 5 // an e-mail address has one of its words
	besides   = 3 // it stands beside an e-mail address or a phone number
	led       = 3 // it stands behind "I am", "this is", "for"
	written   = 2 // its words, several, have capital letters
	capital   = 1 // its only word has one, within a sentence
	alone     = 1 // nothing but courtesies stands beside it between two marks
	awaited   = 2 // the contact was asked for it
	ofKin     = -1
	leastName = 3
)

// findName is the likeliest name among the runs of words of the message; the zero candidate where none is
// likely to be one.
func (s *State) findName(asked bool) (best candidate) {
	reach := s.Details.Email != "" || s.Details.Phone != "" || s.dated()
	if len(s.Reading.Tokens) > maxIntroduction || !reach && !asked && !s.leadsSomewhere() {
		return best
	}
	asks := s.asksSomething()
	agrees := s.Understood().Does(understand.Agrees) && len(s.Reading.Tokens) < MaxNameWords // "passt"
	if !reach && (s.ofAgent() || (asks || agrees) && !s.leadsSomewhere()) {
		return best
	}
	f := s.newNameFinder(asked, asks)
	for _, run := range f.runs() {
		if c := f.read(run); c.score >= leastName && c.score > best.score {
			best = c
		}
	}
	return best
}

// dated reports whether the message names one time of the day, beside which a name that stands alone is that
// of whom it is for. Where nouns have capitals a name does not show.
func (s *State) dated() bool {
	return s.Language() != "de" && s.Agent.BookingEnabled && when.Parse(s.Language(), s.Text, s.Now).Exact()
}

// maxIntroduction is how many words a message has at most that is searched for a name.
const maxIntroduction = 120

// leadsSomewhere reports whether a phrase that stands before names is in the message.
func (s *State) leadsSomewhere() bool {
	leads := s.LeadsToName()
	for i := range s.Reading.Tokens {
		if leads(s.Reading.Tokens[i:]) > 0 {
			return true
		}
	}
	return false
}

// A nameFinder reads the runs of words of one message.
type nameFinder struct {
	*State
	asked, asks bool
	dated       bool            // see State.dated
	shouts      bool            // all letters are capitals, which then say nothing
	stops       map[int]bool    // where words stand that say little in the language of the conversation
	services    map[string]bool // the stems of the services' words
	tokens      []text.Token
	taken       []bool // which tokens are a time, an address, a number or a service
	around      func(text.Token) bool
	leads       func([]text.Token) int
	kin, drops  []text.Phrase
}

func (s *State) newNameFinder(asked, asks bool) *nameFinder {
	lang := s.Language()
	f := &nameFinder{
		State: s, asked: asked, asks: asks, dated: s.dated(), tokens: s.Reading.Tokens,
		taken:  make([]bool, len(s.Reading.Tokens)),
		around: s.AroundDetails(), leads: s.LeadsToName(),
		kin:   text.Phrases(lang, language.Of(lang).Bookings().Kin),
		drops: text.Phrases(lang, s.Phrasing().Cancel),
	}
	f.shouts = len(f.tokens) > MaxNameWords && strings.ToUpper(s.Text) == s.Text
	f.services, f.stops = map[string]bool{}, map[int]bool{}
	if theirs := s.Conversation.Frame.Slots.Language; theirs != "" {
		for _, t := range text.Tokens(theirs, s.Text) {
			f.stops[t.Start] = t.Stop
		}
	}
	for _, t := range text.Tokens(lang, strings.Join(s.Agent.KnownServices(), "\n")) {
		f.services[t.Stem] = !t.Stop
	}
	said := when.Parse(lang, s.Text, s.Now).Said
	rearranges := language.Of(lang).Bookings()
	wishes := text.Phrases(lang, strings.Join([]string{rearranges.Same, rearranges.Instead, rearranges.Move,
		rearranges.Cancel}, ","))
	for i := range f.tokens { // "rather at the same time"
		for n := range text.LongestAt(wishes, f.tokens, i) {
			f.taken[i+n] = f.taken[i+n] || !f.capital(i+n)
		}
	}
	for i, t := range f.tokens {
		digits := strings.ContainsFunc(s.Text[t.Start:t.End], unicode.IsDigit)
		f.taken[i] = f.taken[i] || t.Kind != text.Word || digits ||
			slices.ContainsFunc(said, func(r when.Range) bool { return t.Start < r.End && r.Start < t.End })
	}
	return f
}

// A run is tokens, from inclusive to exclusive, that no mark and nothing that is taken parts.
type run struct{ from, to int }

func (f *nameFinder) runs() []run {
	var all []run
	for from := 0; from < len(f.tokens); {
		if f.taken[from] {
			from++
			continue
		}
		to := from + 1
		for to < len(f.tokens) && !f.taken[to] && !parted(between(f.Text, f.tokens[to-1], f.tokens[to])) {
			to++
		}
		all = append(all, run{from, to})
		from = to
	}
	return all
}

// read is the candidate of a run: what is left of it without courtesies, phrases that lead to a name, and
// words that stand around addresses. Where other words are left too, a name within the run is led to, or
// has capitals.
func (f *nameFinder) read(r run) candidate {
	if _, n := text.Find(f.drops, f.tokens[r.from:r.to]); n > 0 {
		return candidate{}
	}
	best := candidate{}
	for i := r.from; i < r.to; {
		first, lead, kin := f.skip(i, r.to)
		end := f.nameEnd(first, r.to)
		if end == first {
			i = max(first, i) + 1
			continue
		}
		for !f.asked && end-first > 2 && f.common(first) && !f.inEmail(first, first+1) {
			first++ // "Haircut Ada Lovelace 07700 900123"
		}
		last := f.skipAround(end, r.to)
		whole := last == r.to && f.onlyAround(r.from, first)
		l := f.look(first, end, r)
		l.lead, l.kin, l.whole = lead, kin, whole
		l.amid = f.saysMore(first, end)
		if score := f.judge(l); score > best.score {
			best = candidate{Titled(f.Text[f.tokens[first].Start:f.tokens[end-1].End]), l.words, score}
		}
		i = end
	}
	return best
}

// skip goes over what stands before a name, and tells whether some of it leads to one, and whether that is
// the name of somebody's kin.
func (f *nameFinder) skip(i, to int) (first int, lead, kin bool) {
	for i < to {
		rest := f.tokens[i:to]
		n := f.leads(rest)
		titled := slices.Contains(Titles, strings.ToLower(f.word(i))) && i+1 < to && f.cased(i+1)
		switch k := text.LongestAt(f.kin, rest, 0); {
		case titled:
			i, lead = i+1, true
		case k > 0 && !(f.cased(i) && f.capitalsTell()): // Marie is no "mari"
			i, kin = i+k, true
		case n > 0:
			i, lead = i+n, true
		case f.around(f.tokens[i]) && !f.capital(i) || f.tokens[i].Stop && !f.capital(i):
			i++
		default:
			return i, lead, kin
		}
	}
	return i, lead, kin
}

// Titles are the titles that stand before the names of people, in lower case.
var Titles = []string{
	"dr", "dra", "dott", "dottoressa", "prof", "mr", "mrs", "ms", "miss", "frau", "herr", "mme", "mlle",
	"madame", "monsieur", "sr", "sra", "señor", "señora", "senhor", "senhora", "signor", "signora",
	"mevrouw", "meneer", "fru", "doamna", "domnul", "доктор",
}

// skipAround goes over words that stand around addresses.
func (f *nameFinder) skipAround(i, to int) int {
	for i < to && f.around(f.tokens[i]) {
		i++
	}
	return i
}

// onlyAround reports whether nothing but courtesies, words around addresses and phrases that lead to a
// name stand in a range of tokens.
func (f *nameFinder) onlyAround(from, to int) bool {
	for from < to {
		n := max(f.leads(f.tokens[from:to]), text.LongestAt(f.kin, f.tokens[from:to], 0))
		if n == 0 && !f.around(f.tokens[from]) && !f.courteous(f.tokens[from]) {
			return false
		}
		from += max(n, 1)
	}
	return true
}

// capital reports whether a word that is not the first of the message has a capital letter.
func (f *nameFinder) capital(i int) bool { return f.tokens[i].Start > 0 && f.cased(i) }

// cased reports whether a word begins with a capital letter that says something.
func (f *nameFinder) cased(i int) bool {
	r, _ := utf8.DecodeRuneInString(f.word(i))
	return !f.shouts && unicode.IsUpper(r)
}

// nameEnd is where the words end that can be a name from a token on; the token itself where none does.
func (f *nameFinder) nameEnd(first, to int) int {
	end, words := first, 0
	for i := first; i < to && words < maxFullName; i++ {
		word := strings.ToLower(f.word(i))
		if i > first && particle(word) {
			continue // it needs the rest of the name behind it
		}
		if !f.inName(i, i > first) {
			break
		}
		end = i + 1
		words++
	}
	return end
}

// maxFullName is how many words a name has, particles aside: "María José García López".
const maxFullName = 4

func (f *nameFinder) word(i int) string { return f.Text[f.tokens[i].Start:f.tokens[i].End] }

// inName reports whether a word can be part of a name.
func (f *nameFinder) inName(i int, behind bool) bool {
	t := f.tokens[i]
	switch {
	case t.Stop && !f.capital(i), !f.capital(i) && (f.around(t) || f.courteous(t)):
		return false
	case behind && f.around(t), behind && f.leads(f.tokens[i:i+1]) > 0 && !f.capital(i):
		return false
	}
	return true
}

// A look is what is seen of words that may be a name.
type look struct {
	words, known   int  // all, particles aside, and those that are common words
	first          bool // the first of them is a common word
	cased          bool // all begin with a capital letter
	inside         bool // they do not begin the message
	lead, kin      bool // see nameFinder.skip
	whole, contact bool // nothing else is between the marks around them; an address stands beside them
	addressed      bool // the e-mail address has one of them
	amid           bool // the message says more than a name, a time, a service and courtesies
}

// look looks at tokens that may be a name.
func (f *nameFinder) look(first, end int, r run) look {
	l := look{first: f.common(first), cased: true, inside: f.tokens[first].Start > 0}
	for i := first; i < end; i++ {
		if particle(strings.ToLower(f.word(i))) {
			continue
		}
		l.words++
		l.cased = l.cased && f.cased(i)
		if f.common(i) {
			l.known++
		}
	}
	l.addressed, l.contact = f.inEmail(first, end), f.besideContact(r, first, end)
	return l
}

// judge weighs the evidence that words are a name; 0 where they are none.
func (f *nameFinder) judge(l look) int {
	if !l.addressed && (f.ordinary(l) || f.inSentence(l) || !f.enough(l)) {
		return 0
	}
	score := 0
	for _, e := range []struct {
		seen   bool
		weight int
	}{
		{l.addressed, inAddress}, {l.contact, besides}, {l.lead && (l.cased || f.asked || l.contact), led},
		{l.cased && l.words > 1, written}, {l.cased && l.words == 1 && l.inside, capital},
		{l.whole, alone}, {f.asked, awaited}, {l.kin, ofKin},
	} {
		if e.seen {
			score += e.weight
		}
	}
	return score
}

// saysMore reports whether words beside some tokens say something that is no time, service or courtesy.
func (f *nameFinder) saysMore(first, end int) bool {
	for i, t := range f.tokens {
		if i >= first && i < end || f.taken[i] || t.Stop || f.services[t.Stem] || f.around(t) ||
			f.courteous(t) || f.leads(f.tokens[i:]) > 0 {
			continue
		}
		return true
	}
	return false
}

// ordinary reports whether words are those of the business, or of a wish.
func (f *nameFinder) ordinary(l look) bool {
	switch answer := f.asked && l.whole; {
	case l.known == 0:
		return false
	case l.known == l.words:
		return true
	case l.first:
		return !(l.cased && (f.capitalsTell() || answer))
	default:
		return !l.cased && !l.contact && !answer
	}
}

// inSentence reports whether words are of a sentence that says something else.
func (f *nameFinder) inSentence(l look) bool {
	if !l.cased && (!l.whole || l.words > MaxNameWords) {
		return true
	}
	beside := l.contact && (l.cased || l.whole) || f.dated && l.whole && l.cased && l.words > 1
	return f.asks && !(l.cased && l.lead) && !beside
}

// capitalsTell reports whether words with capital letters are names, as where common nouns have none.
func (f *nameFinder) capitalsTell() bool { return f.Language() != "de" }

// enough reports whether what stands around words makes a name of them: the question for it, an
// address beside them, or a phrase before them.
func (f *nameFinder) enough(l look) bool {
	switch {
	case f.asked:
		return l.whole && (l.cased || !l.amid) || l.cased && l.lead || l.contact
	case l.words == 1:
		return l.contact && (l.lead || l.whole) && l.cased
	}
	reach := f.Details.Email != "" || f.Details.Phone != "" || f.dated
	return l.contact || l.lead && l.cased || reach && l.whole && l.cased
}

// common reports whether a word is one of the language's or of the business's rather than a name.
func (f *nameFinder) common(i int) bool {
	t := f.tokens[i]
	lang := f.Language()
	if t.Stop || f.stops[t.Start] || f.courteous(t) || concept.Light(lang, t.Stem) ||
		len(concept.Of(lang, t.Stem)) > 0 {
		return true
	}
	_, known := f.Found.Weights[t.Stem]
	return known || f.services[t.Stem]
}

// besideContact reports whether an e-mail address or a phone number stands just before or behind words of a
// run, with nothing but marks and words around addresses in between.
func (f *nameFinder) besideContact(r run, first, end int) bool {
	if f.skipAround(end, r.to) == r.to {
		for i := r.to; i < len(f.tokens); i++ {
			if f.reaches(i) {
				return true
			}
			if !f.around(f.tokens[i]) {
				break
			}
		}
	}
	if !f.onlyAround(r.from, first) {
		return false
	}
	for i := r.from - 1; i >= 0; i-- {
		if f.reaches(i) {
			return true
		}
		if !f.around(f.tokens[i]) {
			break
		}
	}
	return false
}

// leastOfNumber is how many digits a part of a phone number has at least.
const leastOfNumber = 2

// reaches reports whether a token is an e-mail address or of a phone number.
func (f *nameFinder) reaches(i int) bool {
	t := f.tokens[i]
	if t.Kind == text.Email || t.Kind == text.Phone {
		return true
	}
	if f.Details.Phone == "" || t.Kind == text.Word && !strings.ContainsFunc(f.word(i), unicode.IsDigit) {
		return false
	}
	digits := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return r
			}
			return -1
		}, s)
	}
	part := strings.TrimLeft(digits(f.word(i)), "0")
	return len(digits(f.word(i))) >= leastOfNumber && strings.Contains(f.Details.Phone, part)
}

// leastInAddress is how many letters of a name stand in an e-mail address at least.
const leastInAddress = 3

// inEmail reports whether the part of the e-mail address before the @ has a word of a name.
func (f *nameFinder) inEmail(first, end int) bool {
	local, _, _ := strings.Cut(strings.ToLower(f.Details.Email), "@")
	for i := first; i < end && local != ""; i++ {
		word := strings.ToLower(f.word(i))
		if utf8.RuneCountInString(word) >= leastInAddress && strings.Contains(local, word) {
			return true
		}
	}
	return false
}

// name is what stands behind a phrase such as "My name is", up to the next mark.
func (s *State) name(mark func(from, to int)) string {
	at, n := s.Find(s.Phrasing().Name)
	if n == 0 {
		return ""
	}
	tokens := s.Reading.Tokens
	first := at + n
	for first < len(tokens) && tokens[first].Start > 0 && s.Text[tokens[first].Start-1] == '<' { // <b>Ada</b>
		first++
	}
	_, name := s.nameFrom(first)
	if name != "" {
		mark(tokens[at].Start, tokens[at+n-1].End+len(name)+1)
	}
	return name
}

// between is what stands between two tokens of a message, the first before the second: nothing where they
// overlap, as those of scripts without spaces do.
func between(message string, a, b text.Token) string {
	return message[min(a.End, b.Start):b.Start]
}

// parted reports whether what stands between two words ends a clause.
func parted(between string) bool {
	return strings.ContainsAny(between, ",;!?\n:/|") || strings.Contains(between, ". ") ||
		strings.Contains(between, " - ")
}

// courteous reports whether a word is said in answers and courtesies.
func (s *State) courteous(t text.Token) bool {
	return s.Engine.Read(s.Language(), s.Text[t.Start:t.End]).SmallTalk != "" ||
		s.oneOf(t, s.Phrasing().Yes) ||
		s.oneOf(t, s.Phrasing().No) ||
		s.oneOf(t, s.Phrasing().Cancel) ||
		slices.ContainsFunc(concept.Of(s.Language(), t.Stem), func(name string) bool {
			return slices.Contains(courtesies, name)
		})
}

// courtesies are concepts that nobody is called by.
var courtesies = []string{"sorry", "yes", "no", "thanks", "hello", "bye", "cancel", "book", "appointment"}

func (s *State) oneOf(t text.Token, list string) bool {
	_, n := text.Find(text.Phrases(s.Language(), list), []text.Token{t})
	return n > 0
}

// LeadsToName returns how many of the tokens that it is given stand before a name: "It's for", "I am".
func (s *State) LeadsToName() func([]text.Token) int {
	phrases := text.Phrases(s.Language(), s.Phrasing().Name+","+language.Of(s.Language()).Speech().Lead)
	return func(tokens []text.Token) int {
		n := 0
		for _, p := range phrases {
			if len(p) > n && p.At(tokens, 0) {
				n = len(p)
			}
		}
		return n
	}
}

// nameFrom is the name that begins with a token, as it is written and with capitals: its words up to a mark
// or a word that is in no name.
func (s *State) nameFrom(i int) (written, name string) {
	tokens, message := s.Reading.Tokens, s.Text
	end, words := i, 0
	for at := i; at < len(tokens) && words < MaxNameWords; at++ {
		t := tokens[at]
		if t.Kind != text.Word || at > i && strings.TrimSpace(between(message, tokens[at-1], t)) != "" {
			break
		}
		if at > i && particle(strings.ToLower(message[t.Start:t.End])) {
			continue // it needs the rest of the name behind it
		}
		if t.Stop {
			break
		}
		end = at + 1
		words++
	}
	if end == i {
		return "", ""
	}
	written = message[tokens[i].Start:tokens[end-1].End]
	return written, Titled(written)
}

// particle reports whether a word stands within surnames, though it may be any word elsewhere: Jan de
// Vries.
func particle(word string) bool {
	switch word {
	case "de",
		"den",
		"der",
		"van",
		"von",
		"zu",
		"ten",
		"ter",
		"da",
		"das",
		"do",
		"dos",
		"di",
		"del",
		"della",
		"la",
		"le",
		"du",
		"el",
		"al",
		"bin":
		return true
	}
	return false
}

// Titled writes a name that is all in lower case with capitals.
func Titled(name string) string {
	if strings.ToLower(name) != name {
		return name
	}
	words := strings.Fields(name)
	for i, word := range words {
		if i > 0 && particle(word) {
			continue
		}
		r := []rune(word)
		r[0] = unicode.ToTitle(r[0])
		words[i] = string(r)
	}
	return strings.Join(words, " ")
}
