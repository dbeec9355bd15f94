// Package answers reads businesses with questions to them, made up for measuring how well questions
// are answered and for fitting how sure the built-in engine is of an answer: the files of the folder
// businesses.
//
// A file names a language, a description, services, FAQs and documents, and then questions. A line
// "? how long => an hour | 60 minutes" is a question with what its answer holds, one of several; without "=>"
// it is one that the business has no answer to. A line that begins with ">" goes on with the question above
// it.
package answers

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Business is what an agent is taught, and what it is asked.
type Business struct {
	Name      string // of its file
	Language  string
	About     string   // its description
	Services  []string // each with its length and price
	FAQs      []FAQ
	Documents []Document
	Questions []Question
}

// An FAQ is a question with its answer.
type FAQ struct{ Question, Answer string }

// A Document is a text with its title.
type Document struct{ Title, Text string }

// A Question is what somebody asks.
type Question struct {
	Text    string
	Wants   []string // one of which the answer holds; none where the business has no answer
	GoesOn  bool     // with the question before it
	Chained bool     // the question after it goes on with it
}

// Answered reports whether a reply holds what the question wants. Letter case does not matter.
func (q Question) Answered(reply string) bool {
	for _, want := range q.Wants {
		if strings.Contains(strings.ToLower(reply), strings.ToLower(want)) {
			return true
		}
	}
	return false
}

// Load reads all businesses of a folder, by the names of their files.
func Load(folder string) ([]Business, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		return nil, err
	}
	var all []Business
	for _, file := range files {
		b, err := read(file)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

func read(file string) (Business, error) {
	f, err := os.Open(file)
	if err != nil {
		return Business{}, err
	}
	defer f.Close()
	b := Business{Name: strings.TrimSuffix(filepath.Base(file), ".txt")}
	lines := bufio.NewScanner(f)
	asking := false
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		title, section := strings.CutPrefix(line, "== ")
		key, value, _ := strings.Cut(line, ": ")
		switch {
		case strings.HasPrefix(line, "# "):
		case section:
			if asking = title == "questions"; !asking {
				b.Documents = append(b.Documents, Document{Title: title})
			}
		case asking:
			err = b.ask(line)
		case len(b.Documents) > 0:
			b.Documents[len(b.Documents)-1].Text += line + "\n"
		case key == "language":
			b.Language = value
		case key == "about":
			b.About = value
		case key == "service":
			b.Services = append(b.Services, value)
		case key == "faq":
			question, answer, _ := strings.Cut(value, " | ")
			b.FAQs = append(b.FAQs, FAQ{question, answer})
		case line != "":
			err = fmt.Errorf("neither a field nor a section: %q", line)
		}
		if err != nil {
			return b, fmt.Errorf("%s:%d: %w", file, n, err)
		}
	}
	return b, lines.Err()
}

// ask adds the question of a line.
func (b *Business) ask(line string) error {
	if line == "" {
		return nil
	}
	said, wants, answered := strings.Cut(line[1:], " => ")
	q := Question{Text: strings.TrimSpace(said), GoesOn: line[0] == '>'}
	switch {
	case !q.GoesOn && line[0] != '?', q.GoesOn && len(b.Questions) == 0:
		return fmt.Errorf("no question: %q", line)
	case q.GoesOn:
		b.Questions[len(b.Questions)-1].Chained = true
	}
	if answered {
		for _, want := range strings.Split(wants, "|") {
			q.Wants = append(q.Wants, strings.TrimSpace(want))
		}
	}
	b.Questions = append(b.Questions, q)
	return nil
}
