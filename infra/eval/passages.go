package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// A squad is a file in the format of SQuAD.
type squad struct {
	Data []article
}

type article struct {
	Title      string
	Paragraphs []struct {
		Context string
		Qas     []struct {
			Question string
			Answers  []struct{ Text string }
		}
	}
}

// replyLength is how many characters a reply may have that is to hold the answer to a question of SQuAD.
const replyLength = 300

// xquad measures how often a reply holds the answer to a question on a text, and how often the engine
// declines one on a text that it does not have.
func xquad(s *service, data string, said *calibration) (bool, error) {
	files, err := filepath.Glob(filepath.Join(data, "xquad-en-*.json"))
	if err != nil {
		return false, err
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return false, err
		}
		var q squad
		if err := json.Unmarshal(content, &q); err != nil {
			return false, fmt.Errorf("%s: %w", file, err)
		}
		if err := passages(s, strings.TrimSuffix(filepath.Base(file), ".json"), q, said); err != nil {
			return false, err
		}
	}
	return len(files) > 0, nil
}

func passages(s *service, name string, q squad, said *calibration) error {
	var halves [2][]article
	for i, a := range q.Data {
		halves[i%2] = append(halves[i%2], a)
	}
	all, err := read(s, q.Data)
	if err != nil {
		return err
	}
	present, err := askAbout(s, all, q.Data, said)
	if err != nil {
		return err
	}
	var absent outcome
	for i := range halves {
		agent, err := read(s, halves[i])
		if err != nil {
			return err
		}
		o, err := askAbout(s, agent, halves[1-i], nil)
		if err != nil {
			return err
		}
		absent.questions += o.questions
		absent.declined += o.declined
	}
	fmt.Printf("%s: %d questions on %d articles\n  the answer is in the reply: %.3f; declined: %.3f; of "+
		"questions on articles that are not there: %.3f\n",
		name, present.questions, len(q.Data), ratio(present.found, present.questions),
		ratio(present.declined, present.questions), ratio(absent.declined, absent.questions))
	return nil
}

// read makes an agent that has the articles, each paragraph as a document.
func read(s *service, articles []article) (int64, error) {
	agent, err := s.newAgent(replyLength)
	if err != nil {
		return 0, err
	}
	for _, a := range articles {
		for _, p := range a.Paragraphs {
			if err := s.teach(agent, "text", strings.ReplaceAll(a.Title, "_", " "), p.Context); err != nil {
				return 0, err
			}
		}
	}
	return agent, nil
}

type outcome struct{ questions, found, declined int }

// askAbout asks an agent all questions on the articles.
func askAbout(s *service, agent int64, articles []article, said *calibration) (o outcome, err error) {
	for _, a := range articles {
		for _, p := range a.Paragraphs {
			for _, q := range p.Qas {
				reply, err := s.ask(agent, q.Question)
				if err != nil {
					return o, err
				}
				o.questions++
				if reply.Action != "respond" {
					o.declined++
					continue
				}
				found := false
				for _, answer := range q.Answers {
					found = found || strings.Contains(" "+plain(reply.Reply)+" ", plain(answer.Text))
				}
				if found {
					o.found++
				}
				if said != nil {
					said.add(reply.Confidence, found)
				}
			}
		}
	}
	return o, nil
}

// plain is a text as SQuAD's own evaluation compares it: in lower case, without punctuation and articles.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) || unicode.IsSymbol(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
	var words []string
	for _, w := range strings.Fields(s) {
		if w != "a" && w != "an" && w != "the" {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}
