package eventsource

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"frontdesk/infra/template"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
)

// A Filter decides which records reach a function. The zero Filter lets all through.
type Filter struct {
	patterns []pattern
}

// A pattern is one level of a filter pattern: what the fields of an object must match, or the tests of which
// a value must pass one.
type pattern struct {
	fields map[string]pattern
	tests  []test
}

// A test is met by one value, or by all texts with a prefix.
type test struct {
	value  any // as encoding/json decodes it
	prefix *string
}

// ParseFilter reads the patterns of a mapping's FilterCriteria. A record that matches one of them goes
// through. Of the rules for values it knows the exact value (text, number, true, false, null) and {"prefix":
// "…"}; any other is an error.
func ParseFilter(patterns ...string) (Filter, error) {
	var f Filter
	for _, text := range patterns {
		var decoded map[string]any
		if err := json.Unmarshal([]byte(text), &decoded); err != nil {
			return Filter{}, fmt.Errorf("eventsource: filter pattern %s: %w", text, err)
		}
		p, err := parseFields(decoded)
		if err != nil {
			return Filter{}, fmt.Errorf("eventsource: filter pattern %s: %w", text, err)
		}
		f.patterns = append(f.patterns, p)
	}
	return f, nil
}

func parseFields(fields map[string]any) (pattern, error) {
	p := pattern{fields: map[string]pattern{}}
	if len(fields) == 0 {
		return p, fmt.Errorf("an object is empty")
	}
	for name, value := range fields {
		var below pattern
		var err error
		switch value := value.(type) {
		case map[string]any:
			below, err = parseFields(value)
		case []any:
			below, err = parseTests(value)
		default:
			err = fmt.Errorf("a value is neither an object nor an array")
		}
		if err != nil {
			return p, fmt.Errorf("%s: %w", name, err)
		}
		p.fields[name] = below
	}
	return p, nil
}

func parseTests(values []any) (pattern, error) {
	var p pattern
	if len(values) == 0 {
		return p, fmt.Errorf("an array is empty")
	}
	for _, value := range values {
		switch rule := value.(type) {
		case map[string]any:
			prefix, ok := rule["prefix"].(string)
			if !ok || len(rule) != 1 {
				return p, fmt.Errorf("a rule is not known here: only exact values and prefix are")
			}
			p.tests = append(p.tests, test{prefix: &prefix})
		case []any:
			return p, fmt.Errorf("an array is within an array")
		default:
			p.tests = append(p.tests, test{value: value})
		}
	}
	return p, nil
}

// Match reports whether a record, written as JSON, passes.
func (f Filter) Match(record any) (bool, error) {
	if len(f.patterns) == 0 {
		return true, nil
	}
	text, err := json.Marshal(record)
	if err != nil {
		return false, err
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return false, err
	}
	return slices.ContainsFunc(f.patterns, func(p pattern) bool { return p.match(value) }), nil
}

// MayPass reports whether the record of a change may pass, as far as its name and key tell. Where it reports
// false the record does not pass, whatever else it holds; so a feed need not carry the change.
func (f Filter) MayPass(c table.Change) bool {
	if len(f.patterns) == 0 {
		return true
	}
	item := c.New
	if item == nil {
		item = c.Old
	}
	name := dynamo.EventName(c)
	keys := map[string]any{"pk": map[string]any{"S": item.PK}, "sk": map[string]any{"S": item.SK}}
	return slices.ContainsFunc(f.patterns, func(p pattern) bool {
		wantedName, named := p.fields["eventName"]
		wantedKeys, keyed := p.fields["dynamodb"].fields["Keys"]
		return (!named || wantedName.match(name)) && (!keyed || wantedKeys.match(keys))
	})
}

// StreamFilter returns the filter that lets through what any stream of the template lets through.
func StreamFilter(stack template.Template) (Filter, error) {
	var patterns []string
	for _, f := range stack.Functions {
		for _, e := range f.Streams {
			if len(e.Filters) == 0 {
				return Filter{}, nil
			}
			patterns = append(patterns, e.Filters...)
		}
	}
	return ParseFilter(patterns...)
}

func (p pattern) match(value any) bool {
	if p.tests != nil {
		return slices.ContainsFunc(p.tests, func(t test) bool { return t.match(value) })
	}
	object, ok := value.(map[string]any)
	if !ok {
		return false
	}
	for name, below := range p.fields {
		value, ok := object[name]
		if !ok || !below.match(value) {
			return false
		}
	}
	return true
}

func (t test) match(value any) bool {
	switch value := value.(type) {
	case []any: // one of several values is enough
		return slices.ContainsFunc(value, t.match)
	case map[string]any:
		return false
	case string:
		if t.prefix != nil {
			return strings.HasPrefix(value, *t.prefix)
		}
	}
	return t.prefix == nil && value == t.value
}
