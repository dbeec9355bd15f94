package assistant

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/language"
	"frontdesk/shared/phone"
	"frontdesk/shared/table"
	"frontdesk/shared/text"
	"frontdesk/shared/when"
)

// A details is what a message tells of its writer in passing.
type details struct {
	Identity
	// local tells that the phone was written without its country code, which may be any number.
	local      bool
	preference string // in the writer's words
	// rest is how many words of the message say something else, politeness aside.
	rest int
}

const (
	maxNameWords  = 3
	maxPreference = 200 // characters
	leastDigits   = 7   // of a telephone number
	maxFacts      = 50  // of a contact
	maxFact       = 500 // characters
)

// preferences is the name of the fact that holds what a contact prefers or cannot have.
const preferences = "preferences"

// sharedPhone is the name of the fact that holds the phone a contact gave, where another contact has it.
const sharedPhone = "phone"

// readDetails finds what the message tells of its writer, all of it or as far as the agent is to keep that.
func (s *state) readDetails(all bool) details {
	var d details
	told := make([]bool, len(s.reading.Tokens)) // those that say nothing else
	mark := func(from, to int) {                // bytes of the message
		for i, t := range s.reading.Tokens {
			told[i] = told[i] || t.Start >= from && t.End <= to
		}
	}
	if all || s.agent.LeadCaptureEnabled || s.agent.BookingEnabled {
		d.Email = s.email(mark)
		d.Phone, d.local = s.number(mark)
	}
	if all || s.agent.LeadCaptureEnabled || s.agent.BookingEnabled || s.agent.MemoryEnabled {
		d.Name = s.name(mark)
	}
	if s.agent.MemoryEnabled {
		d.preference = s.preference(mark)
	}
	around := s.aroundDetails()
	for i, t := range s.reading.Tokens {
		if !t.Stop && !told[i] && !around(t) {
			d.rest++
		}
	}
	return d
}

// aroundDetails tells of a word whether it stands around a name, an address or a number and says nothing beside it.
func (s *state) aroundDetails() func(text.Token) bool {
	p := s.phrasing()
	phrases := text.Phrases(s.language(), strings.Join([]string{p.Courtesy, p.Yes, p.Contact}, ","))
	return func(t text.Token) bool {
		_, n := text.Find(phrases, []text.Token{t})
		return n > 0
	}
}

func (s *state) email(mark func(from, to int)) string {
	for _, t := range s.reading.Tokens {
		if t.Kind == text.Email {
			mark(t.Start, t.End)
			return s.message.Text[t.Start:t.End]
		}
	}
	address, from, to := spelledOut(s.message.Text)
	if address != "" {
		mark(from, to)
	}
	return address
}

// number finds a telephone number; one without its country code is taken for one of the agent's own country.
func (s *state) number(mark func(from, to int)) (number string, local bool) {
	message := s.message.Text
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
				number, local = phone.Local(run, s.agent.PhoneNumber)
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
func (s *state) name(mark func(from, to int)) string {
	at, n := s.find(s.phrasing().Name)
	if n == 0 {
		return ""
	}
	tokens := s.reading.Tokens
	first := at + n
	for first < len(tokens) && tokens[first].Start > 0 && s.message.Text[tokens[first].Start-1] == '<' { // <b>Ada</b>
		first++
	}
	_, name := s.nameFrom(first)
	if name != "" {
		mark(tokens[at].Start, tokens[at+n-1].End+len(name)+1)
	}
	return name
}

// introduce takes for a name what is left of a message that says who the contact is: "Ada Lovelace, ada@example.com".
// Where the contact was not asked the message must tell how to reach it, or say nothing else.
func (s *state) introduce(asked bool) {
	d := &s.details
	reach := d.Email != "" || d.Phone != ""
	if d.Name == "" && s.contact.Name == "" && (!s.reading.Asks || reach) {
		if name := s.nameAmong(asked, reach); name != "" {
			d.Name, d.rest = name, 0
		}
	}
	d.local = d.local && d.Name == "" && d.Email == ""
}

// nameAmong is the name that stands alone in a clause of the message, courtesies and what stands before names aside; that
// of the speaker before others: "For my son Leo, I'm Vera Novak".
func (s *state) nameAmong(asked, reach bool) string {
	around, leads := s.aroundDetails(), s.leadsToName()
	best, own := "", false
	drops := text.Phrases(s.language(), s.phrasing().Cancel)
	tokens := s.reading.Tokens
	for from := 0; from < len(tokens); {
		to := from + 1
		for to < len(tokens) && !parted(s.message.Text[tokens[to-1].End:tokens[to].Start]) {
			to++
		}
		clause := tokens[from:to]
		from = to
		if _, n := text.Find(drops, clause); n > 0 {
			continue
		}
		first, lead := 0, false
		for first < len(clause) {
			if n := leads(clause[first:]); n > 0 {
				first, lead = first+n, true
			} else if t := clause[first]; around(t) && !s.capital(t, first) || t.Stop && !s.capital(t, 1) {
				first++
			} else {
				break
			}
		}
		name := s.nameOf(clause[first:])
		sure := asked || reach && len(clause) <= maxNameWords+2 || lead && s.capital(clause[first], 1)
		if name != "" && sure && (best == "" || lead && !own) {
			best, own = name, lead
		}
	}
	return best
}

// capital reports whether a token that is not the first of its clause is written with a capital letter.
func (s *state) capital(t text.Token, at int) bool {
	r, _ := utf8.DecodeRuneInString(s.message.Text[t.Start:])
	return at > 0 && unicode.IsUpper(r)
}

// parted reports whether what stands between two words ends a clause.
func parted(between string) bool {
	return strings.ContainsAny(between, ",;!?\n:/|") || strings.Contains(between, ". ") || strings.Contains(between, " - ")
}

// nameOf is the name that tokens are, where they can be one and nothing else.
func (s *state) nameOf(tokens []text.Token) string {
	around := s.aroundDetails()
	for len(tokens) > 0 && (around(tokens[len(tokens)-1]) || tokens[len(tokens)-1].Kind != text.Word) {
		tokens = tokens[:len(tokens)-1] // "Ada, phone 07700 900123"
	}
	if len(tokens) == 0 || len(tokens) > maxNameWords+1 {
		return ""
	}
	for i, t := range tokens {
		word := s.message.Text[t.Start:t.End]
		if t.Kind != text.Word || strings.ContainsFunc(word, unicode.IsDigit) || around(t) && i == 0 && !s.capital(t, 1) ||
			t.Stop && !particle(strings.ToLower(word)) && !s.capital(t, 1) {
			return ""
		}
		if written := t.Start > 0 && s.capital(t, 1); !written && s.courteous(t) || !when.Parse(s.language(), word, s.now).Empty() {
			return ""
		}
	}
	return titled(s.message.Text[tokens[0].Start:tokens[len(tokens)-1].End])
}

// courteous reports whether a word is said in answers and courtesies.
func (s *state) courteous(t text.Token) bool {
	return s.engine.Read(s.language(), s.message.Text[t.Start:t.End]).SmallTalk != "" || s.oneOf(t, s.phrasing().Yes) || s.oneOf(t, s.phrasing().No) ||
		s.oneOf(t, s.phrasing().Cancel)
}

func (s *state) oneOf(t text.Token, list string) bool {
	_, n := text.Find(text.Phrases(s.language(), list), []text.Token{t})
	return n > 0
}

// leadsToName returns how many of the tokens that it is given stand before a name: "It's for", "I am".
func (s *state) leadsToName() func([]text.Token) int {
	phrases := text.Phrases(s.language(), s.phrasing().Name+","+language.Of(s.language()).Speech().Lead)
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
	return regexp.MustCompile(`(?i)([\pL\d_+-]+(?:` + dot + `[\pL\d_+-]+)*)` + at + `([\pL\d-]+(?:` + dot + `[\pL\d-]+)*` + dot + `(?:\pL{2,}))`)
})

// spelledOut is the e-mail address that a text has in words, and where; "" for none.
func spelledOut(message string) (address string, from, to int) {
	m := spelled().FindStringSubmatchIndex(message)
	if m == nil || !strings.ContainsAny(message[m[0]:m[1]], "@([") && len(strings.Fields(message[m[0]:m[1]])) < 5 {
		return "", 0, 0 // "see us at example.com" is none
	}
	written := func(part string) string {
		words := strings.FieldsFunc(part, func(r rune) bool { return unicode.IsSpace(r) || r == '.' })
		words = slices.DeleteFunc(words, func(w string) bool {
			return slices.Contains([]string{"dot", "punkt", "punto", "point", "ponto", "punt", "piste", "punct", "pont", "nokta", "точка"}, strings.ToLower(w))
		})
		return strings.Join(words, ".")
	}
	return written(message[m[2]:m[3]]) + "@" + written(message[m[4]:m[5]]), m[0], m[1]
}

// nameFrom is the name that begins with a token, as it is written and with capitals: its words up to a mark or a word that
// is in no name.
func (s *state) nameFrom(i int) (written, name string) {
	tokens, message := s.reading.Tokens, s.message.Text
	end, words := i, 0
	for at := i; at < len(tokens) && words < maxNameWords; at++ {
		t := tokens[at]
		if t.Kind != text.Word || at > i && strings.TrimSpace(message[tokens[at-1].End:t.Start]) != "" {
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
	return written, titled(written)
}

// particle reports whether a word stands within surnames, though it may be any word elsewhere: Jan de Vries.
func particle(word string) bool {
	switch word {
	case "de", "den", "der", "van", "von", "zu", "ten", "ter", "da", "das", "do", "dos", "di", "del", "della", "la", "le", "du", "el", "al", "bin":
		return true
	}
	return false
}

// titled writes a name that is all in lower case with capitals.
func titled(name string) string {
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

// preference is the sentence that says what the writer prefers or cannot have; none where the message asks something.
func (s *state) preference(mark func(from, to int)) string {
	at, n := s.find(s.phrasing().Prefer)
	if n == 0 || s.reading.Asks {
		return ""
	}
	message, start := s.message.Text, s.reading.Tokens[at].Start
	end := len(message)
	if n := strings.IndexAny(message[start:], ".!;\n"); n >= 0 {
		end = start + n
	}
	mark(start, end)
	return text.Cut(strings.TrimSpace(message[start:end]), maxPreference)
}

// learn keeps what the message tells of its writer, as if the message had named it. What is known of a contact stays,
// but for what it prefers.
func (s *state) learn() {
	d, named := s.details, &s.message.Contact
	if d.preference != "" {
		s.remember(preferences, d.preference)
	}
	asked := s.conversationBefore.Asked == conversation.AskedForContact
	if !s.message.Proved {
		if d.local && !asked {
			d.Phone = ""
		}
		s.claimed.Add(d.Identity)
		return
	}
	if named.Name == "" {
		named.Name = d.Name
	}
	if d.Phone != "" && named.Phone == "" && s.contact.Phone == "" && (!d.local || asked) {
		if s.leadsNowhere(contact.KeyByPhone(s.message.AccountID, s.message.AgentID, d.Phone)) {
			named.Phone = d.Phone
		} else {
			s.remember(sharedPhone, d.Phone) // two contacts have no phone in common, but this one can be reached there
		}
	}
	if d.Email != "" && named.Email == "" && s.contact.Email == "" {
		if s.leadsNowhere(contact.KeyByEmail(s.message.AccountID, s.message.AgentID, d.Email)) {
			named.Email = d.Email
		} else {
			s.contact.Email = d.Email // and goes on leading to who gave it first
		}
	}
}

// leadsNowhere reports whether no contact is known by a phone or an e-mail address that was looked up.
func (s *state) leadsNowhere(key table.Key) bool {
	return s.pointers[key].ContactID == 0
}

// remember keeps a fact of the contact under a name. A contact has only so many.
func (s *state) remember(name, value string) {
	c := &s.contact
	if _, known := c.Facts[name]; !known && len(c.Facts) >= maxFacts || value == "" {
		return
	}
	c.Facts = maps.Clone(c.Facts) // the contact as it was read has the same
	if c.Facts == nil {
		c.Facts = map[string]string{}
	}
	c.Facts[name] = text.Cut(value, maxFact)
}
