package unanswered

import "frontdesk/shared/table"

const questions table.Prefix = "unanswered"

// Key is the key of a question that an agent had no answer to.
func Key(account, agent, question int64) table.Key {
	return table.Key{PK: questions.Of(account, agent), SK: table.PadID(question)}
}

// KeyByTime is where they are listed, in Index1: by the message that asked last.
func KeyByTime(account, agent, message int64) table.Key { return Key(account, agent, message) }
