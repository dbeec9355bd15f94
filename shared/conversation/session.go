package conversation

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"frontdesk/shared/table"
)

// The id of a chat session is a UUID that permits reading the session. Those made here are of version 8 of
// RFC 9562: 53 bits are the id of the session's first conversation, 69 bits are random. So a conversation
// can be read at the same time as its session. The id is only a hint, since callers may bring their own
// UUIDs and a session may move to another conversation: the session's item is authoritative.
//
// The id of the conversation fills the first 48 bits and the 5 after the version.
const (
	sessionVersion = 8
	lowBits        = 5 // of a conversation's id behind the version
)

// NewSessionID makes the id of a chat session that begins with a conversation.
func NewSessionID(conversation int64) string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	high, low := uint64(conversation)>>lowBits, byte(conversation)&(1<<lowBits-1)
	random := binary.BigEndian.Uint64(b[:8])
	binary.BigEndian.PutUint64(b[:8], high<<16|random&0xffff)
	b[6] = sessionVersion<<4 | low>>1
	b[7] = b[7]&0x7f | low<<7
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Hint returns the conversation that the id of a session contains, 0 for none. It is unverified, since
// anybody can make such an id.
func Hint(sessionID string) int64 {
	b, err := hex.DecodeString(strings.ReplaceAll(sessionID, "-", ""))
	if err != nil || len(b) != 16 || b[6]>>4 != sessionVersion || b[8]>>6 != 2 {
		return 0
	}
	high, low := binary.BigEndian.Uint64(b[:8])>>16, b[6]&0xf<<1|b[7]>>7
	return int64(high<<lowBits | uint64(low))
}

// A Session leads from a chat session to its conversation.
type Session struct {
	ConversationID int64 `json:"conversation_id"` // 0 while nothing has been said
	ContactID      int64 `json:"contact_id"`
}

// ReadSession decodes an item under SessionKey.
func ReadSession(item table.Item) (Session, error) {
	var s Session
	if err := json.Unmarshal(item.Doc, &s); err != nil {
		return Session{}, fmt.Errorf("conversation: %s: %w", item.PK, err)
	}
	return s, nil
}

// Item returns the session as it is stored.
func (s Session) Item(key table.Key) (table.Item, error) {
	doc, err := json.Marshal(s)
	return table.Item{Key: key, Doc: doc}, err
}

// ReadBySession reads a session by find, and something of its conversation by read: at the same time if the
// session's id names that conversation, otherwise one after the other. A result for another conversation is
// dropped. It returns the zero T for a session without a conversation. An error of find takes precedence over
// one of read.
func ReadBySession[T any](ctx context.Context, sessionID string, find func(context.Context) (Session, error),
	read func(ctx context.Context, conversation int64) (T, error)) (Session, T, error) {
	var session Session
	var none, found T
	guess := Hint(sessionID)
	err := table.Parallel(ctx, func(ctx context.Context) (err error) {
		session, err = find(ctx)
		return err
	}, func(ctx context.Context) (err error) {
		if guess != 0 {
			found, err = read(ctx, guess)
		}
		return err
	})
	if err != nil {
		return Session{}, none, err
	}
	if session.ConversationID == guess {
		return session, found, nil
	}
	if session.ConversationID == 0 {
		return session, none, nil
	}
	found, err = read(ctx, session.ConversationID)
	return session, found, err
}
