package knowledge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/faq"
	"frontdesk/shared/knowledge"
)

func question(examples ...string) faq.Question {
	return faq.Question{ID: faq.ID(examples), Examples: examples}
}

func TestQuestions(t *testing.T) {
	h := newHouse(t, "en")
	h.add(t, knowledge.Text, "Not an FAQ", "Q: Is this a question?\nA: No.")
	h.add(t, knowledge.FAQ, "One", "Q: Is there wifi?\nQ: wifi\nA: Yes.\n\nQ: Is there parking?\nA: No.")
	off := h.add(t, knowledge.FAQ, "Off", "Q: Is it off?\nA: Yes.")
	no := false
	_, err := h.Change(t.Context(), account, off.ID, func(knowledge.Document) (knowledge.Edit, error) {
		return knowledge.Edit{Active: &no}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	h.add(t, knowledge.FAQ, "Two", "Q: Do you deliver?\nA: Yes.")
	got, err := knowledge.Questions(t.Context(), h.Table, account, h.agent, 100)
	if err != nil {
		t.Fatal(err)
	}
	want := []faq.Question{question("Do you deliver?"), question("Is there wifi?", "wifi"),
		question("Is there parking?")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
}

// TestQuestionsOfParts has an FAQ that lies in several parts.
func TestQuestionsOfParts(t *testing.T) {
	h := newHouse(t, "en")
	var content strings.Builder
	for i := range 40 {
		fmt.Fprintf(&content, "Q: Question %d?\nA: %s\n\n", i, strings.Repeat("So it is. ", 100))
	}
	h.add(t, knowledge.FAQ, "Long", content.String())
	for limit, want := range map[int]int{100: 40, 40: 40} {
		got, err := knowledge.Questions(t.Context(), h.Table, account, h.agent, limit)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != want || got[39].Examples[0] != "Question 39?" {
			t.Errorf("%d questions with limit %d, want %d", len(got), limit, want)
		}
	}
	if got, err := knowledge.Questions(t.Context(), h.Table, account, h.agent, 5); err != nil ||
		len(got) <= 5 || len(got) == 40 {
		t.Errorf("%d questions with limit 5, %v; want more than 5, to tell that there are, and not all",
			len(got), err)
	}
}

func TestNeighbours(t *testing.T) {
	h := newHouse(t, "en")
	h.add(t, knowledge.FAQ, "FAQ",
		"Q: Is there wifi?\nA: Yes.\n\nQ: Is there parking?\nA: No.\n\nQ: Do you deliver?\nA: Never.")
	h.add(t, knowledge.FAQ, "Far", "Q: Are dogs allowed?\nA: Only small ones.")
	r := h.search(t, "parking", 10)
	var got []string
	for _, list := range [][]ai.Passage{r.Passages, r.Neighbours} {
		for _, p := range list {
			got = append(got, p.Text)
		}
	}
	if diff := cmp.Diff([]string{"No.", "Only small ones.", "Yes.", "Never."}, got); diff != "" {
		t.Errorf("passages and neighbours (-want +got):\n%s", diff)
	}
}
