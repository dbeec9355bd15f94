package knowledge_test

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
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

const account = 7

// A house is a store with one agent.
type house struct {
	*knowledge.Store
	agents *agent.Store
	agent  int64
}

func newHouse(t testing.TB, language string) *house {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	ids := id.NewSource(time.Now)
	agents := &agent.Store{Table: db, Now: time.Now, IDs: ids}
	a, err := agents.Create(t.Context(), account,
		agent.Agent{Summary: agent.Summary{Name: "Mia", Language: agent.Language(language)}}, 10)
	if err != nil {
		t.Fatal(err)
	}
	return &house{&knowledge.Store{Table: db, Now: time.Now, IDs: ids}, agents, a.ID}
}

// add stores an active document.
func (h *house) add(t testing.TB, kind knowledge.Type, title, content string) knowledge.Document {
	t.Helper()
	d, err := h.Create(t.Context(), account, knowledge.Document{
		AgentID: h.agent, Title: title, Type: kind, Content: content, Active: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (h *house) numbers(t testing.TB) map[string]int64 {
	t.Helper()
	item, err := h.Table.Get(t.Context(), agent.Key(account, h.agent))
	if err != nil {
		t.Fatal(err)
	}
	return item.Numbers
}

func (h *house) search(t testing.TB, message string, limit int) knowledge.Result {
	t.Helper()
	r, err := knowledge.Search(t.Context(), h.Table, knowledge.Query{
		Account: account, Agent: h.agent, Text: message, Corpus: knowledge.CorpusOf(h.numbers(t)),
		Limit: limit,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// texts are the passages found.
func (h *house) texts(t testing.TB, message string, limit int) []string {
	t.Helper()
	var texts []string
	for _, p := range h.search(t, message, limit).Passages {
		texts = append(texts, p.Text)
	}
	return texts
}

func content(s string) func(knowledge.Document) (knowledge.Edit, error) {
	return func(knowledge.Document) (knowledge.Edit, error) { return knowledge.Edit{Content: &s}, nil }
}

func TestNumbers(t *testing.T) {
	h := newHouse(t, "en")
	check := func(step string, want map[string]int64) {
		t.Helper()
		got := h.numbers(t)
		for name, n := range got {
			if n == 0 {
				delete(got, name)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", step, diff)
		}
	}
	a := h.add(t, knowledge.Text, "Hours", "We open at nine and close at six.")
	check("one", map[string]int64{"documents": 1, "chunks": 1, "chunk_words": 4, "documents/en": 1})
	b := h.add(t, knowledge.FAQ, "Pets", "Q: Dogs?\nA: Welcome.\n\nQ: Cats?\nA: Never.")
	check("two", map[string]int64{"documents": 2, "chunks": 3, "chunk_words": 8, "documents/en": 2})
	if _, err := h.Change(t.Context(), account, b.ID, content("Q: Dogs?\nA: Welcome.")); err != nil {
		t.Fatal(err)
	}
	check("changed", map[string]int64{"documents": 2, "chunks": 2, "chunk_words": 6, "documents/en": 2})
	if err := h.Delete(t.Context(), account, a.ID); err != nil {
		t.Fatal(err)
	}
	check("deleted", map[string]int64{"documents": 1, "chunks": 1, "chunk_words": 2, "documents/en": 1})
}

// A crashing table does a number of writes and then no more, as after the death of the process. Of the last
// call that it takes up, WriteAll does half.
type crashing struct {
	table.Table
	left *int
}

var errCrash = errors.New("crash")

func (c crashing) WriteAll(ctx context.Context, writes ...table.Write) error {
	if *c.left--; *c.left < 0 {
		return errCrash
	}
	if *c.left == 0 {
		if err := c.Table.WriteAll(ctx, writes[:len(writes)/2]...); err != nil {
			return err
		}
		return errCrash
	}
	return c.Table.WriteAll(ctx, writes...)
}

func (c crashing) Transact(ctx context.Context, writes ...table.Write) error {
	if *c.left--; *c.left <= 0 {
		return errCrash
	}
	return c.Table.Transact(ctx, writes...)
}

// crashes runs do with a store that crashes ever later, until it gets through, and check after each crash.
func (h *house) crashes(t *testing.T, do func(*knowledge.Store) error, check func()) {
	t.Helper()
	for n := 1; ; n++ {
		left := n
		store := *h.Store
		store.Table = crashing{h.Table, &left}
		err := do(&store)
		if err == nil {
			if n < 2 {
				t.Fatal("there was nothing to crash in")
			}
			return
		}
		if !errors.Is(err, errCrash) {
			t.Fatal(err)
		}
		check()
	}
}

// sizes are contents with an answer to "When do you open?" whose index entries fit one transaction, and do
// not.
var sizes = map[string]string{"short": "We open at nine.", "long": "We open at nine." + manyWords()}

func manyWords() string {
	var b strings.Builder
	for n := range 200 {
		fmt.Fprintf(&b, "\n\nShelf%d holds books.", n)
	}
	return b.String()
}

// abandon does what the events of all index entries that were written ask for, once nobody is writing any
// more.
func (h *house) abandon(t *testing.T) {
	t.Helper()
	for _, e := range h.events(t) {
		if e.Kind != event.DocumentIndexing {
			continue
		}
		if err := knowledge.Abandon(t.Context(), h.Table, account, e.AgentID, e.DocumentID,
			e.Generation); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Load(t.Context(), account, e.DocumentID); errors.Is(err, knowledge.ErrNotFound) {
			h.checkWordLists(t, e.DocumentID, 0)
		}
	}
}

func TestCrashInCreate(t *testing.T) {
	for name, content := range sizes {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, "en")
			var made knowledge.Document
			var effect *table.Companion
			h.crashes(t, func(s *knowledge.Store) (err error) {
				var ctx context.Context
				ctx, effect = table.WithCompanion(t.Context(),
					table.PutIfAbsent(table.Item{Key: table.Key{PK: "effect", SK: "effect"}}))
				made, err = s.Create(ctx, account, knowledge.Document{
					AgentID: h.agent, Title: "Hours", Type: knowledge.Text, Content: content, Active: true,
				})
				return err
			}, func() {
				if n := h.numbers(t)["documents"]; n != 0 || effect.CarriedOut() {
					t.Errorf("%d documents are counted, and a companion says %t", n, effect.CarriedOut())
				}
				// The index entries that were written are there, but nothing that is found by them.
				r, err := knowledge.Search(t.Context(), h.Table, knowledge.Query{
					Account: account, Agent: h.agent, Text: "open at nine", Limit: 5,
					Corpus: knowledge.Corpus{Chunks: 1, Words: 3, Languages: []string{"en"}},
				})
				if err != nil || len(r.Passages) > 0 {
					t.Errorf("after a crash: %v, %v", r.Passages, err)
				}
				h.abandon(t)
				h.checkEntries(t, map[string]int{"open": 0, "nine": 0, "hour": 0, "shelf0": 0, "shelf100": 0,
					"shelf199": 0})
			})
			h.abandon(t)
			if got, err := h.Load(t.Context(), account, made.ID); err != nil || got != made ||
				!effect.CarriedOut() {
				t.Errorf("loaded %+v, %v; want %+v, and a companion says %t", got, err, made,
					effect.CarriedOut())
			}
			if got := h.texts(t, "When do you open?", 5); len(got) != 1 ||
				!strings.HasPrefix(got[0], "We open at nine.") {
				t.Errorf("found %q", got)
			}
			h.checkWordLists(t, made.ID, 1)
		})
	}
}

func TestCrashInChange(t *testing.T) {
	for name, before := range sizes {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, "en")
			d := h.add(t, knowledge.Text, "Hours", before)
			after := strings.Replace(before, "nine", "ten", 1)
			found := h.texts(t, "open", 5)
			h.crashes(t, func(s *knowledge.Store) error {
				_, err := s.Change(t.Context(), account, d.ID, content(after))
				return err
			}, func() {
				if got, err := h.Load(t.Context(), account, d.ID); err != nil || got != d {
					t.Errorf("loaded %+v, %v; want %+v", got, err, d)
				}
				if diff := cmp.Diff(found, h.texts(t, "open", 5)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
				h.abandon(t)
				h.checkEntries(t, map[string]int{"nine": 1, "ten": 0, "open": 1})
				h.checkWordLists(t, d.ID, 1)
			})
			if got := h.texts(t, "open", 5); len(got) != 1 || !strings.HasPrefix(got[0], "We open at ten.") {
				t.Errorf("found %q", got)
			}
			// The entries of earlier generations go with the next purge.
			if err := knowledge.Purge(t.Context(), h.Table, account, h.agent, d.ID); err != nil {
				t.Fatal(err)
			}
			h.abandon(t)
			h.checkEntries(t, map[string]int{"nine": 0, "ten": 1, "open": 1})
			h.checkWordLists(t, d.ID, 1)
		})
	}
}

// checkEntries holds how many index entries words have.
func (h *house) checkEntries(t *testing.T, want map[string]int) {
	t.Helper()
	got := map[string]int{}
	for word := range want {
		page, err := h.Table.Query(t.Context(),
			table.Query{PK: knowledge.WordPartition(account, h.agent, word)})
		if err != nil {
			t.Fatal(err)
		}
		got[word] = len(page.Items)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries: -want +got:\n%s", diff)
	}
}

func (h *house) checkWordLists(t *testing.T, document int64, want int) {
	t.Helper()
	page, err := h.Table.Query(t.Context(), table.Query{
		PK: knowledge.DocumentPartition(account, document), Prefix: knowledge.DocumentWordsPrefix,
	})
	if err != nil || len(page.Items) != want {
		t.Errorf("%d word lists, want %d, error %v", len(page.Items), want, err)
	}
}

func TestPurgeOfDeleted(t *testing.T) {
	h := newHouse(t, "en")
	long := strings.Repeat("We open at nine. ", 3_000)
	d := h.add(t, knowledge.Text, "Hours", long)
	if _, err := h.Change(t.Context(), account, d.ID, content(long+"And close at six.")); err != nil {
		t.Fatal(err)
	}
	if err := h.Delete(t.Context(), account, d.ID); err != nil {
		t.Fatal(err)
	}
	if got := h.texts(t, "when do you open", 5); got != nil {
		t.Errorf("found after its deletion: %q", got)
	}
	h.checkEntries(t, map[string]int{"open": 2, "six": 1})
	h.crashes(t, func(s *knowledge.Store) error {
		return knowledge.Purge(t.Context(), s.Table, account, h.agent, d.ID)
	}, func() {})
	h.checkEntries(t, map[string]int{"open": 0, "six": 0})
	left, err := h.Table.Query(t.Context(), table.Query{PK: knowledge.DocumentPartition(account, d.ID)})
	if err != nil || len(left.Items) > 0 {
		t.Errorf("%d items are left, error %v", len(left.Items), err)
	}
	if err := knowledge.Purge(t.Context(), h.Table, account, h.agent, d.ID); err != nil {
		t.Errorf("a second purge: %v", err)
	}
}

func TestEraseKeepsTheHeadToTheEnd(t *testing.T) {
	h := newHouse(t, "en")
	d := h.add(t, knowledge.Text, "Hours", strings.Repeat("We open at nine. ", 3_000))
	h.crashes(t, func(s *knowledge.Store) error {
		return knowledge.Erase(t.Context(), s.Table, account, h.agent, d.ID)
	}, func() {
		page, err := h.Table.Query(t.Context(),
			table.Query{Index: table.Index1, PK: knowledge.DocumentKeyByAgent(account, h.agent, 0).PK})
		if err != nil || len(page.Items) != 1 {
			t.Errorf("%d documents are listed, error %v", len(page.Items), err)
		}
	})
	left, err := h.Table.Query(t.Context(), table.Query{PK: knowledge.DocumentPartition(account, d.ID)})
	if err != nil || len(left.Items) > 0 {
		t.Errorf("%d items are left, error %v", len(left.Items), err)
	}
}

func TestConcurrentChanges(t *testing.T) {
	h := newHouse(t, "en")
	d := h.add(t, knowledge.Text, "Hours", "Nothing yet.")
	const writers = 12
	var wg sync.WaitGroup
	for n := range writers {
		wg.Go(func() {
			_, err := h.Change(t.Context(), account, d.ID,
				func(d knowledge.Document) (knowledge.Edit, error) {
					more := d.Content + fmt.Sprintf("\n\nWriter%d was here.", n)
					return knowledge.Edit{Content: &more}, nil
				})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	got, err := h.Load(t.Context(), account, d.ID)
	if err != nil {
		t.Fatal(err)
	}
	for n := range writers {
		if !strings.Contains(got.Content, fmt.Sprintf("Writer%d was here.", n)) {
			t.Errorf("the change of writer %d is lost", n)
		}
		if len(h.texts(t, fmt.Sprintf("writer%d", n), 5)) != 1 {
			t.Errorf("the change of writer %d is not found", n)
		}
	}
	if err := knowledge.Purge(t.Context(), h.Table, account, h.agent, d.ID); err != nil {
		t.Fatal(err)
	}
	h.checkWordLists(t, d.ID, 1)
	h.checkEntries(t, map[string]int{"writer0": 1})
	if n := h.numbers(t)["chunks"]; n != int64(got.Chunks) {
		t.Errorf("%d chunks are counted, and the document has %d", n, got.Chunks)
	}
}

// TestReadWhileChanging holds that a document which takes several requests to read is never put together of
// two.
func TestReadWhileChanging(t *testing.T) {
	h := newHouse(t, "en")
	texts := [2]string{strings.Repeat("Aa. ", knowledge.MaxContent/4),
		strings.Repeat("Bbbbbb. ", knowledge.MaxContent/8)}
	d := h.add(t, knowledge.Text, "Long", texts[0])
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(done)
		for n := range 4 {
			if _, err := h.Change(t.Context(), account, d.ID, content(texts[(n+1)%2])); err != nil {
				t.Error(err)
			}
		}
	})
	reads := 0
	for going := true; going; reads++ {
		got, err := h.Load(t.Context(), account, d.ID)
		if err != nil {
			t.Fatal(err)
		}
		if got.Content != texts[0] && got.Content != texts[1] {
			t.Fatalf("read %d bytes that are neither content", len(got.Content))
		}
		select {
		case <-done:
			going = false
		default:
		}
	}
	wg.Wait()
	t.Logf("%d reads", reads)
}

// events are all that were written into the outbox.
func (h *house) events(t *testing.T) []event.Event {
	t.Helper()
	var events []event.Event
	after := ""
	for {
		changes, err := h.Table.(table.Feed).Changes(t.Context(), after, 1_000)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range changes {
			after = c.Position
			if c.New == nil || !strings.HasPrefix(c.New.PK, event.KeyPrefix) {
				continue
			}
			e, err := event.Read(*c.New)
			if err != nil {
				t.Fatal(err)
			}
			events = append(events, e)
		}
		if len(changes) == 0 {
			return events
		}
	}
}

func TestEvents(t *testing.T) {
	h := newHouse(t, "en")
	d := h.add(t, knowledge.Text, "Hours", "We open at nine.")
	if _, err := h.Change(t.Context(), account, d.ID, content("We open at ten.")); err != nil {
		t.Fatal(err)
	}
	off := false
	if _, err := h.Change(t.Context(), account, d.ID, func(knowledge.Document) (knowledge.Edit, error) {
		return knowledge.Edit{Active: &off}, nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := h.Delete(t.Context(), account, d.ID); err != nil {
		t.Fatal(err)
	}
	got := h.events(t)
	for i := range got {
		got[i].ID, got[i].At = 0, time.Time{}
	}
	want := []event.Event{
		{Kind: event.DocumentIndexed, AccountID: account, AgentID: h.agent, DocumentID: d.ID},
		{Kind: event.DocumentDeleted, AccountID: account, AgentID: h.agent, DocumentID: d.ID},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestDeletedAgent(t *testing.T) {
	h := newHouse(t, "en")
	d := h.add(t, knowledge.Text, "Hours", "We open at nine.")
	if err := h.agents.Delete(t.Context(), account, h.agent); err != nil {
		t.Fatal(err)
	}
	for name, do := range map[string]func() error{
		"load": func() error { _, err := h.Load(t.Context(), account, d.ID); return err },
		"change": func() error {
			_, err := h.Change(t.Context(), account, d.ID,
				content("New."))
			return err
		},
		"delete": func() error { return h.Delete(t.Context(), account, d.ID) },
		"create": func() error {
			_, err := h.Create(t.Context(), account,
				knowledge.Document{AgentID: h.agent, Title: "New", Type: knowledge.Text, Content: "New."})
			return err
		},
	} {
		if err := do(); !errors.Is(err, knowledge.ErrNotFound) && !errors.Is(err, agent.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
