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

// shortForms stand before phone numbers in many languages.
const shortForms = "tel, num, cel, tlf, tfn, tél, mob, mobil, mobile, gsm, whatsapp, тел, puh"

// AroundDetails tells of a word whether it stands around a name, an address or a number and says nothing
// beside it.
func (s *State) AroundDetails() func(text.Token) bool {
	p := s.Phrasing()
	list := []string{p.Courtesy, p.Yes, p.Contact, shortForms}
	phrases := text.Phrases(s.Language(), strings.Join(list, ","))
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
