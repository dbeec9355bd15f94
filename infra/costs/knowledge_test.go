package costs

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/id"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/table/sqlite"
)

// mostUnits is how many read units a turn may take whose question is looked up in many documents.
const mostUnits = 25

// TestManyDocuments holds what a question takes of an agent that has 1,200 documents, with words that are
// spread as those of a language are, and that it is answered from the one document that has the answer.
func TestManyDocuments(t *testing.T) {
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	service, log, err := Serve("../../template.yaml", store)
	if err != nil {
		t.Fatal(err)
	}
	to, err := newWorkspace(t.Context(), store, "pro")
	if err != nil {
		t.Fatal(err)
	}
	p := newPlay(to)
	ask := func(s step) {
		t.Helper()
		if err := p.do(t.Context(), service, s); err != nil {
			t.Fatal(err)
		}
	}
	ask(step{method: "POST", path: "/agents/", body: `{"name": "Ada"}`,
		keep: map[string]string{"agent": "id"}})
	ask(step{method: "POST", path: "/agents/{agent}/activate/"})
	documents := knowledge.Store{Table: store, Now: time.Now, IDs: id.NewSource(time.Now)}
	merger := knowledge.Merger{Table: store, Now: time.Now}
	random := rand.New(rand.NewPCG(1, 2))
	words := rand.NewZipf(random, 1.1, 5, 20_000)
	for n := range 1_200 {
		var text strings.Builder
		for range 8 {
			for range 12 {
				fmt.Fprintf(&text, "word%d ", words.Uint64())
			}
			text.WriteString("is here. ")
		}
		fmt.Fprintf(&text, "The ticket for hall %d costs %d euros.", n, n+3000)
		if _, err := documents.Create(t.Context(), to.Account, knowledge.Document{
			AgentID: p.id("agent"), Title: fmt.Sprint("Hall ", n), Type: knowledge.Text,
			Content: text.String(), Active: true,
		}); err != nil {
			t.Fatal(err)
		}
		if n%10 < 9 {
			continue
		}
		if _, err := merger.Merge(t.Context(), to.Account, p.id("agent"),
			time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	for turn, message := range []string{
		"What does the ticket for hall 17 cost?",
		"And how many euros is a ticket for hall 1101, please?",
		"Is word3 word40 word7 in hall 600 with word12 and word5?",
	} {
		body := fmt.Sprintf(`{"message": %q, "session_id": "{session}"}`, message)
		if turn == 0 {
			body = fmt.Sprintf(`{"message": %q}`, message)
		}
		ask(step{method: "POST", path: "/agents/{agent}/chat/", body: body,
			keep: map[string]string{"session": "session_id", "reply": "reply"}})
		cost := log.Last()
		t.Logf("%s: %.1f read units, %d trips: %s", message, cost.ReadUnits, cost.RoundTrips, p.kept["reply"])
		if cost.ReadUnits > mostUnits || cost.RoundTrips > 5 {
			t.Errorf("%q takes %.1f read units in %d trips, and may take %d in 5", message, cost.ReadUnits,
				cost.RoundTrips, mostUnits)
		}
		if want := []string{"3017", "4101", ""}[turn]; !strings.Contains(p.kept["reply"], want) {
			t.Errorf("%q is answered by %q, want %s", message, p.kept["reply"], want)
		}
	}
}
