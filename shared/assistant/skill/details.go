package skill

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"frontdesk/shared/phone"
	"frontdesk/shared/text"
)

// Details are what a message says about its author.
type Details struct {
	Identity
	// Local reports whether the phone number was written without a country code, so that it may be another
	// number.
	Local      bool
	Preference string // in the author's words
	// Rest is the number of words of the message that say something else, courtesies aside.
	Rest int
}

// Limits of details.
const (
	MaxNameWords  = 3   // in a name, without particles
	maxPreference = 200 // characters
	leastDigits   = 7   // in a phone number
)

// Preferences is the name of the fact with a contact's preferences and restrictions.
const Preferences = "preferences"

// ReadDetails extracts what the message says about its author: everything, or what the agent's settings
// allow to keep.
func (s *State) ReadDetails(all bool) Details {
	var d Details
	told := make([]bool, len(s.Reading.Tokens)) // tokens that belong to the details
	mark := func(from, to int) {                // byte offsets in the message
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

// shortForms are abbreviations before phone numbers in many languages.
const shortForms = "tel, num, cel, tlf, tfn, tél, mob, mobil, mobile, gsm, whatsapp, тел, puh"

// AroundDetails returns a function that reports whether a word only surrounds a name, an address or a
// number, without a further meaning.
func (s *State) AroundDetails() func(text.Token) bool {
	p := s.Phrasing()
	list := strings.Join([]string{p.Courtesy, p.Yes, p.Contact, shortForms}, ",")
	phrases, message := text.Phrases(s.Language(), list), s.Text
	written := strings.FieldsFunc(strings.ToLower(list),
		func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	return func(t text.Token) bool {
		_, n := text.Find(phrases, []text.Token{t})
		return n > 0 && !longer(message[t.Start:t.End], written)
	}
}

// longer reports whether a word extends one of these by more than a plural ending: Mercier is not "merci".
func longer(word string, than []string) bool {
	word = strings.ToLower(word)
	return slices.ContainsFunc(than, func(short string) bool {
		return strings.HasPrefix(word, short) && len(word) > len(short)+1
	}) && !slices.Contains(than, word)
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

// number finds a phone number. One without a country code is taken for one of the agent's own country.
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

// spelled matches an e-mail address in words: "ada dot lovelace at example dot com".
var spelled = sync.OnceValue(func() *regexp.Regexp {
	const dot = `(?:\.|\s+(?:dot|punkt|punto|point|ponto|punt|piste|punct|pont|nokta|точка)\s+)`
	const at = `(?:\s*@\s*|\s*[(\[]at[)\]]\s*|\s+(?:at|ät|arroba|arobase|chiocciola|apenstaartje|snabel-a|kukac|собака)\s+)`
	return regexp.MustCompile(
		`(?i)([\pL\d_+-]+(?:` + dot + `[\pL\d_+-]+)*)` + at + `([\pL\d-]+(?:` + dot + `[\pL\d-]+)*` + dot + `(?:\pL{2,}))`,
	)
})

// spelledOut returns the e-mail address that a text has in words and its position, or "".
func spelledOut(message string) (address string, from, to int) {
	m := spelled().FindStringSubmatchIndex(message)
	if m == nil ||
		!strings.ContainsAny(message[m[0]:m[1]], "@([") && len(strings.Fields(message[m[0]:m[1]])) < 5 {
		return "", 0, 0 // not in "see us at example.com"
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

// preference returns the sentence with the author's preference or restriction, or "" if there is none or
// the message asks something.
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
