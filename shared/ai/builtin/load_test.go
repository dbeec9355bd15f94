package builtin

import (
	"fmt"
	"strings"
	"testing"

	"frontdesk/shared/ai"
)

// crowded is a request at the limits of the plans: a thousand quick answers, twenty passages, and a message
// of 4,000 characters.
func crowded(message string) ai.Request {
	r := ai.Request{Language: "en", MaxLength: 500, Message: message}
	for i := range 1000 {
		r.Passages = append(r.Passages, ai.Passage{
			Questions: []string{fmt.Sprintf("Do you have thing%d in shape%d?", i, i%7),
				fmt.Sprintf("What of thing%d?", i)},
			Text: fmt.Sprintf("Thing%d comes in shape%d for %d euros, and lasts %d days.", i, i%7, i,
				i%31),
		})
	}
	for i := range 20 {
		r.Passages = append(r.Passages, ai.Passage{
			Document: int64(i + 1), Title: fmt.Sprintf("Page %d", i), Score: float64(20 - i),
			Text: strings.Repeat(fmt.Sprintf("Room%d has a view of lake%d. ", i, i), 20),
		})
	}
	return r
}

// crafted are messages of the greatest length that are made to be slow.
func crafted() map[string]string {
	fill := func(of func(i int) string) string {
		var b strings.Builder
		for i := 0; b.Len() < 4000; i++ {
			b.WriteString(of(i))
		}
		return b.String()[:4000]
	}
	return map[string]string{
		"words":     fill(func(i int) string { return fmt.Sprintf("thing%d ", i) }),
		"letters":   fill(func(i int) string { return string(rune('a'+i%26)) + " " }),
		"questions": fill(func(i int) string { return fmt.Sprintf("Is thing%d ok? ", i) }),
		"and": fill(
			func(i int) string { return fmt.Sprintf("the thing%d is and the shape%d is ", i, i) }),
	}
}

func BenchmarkCrowded(b *testing.B) {
	messages := crafted()
	messages["usual"] = "hi, do you have thing12 and how much is it?"
	for name, message := range messages {
		b.Run(name, func(b *testing.B) {
			e, r := New(), crowded(message)
			for b.Loop() {
				if _, err := e.Reply(b.Context(), r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestBounds counts what a reply at the limits of the plans looks at: its cost may not grow beyond that.
func TestCounts(t *testing.T) {
	for name, message := range crafted() {
		e, r := New(), crowded(message)
		m := e.read(r.Language, r.Message)
		if len(m.tokens) > maxTokens {
			t.Errorf("%s: %d words of the message are looked at", name, len(m.tokens))
		}
		faqs := 0
		for _, p := range m.narrow(r).Passages {
			if len(p.Questions) > 0 {
				faqs++
			}
		}
		if faqs != maxFAQs {
			t.Errorf("%s: %d FAQs are compared, want %d", name, faqs, maxFAQs)
		}
		q := newQuestion(m, r)
		if len(q.terms) > maxTerms {
			t.Errorf("%s: the question has %d terms", name, len(q.terms))
		}
		if parts := e.parts(m); len(parts) > 3*maxRead {
			t.Errorf("%s: %d parts are read", name, len(parts))
		}
		if _, err := e.Reply(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		read := m.lexicon.read.Len()
		if _, err := e.Reply(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if n := m.lexicon.read.Len(); n != read {
			t.Errorf("%s: %d texts of the agent were cut into words once more", name, n-read)
		}
	}
}

// TestNarrow leaves the FAQ that the message asks among a thousand.
func TestNarrow(t *testing.T) {
	e, r := New(), crowded("do you have thing731 in stock?")
	r = e.read(r.Language, r.Message).narrow(r)
	for _, p := range r.Passages {
		if strings.HasPrefix(p.Text, "Thing731 ") {
			return
		}
	}
	t.Error("the FAQ that has the message's rarest word was left out")
}
