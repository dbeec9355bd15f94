package unanswered_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"frontdesk/shared/table"
	"frontdesk/shared/unanswered"
)

// TestID tells which questions are one.
func TestID(t *testing.T) {
	for _, test := range []struct {
		language, a, b string
		same           bool
	}{
		{"en", "Do you rent out tandems?", "do you rent tandem", true},
		{"en", "Do you rent out tandems?", "Tandems... renting, RENTED!", true},
		{"en", "Do you rent out tandems?", "Do you repair tandems?", false},
		{"de", "Vermieten Sie Räder?", "ein Rad vermieten", true},
		{"de", "Vermietet ihr Fahrräder?", "Fahrräder reparieren?", false},
		{"es", "¿Alquilan bicicletas?", "bicicleta, alquila", true},
		{"en", "Do you have parking?", "is parking possible at all", true},
		{"ru", "Есть ли велосипеды?", "велосипед", true},
	} {
		a, b := unanswered.ID(7, test.language, test.a), unanswered.ID(7, test.language, test.b)
		if (a == b) != test.same || a == 0 || b == 0 {
			t.Errorf("%q is %d, %q is %d", test.a, a, test.b, b)
		}
		if unanswered.ID(8, test.language, test.a) == a {
			t.Errorf("%q to another agent has the same id", test.a)
		}
	}
	for _, empty := range []string{"", " ", "?!", "🙈🙉", "why is it so?"} {
		if got := unanswered.ID(7, "en", empty); got != 0 {
			t.Errorf("%q is %d", empty, got)
		}
	}
}

// TestLongQuestion keeps the beginning of a question, whole characters of it.
func TestLongQuestion(t *testing.T) {
	q := unanswered.Question{ID: 1, AgentID: 7, Question: "  " + strings.Repeat("¿ñ", 1000),
		LastAskedAt: time.Now()}
	write, _, err := unanswered.Ask(5, q, table.Item{}, 2)
	if err != nil {
		t.Fatal(err)
	}
	got, err := unanswered.Read(write.Item)
	if err != nil || utf8.RuneCountInString(got.Question) != 500 ||
		!strings.HasPrefix(q.Question, "  "+got.Question) {
		t.Errorf("%q, %v", got.Question, err)
	}
}
