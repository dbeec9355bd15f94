package builtin

import "frontdesk/shared/text"

// Clauses are the sentences of a message in a language, those with two clauses joined by an "and" as two. Words are as
// they are written.
func (e *Engine) Clauses(language, message string) []string {
	var all []string
	sentences := text.Segments(message)
	for _, s := range sentences[:min(len(sentences), maxRead)] {
		said := message[s.Start:s.End]
		if first, second := e.read(language, said).halves(); first != "" {
			all = append(all, first, second)
		} else {
			all = append(all, said)
		}
	}
	return all
}
