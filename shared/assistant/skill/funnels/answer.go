package funnels

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"frontdesk/shared/assistant/skill"
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

// answersContact reports whether the message has the address or the number that a step asks for.
func answersContact(s *skill.State, step playbook.FunnelStep) bool {
	switch strings.ToLower(step.SaveResponseTo) {
	case answerEmail:
		return s.Extracted.Email != ""
	case answerPhone:
		return s.Extracted.Phone != ""
	}
	return false
}

// fits reports whether the message can be the answer to a question. An address or a number must be given if
// asked for.
func fits(s *skill.State, step playbook.FunnelStep) bool {
	switch strings.ToLower(step.SaveResponseTo) {
	case answerEmail, answerPhone:
		return answersContact(s, step)
	}
	return true
}

// keep stores the message as the answer to a question: in the contact's field of that name, or else as a
// fact. It does not replace an address or number that the contact already has.
func keep(s *skill.State, step playbook.FunnelStep, change *skill.Change) {
	answer := strings.TrimSpace(s.Text)
	told, known := s.Extracted, s.Contact
	switch name := strings.ToLower(step.SaveResponseTo); {
	case name == "":
	case slices.Contains(fields, name) && s.Refuses():
	case name == answerName && toldName(s) != "":
		change.Name = text.Cut(toldName(s), maxName)
	case name == answerEmail && told.Email != "" &&
		(known.Email == "" || strings.EqualFold(known.Email, told.Email)):
		d := s.Details
		d.Email = told.Email
		change.Details = &d
	case name == answerPhone && told.Phone != "" && (known.Phone == "" || known.Phone == told.Phone):
		d := s.Details
		d.Phone, d.Local = told.Phone, false
		change.Details = &d
	case name == answerEmail || name == answerPhone:
		change.Remember(step.SaveResponseTo, cmp.Or(told.Email, told.Phone, answer))
	case name == answerBudget:
		change.Budget = text.Cut(answer, maxBudget)
	case name == answerLocation:
		change.Location = text.Cut(answer, maxLocation)
	default:
		change.Remember(step.SaveResponseTo, answer)
	}
}

// fields lists the names of answers that fill fields of the contact.
var fields = []string{answerName, answerEmail, answerPhone, answerBudget, answerLocation}

// toldName returns the name in the answer to a question for it: after a phrase such as "My name is", or a
// short answer as a whole. It returns "" if there is none.
func toldName(s *skill.State) string {
	if s.Extracted.Name != "" {
		return s.Extracted.Name
	}
	around, first := s.AroundDetails(), 0
	tokens := s.Reading.Tokens
	for first < len(tokens) && (around(tokens[first]) || tokens[first].Stop) {
		first++
	}
	if first == len(tokens) {
		return ""
	}
	rest := strings.TrimFunc(s.Text[tokens[first].Start:], func(r rune) bool { return !unicode.IsLetter(r) })
	words := strings.Fields(rest)
	if len(words) > skill.MaxNameWords+1 || strings.ContainsFunc(rest, unicode.IsDigit) {
		return ""
	}
	return skill.Titled(rest)
}
