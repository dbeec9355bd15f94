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

// SessionKey is the key of the item that leads from a chat session to its conversation. Agents' ids are
// unique across workspaces.
func SessionKey(account, agent int64, session string) table.Key {
	return table.Key{PK: sessions.Of(account, agent, session), SK: "session"}
}

// Partition holds a conversation and its messages.
func Partition(account, conversation int64) string { return partitions.Of(account, conversation) }

// Key is the key of the conversation itself. It sorts behind its messages, so that one query backwards gives
// it and the latest of them.
func Key(account, conversation int64) table.Key {
	return table.Key{PK: Partition(account, conversation), SK: "~"}
}

// IsKey reports whether a key is that of a conversation itself, rather than of a part of one.
func IsKey(key table.Key) bool { return key.SK == "~" }

// MessageKey is the key of a message of a conversation.
func MessageKey(account, conversation, message int64) table.Key {
	return table.Key{PK: Partition(account, conversation), SK: MessagePrefix.Of(table.PadID(message))}
}

// keyBeside is the key of another message of the conversation that an item belongs to.
func keyBeside(key table.Key, message int64) table.Key {
	return table.Key{PK: key.PK, SK: MessagePrefix.Of(table.PadID(message))}
}

// NoteKey is the key of a note of a conversation.
func NoteKey(account, conversation, note int64) table.Key {
	return table.Key{PK: Partition(account, conversation), SK: NotePrefix.Of(table.PadID(note))}
}

// MessageKeyByID is where a message is found by its id alone, in Index1. That is the feed of the workspace's
// changes too.
func MessageKeyByID(account, message int64) table.Key { return change.Key(account, message) }

// MessageKeyByProviderID is where a message is found by the id that the platform of a channel gave it, in
// Index2.
func MessageKeyByProviderID(account, agent int64, channel, id string) table.Key {
	return table.Key{PK: sentBy.Of(account, agent, channel, id), SK: "message"}
}

// AddressKey is the key of an Address.
func AddressKey(account, agent int64, channel, address string) table.Key {
	return table.Key{PK: addresses.Of(account, agent, channel, address), SK: "address"}
}

// Conversations are listed in the narrow indexes alone. A turn of a chat changes a conversation and neither
// its status nor, mostly, its lead score: so it writes to no list, whose end, where the latest conversations
// lie together, would take 1,000 writes a second.

// KeyByAccount is where a workspace's conversations of one status are listed, in Index4: by their ids, with
// the agent of each.
func KeyByAccount(account int64, status string, conversation, agent int64) table.Key {
	return table.Key{
		PK: lists.Of(account, status), SK: fmt.Sprintf("%s/%d", table.PadID(conversation), agent),
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

// KeyByScore is where an agent's conversations of one status are listed and counted, in Index3: by their ids,
// with the lead score of each.
func KeyByScore(account, agent int64, status string, conversation int64, score int) table.Key {
	return table.Key{
		PK: lists.Of(account, agent, status), SK: fmt.Sprintf("%s/%03d", table.PadID(conversation), score),
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
