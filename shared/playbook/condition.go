package playbook

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"frontdesk/shared/event"
)

// A Condition is a test of an event, or of its contact or conversation.
type Condition struct {
	Field    Subject  `json:"field" check:"required" example:"intent"`
	Operator Operator `json:"operator" check:"required" doc:"Numbers are compared by equals, not_equals, greater_than and less_than, lists by contains and not_contains." example:"equals"`
	Value    string   `json:"value" check:"required,cut=200" doc:"What to compare with, without regard to case. A number is written in digits." example:"pricing"`
}

// Problem returns what is wrong with the condition, or "".
func (c Condition) Problem() string {
	if operators := c.Field.operators(); !slices.Contains(operators, c.Operator) {
		var names []string
		for _, o := range operators {
			names = append(names, string(o))
		}
		return "the operator of " + string(c.Field) + " must be one of: " + strings.Join(names, ", ")
	}
	if n, err := strconv.ParseFloat(c.Value, 64); c.Field.number() &&
		(err != nil || math.IsNaN(n) || math.IsInf(n, 0)) {
		return "the value of " + string(c.Field) + " must be a number, such as \"70\""
	}
	return ""
}

// holds reports whether an event meets the condition. A text that the event lacks is ""; a number that it
// lacks is unequal to every value, and neither greater nor less.
func (c Condition) holds(e event.Event) bool {
	of := event.Contact{}
	if e.Contact != nil {
		of = *e.Contact
	}
	switch c.Field {
	case OfMessage:
		return c.Operator.text(e.Message, c.Value)
	case OfIntent:
		return c.Operator.text(e.Intent, c.Value)
	case OfChannel:
		return c.Operator.text(e.Channel, c.Value)
	case OfContactStage:
		return c.Operator.text(of.Stage, c.Value)
	case OfTags:
		has := slices.ContainsFunc(of.Tags, func(tag string) bool { return strings.EqualFold(tag, c.Value) })
		return has == (c.Operator == Contains)
	case OfLeadScore:
		return c.Operator.number(float64(of.LeadScore), c.Value)
	case OfConfidence:
		if e.Confidence == nil {
			return c.Operator == NotEquals
		}
		return c.Operator.number(*e.Confidence, c.Value)
	}
	return false
}

// A Subject is what a condition tests.
type Subject string

// The subjects.
const (
	OfMessage      Subject = "message"       // its text
	OfIntent       Subject = "intent"        // what the message is about
	OfConfidence   Subject = "confidence"    // of the intent, from 0 to 1
	OfChannel      Subject = "channel"       // of the conversation
	OfContactStage Subject = "contact_stage" // lead, prospect, customer or churned
	OfLeadScore    Subject = "lead_score"    // from 0 to 100
	OfTags         Subject = "tags"          // of the contact, a list
)

// Values implements api.Enum.
func (Subject) Values() []string {
	return []string{
		string(OfMessage), string(OfIntent), string(OfConfidence), string(OfChannel), string(OfContactStage),
		string(OfLeadScore), string(OfTags),
	}
}

func (s Subject) number() bool { return s == OfConfidence || s == OfLeadScore }

func (s Subject) operators() []Operator {
	switch {
	case s.number():
		return []Operator{Equals, NotEquals, GreaterThan, LessThan}
	case s == OfTags:
		return []Operator{Contains, NotContains}
	}
	return []Operator{Equals, NotEquals, Contains, NotContains}
}

// An Operator is how a condition compares.
type Operator string

// The operators.
const (
	Equals      Operator = "equals"
	NotEquals   Operator = "not_equals"
	Contains    Operator = "contains"
	NotContains Operator = "not_contains"
	GreaterThan Operator = "greater_than"
	LessThan    Operator = "less_than"
)

// Values implements api.Enum.
func (Operator) Values() []string {
	return []string{
		string(Equals), string(NotEquals), string(Contains), string(NotContains), string(GreaterThan),
		string(LessThan),
	}
}

// text compares a text with a value, ignoring case.
func (o Operator) text(text, value string) bool {
	switch o {
	case Equals, NotEquals:
		return strings.EqualFold(text, value) == (o == Equals)
	case Contains, NotContains:
		return strings.Contains(strings.ToLower(text), strings.ToLower(value)) == (o == Contains)
	}
	return false
}

// number compares a number with a value in decimal digits.
func (o Operator) number(n float64, value string) bool {
	with, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return false
	}
	switch o {
	case Equals:
		return n == with
	case NotEquals:
		return n != with
	case GreaterThan:
		return n > with
	case LessThan:
		return n < with
	}
	return false
}
