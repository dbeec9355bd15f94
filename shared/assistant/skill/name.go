package skill

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/concept"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
	"frontdesk/shared/when"
)

// Introduced returns the message's details. If they lack a name, it looks for one among the words that
// are no day, time, service, address or courtesy: "Friday at ten, Ada Lovelace, ada@example.com". Asked
// means that the agent asked for the name, so less evidence is needed. The name is "" if there is none or
// it is uncertain. Rest does not count the words of a name that is found so, and is 0 if the agent asked
// for it or the message has an address.
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
	// leastRude is the minimum probability of a complaint for a message to be about the agent.
	leastRude = 0.65
	// leastOfWho is the minimum probability of a question about the agent's identity.
	leastOfWho = 0.85
	// leastChat is the minimum probability of small talk in a message without capital letters.
	leastChat = 0.7
	// leastQuestion is the minimum probability of a question in a message without a question mark.
	leastQuestion = 0.7
)

// ofAgent reports whether the message is about the agent: it is an insult or asks who is answering.
func (s *State) ofAgent() bool {
	best := s.Understood().Best()
	return s.Learnt(understand.Complaint, leastRude) > 0 && best.Skill == understand.Complaint ||
		s.Learnt(understand.Identity, leastOfWho) > 0
}

// asksSomething reports whether the message is a question, with or without a question mark.
func (s *State) asksSomething() bool {
	return s.Reading.Asks || s.Understood().Acts[understand.Asks] >= leastQuestion
}

// A candidate is a run of words that may be the author's name. The zero candidate is no name.
type candidate struct {
	name    string
	telling int // number of words without particles
	score   int // sum of the weights of the evidence
}

// The weights of the evidence for a name, and leastName, the minimum score of a name.
const (
	inAddress = 5  // the e-mail address contains one of its words
	besides   = 3  // it is next to an e-mail address or a phone number
	led       = 3  // it follows "I am", "this is", "for"
	written   = 2  // it has several words, all capitalized
	capital   = 1  // it has one word, capitalized, which does not start the message
	alone     = 1  // its clause contains nothing else except courtesies
	awaited   = 2  // the agent asked for it
	ofKin     = -1 // it follows a word for a relative, such as "my wife"
	leastName = 3
)

// findName returns the candidate with the highest score, or the zero candidate if none reaches leastName.
func (s *State) findName(asked bool) (best candidate) {
	reach := s.Details.Email != "" || s.Details.Phone != "" || s.dated()
	if len(s.Reading.Tokens) > maxIntroduction || !reach && !asked && !s.leadsSomewhere() {
		return best
	}
	asks := s.asksSomething()
	agrees := s.Understood().Does(understand.Agrees) && len(s.Reading.Tokens) < MaxNameWords // "passt"
	chats := s.Learnt(understand.SmallTalk, leastChat) > 0 && strings.ToLower(s.Text) == s.Text
	if !reach && (s.ofAgent() || (asks || agrees || chats) && !s.leadsSomewhere()) {
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

// dated reports whether the message states one exact time, so that a name next to it is the name for the
// appointment. It is false in German, where all nouns are capitalized, and for agents without booking.
func (s *State) dated() bool {
	return s.Language() != "de" && s.Agent.BookingEnabled && when.Parse(s.Language(), s.Text, s.Now).Exact()
}

// maxIntroduction is the maximum number of tokens of a message that is searched for a name.
const maxIntroduction = 120

// leadsSomewhere reports whether the message contains a phrase that introduces a name.
func (s *State) leadsSomewhere() bool {
	leads := s.LeadsToName()
	for i := range s.Reading.Tokens {
		if leads(s.Reading.Tokens[i:]) > 0 {
			return true
		}
	}
	return false
}

// A nameFinder searches one message for its author's name.
type nameFinder struct {
	*State
	asked, asks bool
	dated       bool            // see State.dated
	timed       bool            // the message mentions a time
	shouts      bool            // the message is in capitals, so capitals are no evidence
	stops       map[int]bool    // by offset: stop words in the language of the conversation
	services    map[string]bool // by stem: words of the services' names that are no stop words
	tokens      []text.Token
	taken       []bool // by token: part of a time, an address, a number or a request to change a booking
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
	f.timed = len(said) > 0
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

// A run is a range of adjacent tokens of one clause, from inclusive to exclusive, none of which is taken.
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

// read returns the best candidate of a run, or the zero candidate if it has none. Courtesies, phrases that
// introduce a name and words around addresses are no part of a candidate. A run that cancels something has
// none.
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

// skip returns the first token from i on that may begin a name, or to. Lead reports whether the skipped
// tokens introduce a name, kin whether they name a relative.
func (f *nameFinder) skip(i, to int) (first int, lead, kin bool) {
	for i < to {
		rest := f.tokens[i:to]
		n := f.leads(rest)
		titled := i+1 < to && f.titled(i+1)
		switch k := text.LongestAt(f.kin, rest, 0); {
		case titled:
			i, lead = i+1, true
		case k > 0 && !(f.cased(i) && f.capitalsTell()): // the name Marie is not "mari", husband
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

// families are words for "family" next to a surname, and their abbreviations, in lower case.
var families = []string{
	"fam", "family", "familie", "famille", "familia", "família", "famiglia", "familjen", "familien",
	"család", "ailesi", "perhe", "семья", "عائلة",
}

// titled reports whether token i can be a name and follows a title or a word for a family.
func (f *nameFinder) titled(i int) bool {
	if i == 0 {
		return false
	}
	before := strings.ToLower(f.word(i - 1))
	title := slices.Contains(builtin.Titles, before) || slices.Contains(families, before)
	return title && (f.cased(i) || f.asked && !f.tokens[i].Stop && !f.taken[i])
}

// skipAround returns the first token from i on that is neither a word around addresses nor a word for a
// family, or to.
func (f *nameFinder) skipAround(i, to int) int {
	for i < to && (f.around(f.tokens[i]) || slices.Contains(families, strings.ToLower(f.word(i)))) {
		i++
	}
	return i
}

// onlyAround reports whether a range of tokens contains only courtesies, words around addresses, words for
// relatives and phrases that introduce a name. An empty range does.
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

// capital reports whether token i is capitalized and does not start the message.
func (f *nameFinder) capital(i int) bool { return f.tokens[i].Start > 0 && f.cased(i) }

// cased reports whether token i begins with a capital letter, and the message is not all in capitals.
func (f *nameFinder) cased(i int) bool {
	r, _ := utf8.DecodeRuneInString(f.word(i))
	return !f.shouts && unicode.IsUpper(r)
}

// nameEnd returns the end, exclusive, of the name that may begin at the token first, or first if none can.
func (f *nameFinder) nameEnd(first, to int) int {
	end, words := first, 0
	for i := first; i < to && words < maxFullName; i++ {
		word := strings.ToLower(f.word(i))
		if i > first && particle(word) {
			continue // a name does not end with a particle
		}
		if !f.inName(i, i > first) {
			break
		}
		end = i + 1
		words++
	}
	return end
}

// maxFullName is the maximum number of words of a name, without particles: "María José García López".
const maxFullName = 4

func (f *nameFinder) word(i int) string { return f.Text[f.tokens[i].Start:f.tokens[i].End] }

// inName reports whether token i can be part of a name. Behind means that it is not the first word.
func (f *nameFinder) inName(i int, behind bool) bool {
	t := f.tokens[i]
	switch {
	case f.inEmail(i, i+1) && !f.around(t), f.titled(i):
		return true
	case t.Stop && !f.capital(i), !f.capital(i) && (f.around(t) || f.courteous(t)):
		return false
	case behind && slices.Contains(families, strings.ToLower(f.word(i))): // "the Lovelace family"
		return false
	case behind && f.around(t), behind && f.leads(f.tokens[i:i+1]) > 0 && !f.capital(i):
		return false
	}
	return true
}

// A look is the evidence about words that may be a name.
type look struct {
	words, known   int  // number of words without particles, and of common words among them
	first          bool // the first word is a common word
	homonym        bool // the first word is a common word with a meaning, as "rob" or "rose"
	cased          bool // all words are capitalized
	inside         bool // they do not start the message
	lead, kin      bool // see nameFinder.skip
	whole, contact bool // their run contains nothing else; an address is next to them
	addressed      bool // the e-mail address contains one of the words
	titled         bool // a title precedes them
	amid           bool // the message contains more than a name, a time, a service and courtesies
}

// look collects the evidence about the tokens of a run from first to end, exclusive. The caller sets lead,
// kin, whole and amid.
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
	l.titled = f.titled(first)
	l.homonym = l.first && !f.filling(first)
	return l
}

// judge returns the score of words, the sum of the weights of their evidence, or 0 if they cannot be a
// name.
func (f *nameFinder) judge(l look) int {
	if !l.addressed && !l.titled && (f.ordinary(l) || f.inSentence(l) || f.exclaimed(l) || !f.enough(l)) {
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

// saysMore reports whether the message contains a meaningful word outside of the given tokens that is no
// time, service, courtesy or introduction of a name.
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

// ordinary reports whether words are ordinary vocabulary, of the language or of the business.
func (f *nameFinder) ordinary(l look) bool {
	switch answer := f.asked && l.whole; {
	case l.known == 0:
		return false
	case l.known == l.words:
		return true
	case l.homonym && answer && l.contact: // "rob carr 07700 900117", where "rob" is a verb
		return false
	case l.first:
		return !(l.cased && (f.capitalsTell() || answer))
	default:
		return !l.cased && !l.contact && !answer
	}
}

// inSentence reports whether words are part of a sentence about something else.
func (f *nameFinder) inSentence(l look) bool {
	if !l.cased && (!l.whole || l.words > MaxNameWords) {
		return true
	}
	beside := l.contact && (l.cased || l.whole) || f.dated && l.whole && l.cased && l.words > 1
	return f.asks && !(l.cased && l.lead) && !beside
}

// exclaimed reports whether words in a message with a time are rather an exclamation than a name: "Oh.
// Then Tuesday at five."
func (f *nameFinder) exclaimed(l look) bool {
	return f.timed && !l.contact && !l.lead && !(l.cased && (l.words > 1 || l.inside))
}

// capitalsTell reports whether a capital letter is evidence for a name. It is not in German, where all
// nouns are capitalized.
func (f *nameFinder) capitalsTell() bool { return f.Language() != "de" }

// enough reports whether the context of words suggests a name: the agent asked for it, an address or a
// time is next to them, or a phrase introduces them.
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

// common reports whether token i is vocabulary of the language or of the business.
func (f *nameFinder) common(i int) bool {
	t := f.tokens[i]
	_, known := f.Found.Weights[t.Stem]
	return known || f.filling(i) || len(concept.Of(f.Language(), t.Stem)) > 0
}

// filling reports whether token i has no meaning of its own, is a courtesy, or is part of a service's name.
func (f *nameFinder) filling(i int) bool {
	t := f.tokens[i]
	lang := f.Language()
	filler := !f.cased(i) && f.oneOf(t, language.Of(lang).Talk().Filler)
	return t.Stop || f.stops[t.Start] || filler || f.courteous(t) || concept.Light(lang, t.Stem) ||
		f.services[t.Stem]
}

// besideContact reports whether an e-mail address or a phone number precedes or follows the words of a run
// from first to end, with only punctuation and words around addresses in between.
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

// leastOfNumber is the minimum number of digits of a part of a phone number.
const leastOfNumber = 2

// reaches reports whether token i is an e-mail address or part of a phone number.
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

// leastInAddress is the minimum length, in letters, of a name's word that is searched for in an e-mail
// address.
const leastInAddress = 3

// inEmail reports whether the part of the e-mail address before the @ contains one of the words from first
// to end, exclusive. It is false if the message has no address.
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

// name returns the name after a phrase such as "My name is", up to the next punctuation mark, or "" if
// there is none. It calls mark with the byte offsets of the phrase and the name.
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

// between returns the text between the tokens a and b, where a is before b, or "" if they overlap, as in
// scripts without spaces.
func between(message string, a, b text.Token) string {
	return message[min(a.End, b.Start):b.Start]
}

// parted reports whether the text between two words ends a clause.
func parted(between string) bool {
	return strings.ContainsAny(between, ",;!?\n:/|") || strings.Contains(between, ". ") ||
		strings.Contains(between, " - ")
}

// courteous reports whether a word is a courtesy, a filler, or an answer such as yes, no or "cancel".
func (s *State) courteous(t text.Token) bool {
	return s.Engine.Read(s.Language(), s.Text[t.Start:t.End]).SmallTalk != "" ||
		s.oneOf(t, s.Phrasing().Yes) ||
		s.oneOf(t, s.Phrasing().No) ||
		s.oneOf(t, language.Of(s.Language()).Talk().Filler) ||
		s.oneOf(t, s.Phrasing().Cancel) ||
		slices.ContainsFunc(concept.Of(s.Language(), t.Stem), func(name string) bool {
			return slices.Contains(courtesies, name)
		})
}

// courtesies are concepts whose words are never names.
var courtesies = []string{"sorry", "yes", "no", "thanks", "hello", "bye", "cancel", "book", "appointment"}

// oneOf reports whether a token is one of a comma-separated list of words.
func (s *State) oneOf(t text.Token, list string) bool {
	_, n := text.Find(text.Phrases(s.Language(), list), []text.Token{t})
	return n > 0
}

// LeadsToName returns a function that returns the number of tokens, at the beginning of the ones that it is
// given, that introduce a name, as "It's for" or "I am". It returns 0 if they do not.
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

// nameFrom returns the name that begins at token i, as written and with capitals. It ends before a
// punctuation mark or a stop word and has at most MaxNameWords words without particles. Both are "" if
// there is no name.
func (s *State) nameFrom(i int) (written, name string) {
	tokens, message := s.Reading.Tokens, s.Text
	end, words := i, 0
	for at := i; at < len(tokens) && words < MaxNameWords; at++ {
		t := tokens[at]
		if t.Kind != text.Word || at > i && strings.TrimSpace(between(message, tokens[at-1], t)) != "" {
			break
		}
		if at > i && particle(strings.ToLower(message[t.Start:t.End])) {
			continue // a name does not end with a particle
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

// particle reports whether a word, in lower case, is a particle of surnames: "de" in Jan de Vries. It may
// be an ordinary word elsewhere.
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

// Titled returns a name with its words, except for particles, capitalized. A name that has a capital letter
// already is returned as it is.
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
