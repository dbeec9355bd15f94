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
	later  time.Duration // how much its clock is ahead
}

func newHouse(t testing.TB, language string) *house {
	t.Helper()
	h := &house{}
	now := func() time.Time { return time.Now().Add(h.later) }
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	ids := id.NewSource(time.Now)
	h.agents = &agent.Store{Table: db, Now: time.Now, IDs: ids}
	a, err := h.agents.Create(t.Context(), account,
		agent.Agent{Summary: agent.Summary{Name: "Mia", Language: agent.Language(language)}}, 10)
	if err != nil {
		t.Fatal(err)
	}
	h.Store, h.agent = &knowledge.Store{Table: db, Now: now, IDs: ids}, a.ID
	return h
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

// texts are the passages found that share a word with the message.
func (h *house) texts(t testing.TB, message string, limit int) []string {
	t.Helper()
	var texts []string
	for _, p := range h.search(t, message, limit).Passages {
		if p.Score > 0 {
			texts = append(texts, p.Text)
		}
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
			if n == 0 || strings.HasPrefix(name, "index_") {
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

// sizes are contents with an answer to "When do you open?" that are merged later, and at once.
var sizes = map[string]string{"short": "We open at nine.", "long": "We open at nine." + manyWords()}

func manyWords() string {
	var b strings.Builder
	for n := range 1_000 {
		fmt.Fprintf(&b, "\n\nShelf%d holds books.", n)
	}
	return b.String()
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
				if n := h.pending(t); n != 0 {
					t.Errorf("%d items are pending", n)
				}
			})
			if got, err := h.Load(t.Context(), account, made.ID); err != nil || got != made ||
				!effect.CarriedOut() {
				t.Errorf("loaded %+v, %v; want %+v, and a companion says %t", got, err, made,
					effect.CarriedOut())
			}
			for range 2 { // before and after it is merged
				if got := h.texts(t, "When do you open?", 5); len(got) != 1 ||
					!strings.HasPrefix(got[0], "We open at nine.") {
					t.Errorf("found %q", got)
				}
				h.merge(t)
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
			h.merge(t)
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
				h.checkWordLists(t, d.ID, 1)
			})
			for range 2 { // before and after it is merged
				got := h.texts(t, "open", 5)
				if len(got) != 1 || !strings.HasPrefix(got[0], "We open at ten.") {
					t.Errorf("found %q", got)
				}
				if got := h.texts(t, "nine", 5); len(got) > 0 {
					t.Errorf("found %q by a word that was changed", got)
				}
				h.mergeLater(t)
			}
			h.checkWordLists(t, d.ID, 1)
			h.checkLists(t, map[string]bool{"nine": false, "ten": true, "open": true})
		})
	}
}

// TestCrashInMerge kills a merge after each of its writes: what is found stays the same, and the next merge
// ends with the same lists.
func TestCrashInMerge(t *testing.T) {
	h := newHouse(t, "en")
	long := h.add(t, knowledge.Text, "Hours", sizes["long"])
	h.merge(t)
	dogs := h.add(t, knowledge.Text, "Dogs", "Dogs are welcome to what shelf7 holds.")
	h.add(t, knowledge.FAQ, "Cats", "Q: Are cats welcome?\nA: On shelf7.")
	if err := h.Delete(t.Context(), account, dogs.ID); err != nil {
		t.Fatal(err)
	}
	changed := content("We open at nine. Shelf8 is new.")
	if _, err := h.Change(t.Context(), account, long.ID, changed); err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		for message, want := range map[string][]string{
			"dog": nil, "shelf7": {"On shelf7."}, "shelf9": nil,
			"shelf8": {"We open at nine. Shelf8 is new."},
		} {
			if diff := cmp.Diff(want, h.texts(t, message, 5)); diff != "" {
				t.Errorf("%s: -want +got:\n%s", message, diff)
			}
		}
	}
	check()
	h.crashes(t, func(s *knowledge.Store) error {
		h.later += time.Hour // the lease of the one before has ended
		m := knowledge.Merger{Table: s.Table, Now: s.Now}
		_, err := m.Merge(t.Context(), account, h.agent, s.Now().Add(time.Hour))
		return err
	}, check)
	check()
	if n := h.pending(t); n != 0 {
		t.Errorf("%d items are pending", n)
	}
	if n := h.numbers(t)["index_pending"]; n != 0 {
		t.Errorf("%d bytes count as pending", n)
	}
	h.checkLists(t, map[string]bool{"dog": false, "cat": true, "shelf8": true, "shelf9": false})
	h.checkWordLists(t, dogs.ID, 0)
	h.checkWordLists(t, long.ID, 1)
}

// TestMergesTogether has many processes merge one index while documents come, change and go.
func TestMergesTogether(t *testing.T) {
	h := newHouse(t, "en")
	var wg sync.WaitGroup
	done := make(chan struct{})
	for range 3 {
		wg.Go(func() {
			for going := true; going; {
				select {
				case <-done:
					going = false
				default:
				}
				h.merge(t)
			}
		})
	}
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for n := range 12 {
				name := fmt.Sprintf("w%dn%d", w, n)
				d := h.add(t, knowledge.Text, name, strings.Repeat("Guests like "+name+" a lot. ", 30))
				switch n % 3 {
				case 1:
					if err := h.Delete(t.Context(), account, d.ID); err != nil {
						t.Error(err)
					}
				case 2:
					if _, err := h.Change(t.Context(), account, d.ID, content("New"+name)); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	writers.Wait()
	close(done)
	wg.Wait()
	h.mergeLater(t)
	for w := range 4 {
		for n := range 12 {
			name := fmt.Sprintf("w%dn%d", w, n)
			want := [3]int{1, 0, 1}[n%3]
			if got := h.texts(t, name, 1); len(got) != want {
				t.Errorf("%s: found %q, want %d", name, got, want)
			}
			if got := h.texts(t, "new"+name, 1); (len(got) == 1) != (n%3 == 2) {
				t.Errorf("new%s: found %q", name, got)
			}
		}
	}
	if got, want := h.numbers(t)["index_pending"], h.pendingSize(t); got != want {
		t.Errorf("%d bytes count as pending, and there are %d", got, want)
	}
}

// merge merges what is due, as the events ask for.
func (h *house) merge(t testing.TB) {
	t.Helper()
	m := knowledge.Merger{Table: h.Table, Now: h.Now}
	wait, err := m.Merge(t.Context(), account, h.agent, h.Now().Add(time.Hour))
	if err != nil || wait < 0 || wait > 30*time.Second {
		t.Errorf("merge: %v, wait %v", err, wait)
	}
}

// mergeLater merges what is due once notes have waited as long as they have to.
func (h *house) mergeLater(t testing.TB) {
	t.Helper()
	h.later += time.Minute
	h.merge(t)
}

func (h *house) pendingItems(t *testing.T) []table.Item {
	t.Helper()
	page, err := h.Table.Query(t.Context(), table.Query{PK: knowledge.IndexPartition(account, h.agent),
		Prefix: knowledge.PendingPrefix})
	if err != nil {
		t.Fatal(err)
	}
	return page.Items
}

func (h *house) pending(t *testing.T) int { return len(h.pendingItems(t)) }

func (h *house) pendingSize(t *testing.T) (size int64) {
	for _, item := range h.pendingItems(t) {
		size += int64(len(item.SK) + len(item.Blob))
	}
	return size
}

// checkLists holds which words have a list.
func (h *house) checkLists(t *testing.T, want map[string]bool) {
	t.Helper()
	got := map[string]bool{}
	for word := range want {
		_, err := h.Table.Get(t.Context(), knowledge.WordKey(account, h.agent, word))
		if err != nil && !errors.Is(err, table.ErrNotFound) {
			t.Fatal(err)
		}
		got[word] = err == nil
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lists: -want +got:\n%s", diff)
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

// TestPurgeOfDeleted holds that nothing is left of a document that was deleted, and of an index whose last
// document it was.
func TestPurgeOfDeleted(t *testing.T) {
	h := newHouse(t, "en")
	long := strings.Repeat("We open at nine. ", 3_000)
	d := h.add(t, knowledge.Text, "Hours", long)
	if _, err := h.Change(t.Context(), account, d.ID, content(long+"And close at six.")); err != nil {
		t.Fatal(err)
	}
	h.mergeLater(t)
	if err := h.Delete(t.Context(), account, d.ID); err != nil {
		t.Fatal(err)
	}
	if got := h.texts(t, "when do you open", 5); got != nil {
		t.Errorf("found after its deletion: %q", got)
	}
	h.checkLists(t, map[string]bool{"open": true, "six": true})
	h.crashes(t, func(s *knowledge.Store) error {
		return knowledge.Purge(t.Context(), s.Table, account, d.ID)
	}, func() {})
	h.merge(t) // which waits
	h.mergeLater(t)
	for _, pk := range []string{knowledge.DocumentPartition(account, d.ID),
		knowledge.IndexPartition(account, h.agent)} {
		left, err := h.Table.Query(t.Context(), table.Query{PK: pk})
		if err != nil || len(left.Items) > 0 {
			t.Errorf("%d items are left in %s, error %v", len(left.Items), pk, err)
		}
	}
	if err := knowledge.Purge(t.Context(), h.Table, account, d.ID); err != nil {
		t.Errorf("a second purge: %v", err)
	}
}

// TestAgentIsPurged holds that nothing is left of a deleted agent's documents and its index, neither of a
// document that was deleted just before, and that the document's head goes last.
func TestAgentIsPurged(t *testing.T) {
	h := newHouse(t, "en")
	kept := h.add(t, knowledge.Text, "Hours", strings.Repeat("We open at nine. ", 3_000))
	h.merge(t)
	gone := h.add(t, knowledge.Text, "Dogs", "Dogs are welcome.")
	if err := h.Delete(t.Context(), account, gone.ID); err != nil {
		t.Fatal(err)
	}
	if err := knowledge.Purge(t.Context(), h.Table, account, gone.ID); err != nil {
		t.Fatal(err)
	}
	if err := h.agents.Delete(t.Context(), account, h.agent); err != nil {
		t.Fatal(err)
	}
	h.merge(t) // which finds no agent
	h.crashes(t, func(s *knowledge.Store) error {
		for _, purge := range knowledge.Resource().Purge {
			if _, err := purge(t.Context(), s.Table, account, h.agent); err != nil {
				return err
			}
		}
		return nil
	}, func() {
		parts, err := h.Table.Query(t.Context(),
			table.Query{PK: knowledge.DocumentPartition(account, kept.ID)})
		listed, failed := h.Table.Query(t.Context(),
			table.Query{Index: table.Index1, PK: knowledge.DocumentKeyByAgent(account, h.agent, 0).PK})
		if err := errors.Join(err, failed); err != nil || len(parts.Items) > 0 && len(listed.Items) != 1 {
			t.Errorf("%d items are left, and %d documents are listed, %v", len(parts.Items),
				len(listed.Items), err)
		}
	})
	for _, pk := range []string{knowledge.DocumentPartition(account, kept.ID),
		knowledge.DocumentPartition(account, gone.ID), knowledge.IndexPartition(account, h.agent)} {
		left, err := h.Table.Query(t.Context(), table.Query{PK: pk})
		if err != nil || len(left.Items) > 0 {
			t.Errorf("%d items are left in %s, error %v", len(left.Items), pk, err)
		}
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
	h.mergeLater(t)
	h.checkWordLists(t, d.ID, 1)
	h.checkLists(t, map[string]bool{"noth": true, "writer0": true})
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
		{Kind: event.DocumentIndexed, AccountID: account, AgentID: h.agent, DocumentID: d.ID}, // switched off
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
