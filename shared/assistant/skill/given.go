package skill

import (
	"strings"
	"unicode"

	"frontdesk/shared/conversation"
	"frontdesk/shared/phone"
	"frontdesk/shared/text"
)

// Given returns the details with the name, e-mail address and phone number in a language model's slots. It
// refuses what the contact has not written, so that an invented address is never stored.
func (s *State) Given(slots Slots) (Details, error) {
	d := s.Details
	for _, name := range []string{"name", "email", "phone"} {
		value := slots.Text(name)
		if value == "" {
			continue
		}
		if !s.wrote(value) {
			return d, &Refused{name + ": the person has not written this"}
		}
		switch name {
		case "name":
			d.Name = text.Cut(value, maxGivenName)
		case "email":
			if at := strings.IndexByte(value, '@'); at < 1 || strings.ContainsAny(value, " \t\n<>") {
				return d, &Refused{"email: this is no e-mail address"}
			}
			d.Email = value
		case "phone":
			number, international := phone.Normalize(value)
			if !international {
				if number, d.Local = phone.Local(value, s.Agent.PhoneNumber); !d.Local {
					return d, &Refused{"phone: this is no phone number"}
				}
			}
			d.Phone = number
		}
	}
	return d, nil
}

// maxGivenName is the maximum length of a contact's name in characters.
const maxGivenName = 200

// wrote reports whether the contact has written a value in this conversation. Only letters and digits are
// compared.
func (s *State) wrote(value string) bool {
	bare := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, s)
	}
	want := bare(value)
	if strings.Contains(bare(s.Text), want) {
		return true
	}
	for _, m := range s.History {
		if m.Direction == conversation.Inbound && strings.Contains(bare(m.Content), want) {
			return true
		}
	}
	return false
}
