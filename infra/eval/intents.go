package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// outOfScope is the class of what is no question of the FAQ.
const outOfScope = "out of scope"

// A sentence is what somebody said, with the intent that it has.
type sentence struct{ text, intent string }

// hint3 measures the bots of HINT3.
func hint3(s *service, data string, said *calibration) (bool, error) {
	trains, err := filepath.Glob(filepath.Join(data, "hint3-*-train.csv"))
	if err != nil {
		return false, err
	}
	for _, file := range trains {
		train, err := readCSV(file)
		if err != nil {
			return false, err
		}
		stem := strings.TrimSuffix(file, "-train.csv")
		test, err := readCSV(stem + "-test.csv")
		if err != nil {
			return false, err
		}
		name := "HINT3 " + strings.TrimPrefix(filepath.Base(stem), "hint3-")
		if err := intents(s, name, train, test, said); err != nil {
			return false, err
		}
	}
	return len(trains) > 0, nil
}

func readCSV(file string) ([]sentence, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var out []sentence
	for _, row := range rows[min(1, len(rows)):] {
		if row[1] == "NO_NODES_DETECTED" {
			row[1] = outOfScope
		}
		out = append(out, sentence{row[0], row[1]})
	}
	return out, nil
}

// What of CLINC150 is measured, to end in a minute: every fifth intent with its first phrasings and
// questions, and of what is out of scope as many as of all intents together.
const (
	clincEvery     = 5
	clincPhrasings = 20
	clincQuestions = 10
)

// clinc150 measures a part of CLINC150.
func clinc150(s *service, data string, said *calibration) (bool, error) {
	content, err := os.ReadFile(filepath.Join(data, "clinc150.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var sets map[string][][2]string
	if err := json.Unmarshal(content, &sets); err != nil {
		return false, err
	}
	byIntent := func(set string) (intents []string, of map[string][]sentence) {
		of = map[string][]sentence{}
		for _, pair := range sets[set] {
			if of[pair[1]] == nil {
				intents = append(intents, pair[1])
			}
			of[pair[1]] = append(of[pair[1]], sentence{pair[0], pair[1]})
		}
		slices.Sort(intents)
		return intents, of
	}
	all, phrasings := byIntent("train")
	_, questions := byIntent("test")
	var train, test []sentence
	for i := 0; i < len(all); i += clincEvery {
		train = append(train, phrasings[all[i]][:min(clincPhrasings, len(phrasings[all[i]]))]...)
		test = append(test, questions[all[i]][:min(clincQuestions, len(questions[all[i]]))]...)
	}
	for _, pair := range sets["oos_test"][:min(len(test), len(sets["oos_test"]))] {
		test = append(test, sentence{pair[0], outOfScope})
	}
	return true, intents(s, "CLINC150, a part", train, test, said)
}

// intents teaches an agent the phrasings as an FAQ and asks it the questions, before it is trained and
// afterwards.
func intents(s *service, name string, train, test []sentence, said *calibration) error {
	agent, err := s.newAgent(1000)
	if err != nil {
		return err
	}
	content, intentOf := asFAQ(train)
	if err := s.teach(agent, "faq", "Questions", content); err != nil {
		return err
	}
	fmt.Printf("%s: %d phrasings of %d intents, %d questions\n", name, len(train), len(intentOf), len(test))
	for _, trained := range []bool{false, true} {
		when := "untrained"
		if trained {
			start := time.Now()
			if err := s.train(agent); err != nil {
				return err
			}
			when = "trained in " + milliseconds(time.Since(start))
		}
		var want, got []string
		var inScope, right, outside, declined int
		for _, q := range test {
			a, err := s.ask(agent, q.text)
			if err != nil {
				return err
			}
			intent, answered := intentOf[a.Reply]
			if !answered {
				intent = outOfScope
			}
			want, got = append(want, q.intent), append(got, intent)
			if q.intent == outOfScope {
				outside++
				if !answered {
					declined++
				}
			} else {
				inScope++
				if intent == q.intent {
					right++
				}
			}
			if answered && trained {
				said.add(a.Confidence, intent == q.intent)
			}
		}
		fmt.Printf("  MCC %.3f, in scope %.3f right, out of scope %.3f declined (%s)\n",
			correlation(want, got), ratio(right, inScope), ratio(declined, outside), when)
	}
	return nil
}

// asFAQ writes sentences as the content of an FAQ, and tells which intent each of its answers stands for.
func asFAQ(train []sentence) (content string, intentOf map[string]string) {
	intentOf = map[string]string{}
	var order []string
	of := map[string][]string{}
	for _, t := range train {
		if of[t.intent] == nil {
			order = append(order, t.intent)
		}
		of[t.intent] = append(of[t.intent], strings.Join(strings.Fields(t.text), " "))
	}
	var b strings.Builder
	for i, intent := range order {
		for _, q := range of[intent] {
			b.WriteString("Q: " + q + "\n")
		}
		answer := fmt.Sprintf("Answer no. %d.", i+1)
		b.WriteString("A: " + answer + "\n\n")
		intentOf[answer] = intent
	}
	return b.String(), intentOf
}
