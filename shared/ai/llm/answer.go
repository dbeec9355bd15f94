package llm

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/text"
)

// The tool by which a model answers.
const (
	ToolName        = "answer"
	ToolDescription = "Answers the person who writes to the business."
	// ToolSchema is the JSON Schema of what the tool takes. The reply is last, so that what comes before it
	// is known when it is cut short.
	ToolSchema = `{"type":"object","properties":{` +
		`"action":{"type":"string","enum":["respond","fallback","handoff"]},` +
		`"intent":{"type":"string"},` +
		`"confidence":{"type":"number"},` +
		`"sources":{"type":"array","items":{"type":"integer"}},` +
		`"reply":{"type":"string"}},` +
		`"required":["action","intent","confidence","sources","reply"]}`
)

// unsure is the confidence of a reply whose model did not state one.
const unsure = 0.5

// An answer is what a model filled in. A part of the wrong type counts as missing.
type answer struct {
	action, intent string
	confidence     float64
	sources        []int
	reply          string
}

// read parses a draft into a reply, of an incomplete draft its complete sentences. The error is a *Failure.
func (p *Prompt) read(d *Draft, whole bool) (ai.Reply, error) {
	if d.Stop == Refused {
		return ai.Reply{}, &Failure{Code: "refused"}
	}
	a, ok := parse(d, whole)
	if !ok {
		return ai.Reply{}, &Failure{Code: "malformed_answer", Passing: true}
	}
	if !whole {
		a.reply = wholeSentences(a.reply)
	}
	reply := ai.Reply{Action: ai.Respond, Intent: "question", Confidence: a.confidence}
	if slices.Contains([]string{ai.Fallback, ai.Handoff}, a.action) {
		reply.Action = a.action
	}
	if isWord(a.intent) {
		reply.Intent = a.intent
	}
	canned := ""
	switch reply.Action {
	case ai.Fallback:
		canned = p.request.Canned.Fallback
	case ai.Handoff:
		canned = p.request.Canned.Handoff
	}
	if canned != "" {
		a.reply = canned
	}
	reply.Text = text.Cut(strings.TrimSpace(clean(a.reply)), p.request.MaxLength)
	if reply.Text == "" {
		return ai.Reply{}, &Failure{Code: "empty_answer", Passing: true}
	}
	if reply.Action != ai.Fallback {
		reply.Sources = p.sources(a.sources)
	}
	return reply, nil
}

// sources returns the distinct documents of the passages with these numbers.
func (p *Prompt) sources(numbers []int) []ai.Source {
	var sources []ai.Source
	for _, n := range numbers {
		if n < 1 || n > len(p.passages) {
			continue
		}
		passage := p.passages[n-1]
		if passage.Document != 0 &&
			!slices.ContainsFunc(sources, func(s ai.Source) bool { return s.Document == passage.Document }) {
			sources = append(sources,
				ai.Source{Document: passage.Document, Title: passage.Title, URL: passage.URL})
		}
	}
	return sources
}

// parse returns the parts of a draft: the tool's arguments, or else a JSON object in the text, or else the
// text itself.
func parse(d *Draft, whole bool) (answer, bool) {
	if c := d.answer(); c != nil {
		return parseObject(c.arguments.String(), whole)
	}
	written := strings.TrimSpace(d.text.String())
	object := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(written, "```json"), "```"))
	if strings.HasPrefix(object, "{") || object == "" {
		return parseObject(object, whole)
	}
	if before, after, ok := strings.Cut(written, "{"); ok { // perhaps with words before it
		if a, ok := parseObject("{"+after, whole); ok {
			return a, true
		}
		if strings.Contains(after, `"reply"`) {
			written = before // nobody is to read broken JSON
		}
	}
	written = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(written), "```json"))
	return answer{reply: written, confidence: unsure}, written != ""
}

// parseObject parses the JSON object that s begins with, and ignores what follows. An incomplete object is
// completed first.
func parseObject(s string, whole bool) (answer, bool) {
	var parts map[string]json.RawMessage
	if json.NewDecoder(strings.NewReader(s)).Decode(&parts) != nil {
		if whole || json.Unmarshal([]byte(complete(s)), &parts) != nil {
			return answer{}, false
		}
	}
	a := answer{confidence: unsure}
	if json.Unmarshal(parts["reply"], &a.reply) != nil {
		return answer{}, false
	}
	optional(parts["action"], &a.action)
	optional(parts["intent"], &a.intent)
	optional(parts["sources"], &a.sources)
	optional(parts["confidence"], &a.confidence)
	a.confidence = min(max(a.confidence, 0), 1)
	return a, true
}

// optional decodes a JSON value if it has the right type.
func optional[T any](value json.RawMessage, dst *T) {
	var v T
	if len(value) > 0 && json.Unmarshal(value, &v) == nil {
		*dst = v
	}
}

// isWord reports whether s is a valid intent: a word in lower case.
func isWord(s string) bool {
	return s != "" && len(s) <= 40 &&
		!strings.ContainsFunc(s, func(r rune) bool { return !('a' <= r && r <= 'z' || r == '_') })
}

// clean removes what cannot be displayed: control characters except line breaks and tabs, and invalid
// UTF-8.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
}
