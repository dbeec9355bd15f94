package knowledge_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/table"
)

// shop is what a shop might teach its agent.
var shop = []struct {
	kind           knowledge.Type
	title, content string
}{
	{knowledge.Text, "Opening hours", "We are open Monday to Friday from 9:00 to 18:00. On Saturdays we " +
		"close at 14:00. We stay closed on Sundays and public holidays."},
	{knowledge.Text, "Delivery", "Parcels leave our warehouse within one working day. Standard delivery " +
		"takes three to five days and costs 4.90 euros. Orders above 50 euros travel free of charge."},
	{knowledge.Text, "About us", "Our family has roasted coffee in Lisbon since 1962. Maria Santos, the " +
		"founder's granddaughter, leads the roastery today."},
	{knowledge.Text, "Subscriptions", "A subscription brings fresh beans every two or four weeks. You can " +
		"pause or cancel it at any time in your account."},
	{knowledge.FAQ, "Frequent questions", "Q: Can I return coffee that I do not like?\nQ: What is your " +
		"refund policy?\n" +
		"A: Send it back within 30 days and we pay the price back.\n\n" +
		"Q: Do you grind the beans?\n" +
		"A: Yes: choose whole, espresso or filter when you order.\n\n" +
		"Q: Do you sell gift cards?\n" +
		"A: Yes. The refund policy covers them.\n\n" +
		"Q: Who are you?\n" +
		"A: A small roastery with a large heart."},
	{knowledge.Text, "Parking", "Guests may leave their car in the yard behind the house. The gate opens " +
		"with the code on your receipt."},
}

func TestSearch(t *testing.T) {
	h := newHouse(t, "en")
	for _, d := range shop {
		h.add(t, d.kind, d.title, d.content)
	}
	faq := "Frequent questions"
	for _, test := range []struct {
		message string
		want    ai.Passage // the best
	}{
		{"When do you close on Saturday?", ai.Passage{Title: "Opening hours", Text: shop[0].content}},
		{"how much is shipping, i mean the delivery costs??",
			ai.Passage{Title: "Delivery", Text: shop[1].content}},
		{"Who founded the roastery in Lisbon?", ai.Passage{Title: "About us", Text: shop[2].content}},
		{"CANCELLING SUBSCRIPTIONS", ai.Passage{Title: "Subscriptions", Text: shop[3].content}},
		// the title alone has the word
		{"is there parking", ai.Passage{Title: "Parking", Text: shop[5].content}},
		{"What is the refund policy?", ai.Passage{
			Title: faq, Text: "Send it back within 30 days and we pay the price back.",
			Questions: []string{"Can I return coffee that I do not like?", "What is your refund policy?"},
		}},
		{"could you grind my beans", ai.Passage{
			Title: faq, Text: "Yes: choose whole, espresso or filter when you order.",
			Questions: []string{"Do you grind the beans?"},
		}},
		{"who are you?", ai.Passage{ // stop words alone
			Title: faq, Text: "A small roastery with a large heart.", Questions: []string{"Who are you?"},
		}},
	} {
		t.Run(test.message, func(t *testing.T) {
			got := h.search(t, test.message, 5).Passages
			if len(got) == 0 {
				t.Fatal("nothing found")
			}
			if diff := cmp.Diff(test.want, got[0],
				cmpopts.IgnoreFields(ai.Passage{}, "Document", "Score")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if !slices.IsSortedFunc(got, func(a,
				b ai.Passage) int {
				return int(1e6 * (b.Score - a.Score))
			}) {
				t.Errorf("not in the order of scores: %+v", got)
			}
		})
	}
	for _, message := range []string{"", "???", "🙂", "helicopter", "to be or not"} {
		if got := h.texts(t, message, 5); len(got) > 0 {
			t.Errorf("%q finds %+v", message, got)
		}
	}
}

func TestWeights(t *testing.T) {
	h := newHouse(t, "en")
	for _, d := range shop {
		h.add(t, d.kind, d.title, d.content)
	}
	got := h.search(t, "Do you roast coffee beans in a helicopter?", 5).Weights
	if diff := cmp.Diff([]string{"bean", "coffe", "roast"}, slices.Sorted(maps.Keys(got))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !(got["roast"] > got["bean"] || got["coffe"] >= got["bean"]) || got["bean"] <= 0 {
		t.Errorf("weights %v", got)
	}
}

func TestSearchInLanguages(t *testing.T) {
	for _, test := range []struct{ language, title, content, message string }{
		{"es", "Horario", "Abrimos de lunes a viernes a las nueve. Los domingos cerramos.",
			"¿A qué hora abren ustedes los viernes?"},
		{"de", "Öffnungszeiten", "Unser Café öffnet täglich um neun Uhr. Hunde sind willkommen.",
			"Darf mein Hund mit ins Cafe?"},
		{"ar", "ساعات العمل", "نفتح أبوابنا كل يوم في التاسعة صباحا. لدينا موقف سيارات مجاني.",
			"هل لديكم موقف للسيارات؟"},
		{"ru", "Доставка", "Доставка по городу занимает два дня и стоит триста рублей.",
			"Сколько стоит доставка?"},
		{"en", "营业时间", "我们每天早上九点开门，晚上六点关门。停车场免费。", "你们有停车场吗？"},
		{"en", "ペット", "店内に犬を連れて入ることができます。", "犬を連れて行けますか"},
		{"en", "Emoji 🎉", "Our 🍕 pizza is baked in a wood oven 🔥. 🍷 Wine is served from noon.", "pizza 🍕?"},
	} {
		t.Run(test.language+" "+test.title, func(t *testing.T) {
			h := newHouse(t, test.language)
			h.add(t, knowledge.Text, test.title, test.content)
			h.add(t, knowledge.Text, "Other", "Etwas anderes. Otra cosa. Другое. شيء آخر. 别的东西。")
			if diff := cmp.Diff([]string{test.content}, h.texts(t, test.message, 1)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestSearchAfterLanguageChange holds that documents are found by words of the language they were indexed in.
func TestSearchAfterLanguageChange(t *testing.T) {
	h := newHouse(t, "en")
	old := h.add(t, knowledge.Text, "Dogs", "Dogs are welcome in the garden.")
	if _, err := h.agents.Update(t.Context(), account, h.agent, func(a *agent.Agent) error {
		a.Language = "es"
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	h.add(t, knowledge.Text, "Gatos", "Los gatos duermen en la cocina.")
	check := func() {
		t.Helper()
		for message, want := range map[string]string{"dog": "Dogs are welcome in the garden.",
			"¿gato?": "Los gatos duermen en la cocina."} {
			if diff := cmp.Diff([]string{want}, h.texts(t, message, 5)); diff != "" {
				t.Errorf("%s: -want +got:\n%s", message, diff)
			}
		}
	}
	check()
	if got, want := knowledge.CorpusOf(h.numbers(t)).Languages,
		[]string{"en", "es"}; !slices.Equal(got, want) {
		t.Errorf("languages %v, want %v", got, want)
	}
	title := "All dogs" // alone it leaves the document in its language
	if _, err := h.Change(t.Context(), account, old.ID, func(knowledge.Document) (knowledge.Edit, error) {
		return knowledge.Edit{Title: &title}, nil
	}); err != nil {
		t.Fatal(err)
	}
	check()
	if got, want := knowledge.CorpusOf(h.numbers(t)).Languages,
		[]string{"en", "es"}; !slices.Equal(got, want) {
		t.Errorf("after a new title: languages %v, want %v", got, want)
	}
	if _, err := h.Change(t.Context(), account, old.ID, func(knowledge.Document) (knowledge.Edit, error) {
		return knowledge.Edit{Reindex: true}, nil
	}); err != nil {
		t.Fatal(err)
	}
	if got, want := knowledge.CorpusOf(h.numbers(t)).Languages, []string{"es"}; !slices.Equal(got, want) {
		t.Errorf("languages %v, want %v", got, want)
	}
}

// TestSearchPassesOverInactive holds that documents that are switched off leave no gap, however many they
// are.
func TestSearchPassesOverInactive(t *testing.T) {
	h := newHouse(t, "en")
	want := h.add(t, knowledge.Text, "Prices",
		"The espresso costs two euros, with milk and all that goes with it in winter.")
	for n := range 60 {
		if _, err := h.Create(t.Context(), account, knowledge.Document{
			AgentID: h.agent, Title: "Espresso prices", Type: knowledge.Text,
			Content: fmt.Sprintf("In year %d the espresso had prices.", 1900+n),
		}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{want.Content}, h.texts(t, "espresso prices", 3)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestLongDocument(t *testing.T) {
	h := newHouse(t, "en")
	var b strings.Builder
	for n := range 4_000 {
		fmt.Fprintf(&b, "Paragraph %d is about nothing that matters to anybody who reads it.\n\n", n)
		if n == 3_333 {
			b.WriteString("The password of the guests' network is marmalade.\n\n")
		}
	}
	d := h.add(t, knowledge.Text, "Long", b.String())
	if d.Chunks < 300 {
		t.Errorf("%d chunks", d.Chunks)
	}
	got := h.texts(t, "What is the network's password?", 1)
	if len(got) != 1 || !strings.Contains(got[0], "marmalade") || len(got[0]) > 1_000 {
		t.Errorf("found %q", got)
	}
}

// TestCost holds what a search costs: two trips and as many read units however many documents there are, and
// that it still finds the one of them that has the answer.
func TestCost(t *testing.T) {
	h := newHouse(t, "en")
	for n := range 1_200 {
		if n > 400 && testing.Short() {
			break
		}
		h.add(t, knowledge.Text, fmt.Sprintf("Note %d", n),
			fmt.Sprintf("Guests of room %d have breakfast at table %d.", n, n+5000))
		if n%20 == 0 {
			h.merge(t)
		}
		if n != 100 && n != 400 && n != 1_199 {
			continue
		}
		h.merge(t)
		pending, requests := 0.0, 1
		if count := h.pending(t); count > 0 {
			pending, requests = math.Ceil(float64(h.pendingSize(t)+int64(70*count))/4096), 2
		}
		corpus := knowledge.CorpusOf(h.numbers(t))
		for message, want := range map[string]table.Cost{
			// eight words and concepts, of which most are in all documents, and 20 documents
			"Which table has the breakfast of guests of room 17?": {Trips: 2, Requests: requests + 1,
				ReadUnits: 8*0.5 + pending + 20*0.5},
			"helicopter": {Trips: 1, Requests: requests, ReadUnits: 0.5 + pending},
			"":           {},
		} {
			ctx, meter := table.WithMeter(t.Context())
			r, err := knowledge.Search(ctx, h.Table, knowledge.Query{
				Account: account, Agent: h.agent, Text: message, Corpus: corpus, Limit: 20,
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, meter.Cost()); diff != "" {
				t.Errorf("%d documents, %q: -want +got:\n%s", n+1, message, diff)
			}
			if want.Trips == 2 &&
				(len(r.Passages) != 20 || !strings.Contains(r.Passages[0].Text, "room 17 ")) {
				t.Errorf("%d documents, %q: found %+v", n+1, message, r.Passages)
			}
		}
	}
}

// A recorder is a table that answers what it was asked before from memory, so that the time of a search is
// its own.
type recorder struct {
	table.Table
	mu      sync.Mutex
	pages   map[table.Query]table.Page
	batches map[string]map[table.Key]table.Item
}

func (r *recorder) Query(ctx context.Context, q table.Query) (table.Page, error) {
	r.mu.Lock()
	page, ok := r.pages[q]
	r.mu.Unlock()
	if ok {
		return page, nil
	}
	page, err := r.Table.Query(ctx, q)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pages[q] = page
	return page, err
}

func (r *recorder) BatchGet(ctx context.Context, keys ...table.Key) (map[table.Key]table.Item, error) {
	return r.batchGet(ctx, keys, r.Table.BatchGet)
}

func (r *recorder) BatchGetStale(ctx context.Context, keys ...table.Key) (map[table.Key]table.Item, error) {
	return r.batchGet(ctx, keys, r.Table.BatchGetStale)
}

func (r *recorder) batchGet(
	ctx context.Context, keys []table.Key,
	get func(context.Context, ...table.Key) (map[table.Key]table.Item, error),
) (map[table.Key]table.Item, error) {
	r.mu.Lock()
	items, ok := r.batches[fmt.Sprint(keys)]
	r.mu.Unlock()
	if ok {
		return items, nil
	}
	items, err := get(ctx, keys...)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.batches[fmt.Sprint(keys)] = items
	return items, err
}

// BenchmarkSearch searches 10,000 chunks in 400 documents whose words are spread as those of a language are.
// Of the time of each search own-ms is what it takes beside the table.
func BenchmarkSearch(b *testing.B) {
	h := newHouse(b, "en")
	random := rand.New(rand.NewPCG(1, 2))
	words := rand.NewZipf(random, 1.1, 5, 20_000)
	sentence := func() string {
		var s []string
		for range 14 {
			s = append(s, fmt.Sprintf("w%dx", words.Uint64()))
		}
		return strings.Join(s, " ") + "."
	}
	for n := range 400 {
		var content []string
		for range 25 {
			var paragraph []string
			for range 8 {
				paragraph = append(paragraph, sentence())
			}
			content = append(content, strings.Join(paragraph, " "))
		}
		h.add(b, knowledge.Text, fmt.Sprintf("Document %d", n), strings.Join(content, "\n\n"))
		h.merge(b)
	}
	corpus := knowledge.CorpusOf(h.numbers(b))
	b.Logf("%d chunks of %d words", corpus.Chunks, corpus.Words)
	trips, units, own := 0, 0.0, time.Duration(0)
	for b.Loop() {
		ctx, meter := table.WithMeter(b.Context())
		again := &recorder{Table: h.Table, pages: map[table.Query]table.Page{},
			batches: map[string]map[table.Key]table.Item{}}
		q := knowledge.Query{Account: account, Agent: h.agent, Text: sentence()[:60], Corpus: corpus,
			Limit: 20}
		r, err := knowledge.Search(ctx, again, q)
		if err != nil || len(r.Passages) == 0 {
			b.Fatal(r, err)
		}
		trips += meter.Cost().Trips
		units += meter.Cost().ReadUnits
		b.StopTimer()
		start := time.Now()
		if _, err := knowledge.Search(ctx, again, q); err != nil {
			b.Fatal(err)
		}
		own += time.Since(start)
		b.StartTimer()
	}
	b.ReportMetric(float64(trips)/float64(b.N), "trips/op")
	b.ReportMetric(units/float64(b.N), "RRU/op")
	b.ReportMetric(float64(own.Microseconds())/1000/float64(b.N), "own-ms/op")
}

// TestAllOfAFew finds all that an agent knows which has no more passages than are wanted, last those without
// a word of the message; of an agent that has more it finds those alone that have one.
func TestAllOfAFew(t *testing.T) {
	h := newHouse(t, "en")
	h.add(t, knowledge.Text, "Visit", "The museum opens at nine.")
	h.add(t, knowledge.Text, "Garden", "Roses bloom in June.")
	for limit, want := range map[int][]string{
		2: {"Roses bloom in June.", "The museum opens at nine."},
		1: {"Roses bloom in June."},
	} {
		var got []string
		for _, p := range h.search(t, "any roses", limit).Passages {
			got = append(got, p.Text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("limit %d: -want +got:\n%s", limit, diff)
		}
	}
}
