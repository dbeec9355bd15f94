package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

const (
	// quickAnswers is the number of quick answers of the measured agent: as many as a turn reads.
	quickAnswers = 1000
	// longest is the length of the longest message in characters.
	longest = 4000
	// turnsOfEach is the number of times that each message is sent, each time by a new visitor.
	turnsOfEach = 20
)

// craftedMessages returns short messages, and messages of the maximum length that are made to use much
// processor time.
func craftedMessages() [][2]string {
	fill := func(of func(i int) string) string {
		var b strings.Builder
		n := 0
		for i := 0; n < longest; i++ {
			b.WriteString(of(i))
			n += len([]rune(of(i)))
		}
		return string([]rune(b.String())[:longest])
	}
	repeat := func(text string) string { return fill(func(int) string { return text }) }
	return [][2]string{
		{"a greeting", "Hello"},
		{"a question", "What do the things on shelf 7 cost?"},
		{"a question without an answer", "Is there a car park?"},
		{"words", fill(func(i int) string { return fmt.Sprintf("thing%d ", i) })},
		{"letters", fill(func(i int) string { return string(rune('a'+i%26)) + " " })},
		{"questions", fill(func(i int) string { return fmt.Sprintf("Is thing%d ok? ", i) })},
		{"wishes", repeat("book a haircut tomorrow or friday at 5 ")},
		{"times", repeat("at 3 on monday ")},
		{"Arabic", repeat("لا ")},
		{"Chinese", repeat("请问")},
		{"emoji", repeat("😀")},
		{"ligatures of 18 letters", repeat("ﷺ")},
		{"the same, apart", repeat("ﷺ ")},
	}
}

// limits prints the processor time of turns for an agent at the limits of the plans.
func limits(ctx context.Context, dir string) error {
	s, err := start(ctx, filepath.Join(dir, "limits"), 1)
	if err != nil {
		return err
	}
	defer s.close()
	w := s.workspaces[0]
	for i := range quickAnswers {
		if _, err := s.call(ctx, "POST", w.agent+"quick-answers/", w.key, map[string]any{
			"shortcut": fmt.Sprint("thing", i),
			"title":    fmt.Sprintf("Do you have thing%d in shape%d?", i, i%7),
			"content":  fmt.Sprintf("Thing%d comes in shape%d for %d euros.", i, i%7, i),
		}); err != nil {
			return err
		}
	}
	fmt.Printf("\nProcessor time of a turn by the API over SQLite, of the service and its caller together: "+
		"25 documents, %d quick answers, messages of %d characters, the mean of %d\n\n"+
		"| message | processor time |\n|---|---|\n", quickAnswers, longest, turnsOfEach)
	for _, message := range craftedMessages() {
		before := processorTime()
		for range turnsOfEach {
			if _, err := s.call(ctx, "POST", w.agent+"chat/", w.key,
				map[string]any{"message": message[1]}); err != nil {
				return err
			}
		}
		each := (processorTime() - before) / time.Duration(turnsOfEach)
		fmt.Printf("| %s | %s |\n", message[0], milliseconds(each))
	}
	return nil
}
