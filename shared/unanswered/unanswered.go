// Package unanswered stores the questions that an agent could not answer, for the business to see what the
// agent should know.
package unanswered

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/concept"
	"frontdesk/shared/counter"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/text"
)

// ErrNotFound says that the workspace has no such agent, or the agent no such question. It is the API's
// not_found fault, so handlers return it unchanged.
var ErrNotFound error = fault.NotFound()

// maxQuestion is how many characters of a question are stored.
const maxQuestion = 500

// A Question stands for all questions with the same meaning; see ID.
type Question struct {
	ID             int64     `json:"id" doc:"The same for questions that mean the same." example:"2194821130608641"`
	AgentID        int64     `json:"agent_id" example:"219482113000001"`
	Question       string    `json:"question" doc:"As it was last asked, its first 500 characters." example:"Do you rent out tandems?"`
	Count          int64     `json:"count" doc:"How often it was asked." example:"3"`
	ConversationID int64     `json:"conversation_id" doc:"Where it was last asked." example:"219482113060865"`
	FirstAskedAt   time.Time `json:"first_asked_at"`
	LastAskedAt    time.Time `json:"last_asked_at"`
}

// ID returns the id of a question to an agent of that language. Questions have the same id if their
// significant words are the same or synonyms, whatever their order and inflection. It is 0 for a text without
// significant words, which is not stored.
func ID(agentID int64, tag, question string) int64 {
	var stems, light []string
	for _, t := range text.Tokens(tag, question) {
		switch {
		case t.Stop:
		case concept.Light(tag, t.Stem):
			light = append(light, t.Stem)
		default:
			stems = append(stems, meaning(tag, t.Stem))
		}
	}
	if len(stems) == 0 {
		stems = light
	}
	if len(stems) == 0 {
		return 0
	}
	slices.Sort(stems)
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", agentID, strings.Join(slices.Compact(stems), " ")))
	return int64(binary.BigEndian.Uint64(sum[:8])%uint64(id.Max)) + 1
}

// meaning returns the concept that a word stands for, or its stem if it has none.
func meaning(tag, stem string) string {
	if names := concept.Of(tag, stem); len(names) > 0 {
		return concept.Word(slices.Min(names))
	}
	return stem
}

// counted is the name of the count of all questions.
const counted = "unanswered"

// Ask returns the write that records a question, for the transaction of the message that asked it, and the
// change of the agent's counts. item is what was read under the question's key, or the zero Item; the write's
// condition fails if it has changed since. q needs ID, AgentID, Question, ConversationID and LastAskedAt.
func Ask(account int64, q Question, item table.Item, message int64) (table.Write, counter.Change, error) {
	var change counter.Change
	q.Count, q.FirstAskedAt, q.Question = 1, q.LastAskedAt,
		text.Truncate(strings.TrimSpace(q.Question), maxQuestion)
	if item.Version == 0 {
		change.Count(counted, 1)
	} else {
		before, err := Read(item)
		if err != nil {
			return table.Write{}, change, err
		}
		q.Count, q.FirstAskedAt = before.Count+1, before.FirstAskedAt
	}
	doc, err := json.Marshal(q)
	put := table.Item{
		Key: Key(account, q.AgentID, q.ID), Doc: doc, Version: item.Version,
		Index1: KeyByTime(account, q.AgentID, message),
	}
	if item.Version == 0 {
		return table.PutIfAbsent(put), change, err
	}
	return table.PutIfVersion(put), change, err
}

// Answered returns the write that removes a question, for the transaction of its answer, and the change of
// the agent's counts. item is what was read under the question's key.
func Answered(item table.Item) (table.Write, counter.Change) {
	var change counter.Change
	change.Count(counted, -1)
	return table.DeleteIfVersion(item.Key, item.Version), change
}

// Read decodes an item of a question.
func Read(item table.Item) (Question, error) {
	var q Question
	if err := json.Unmarshal(item.Doc, &q); err != nil {
		return Question{}, fmt.Errorf("unanswered: %s %s: %w", item.PK, item.SK, err)
	}
	return q, nil
}

// Query reads an agent's questions, the last asked first.
func Query(account, agentID int64) table.Query {
	return table.Query{Index: table.Index1, PK: KeyByTime(account, agentID, 0).PK, Descending: true}
}

// Count returns the number of questions in an agent's counts.
func Count(counts counter.Counts) int64 { return counts[counted] }

// Delete removes a question that the business has dealt with. If it is asked again it is recorded again. It
// returns ErrNotFound if there is no such question.
func Delete(ctx context.Context, t table.Table, account, agentID, question int64) error {
	if _, err := (&agent.Store{Table: t}).LoadSummary(ctx, account, agentID); err != nil {
		return err
	}
	var change counter.Change
	change.Count(counted, -1)
	writes := append(counter.Add(account, agentID, question, change),
		table.DeleteIfExists(Key(account, agentID, question)))
	err := t.Transact(ctx, writes...)
	var failed *table.ConditionError
	if errors.As(err, &failed) {
		return ErrNotFound
	}
	return err
}
