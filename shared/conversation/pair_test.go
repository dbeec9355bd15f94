package conversation_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/conversation"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// TestMessages reads a conversation, of which some messages lie together and some apart, in pages of every
// size from every place in both directions, and expects what it reads of the same messages apart.
func TestMessages(t *testing.T) {
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	const account, paired, plain = 1, 100, 200
	at := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	next := id.First(at)
	var all []int64
	put := func(talk int64, q, r conversation.Message) {
		t.Helper()
		q.ConversationID, r.ConversationID = talk, talk
		var items []table.Item
		if item, together, err := conversation.Pair(account, q, r); err != nil {
			t.Fatal(err)
		} else if together && talk == paired {
			items = append(items, item)
		} else {
			for _, m := range []conversation.Message{q, r} {
				item, err := conversation.MessageItem(account, m, 0)
				if err != nil {
					t.Fatal(err)
				}
				item.Index1 = table.Key{}
				items = append(items, item)
			}
		}
		for _, item := range items {
			if err := store.Transact(t.Context(), table.PutIfAbsent(item)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range 9 {
		next += int64(1 + i%3)
		q := conversation.Message{ID: next, Direction: conversation.Inbound, Type: conversation.Text,
			Content: fmt.Sprintf("Question %d \u201c😀\u201d", i), Status: conversation.Received,
			CreatedAt: at}
		next++
		r := conversation.Message{ID: next, Direction: conversation.Outbound, Type: conversation.Text,
			Content: fmt.Sprint("Answer ", i), Status: conversation.Sent, SentByAI: true, AgentID: 7,
			CreatedAt: at.Add(time.Second)}
		q.AgentID = 7
		switch i {
		case 3:
			q.Type = "image"
		case 4:
			q.Content = strings.Repeat("long ", 300)
		case 6:
			r.Sending = &conversation.Sending{To: "+14155550123"}
		}
		all = append(all, q.ID, r.ID)
		put(paired, q, r)
		put(plain, q, r)
	}
	stored, err := store.Query(t.Context(), conversation.All(account, paired))
	if err != nil || len(stored.Items) != len(all)-6 {
		t.Fatalf("%d items for %d messages, %v", len(stored.Items), len(all), err)
	}
	messages := conversation.Messages{Table: store}
	read := func(talk int64, q table.Query) (found []conversation.Message, pages int) {
		t.Helper()
		for {
			page, err := messages.Query(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if q.Limit > 0 && len(page.Items) > q.Limit {
				t.Errorf("%d items where %d were asked for", len(page.Items), q.Limit)
			}
			for _, item := range page.Items {
				m, err := conversation.ReadMessage(item)
				if err != nil || item.Key != conversation.MessageKey(account, talk, m.ID) {
					t.Errorf("%v is message %d: %v", item.Key, m.ID, err)
				}
				m.ConversationID = 0
				found = append(found, m)
			}
			if pages++; page.Next == "" || pages > len(all)+2 {
				return found, pages
			}
			q.After = page.Next
		}
	}
	queries := map[string]func(talk int64) table.Query{
		"all": func(talk int64) table.Query { return conversation.All(account, talk) },
	}
	for _, n := range slices.Concat(all, []int64{all[0] - 1, next + 1}) {
		queries[fmt.Sprint("since ", n)] = func(talk int64) table.Query {
			return conversation.Since(account, talk, n, 100)
		}
		queries[fmt.Sprint("before ", n)] = func(talk int64) table.Query {
			return conversation.Before(account, talk, n, 100)
		}
	}
	for name, query := range queries {
		for _, descending := range []bool{false, true} {
			for limit := range 6 {
				of := func(talk int64) ([]conversation.Message, int) {
					q := query(talk)
					q.Descending, q.Limit = descending, limit
					return read(talk, q)
				}
				want, _ := of(plain)
				got, _ := of(paired)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s, descending %v, %d at a time (-want +got):\n%s", name, descending, limit,
						diff)
				}
				if name == "all" && len(want) != len(all) {
					t.Errorf("%d of %d messages", len(want), len(all))
				}
			}
		}
	}
}
