package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"frontdesk/infra/answers"
	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/id"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/table/sqlite"
)

// A sample is something that the engine may answer, with what speaks for it and whether it is right.
type sample struct {
	aspects vector
	right   bool
	group   string // what it is of: a business, or a set of public data
}

// A choice is sentences that compete for holding an answer.
type choice struct {
	all   []sample
	group string
}

// A collector gathers samples, by the way that the answers are come by.
type collector struct {
	store   *sqlite.Table
	know    knowledge.Store
	agents  agent.Store
	engine  *builtin.Engine
	samples map[builtin.Way][]sample
	choices []choice
	results results
}

const account = 1

// passages is how many pieces of the knowledge an assistant looks at.
const passages = 20

func newCollector(dir string) (*collector, error) {
	store, err := sqlite.Open(filepath.Join(dir, "table.db"), time.Now)
	if err != nil {
		return nil, err
	}
	ids := id.NewSource(time.Now)
	return &collector{
		store: store, know: knowledge.Store{Table: store, Now: time.Now, IDs: ids},
		agents: agent.Store{Table: store, Now: time.Now, IDs: ids}, engine: builtin.New(),
		samples: map[builtin.Way][]sample{},
	}, nil
}

// A learned is an agent with what it was taught.
type learned struct {
	id       int64
	language string
	corpus   knowledge.Corpus
	fields   []ai.Passage // what stands in the agent itself
}

// teach makes an agent that has the documents.
func (c *collector) teach(
	ctx context.Context, language string, documents []answers.Document,
) (learned, error) {
	a, err := c.agents.Create(ctx, account, agent.Agent{Summary: agent.Summary{
		Name: "Fit", Language: agent.Language(language),
	}}, 1000)
	if err != nil {
		return learned{}, err
	}
	for _, d := range documents {
		_, err := c.know.Create(ctx, account, knowledge.Document{
			AgentID: a.ID, Title: d.Title, Type: knowledge.Text, Content: d.Text, Active: true,
		})
		if err != nil {
			return learned{}, err
		}
	}
	item, err := c.store.Get(ctx, agent.Key(account, a.ID))
	return learned{a.ID, language, knowledge.CorpusOf(item.Numbers), nil}, err
}

// request is what the engine gets to answer a question from. Search is what it is looked up by.
func (c *collector) request(
	ctx context.Context, l learned, question, search string, length int,
) (ai.Request, error) {
	found, err := knowledge.Search(ctx, c.store, knowledge.Query{
		Account: account, Agent: l.id, Text: search, Limit: passages, Corpus: l.corpus,
	})
	return ai.Request{
		Language: l.language, Message: question, MaxLength: length,
		Passages:   slices.Concat(l.fields, found.Passages),
		Neighbours: found.Neighbours, Weights: found.Weights, Chunks: found.Chunks,
	}, err
}

// note takes in what speaks for the answers to a request. Ways are those that are of interest.
func (c *collector) note(
	r ai.Request, group string, right func(said string) bool, ways ...builtin.Way,
) {
	compete := choice{group: group}
	for _, e := range c.engine.Evidence(r) {
		if !slices.Contains(ways, e.Way) {
			continue
		}
		s := sample{sparse(e.Aspects), right(e.Text), group}
		if e.Way == builtin.Sentence {
			compete.all = append(compete.all, s)
			continue
		}
		c.samples[e.Way] = append(c.samples[e.Way], s)
	}
	if slices.ContainsFunc(compete.all, func(s sample) bool { return s.right }) {
		c.choices = append(c.choices, compete)
	}
}

// replyLength is how long a reply of a business may be, the default of agents.
const replyLength = 500

// businesses collects from the made-up businesses.
func (c *collector) businesses(ctx context.Context, folder string) error {
	all, err := answers.Load(folder)
	if err != nil {
		return err
	}
	for _, b := range all {
		l, err := c.teach(ctx, b.Language, b.Documents)
		if err != nil {
			return err
		}
		l.fields = fieldsOf(b)
		if err := c.play(ctx, b, l); err != nil {
			return err
		}
	}
	return nil
}

// fieldsOf are the passages of what stands in the agent itself.
func fieldsOf(b answers.Business) (all []ai.Passage) {
	for _, f := range b.FAQs {
		all = append(all, ai.Passage{Questions: []string{f.Question}, Text: f.Answer})
	}
	if b.About != "" {
		all = append(all, ai.Passage{Title: b.Name, Text: b.About})
	}
	var a agent.Agent
	a.AvailableServices = b.Services
	return append(all, skill.FieldsOf(a, b.Language)...)
}

// play asks a business its questions. A question that goes on with another has the right answer to
// that one before it, and one that does not has the answer to the one before as well, with which it
// has nothing to do.
func (c *collector) play(ctx context.Context, b answers.Business, l learned) error {
	var history []ai.Turn
	topic := ""
	for _, q := range b.Questions {
		search := q.Text
		if len(history) > 0 && c.telling(l.language, q.Text) <= 3 {
			search += "\n" + topic
			if c.engine.Read(l.language, q.Text).GoesOn {
				search += "\n" + history[len(history)-2].Text
			}
		}
		r, err := c.request(ctx, l, q.Text, search, replyLength)
		if err != nil {
			return err
		}
		if !q.GoesOn {
			c.note(r, b.Name, q.Answered, builtin.Sentence, builtin.Brief)
		}
		if r.History, r.Topic = history, topic; len(history) > 0 {
			c.note(r, b.Name, q.Answered, builtin.Sentence, builtin.Brief)
		}
		if len(q.Wants) > 0 {
			c.results.answerable++
			if slices.ContainsFunc(r.Passages, func(p ai.Passage) bool { return q.Answered(p.Text) }) {
				c.results.found++
			}
		}
		reply, subject, err := c.answer(ctx, r, q)
		if err != nil {
			return err
		}
		if topic = subject; topic == "" && len(q.Wants) == 0 {
			history = nil
			continue
		}
		history = []ai.Turn{{Inbound: true, Text: q.Text}, {Text: reply}}
	}
	return nil
}

// telling is how many words of a message say something.
func (c *collector) telling(language, message string) int {
	n := 0
	for _, t := range c.engine.Read(language, message).Tokens {
		if !t.Stop {
			n++
		}
	}
	return n
}

// answer is the right answer to a question: the engine's, or else what of the passages holds it.
func (c *collector) answer(
	ctx context.Context, r ai.Request, q answers.Question,
) (text, subject string, err error) {
	reply, err := c.engine.Reply(ctx, r)
	if err != nil {
		return "", "", err
	}
	c.results.note(q, reply)
	if q.Answered(reply.Text) {
		return reply.Text, reply.Subject, nil
	}
	for _, p := range r.Passages {
		if len(p.Questions) > 0 && q.Answered(p.Text) {
			return p.Text, p.Questions[0], nil
		}
	}
	for _, e := range c.engine.Evidence(r) {
		if e.Way == builtin.Sentence && q.Answered(e.Text) {
			return e.Text, "", nil
		}
	}
	return "", "", nil
}

// squadLength is how many characters a reply has that is to hold the answer to a question of XQuAD.
const squadLength = 300

// xquad collects from the articles of XQuAD: questions on articles that are there, and on those that
// are not.
func (c *collector) xquad(ctx context.Context, data string) error {
	files, err := filepath.Glob(filepath.Join(data, "xquad-en-*.json"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no XQuAD in %q: %v", data, err)
	}
	content, err := os.ReadFile(files[0])
	if err != nil {
		return err
	}
	var set struct{ Data []article }
	if err := json.Unmarshal(content, &set); err != nil {
		return err
	}
	var halves [2][]article
	for i, a := range set.Data {
		halves[i%2] = append(halves[i%2], a)
	}
	for i, half := range [][]article{set.Data, halves[0], halves[1]} {
		var documents []answers.Document
		for _, a := range half {
			for _, p := range a.Paragraphs {
				title := strings.ReplaceAll(a.Title, "_", " ")
				documents = append(documents, answers.Document{Title: title, Text: p.Context})
			}
		}
		l, err := c.teach(ctx, "en", documents)
		if err != nil {
			return err
		}
		asked, present := set.Data, i == 0
		if !present {
			asked = halves[2-i]
		}
		for n, a := range asked {
			if err := c.ask(ctx, l, a, fmt.Sprintf("xquad%d", n%2), present); err != nil {
				return err
			}
		}
	}
	return nil
}

// An article is one in the format of SQuAD.
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

func (c *collector) ask(ctx context.Context, l learned, a article, group string, present bool) error {
	for _, p := range a.Paragraphs {
		for _, q := range p.Qas {
			r, err := c.request(ctx, l, q.Question, q.Question, squadLength)
			if err != nil {
				return err
			}
			holds := func(said string) bool { return present && strings.Contains(said, q.Answers[0].Text) }
			c.note(r, group, holds, builtin.Sentence)
			// Of a long question it is told whether the articles have the answer: which sentence has
			// it is another matter.
			c.note(r, group, func(string) bool { return present }, builtin.Quoted)
		}
	}
	return nil
}
