package skill

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/concept"
	"frontdesk/shared/language"
	"frontdesk/shared/phone"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
	"frontdesk/shared/when"
)

// Details are what a message tells of its writer in passing.
type Details struct {
	Identity
	// Local tells that the phone was written without its country code, which may be any number.
	Local      bool
	Preference string // in the writer's words
	// Rest is how many words of the message say something else, politeness aside.
	Rest int
}

// Limits of what a contact tells.
const (
	MaxNameWords  = 3   // of a name, particles aside
	maxPreference = 200 // characters
	leastDigits   = 7   // of a telephone number
	MaxFacts      = 50  // of a contact
	MaxFact       = 500 // characters
)

// Preferences is the name of the fact that holds what a contact prefers or cannot have.
const Preferences = "preferences"

// ReadDetails finds what the message tells of its writer, all of it or as far as the agent is to keep that.
func (s *State) ReadDetails(all bool) Details {
	var d Details
	told := make([]bool, len(s.Reading.Tokens)) // those that say nothing else
	mark := func(from, to int) {                // bytes of the message
		for i, t := range s.Reading.Tokens {
			told[i] = told[i] || t.Start >= from && t.End <= to
		}
	}
	if all || s.Agent.LeadCaptureEnabled || s.Agent.BookingEnabled {
		d.Email = s.email(mark)
		d.Phone, d.Local = s.number(mark)
	}
	if all || s.Agent.LeadCaptureEnabled || s.Agent.BookingEnabled || s.Agent.MemoryEnabled {
		d.Name = s.name(mark)
	}
	if s.Agent.MemoryEnabled {
		d.Preference = s.preference(mark)
	}
	around := s.AroundDetails()
	for i, t := range s.Reading.Tokens {
		if !t.Stop && !told[i] && !around(t) {
			d.Rest++
		}
	}
	return d
}

// AroundDetails tells of a word whether it stands around a name, an address or a number and says nothing
// beside it.
func (s *State) AroundDetails() func(text.Token) bool {
	p := s.Phrasing()
	phrases := text.Phrases(s.Language(), strings.Join([]string{p.Courtesy, p.Yes, p.Contact}, ","))
	return func(t text.Token) bool {
		_, n := text.Find(phrases, []text.Token{t})
		return n > 0
	}
}

func (s *State) email(mark func(from, to int)) string {
	for _, t := range s.Reading.Tokens {
		if t.Kind == text.Email {
			mark(t.Start, t.End)
			return s.Text[t.Start:t.End]
		}
	}
	address, from, to := spelledOut(s.Text)
	if address != "" {
		mark(from, to)
	}
	return address
}

// number finds a telephone number; one without its country code is taken for one of the agent's own country.
func (s *State) number(mark func(from, to int)) (number string, local bool) {
	message := s.Text
	for from := 0; from < len(message); {
		start := strings.IndexFunc(message[from:], inNumber)
		if start < 0 {
			break
		}
		from += start
		to := len(message)
		if n := strings.IndexFunc(message[from:], func(r rune) bool { return !inNumber(r) }); n >= 0 {
			to = from + n
		}
		if run := message[from:to]; countDigits(run) >= leastDigits {
			number, international := phone.Normalize(run)
			if !international {
				number, local = phone.Local(run, s.Agent.PhoneNumber)
			}
			if international || local {
				mark(from, to)
				return number, local
			}
		}
		from = to
	}
	return "", false
}

func inNumber(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune("+-./() \u00a0", r) }

func countDigits(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
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

// Introduced are the details with the name that is left of a message that says who the contact is: "Ada
// Lovelace, ada@example.com". Where the contact was not asked the message must tell how to reach it, or say
// nothing else.
func (s *State) Introduced(asked bool) Details {
	d := s.Details
	reach := d.Email != "" || d.Phone != ""
	if d.Name == "" && (!s.Reading.Asks && !s.ofAgent() || reach) {
		if name := s.nameAmong(asked, reach); name != "" {
			d.Name, d.Rest = name, 0
		}
	}
	d.Local = d.Local && d.Name == "" && d.Email == ""
	return d
}

const (
	leastRude  = 0.5
	leastOfWho = 0.85
)

// ofAgent reports whether the message speaks of the agent rather than of its writer: it insults, or asks who
// answers.
func (s *State) ofAgent() bool {
	best := s.Understood().Best()
	return s.Learnt(understand.Complaint, leastRude) > 0 && best.Skill == understand.Complaint ||
		s.Learnt(understand.Identity, leastOfWho) > 0
}

// nameAmong is the name that stands alone in a clause of the message, courtesies and what stands before names
// aside; that of the speaker before others: "For my son Leo, I'm Vera Novak".
func (s *State) nameAmong(asked, reach bool) string {
	if !reach && s.Understood().Does(understand.Agrees) && len(s.Reading.Tokens) < MaxNameWords {
		return "" // "passt"
	}
	around, leads := s.AroundDetails(), s.LeadsToName()
	best, own := "", false
	drops := text.Phrases(s.Language(), s.Phrasing().Cancel)
	tokens := s.Reading.Tokens
	for from := 0; from < len(tokens); {
		to := from + 1
		for to < len(tokens) && !parted(between(s.Text, tokens[to-1], tokens[to])) {
			to++
		}
		clause := tokens[from:to]
		from = to
		if _, n := text.Find(drops, clause); n > 0 {
			continue
		}
		first, lead := s.beforeName(clause, around, leads)
		name := s.nameOf(clause[first:])
		if s.kin(clause[first:]) {
			name = "" // "for my mum, Jean Holroyd"
		}
		sure := asked || reach && len(clause) <= MaxNameWords+2 || lead && s.capital(clause[first], 1)
		if name != "" && sure && (best == "" || lead && !own) {
			best, own = name, lead
		}
	}
	return best
}

// beforeName is how many tokens of a clause stand before its name, and whether some of them lead to one.
func (s *State) beforeName(
	clause []text.Token, around func(text.Token) bool, leads func([]text.Token) int,
) (first int, lead bool) {
	for first < len(clause) {
		if n := leads(clause[first:]); n > 0 {
			first, lead = first+n, true
		} else if t := clause[first]; around(t) && !s.capital(t, first) || t.Stop && !s.capital(t, 1) {
			first++
		} else {
			break
		}
	}
	return first, lead
}

// capital reports whether a token that is not the first of its clause is written with a capital letter.
func (s *State) capital(t text.Token, at int) bool {
	r, _ := utf8.DecodeRuneInString(s.Text[t.Start:])
	return at > 0 && unicode.IsUpper(r)
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

// nameOf is the name that tokens are, where they can be one and nothing else.
func (s *State) nameOf(tokens []text.Token) string {
	around := s.AroundDetails()
	for len(tokens) > 0 && (around(tokens[len(tokens)-1]) || tokens[len(tokens)-1].Kind != text.Word) {
		tokens = tokens[:len(tokens)-1] // "Ada, phone 07700 900123"
	}
	if len(tokens) == 0 || len(tokens) > MaxNameWords+1 {
		return ""
	}
	for i, t := range tokens {
		word := s.Text[t.Start:t.End]
		if t.Kind != text.Word || strings.ContainsFunc(word, unicode.IsDigit) ||
			around(t) && i == 0 && !s.capital(t, 1) ||
			t.Stop && !particle(strings.ToLower(word)) && !s.capital(t, 1) {
			return ""
		}
		if written := t.Start > 0 && s.capital(t, 1); !written && s.courteous(t) ||
			!when.Parse(s.Language(), word, s.Now).Empty() {
			return ""
		}
	}
	return Titled(s.Text[tokens[0].Start:tokens[len(tokens)-1].End])
}

// kin reports whether tokens say whom something is for by what they are to the writer.
func (s *State) kin(tokens []text.Token) bool {
	_, n := text.Find(text.Phrases(s.Language(), language.Of(s.Language()).Bookings().Kin), tokens)
	return n > 0 && n == len(tokens)
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

// spelled finds an address that is written in words: "ada dot lovelace at example dot com".
var spelled = sync.OnceValue(func() *regexp.Regexp {
	const dot = `(?:\.|\s+(?:dot|punkt|punto|point|ponto|punt|piste|punct|pont|nokta|точка)\s+)`
	const at = `(?:\s*@\s*|\s*[(\[]at[)\]]\s*|\s+(?:at|ät|arroba|arobase|chiocciola|apenstaartje|snabel-a|kukac|собака)\s+)`
	return regexp.MustCompile(
		`(?i)([\pL\d_+-]+(?:` + dot + `[\pL\d_+-]+)*)` + at + `([\pL\d-]+(?:` + dot + `[\pL\d-]+)*` + dot + `(?:\pL{2,}))`,
	)
})

// spelledOut is the e-mail address that a text has in words, and where; "" for none.
func spelledOut(message string) (address string, from, to int) {
	m := spelled().FindStringSubmatchIndex(message)
	if m == nil ||
		!strings.ContainsAny(message[m[0]:m[1]], "@([") && len(strings.Fields(message[m[0]:m[1]])) < 5 {
		return "", 0, 0 // "see us at example.com" is none
	}
	written := func(part string) string {
		words := strings.FieldsFunc(part, func(r rune) bool { return unicode.IsSpace(r) || r == '.' })
		words = slices.DeleteFunc(words, func(w string) bool {
			return slices.Contains(
				[]string{
					"dot",
					"punkt",
					"punto",
					"point",
					"ponto",
					"punt",
					"piste",
					"punct",
					"pont",
					"nokta",
					"точка",
				},
				strings.ToLower(w),
			)
		})
		return strings.Join(words, ".")
	}
	return written(message[m[2]:m[3]]) + "@" + written(message[m[4]:m[5]]), m[0], m[1]
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

// particle reports whether a word stands within surnames, though it may be any word elsewhere: Jan de Vries.
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

// preference is the sentence that says what the writer prefers or cannot have; none where the message asks
// something.
func (s *State) preference(mark func(from, to int)) string {
	at, n := s.Find(s.Phrasing().Prefer)
	if n == 0 || s.Reading.Asks {
		return ""
	}
	message, start := s.Text, s.Reading.Tokens[at].Start
	end := len(message)
	if n := strings.IndexAny(message[start:], ".!;\n"); n >= 0 {
		end = start + n
	}
	mark(start, end)
	return text.Cut(strings.TrimSpace(message[start:end]), maxPreference)
}
