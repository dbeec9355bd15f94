package unanswered

import "frontdesk/shared/table"

const questions table.Prefix = "unanswered"

// Key returns the key of an unanswered question.
func Key(account, agent, question int64) table.Key {
	return table.Key{PK: questions.Join(account, agent), SK: table.PadID(question)}
}

// KeyByTime returns a question's key in Index1, where questions are ordered by the message that last asked
// them.
func KeyByTime(account, agent, message int64) table.Key { return Key(account, agent, message) }
