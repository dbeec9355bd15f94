package skill

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"frontdesk/shared/when"
)

// maxText is the maximum length of a slot's text in characters.
const maxText = 500

// Schema returns the JSON Schema of the skill's slots, for a language model.
func (s Spec) Schema() json.RawMessage {
	type property struct {
		Type        string   `json:"type"`
		Format      string   `json:"format,omitempty"`
		Description string   `json:"description"`
		Enum        []string `json:"enum,omitempty"`
	}
	schema := struct {
		Type       string              `json:"type"`
		Properties map[string]property `json:"properties"`
		Required   []string            `json:"required,omitempty"`
	}{Type: "object", Properties: map[string]property{}}
	for _, slot := range s.Slots {
		p := property{Type: "string", Description: slot.About, Enum: slot.Choices}
		switch slot.Type {
		case Date:
			p.Format, p.Description = "date", slot.About+" As YYYY-MM-DD."
		case Clock:
			p.Description = slot.About + " As HH:MM, 24 hours."
		case Amount:
			p.Type = "number"
		case Truth:
			p.Type = "boolean"
		}
		schema.Properties[slot.Name] = p
		if slot.Required {
			schema.Required = append(schema.Required, slot.Name)
		}
	}
	written, err := json.Marshal(schema)
	if err != nil {
		panic(err) // these types can always be encoded
	}
	return written
}

// Read parses the values that a language model gives the skill's slots. Empty values count as missing. The
// error tells the model what is wrong.
func (s Spec) Read(arguments json.RawMessage) (Slots, error) {
	slots := Slots{}
	var given map[string]json.RawMessage
	if json.Unmarshal(arguments, &given) != nil {
		return nil, fmt.Errorf("the arguments are no JSON object")
	}
	for name := range given {
		if !slices.ContainsFunc(s.Slots, func(slot Slot) bool { return slot.Name == name }) {
			return nil, fmt.Errorf("%s has no argument %.40q", s.Name, name)
		}
	}
	for _, slot := range s.Slots {
		value, ok := given[slot.Name]
		if !ok || string(value) == "null" || string(value) == `""` {
			if slot.Required {
				return nil, fmt.Errorf("%s is required", slot.Name)
			}
			continue
		}
		read, err := slot.read(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", slot.Name, err)
		}
		slots[slot.Name] = read
	}
	return slots, nil
}

// read parses the value of a slot into its Go type: a string, a when.Date, a float64, a bool, or the minute
// of the day.
func (slot Slot) read(value json.RawMessage) (any, error) {
	switch slot.Type {
	case Truth:
		var truth bool
		if json.Unmarshal(value, &truth) != nil {
			return nil, fmt.Errorf("give true or false")
		}
		return truth, nil
	case Amount:
		var amount float64
		if json.Unmarshal(value, &amount) != nil || amount < 0 {
			return nil, fmt.Errorf("give a number from 0")
		}
		return amount, nil
	}
	var written string
	if json.Unmarshal(value, &written) != nil {
		return nil, fmt.Errorf("give a string")
	}
	written = strings.TrimSpace(written)
	switch slot.Type {
	case Date:
		day, err := time.Parse(time.DateOnly, written)
		if err != nil {
			return nil, fmt.Errorf("give a day that there is, as YYYY-MM-DD")
		}
		return when.DateOf(day), nil
	case Clock:
		at, err := time.Parse("15:04", written)
		if err != nil {
			return nil, fmt.Errorf("give a time as HH:MM, 24 hours")
		}
		return at.Hour()*60 + at.Minute(), nil
	}
	if len(slot.Choices) > 0 && !slices.Contains(slot.Choices, written) {
		return nil, fmt.Errorf("give one of %s", strings.Join(slot.Choices, ", "))
	}
	if utf8.RuneCountInString(written) > maxText {
		return nil, fmt.Errorf("give at most %d characters", maxText)
	}
	return written, nil
}

// Slots holds values in their Go types, by the names of a skill's slots. Nil if the skill is to read them
// from the message.
type Slots map[string]any

// Text returns the text of a slot, or "".
func (s Slots) Text(name string) string { return valueOf[string](s, name) }

// Truth returns the value of a Truth slot, and whether it is given.
func (s Slots) Truth(name string) (truth, given bool) {
	truth, given = s[name].(bool)
	return truth, given
}

// Amount returns the value of an Amount slot, and whether it is given.
func (s Slots) Amount(name string) (amount float64, given bool) {
	amount, given = s[name].(float64)
	return amount, given
}

// Date returns the value of a Date slot, and whether it is given.
func (s Slots) Date(name string) (day when.Date, given bool) {
	day, given = s[name].(when.Date)
	return day, given
}

// Minute returns the minute of the day of a Clock slot, and whether it is given.
func (s Slots) Minute(name string) (minute int, given bool) {
	minute, given = s[name].(int)
	return minute, given
}

func valueOf[T any](s Slots, name string) T {
	v, _ := s[name].(T)
	return v
}
