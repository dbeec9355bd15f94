package message_test

import (
	"maps"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/agent"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/id"
	"frontdesk/shared/message"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// TestFailedIsNotSent sends a message that fails on a later day, which is told twice.
func TestFailedIsNotSent(t *testing.T) {
	const account = 7
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	day := time.Date(2026, 3, 2, 23, 59, 59, 0, time.UTC)
	ids := id.NewSource(func() time.Time { return day })
	of, err := (&agent.Store{Table: store, Now: time.Now, IDs: ids}).Create(t.Context(), account,
		agent.Agent{Summary: agent.Summary{Name: "Mia"}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	c := conversation.New(ids.Next(), of.ID, conversation.API, conversation.Partner{})
	m := conversation.Message{
		ID: ids.Next(), ConversationID: c.ID, AgentID: of.ID, Direction: conversation.Outbound,
		Type:   conversation.Text,
		Status: conversation.Queued, CreatedAt: day, Sending: &conversation.Sending{},
	}
	put, err := c.AddMessage(account, m)
	if err != nil {
		t.Fatal(err)
	}
	item, err := c.Item(account, 0)
	if err != nil {
		t.Fatal(err)
	}
	writes := append(
		[]table.Write{put, table.PutIfAbsent(item)},
		counter.Add(account, of.ID, m.ID, conversation.Recount(nil, &c))...)
	if err := store.Transact(t.Context(), writes...); err != nil {
		t.Fatal(err)
	}
	expect := func(sent int64) {
		t.Helper()
		days, err := counter.OfDays(t.Context(), store, account, of.ID, day, day)
		if err != nil {
			t.Fatal(err)
		}
		got := conversation.StatisticsOf(days.Sum())
		if got.Sent != sent || got.Received != 0 || got.Begun != 1 || got.Response.Count != 0 {
			t.Errorf("%+v, want %d sent", got, sent)
		}
	}
	expect(1)
	messages := message.Store{Table: store, Now: func() time.Time { return day.Add(time.Hour) }}
	for range 2 {
		// The second time the message has changed since it was last seen, and is read again.
		_, err := messages.SetStatus(t.Context(), account, m, 1, message.Outcome{Status: conversation.Failed})
		if err != nil {
			t.Fatal(err)
		}
		expect(0)
	}
}

// TestDaysAddUp has conversations of three days go on around midnight, as writers whose clocks differ by a
// second see it: messages come, go and fail, conversations are resolved, opened again and handed over.
// However it comes, no count of a day is ever below zero, and in the end the counts are those of what is
// there.
func TestDaysAddUp(t *testing.T) {
	const account, steps = 7, 600
	rng := rand.New(rand.NewPCG(1, 2))
	midnight := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	clock := midnight.Add(-time.Second)
	now := func() time.Time {
		return clock.Add(time.Duration(rng.IntN(2000)-1000) * time.Millisecond).Truncate(time.Millisecond)
	}
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	ids := id.NewSource(now)
	of, err := (&agent.Store{Table: store, Now: now, IDs: ids}).Create(t.Context(), account,
		agent.Agent{Summary: agent.Summary{Name: "Mia"}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	talks := message.Store{Table: store, Now: now, IDs: ids}
	type sending struct {
		message conversation.Message
		failed  bool
	}
	var open []conversation.Conversation
	var all []*sending
	for step := range steps {
		switch clock = clock.Add(time.Duration(rng.IntN(20)) * time.Millisecond); step {
		case steps / 3, 2 * steps / 3:
			clock = clock.Truncate(24 * time.Hour).Add(24*time.Hour - time.Second) // to the end of the day
		}
		if len(open) < 5 || rng.IntN(50) == 0 {
			c := conversation.New(ids.Next(), of.ID, conversation.API, conversation.Partner{})
			item, err := c.Item(account, 0)
			if err != nil {
				t.Fatal(err)
			}
			writes := append(
				counter.Add(account, of.ID, c.ID, conversation.Recount(nil, &c)),
				table.PutIfAbsent(item),
			)
			if err := store.Transact(t.Context(), writes...); err != nil {
				t.Fatal(err)
			}
			open = append(open, c)
		}
		if rng.IntN(5) == 0 && len(all) > 0 {
			if s := all[rng.IntN(len(all))]; s.message.Direction == conversation.Outbound {
				s.failed = true
				_, err := talks.SetStatus(t.Context(), account, s.message, 1,
					message.Outcome{Status: conversation.Failed})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		_, err := talks.Change(
			t.Context(),
			account,
			open[rng.IntN(len(open))].ID,
			func(u *message.Unit) error {
				c := &u.Conversation
				switch rng.IntN(10) {
				case 0:
					c.Resolve(now())
					return nil
				case 1:
					c.Reopen(now())
					return nil
				case 2:
					c.HandOver(conversation.HandoffManual)
					return nil
				}
				s := &sending{message: conversation.Message{
					ID: ids.Next(), ConversationID: c.ID, AgentID: of.ID, Direction: conversation.Inbound,
					Type:   conversation.Text,
					Status: conversation.Received, CreatedAt: now(),
				}}
				if rng.IntN(2) == 0 {
					s.message.Direction, s.message.Status = conversation.Outbound, conversation.Queued
					s.message.Sending = &conversation.Sending{}
				}
				all = append(all, s)
				put, err := c.AddMessage(account, s.message)
				u.Add(put)
				return err
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		if step%20 == 0 || step == steps-1 {
			days, err := counter.OfDays(
				t.Context(),
				store,
				account,
				of.ID,
				midnight.AddDate(0, 0, -1),
				midnight.AddDate(0, 0, 4),
			)
			if err != nil {
				t.Fatal(err)
			}
			for date, counts := range days {
				for name, n := range counts {
					if n < 0 {
						t.Fatalf("step %d: %d %s on %s", step, n, name, date)
					}
				}
			}
		}
	}

	// The counts are: begun, handed over, resolved by the agent, received, sent.
	want, got := map[string][5]int64{}, map[string][5]int64{}
	count := func(at time.Time, what int) {
		counts := want[counter.Date(at)]
		counts[what]++
		want[counter.Date(at)] = counts
	}
	for _, c := range open {
		c, err := (&conversation.Store{Table: store}).Load(t.Context(), account, c.ID)
		if err != nil {
			t.Fatal(err)
		}
		count(c.CreatedAt, 0)
		if c.HandedOff {
			count(c.CreatedAt, 1)
		} else if c.Status == conversation.Resolved && !c.AnsweredAt.IsZero() {
			count(c.CreatedAt, 2)
		}
	}
	for _, s := range all {
		if s.message.Direction == conversation.Inbound {
			count(s.message.CreatedAt, 3)
		} else if !s.failed {
			count(s.message.CreatedAt, 4)
		}
	}
	days, err := counter.OfDays(
		t.Context(),
		store,
		account,
		of.ID,
		midnight.AddDate(0, 0, -1),
		midnight.AddDate(0, 0, 4),
	)
	if err != nil {
		t.Fatal(err)
	}
	for date, counts := range days {
		s := conversation.StatisticsOf(counts)
		got[date] = [5]int64{s.Begun, s.HandedOff, s.ResolvedByAI, s.Received, s.Sent}
	}
	maps.DeleteFunc(got, func(_ string, counts [5]int64) bool { return counts == [5]int64{} })
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 3 {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
