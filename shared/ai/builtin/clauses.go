package builtin

import "frontdesk/shared/text"

// Clauses returns the sentences of a message in a language, each whole or as the two clauses that an "and"
// joins.
func (e *Engine) Clauses(language, message string) [][]string {
	var all [][]string
	sentences := text.Segments(message)
	for _, s := range sentences[:min(len(sentences), maxRead)] {
		said := message[s.Start:s.End]
		if first, second := e.read(language, said).halves(); first != "" {
			all = append(all, []string{first, second})
		} else {
			all = append(all, []string{said})
		}
	}
	return all
}
