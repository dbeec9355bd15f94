package conversation

import (
	"fmt"
	"strconv"
	"strings"

	"frontdesk/shared/change"
	"frontdesk/shared/table"
)

const (
	sessions   table.Prefix = "session"
	partitions table.Prefix = "conversation"
	// lists begins the partitions of the indexes that conversations are listed by.
	lists     table.Prefix = "conversations"
	sentBy    table.Prefix = "sent"
	addresses table.Prefix = "address"

	// MessagePrefix begins the sort keys of messages.
	MessagePrefix table.SortPrefix = "message/"
	// NotePrefix begins the sort keys of notes. They sort before messages.
	NotePrefix table.SortPrefix = "internal/"
)

// SessionKey returns the key of the item that maps a chat session to its conversation. The ids of agents are
// unique across workspaces.
func SessionKey(account, agent int64, session string) table.Key {
	return table.Key{PK: sessions.Join(account, agent, session), SK: "session"}
}

// Partition holds a conversation and its messages.
func Partition(account, conversation int64) string { return partitions.Join(account, conversation) }

// Key returns the key of the conversation itself. It sorts behind its messages, so that one backward query
// returns the conversation and its latest messages.
func Key(account, conversation int64) table.Key {
	return table.Key{PK: Partition(account, conversation), SK: "~"}
}

// IsKey reports whether a key is that of a conversation itself, rather than of a part of one.
func IsKey(key table.Key) bool { return key.SK == "~" }

// MessageKey returns the key of a message of a conversation.
func MessageKey(account, conversation, message int64) table.Key {
	return table.Key{PK: Partition(account, conversation), SK: MessagePrefix.Join(table.PadID(message))}
}

// keyBeside returns the key of another message in the conversation of an item.
func keyBeside(key table.Key, message int64) table.Key {
	return table.Key{PK: key.PK, SK: MessagePrefix.Join(table.PadID(message))}
}

// NoteKey returns the key of a note of a conversation.
func NoteKey(account, conversation, note int64) table.Key {
	return table.Key{PK: Partition(account, conversation), SK: NotePrefix.Join(table.PadID(note))}
}

// MessageKeyByID returns the key in Index1 by which a message is found by its id alone. That partition is
// also the feed of the workspace's changes.
func MessageKeyByID(account, message int64) table.Key { return change.Key(account, message) }

// MessageKeyByProviderID returns the key in Index2 by which a message is found by the platform's id of it.
func MessageKeyByProviderID(account, agent int64, channel, id string) table.Key {
	return table.Key{PK: sentBy.Join(account, agent, channel, id), SK: "message"}
}

// AddressKey returns the key of an Address.
func AddressKey(account, agent int64, channel, address string) table.Key {
	return table.Key{PK: addresses.Join(account, agent, channel, address), SK: "address"}
}

// Conversations are listed only in indexes that have only keys. A chat turn changes neither a conversation's
// status nor, usually, its lead score, so it writes to no list. Otherwise the end of a list, with the latest
// conversations, would be limited to 1,000 writes a second.

// KeyByAccount returns the key in Index4 under which the workspace's conversations of one status are listed
// by id, with the agent of each.
func KeyByAccount(account int64, status string, conversation, agent int64) table.Key {
	return table.Key{
		PK: lists.Join(account, status), SK: fmt.Sprintf("%s/%d", table.PadID(conversation), agent),
	}
}

// ReadKeyByAccount returns the agent in a KeyByAccount.
func ReadKeyByAccount(key table.Key) (agent int64, err error) {
	_, text, _ := strings.Cut(key.SK, "/")
	if agent, err = strconv.ParseInt(text, 10, 64); err != nil {
		return 0, fmt.Errorf("conversation: %s %s names no agent: %w", key.PK, key.SK, err)
	}
	return agent, nil
}

// KeyByScore returns the key in Index3 under which an agent's conversations of one status are listed and
// counted by id, with the lead score of each.
func KeyByScore(account, agent int64, status string, conversation int64, score int) table.Key {
	return table.Key{
		PK: lists.Join(account, agent, status), SK: fmt.Sprintf("%s/%03d", table.PadID(conversation), score),
	}
}

// ReadKeyByScore returns the lead score in a KeyByScore.
func ReadKeyByScore(key table.Key) (score int, err error) {
	_, text, _ := strings.Cut(key.SK, "/")
	if score, err = strconv.Atoi(text); err != nil {
		return 0, fmt.Errorf("conversation: %s %s is no key of a lead score: %w", key.PK, key.SK, err)
	}
	return score, nil
}
