package knowledge

import (
	"iter"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/text"
)

// A block is one question of an FAQ, with all its phrasings, and its answer. It reaches from its first
// question up to the next block.
type block struct {
	span
	questions []string
	answer    string
}

// A span is the bytes of a text from start to end.
type span struct{ start, end int }

// parseFAQ finds the blocks of an FAQ's content. A block is one or more lines that begin with "Q:", then a
// text that begins with "A:" and may run over lines; blank lines part blocks. It is lenient where people are:
// small letters and the full-width colon count too, a question may run over lines, a blank line may stand
// before the answer, a Q: line ends the answer before it, and a paragraph that is neither question nor
// heading goes on with the answer before it. What else stands around blocks is in none.
func parseFAQ(content string) []block {
	var p faqParser
	for start, line := range lines(content) {
		p.line(start, strings.TrimSpace(line))
	}
	p.finish(len(content))
	return p.blocks
}

// A faqParser goes through the lines of an FAQ.
type faqParser struct {
	blocks []block
	// The block that is being read: where it begins, its questions and its answer, each with its lines.
	start     int
	questions [][]string
	answer    []string
	blank     bool // the line before was blank
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
		// Before the first question.
	case isAnswer:
		p.answer = []string{answer}
	case !p.blank:
		last := len(p.questions) - 1
		p.questions[last] = append(p.questions[last], line)
	}
	p.blank = line == ""
}

// finish ends the block that is being read before the byte end, where the next one begins.
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

// labelled returns what follows a label such as "Q:" at the beginning of a line.
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

// isHeading reports whether a line that stands alone names what follows it, rather than going on with an
// answer.
func isHeading(line string) bool {
	// the first line of a text might be all of it, and then is no heading
	segments := text.Segments("X\n\n" + line)
	return segments[len(segments)-1].Kind == text.Heading
}

// lines goes through the lines of s, each with the byte it begins at. A line ends with LF, CR LF, CR or
// Unicode's own ends of lines and paragraphs, which are not part of it.
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
