package assistant

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"frontdesk/shared/playbook"
	"frontdesk/shared/text"
)

// The names of answers that fill fields of the contact.
const (
	answerName     = "name"
	answerEmail    = "email"
	answerPhone    = "phone"
	answerBudget   = "budget"
	answerLocation = "location"
)

// Limits of the contact's fields, in characters, as the API has them.
const (
	maxName     = 200
	maxBudget   = 200
	maxLocation = 300
)

// answersContact reports whether the message tells the address or the number that a question is for.
func (s *state) answersContact(step playbook.FunnelStep) bool {
	switch strings.ToLower(step.SaveResponseTo) {
	case answerEmail:
		return s.told.Email != ""
	case answerPhone:
		return s.told.Phone != ""
	}
	return false
}

// fits reports whether the message can be the answer to a question: one for an address or a number needs such.
func (s *state) fits(step playbook.FunnelStep) bool {
	switch strings.ToLower(step.SaveResponseTo) {
	case answerEmail, answerPhone:
		return s.answersContact(step)
	}
	return true
}

// keepAnswer keeps the message as the answer to a question, in the field of the contact that is called so or else as a
// fact. An address or a number is the contact's where it has none, as when it were told in passing.
func (s *state) keepAnswer(step playbook.FunnelStep) {
	answer := strings.TrimSpace(s.message.Text)
	c := &s.contact
	switch name := strings.ToLower(step.SaveResponseTo); {
	case name == "":
	case slices.Contains([]string{answerName, answerEmail, answerPhone, answerBudget, answerLocation}, name) && s.refuses():
	case name == answerName && s.toldName() != "":
		c.Name = text.Cut(s.toldName(), maxName)
	case name == answerEmail && s.told.Email != "" && (c.Email == "" || strings.EqualFold(c.Email, s.told.Email)):
		s.details.Email = s.told.Email
	case name == answerPhone && s.told.Phone != "" && (c.Phone == "" || c.Phone == s.told.Phone):
		s.details.Phone, s.details.local = s.told.Phone, false
	case name == answerEmail || name == answerPhone:
		s.remember(step.SaveResponseTo, cmp.Or(s.told.Email, s.told.Phone, answer))
	case name == answerBudget:
		c.Budget = text.Cut(answer, maxBudget)
	case name == answerLocation:
		c.Location = text.Cut(answer, maxLocation)
	default:
		s.remember(step.SaveResponseTo, answer)
	}
}

// toldName is the name that the answer to a question for it tells: behind a phrase such as "My name is", or the whole of a
// short one. It is empty where there is none.
func (s *state) toldName() string {
	if s.told.Name != "" {
		return s.told.Name
	}
	around, first := s.aroundDetails(), 0
	tokens := s.reading.Tokens
	for first < len(tokens) && (around(tokens[first]) || tokens[first].Stop) {
		first++
	}
	if first == len(tokens) {
		return ""
	}
	rest := strings.TrimFunc(s.message.Text[tokens[first].Start:], func(r rune) bool { return !unicode.IsLetter(r) })
	words := strings.Fields(rest)
	if len(words) > maxNameWords+1 || strings.ContainsFunc(rest, unicode.IsDigit) {
		return ""
	}
	return titled(rest)
}
