package knowledge

import (
	"iter"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/text"
)

// A block is one question of an FAQ with all its phrasings and its answer. It extends from its first
// question to the next block.
type block struct {
	span
	questions []string
	answer    string
}

// A span is a range of bytes of a text, [start, end).
type span struct{ start, end int }

// parseFAQ returns the blocks of an FAQ. A block is one or more lines that begin with "Q:", then a text that
// begins with "A:" and may have several lines; blank lines separate blocks. It also accepts lower case and
// the full-width colon, questions of several lines, a blank line before the answer, a "Q:" line directly
// after an answer, and further paragraphs of an answer unless they look like headings. Other text belongs to
// no block.
func parseFAQ(content string) []block {
	var p faqParser
	for start, line := range lines(content) {
		p.line(start, strings.TrimSpace(line))
	}
	p.finish(len(content))
	return p.blocks
}

// A faqParser reads an FAQ line by line.
type faqParser struct {
	blocks []block
	// The current block: its start, its questions and its answer, each as lines.
	start     int
	questions [][]string
	answer    []string
	blank     bool // the previous line was blank
}

func (p *faqParser) line(start int, line string) {
	question, isQuestion := labelled(line, 'q')
	answer, isAnswer := labelled(line, 'a')
	switch {
	case line == "":
	case isQuestion:
		if p.blank || p.answer != nil || p.questions == nil {
			p.finish(start)
		}
		p.questions = append(p.questions, []string{question})
	case p.answer != nil:
		if p.blank && isHeading(line) {
			break
		}
		if p.blank {
			p.answer = append(p.answer, "")
		}
		p.answer = append(p.answer, line)
	case p.questions == nil:
		// Text before the first question is ignored.
	case isAnswer:
		p.answer = []string{answer}
	case !p.blank:
		last := len(p.questions) - 1
		p.questions[last] = append(p.questions[last], line)
	}
	p.blank = line == ""
}

// finish ends the current block at byte end, where the next one begins.
func (p *faqParser) finish(end int) {
	b := block{span: span{p.start, end}, answer: strings.TrimSpace(strings.Join(p.answer, "\n"))}
	for _, q := range p.questions {
		if question := strings.TrimSpace(strings.Join(q, " ")); question != "" {
			b.questions = append(b.questions, question)
		}
	}
	if b.questions != nil && b.answer != "" {
		p.blocks = append(p.blocks, b)
	}
	p.start, p.questions, p.answer = end, nil, nil
}

// labelled returns the text after a label such as "Q:" at the beginning of a line.
func labelled(line string, label byte) (string, bool) {
	line = strings.TrimPrefix(line, "\ufeff")
	if line == "" || line[0]|0x20 != label {
		return "", false
	}
	rest := strings.TrimLeft(line[1:], " \t")
	for _, colon := range []string{":", "："} {
		if said, ok := strings.CutPrefix(rest, colon); ok {
			return strings.TrimSpace(said), true
		}
	}
	return "", false
}

// isHeading reports whether a line between blank lines is a heading, rather than part of an answer.
func isHeading(line string) bool {
	// text.Segments takes the only line of a text for no heading, so another line goes first.
	segments := text.Segments("X\n\n" + line)
	return segments[len(segments)-1].Kind == text.Heading
}

// lines iterates over the lines of s with their byte offsets. Lines end with LF, CR LF, CR or a Unicode line
// or paragraph separator, which they do not include.
func lines(s string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for start := 0; start < len(s); {
			n := strings.IndexAny(s[start:], "\n\r\u2028\u2029")
			if n < 0 {
				yield(start, s[start:])
				return
			}
			if !yield(start, s[start:start+n]) {
				return
			}
			_, size := utf8.DecodeRuneInString(s[start+n:])
			if strings.HasPrefix(s[start+n:], "\r\n") {
				size = 2
			}
			start += n + size
		}
	}
}
