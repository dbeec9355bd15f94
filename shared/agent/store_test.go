package agent_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/agent"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

const account = 7

func newStore(t *testing.T) *agent.Store {
	t.Helper()
	tbl, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tbl.Close() })
	return &agent.Store{Table: tbl, Now: time.Now, IDs: id.NewSource(time.Now)}
}

func create(t *testing.T, s *agent.Store) agent.Agent {
	t.Helper()
	a, err := s.Create(t.Context(), account, agent.Agent{
		Summary: agent.Summary{Name: "Mia", Tone: agent.Friendly, Language: agent.English,
			Status: agent.Draft},
		Profile: agent.Profile{AvailableServices: []string{"Repairs"}},
		FAQs:    []agent.FAQ{{Question: "Parking?", Answer: "Yes."}},
	}, 100)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestCreate(t *testing.T) {
	s := newStore(t)
	a := create(t, s)
	got, err := s.Load(t.Context(), account, a.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, got); diff != "" {
		t.Errorf("created (-) and then loaded (+):\n%s", diff)
	}
	for _, key := range []table.Key{agent.EmbedKey(a.EmbedKey), agent.OwnerKey(a.ID)} {
		item, err := s.Table.Get(t.Context(), key)
		if err != nil {
			t.Fatalf("%v: %v", key, err)
		}
		ref, err := agent.ReadRef(item)
		if want := (agent.Ref{AccountID: account, AgentID: a.ID}); err != nil || ref != want {
			t.Errorf("%v leads to %+v, %v", key, ref, err)
		}
	}
}

// A busy table lets something happen before the first transaction that it is asked for.
type busy struct {
	table.Table
	meanwhile func(writes []table.Write)
}

func (b *busy) Transact(ctx context.Context, writes ...table.Write) error {
	if meanwhile := b.meanwhile; meanwhile != nil {
		b.meanwhile = nil
		meanwhile(writes)
	}
	return b.Table.Transact(ctx, writes...)
}

func TestIDIsTaken(t *testing.T) {
	s := newStore(t)
	tbl := s.Table
	var taken table.Key
	s.Table = &busy{tbl, func(writes []table.Write) {
		for _, w := range writes {
			if strings.HasPrefix(w.Item.PK, "owner/") {
				taken = w.Item.Key
				if err := tbl.Transact(t.Context(), table.Put(w.Item)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}}
	a := create(t, s)
	if taken == (table.Key{}) || agent.OwnerKey(a.ID) == taken {
		t.Errorf("the agent has the id %d, taken is %v", a.ID, taken)
	}
	if n, err := s.Count(t.Context(), account); n != 1 || err != nil {
		t.Errorf("the workspace has %d agents, %v", n, err)
	}
}

// TestMeanwhile changes an agent between the reading and the writing of a call: nothing of either is lost.
func TestMeanwhile(t *testing.T) {
	instruct := func(a *agent.Agent) error { a.Instructions = "Zzyzx"; return nil }
	pause := func(a *agent.Summary) ([]table.Write, error) { a.Status = agent.Paused; return nil, nil }
	for name, call := range map[string]func(*agent.Store, int64) error{
		"Update": func(s *agent.Store, id int64) error {
			_, err := s.Update(t.Context(), account, id, instruct)
			return err
		},
		"UpdateSummary": func(s *agent.Store, id int64) error {
			_, err := s.UpdateSummary(t.Context(), account, id, pause)
			return err
		},
		"RotateKey": func(s *agent.Store, id int64) error {
			_, err := s.RotateKey(t.Context(), account, id)
			return err
		},
	} {
		s := newStore(t)
		other := *s
		a := create(t, s)
		var rotated agent.Summary
		s.Table = &busy{s.Table, func([]table.Write) {
			var err error
			if rotated, err = other.RotateKey(t.Context(), account, a.ID); err != nil {
				t.Fatal(err)
			}
		}}
		if err := call(s, a.ID); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got, err := s.Load(t.Context(), account, a.ID)
		if err != nil {
			t.Fatal(err)
		}
		if kept := got.EmbedKey == rotated.EmbedKey; kept == (name == "RotateKey") {
			t.Errorf("%s: embed key %s, meanwhile it became %s", name, got.EmbedKey, rotated.EmbedKey)
		}
		for _, key := range []string{a.EmbedKey, rotated.EmbedKey, got.EmbedKey} {
			_, err := s.Table.Get(t.Context(), agent.EmbedKey(key))
			if leads := err == nil; leads != (key == got.EmbedKey) {
				t.Errorf("%s: embed key %s: %v, the agent has %s", name, key, err, got.EmbedKey)
			}
		}
		if done := got.Instructions == "Zzyzx" || got.Status == agent.Paused; done != (name != "RotateKey") {
			t.Errorf("%s: instructions %q, status %s", name, got.Instructions, got.Status)
		}
	}
}

// TestDeleteMeanwhile rotates the embed key between the reading and the writing of a deletion: the new one
// goes too.
func TestDeleteMeanwhile(t *testing.T) {
	s := newStore(t)
	other := *s
	a := create(t, s)
	var rotated agent.Summary
	s.Table = &busy{s.Table, func([]table.Write) {
		var err error
		if rotated, err = other.RotateKey(t.Context(), account, a.ID); err != nil {
			t.Fatal(err)
		}
	}}
	if err := s.Delete(t.Context(), account, a.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Table.Get(t.Context(), agent.EmbedKey(rotated.EmbedKey)); !errors.Is(err,
		table.ErrNotFound) {
		t.Errorf("the embed key of a deleted agent is left: %v", err)
	}
}

// TestUpdateDeleted deletes an agent between the reading and the writing of a change: it does not come back.
func TestUpdateDeleted(t *testing.T) {
	s := newStore(t)
	other := *s
	a := create(t, s)
	s.Table = &busy{s.Table, func([]table.Write) {
		if err := other.Delete(t.Context(), account, a.ID); err != nil {
			t.Fatal(err)
		}
	}}
	_, err := s.Update(t.Context(), account, a.ID, func(a *agent.Agent) error { a.Name = "Leo"; return nil })
	if !errors.Is(err, agent.ErrNotFound) {
		t.Errorf("the change of a deleted agent: %v", err)
	}
	if _, err := s.Load(t.Context(), account, a.ID); !errors.Is(err, agent.ErrNotFound) {
		t.Errorf("a deleted agent is there again: %v", err)
	}
}

func TestReadWithoutSummary(t *testing.T) {
	s := newStore(t)
	a := create(t, s)
	keys := agent.Keys(account, a.ID)
	items, err := s.Table.BatchGet(t.Context(), keys[1:]...)
	if err != nil || len(items) != len(keys)-1 {
		t.Fatalf("%d details, %v", len(items), err)
	}
	_, err = agent.Read(items, account, a.ID)
	var e *fault.Error
	if !errors.Is(err, agent.ErrNotFound) || !errors.As(err, &e) || e.Code != fault.NotFoundCode {
		t.Errorf("details without a summary: %v", err)
	}
}

// TestUpdateAtOnce changes different fields of one agent at the same time: no change is lost, whichever item
// it is in.
func TestUpdateAtOnce(t *testing.T) {
	s := newStore(t)
	a := create(t, s)
	changes := []func(*agent.Agent){
		func(a *agent.Agent) { a.BusinessName = "1" },
		func(a *agent.Agent) { a.Instructions = "2" },
		func(a *agent.Agent) { a.FAQs = []agent.FAQ{{Question: "3"}} },
		func(a *agent.Agent) { a.BusinessHours = "4" },
	}
	var wg sync.WaitGroup
	for _, change := range changes {
		wg.Go(func() {
			_, err := s.Update(t.Context(), account, a.ID,
				func(a *agent.Agent) error { change(a); return nil })
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Go(func() {
		_, err := s.UpdateSummary(t.Context(), account, a.ID, func(a *agent.Summary) ([]table.Write, error) {
			a.Status = agent.Paused
			return nil, nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	for range 20 {
		wg.Go(func() {
			if err := s.Table.Transact(t.Context(), agent.CountDocuments(account, a.ID, 1)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	got, err := s.Load(t.Context(), account, a.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := a
	for _, change := range changes {
		change(&want)
	}
	want.Status, want.KnowledgeCount, want.UpdatedAt, want.Prompt = agent.Paused, 20, got.UpdatedAt,
		got.Prompt
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after all changes:\n%s", diff)
	}
	for _, part := range []string{"1", "Opening hours: 4", "2"} {
		if !strings.Contains(got.Prompt, part) {
			t.Errorf("the prompt lacks %q:\n%s", part, got.Prompt)
		}
	}
}

// A torn table answers the first BatchGet with the item of one key as it was before.
type torn struct {
	table.Table
	old  table.Item
	done bool
}

func (t *torn) BatchGet(ctx context.Context, keys ...table.Key) (map[table.Key]table.Item, error) {
	items, err := t.Table.BatchGet(ctx, keys...)
	if !t.done && err == nil {
		items[t.old.Key], t.done = t.old, true
	}
	return items, err
}

// TestTornRead reads the details of an agent from before a change and its summary from after it. A change
// that is made from that must not bring the old details back, nor write a prompt from them.
func TestTornRead(t *testing.T) {
	for name, change := range map[string]func(*agent.Agent){
		"of the summary": func(a *agent.Agent) { a.Tone = agent.Formal },
		"of the profile": func(a *agent.Agent) { a.BusinessHours = "Always" },
	} {
		s := newStore(t)
		a := create(t, s)
		items, err := s.Table.BatchGet(t.Context(), agent.Keys(account, a.ID)...)
		if err != nil {
			t.Fatal(err)
		}
		profile := items[agent.DetailKey(account, a.ID, "profile")]
		_, err = s.Update(t.Context(), account, a.ID,
			func(a *agent.Agent) error { a.Instructions = "Zzyzx"; return nil })
		if err != nil {
			t.Fatal(err)
		}
		s.Table = &torn{Table: s.Table, old: profile}
		if _, err := s.Update(t.Context(), account, a.ID,
			func(a *agent.Agent) error { change(a); return nil }); err != nil {
			t.Fatal(err)
		}
		got, err := s.Load(t.Context(), account, a.ID)
		if err != nil {
			t.Fatal(err)
		}
		if got.Instructions != "Zzyzx" || !strings.Contains(got.Prompt, "Zzyzx") {
			t.Errorf("a change %s brought back what was: instructions %q", name, got.Instructions)
		}
	}
}

// TestGone tells what becomes of calls on an agent that is not there, and that none of them leaves anything.
func TestGone(t *testing.T) {
	s := newStore(t)
	a := create(t, s)
	if err := s.Delete(t.Context(), account, a.ID); err != nil {
		t.Fatal(err)
	}
	calls := map[string]func() error{
		"Load":        func() error { _, err := s.Load(t.Context(), account, a.ID); return err },
		"LoadSummary": func() error { _, err := s.LoadSummary(t.Context(), account, a.ID); return err },
		"Update": func() error {
			_, err := s.Update(t.Context(), account, a.ID, func(*agent.Agent) error { return nil })
			return err
		},
		"RotateKey": func() error { _, err := s.RotateKey(t.Context(), account, a.ID); return err },
		"Delete":    func() error { return s.Delete(t.Context(), account, a.ID) },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, agent.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.Table.Transact(t.Context(),
		agent.CountDocuments(account, a.ID, 1)); !table.IsConditionError(err) {
		t.Errorf("a document was counted: %v", err)
	}
	if _, err := s.Table.Get(t.Context(), agent.Key(account, a.ID)); !errors.Is(err, table.ErrNotFound) {
		t.Errorf("the summary is there again: %v", err)
	}
	if n, err := s.Count(t.Context(), account); n != 0 || err != nil {
		t.Errorf("the workspace has %d agents, %v", n, err)
	}
}

// TestDeleteAtOnce deletes an agent many times at once, while its key is rotated: it is counted off once, and
// no key is left that leads to it.
func TestDeleteAtOnce(t *testing.T) {
	s := newStore(t)
	create(t, s)
	a := create(t, s)
	var mu sync.Mutex
	keys := []string{a.EmbedKey}
	deletions := 0
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			err := s.Delete(t.Context(), account, a.ID)
			if err != nil && !errors.Is(err, agent.ErrNotFound) {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				deletions++
			}
		})
		wg.Go(func() {
			rotated, err := s.RotateKey(t.Context(), account, a.ID)
			if err != nil && !errors.Is(err, agent.ErrNotFound) {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				keys = append(keys, rotated.EmbedKey)
			}
		})
	}
	wg.Wait()
	if n, err := s.Count(t.Context(), account); n != 1 || deletions != 1 || err != nil {
		t.Errorf("%d deletions, %d agents left, %v", deletions, n, err)
	}
	for _, key := range keys {
		if _, err := s.Table.Get(t.Context(), agent.EmbedKey(key)); !errors.Is(err, table.ErrNotFound) {
			t.Errorf("embed key %s is left: %v", key, err)
		}
	}
}

func TestLimit(t *testing.T) {
	s := newStore(t)
	for i := range 3 {
		_, err := s.Create(t.Context(), account, agent.Agent{Summary: agent.Summary{Name: fmt.Sprint(i)}}, 2)
		if want := i == 2; errors.Is(err, agent.ErrLimit) != want {
			t.Errorf("agent %d: %v", i, err)
		}
	}
}
