package conversation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk/shared/table"
)

// A contact's message and the reply to it are stored in one item under the key of the reply if both fit, so
// that a turn of a chat writes one item less. The reply's id is the message's plus one.

// An asked message has the fields of the contact's message that do not follow from the reply.
type asked struct {
	Content string    `json:"content"`
	At      time.Time `json:"at"`
}

const (
	// keySize is about how many bytes an item of a message has apart from its document.
	keySize = 160
	// blockSize is by how many bytes a write is paid for.
	blockSize = 1 << 10
)

// Pair returns one item for a reply and the contact's message that it answers. It returns false if they must
// be stored apart: the message is more than a text, or the reply is sent over a platform, whose statuses
// change it again. It also does so if the item would be billed as larger than the reply's own.
func Pair(account int64, question, reply Message) (item table.Item, together bool, err error) {
	plain := Message{
		ID: question.ID, ConversationID: question.ConversationID, AgentID: question.AgentID,
		Direction: Inbound, Type: Text, Content: question.Content, Status: Received,
		CreatedAt: question.CreatedAt,
	}
	if reply.ID != question.ID+1 || reply.Sending != nil || !same(question, plain) {
		return table.Item{}, false, nil
	}
	alone, err := MessageItem(account, reply, 0)
	if err != nil {
		return table.Item{}, false, err
	}
	item = alone
	stored := newStored(reply)
	stored.Asked = &asked{question.Content, question.CreatedAt}
	if item.Doc, err = json.Marshal(stored); err != nil {
		return table.Item{}, false, err
	}
	blocks := func(item table.Item) int { return (len(item.Doc) + keySize) / blockSize }
	return item, blocks(item) == blocks(alone), nil
}

// same reports whether two messages are stored alike.
func same(a, b Message) bool {
	one, err := json.Marshal(newStored(a))
	other, err2 := json.Marshal(newStored(b))
	return err == nil && err2 == nil && string(one) == string(other)
}

// Messages is a table for reading messages, by All, Latest, Before and Since, and by their keys. It returns
// each as a separate item, whether it is stored together with its reply or not. Writes need the embedded
// table, and the item of the reply. Only Query and Get differ from the table's.
type Messages struct{ table.Table }

// Get implements table.Table. A message that is stored with its reply takes a second round trip.
func (t Messages) Get(ctx context.Context, key table.Key) (table.Item, error) {
	item, err := t.Table.Get(ctx, key)
	id, ok := messageOf(key.SK)
	if !errors.Is(err, table.ErrNotFound) || !ok {
		return item, err
	}
	with, err := t.Table.Get(ctx, keyBeside(key, id+1))
	if err != nil {
		return table.Item{}, err
	}
	each, err := apart(with)
	if err == nil && each[0].Key != key {
		err = table.ErrNotFound
	}
	return each[0], err
}

// messageOf returns the id of the message of a sort key, and false if it is not that of a message.
func messageOf(sk string) (id int64, ok bool) {
	text, ok := strings.CutPrefix(sk, string(MessagePrefix))
	id, err := strconv.ParseInt(text, 10, 64)
	return id, ok && err == nil
}

// Query implements table.Table.
func (t Messages) Query(ctx context.Context, q table.Query) (table.Page, error) {
	if q.Index != table.Primary {
		return t.Table.Query(ctx, q)
	}
	if q.Prefix != "" {
		q.From, q.To, q.Prefix = string(q.Prefix), string(q.Prefix)+"~", ""
	}
	after := ""
	if q.After != "" {
		var err error
		if after, _, err = q.Start(); err != nil {
			return table.Page{}, err
		}
	}
	page, err := t.Table.Query(ctx, stored(q, after))
	if err != nil {
		return table.Page{}, err
	}
	var found table.Page
	for _, item := range page.Items {
		each, err := apart(item)
		if err != nil {
			return table.Page{}, err
		}
		if q.Descending {
			slices.Reverse(each)
		}
		for _, m := range each {
			if m.SK >= q.From && m.SK <= q.To && follows(m.SK, after, q.Descending) {
				found.Items = append(found.Items, m)
			}
		}
	}
	more := page.Next != ""
	if q.Limit > 0 && len(found.Items) > q.Limit {
		found.Items, more = found.Items[:q.Limit], true
	}
	if more && len(found.Items) > 0 {
		found.Next = table.Cursor(table.Primary, found.Items[len(found.Items)-1])
	}
	return found, nil
}

// stored returns the query for the items that hold the messages of q after a sort key, "" for all. It reads
// one item more than asked for, since the first may hold only a message before that key.
func stored(q table.Query, after string) table.Query {
	switch {
	case after != "" && q.Descending:
		q.To = after
	case after != "":
		q.From = after
	}
	if id, ok := messageOf(q.To); ok && (after == "" || !q.Descending) {
		q.To = MessagePrefix.Join(table.PadID(id + 1)) // its reply
	}
	q.After = ""
	if q.Limit > 0 {
		q.Limit++
	}
	return q
}

// follows reports whether a sort key comes behind another in a direction; every one does behind "".
func follows(sk, after string, descending bool) bool {
	return after == "" || sk > after && !descending || sk < after && descending
}

// apart returns the messages of an item, each as an item, in their order; of another item that itself.
func apart(item table.Item) ([]table.Item, error) {
	if !strings.HasPrefix(item.SK, string(MessagePrefix)) {
		return []table.Item{item}, nil
	}
	question, ok, err := questionOf(item)
	if err != nil || !ok {
		return []table.Item{item}, err
	}
	doc, err := json.Marshal(newStored(question))
	first := table.Item{
		Key: keyBeside(item.Key, question.ID), Doc: doc, Version: item.Version,
	}
	return []table.Item{first, item}, err
}

// questionOf returns the contact's message in an item of a reply, and false if there is none.
func questionOf(item table.Item) (Message, bool, error) {
	var s storedMessage
	if err := json.Unmarshal(item.Doc, &s); err != nil {
		return Message{}, false, fmt.Errorf("conversation: message %s: %w", item.SK, err)
	}
	if s.Asked == nil {
		return Message{}, false, nil
	}
	return Message{
		ID: s.ID - 1, ConversationID: s.ConversationID, AgentID: s.AgentID, Direction: Inbound, Type: Text,
		Content: s.Asked.Content, Status: Received, CreatedAt: s.Asked.At,
	}, true, nil
}
