package product

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"frontdesk/infra/eventsource"
	"frontdesk/shared/agent"
	"frontdesk/shared/delivery"
	"frontdesk/shared/egress"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/queue"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
	"frontdesk/shared/table/sqlite"
	"frontdesk/shared/webhook"
)

// TestShuffledDeliveries plays feed and queues as badly as they may behave: records and messages come in any
// order, late, several times and at the same time, and come again though they were taken. Every delivery
// comes to what it would have come to in order: attempts until the receiver takes it, three at most.
func TestShuffledDeliveries(t *testing.T) {
	t.Parallel()
	testShuffle(t, newShuffle(t, 0), shuffles)
}

// testShuffle plays so many rounds in which nothing fails.
func testShuffle(t *testing.T, s *shuffle, rounds int) {
	for seed := range uint64(rounds) {
		for _, o := range s.round(t, seed) {
			want := expected(o.pattern, o.rounds)
			if diff := cmp.Diff(want, o.noted); diff != "" || o.answered != len(want) {
				t.Errorf("%s: the receiver answered %d times; the attempts (-want +got):\n%s", o.name,
					o.answered, diff)
			}
		}
	}
}

// TestBrokenDeliveries has the store and the queues fail in addition, before and after they did what they
// were asked, and attempts take longer than their lease, as if their workers had been killed. Each of these
// may have one attempt made again, under its number, and does nothing else.
func TestBrokenDeliveries(t *testing.T) {
	t.Parallel()
	s := newShuffle(t, 0.05)
	repeated := 0
	for seed := range uint64(shuffles) {
		for _, o := range s.round(t, seed) {
			more := o.answered - len(o.noted)
			if more < 0 || more > o.failures {
				t.Errorf("%s: the receiver answered %d times, %v are noted, after %d failures", o.name,
					o.answered, o.noted, o.failures)
			}
			repeated += more
		}
	}
	if repeated == 0 {
		t.Error("no attempt was made again: the failures try nothing")
	}
}

// shuffles is how many rounds there are; with the race detector each takes a second.
const shuffles = 15

// patterns are how receivers answer the requests of a delivery: one digit each, the last of which stands for
// all that follow. 2 is 200, 3 is 300 and so on.
var patterns = []string{"2", "3", "52", "452", "5552", "5"}

// answer is the status of the n-th answer, from 0.
func answer(pattern string, n int) int { return int(pattern[min(n, len(pattern)-1)]-'0') * 100 }

// expected are the answers to a delivery that was sent so many times, with up to three attempts each.
func expected(pattern string, rounds int) (all []int) {
	for range rounds {
		for range delivery.Attempts {
			all = append(all, answer(pattern, len(all)))
			if webhook.Delivered(all[len(all)-1]) {
				break
			}
		}
	}
	return all
}

// An outcome is what a delivery has come to.
type outcome struct {
	name, pattern string
	rounds        int   // how often it was sent, with up to three attempts each
	noted         []int // the answers to its attempts, as the delivery has them
	answered      int   // how often the receiver answered
	failures      int   // how often something that concerned it failed
}

// A shuffle is dispatch and deliver over a table, with their queues and what calls them in the hand of a
// test.
type shuffle struct {
	dispatch, deliver eventsource.Function
	store             feedingTable
	agents            *agent.Store
	hooks             *webhook.Store
	server            *httptest.Server
	broken            float64          // the share of what fails
	rand              *rand.Rand       // of the test's own goroutine
	places            map[int64]string // the paths at the receiver, by the webhook

	// arrived takes the messages from the queues on which the workers put them; nil where they call Send.
	arrived func(t *testing.T) []queue.Message

	mu       sync.Mutex
	passed   time.Duration   // on the clock of the workers in this process
	position string          // in the feed
	records  []table.Change  // those to be taken
	taken    []table.Change  // those that were
	sent     int             // messages, so far
	waiting  []queued        // on the queues
	gone     []queued        // were on the queues
	answers  map[string]int  // by delivery
	failures map[string]int  // by delivery
	claimed  map[string]bool // deliveries of which an attempt is under way
	strays   []string        // what came to receivers that are to get nothing
}

// A feedingTable is a table with its change feed.
type feedingTable interface {
	table.Table
	table.Feed
}

// A queued message is one of the queues, which all are one here.
type queued struct {
	id   int
	body string
}

const shuffleAccount = 5

// newShuffle has the workers in this process, over the embedded store.
func newShuffle(t *testing.T, broken float64) *shuffle {
	t.Helper()
	s := &shuffle{broken: broken}
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), s.clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	key := secret.NewKey()
	s.begin(t, store, key)
	workers := Workers(Parts{
		Table: &breakable{store, s}, Now: s.clock, Secrets: &secret.Keys{Read: secret.Static(key)},
		Log: slog.New(slog.DiscardHandler),
		Web: egress.New(egress.Config{AllowHosts: "127.0.0.1"}), Deliveries: s,
	})
	s.dispatch, s.deliver = workers["dispatch"], workers["deliver"]
	return s
}

// begin starts the receivers.
func (s *shuffle) begin(t *testing.T, store feedingTable, key string) {
	s.store, s.places = store, map[int64]string{}
	s.answers, s.failures, s.claimed = map[string]int{}, map[string]int{}, map[string]bool{}
	s.server = httptest.NewServer(s)
	t.Cleanup(s.server.Close)
	ids := id.NewSource(s.clock)
	s.agents = &agent.Store{Table: store, Now: s.clock, IDs: ids}
	s.hooks = &webhook.Store{Table: store, Now: s.clock, IDs: ids,
		Secrets: &secret.Keys{Read: secret.Static(key)}}
}

func (s *shuffle) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Add(s.passed)
}

func (s *shuffle) pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.passed += d
}

// fails reports whether something is to fail.
func (s *shuffle) fails() bool { return rand.Float64() < s.broken }

var errBroken = errors.New("out of order")

// name is what the receiver knows a delivery by.
func (s *shuffle) name(d delivery.Delivery) string { return s.places[d.WebhookID] + " " + d.MessageID }

// ServeHTTP is the receivers. Where things fail, time flies during some attempts, so that all who are making
// one are taken for dead.
func (s *shuffle) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	name := req.URL.Path + " " + req.Header.Get("Webhook-Id")
	pattern := strings.Split(req.URL.Path, "/")[1]
	slow := s.fails()
	s.mu.Lock()
	if pattern == "none" {
		s.strays = append(s.strays, name)
		pattern = "2"
	}
	status := answer(pattern, s.answers[name])
	s.answers[name]++
	if slow {
		s.passed += delivery.Lease
		for name := range s.claimed {
			s.failures[name]++
		}
	}
	s.mu.Unlock()
	if slow {
		time.Sleep(2 * time.Millisecond)
	}
	w.WriteHeader(status)
}

// Send is the queues.
func (s *shuffle) Send(_ context.Context, messages ...queue.Outgoing) error {
	if s.fails() {
		return errBroken
	}
	s.mu.Lock()
	for _, m := range messages {
		s.sent++
		s.waiting = append(s.waiting, queued{s.sent, m.Body})
	}
	s.mu.Unlock()
	if s.fails() {
		return errBroken
	}
	return nil
}

// A breakable is a table whose transactions sometimes fail, and sometimes only seem to.
type breakable struct {
	table.Table
	shuffle *shuffle
}

func (b *breakable) Transact(ctx context.Context, writes ...table.Write) error {
	s := b.shuffle
	before, after := s.fails(), s.fails()
	s.mu.Lock()
	for _, w := range writes {
		if !strings.HasPrefix(w.Item.SK, string(delivery.KeyPrefix)) {
			continue
		}
		d, err := delivery.Read(w.Item)
		if err != nil {
			s.mu.Unlock()
			return err
		}
		if before || after {
			s.failures[s.name(d)]++
		}
		if !d.ClaimedUntil.IsZero() {
			s.claimed[s.name(d)] = true
		}
	}
	s.mu.Unlock()
	if before {
		return errBroken
	}
	if err := b.Table.Transact(ctx, writes...); err != nil || !after {
		return err
	}
	return errBroken
}

// round makes webhooks of two agents and events of theirs, plays until all is done, sends some deliveries
// again and plays once more. It returns what the deliveries have come to.
func (s *shuffle) round(t *testing.T, seed uint64) (all []outcome) {
	t.Helper()
	s.rand = rand.New(rand.NewPCG(seed, 0))
	s.gone, s.taken = nil, nil
	clear(s.claimed)
	const perAgent = 4 // events
	var receivers []delivery.Receiver
	for range 2 {
		made, err := s.agents.Create(t.Context(), shuffleAccount,
			agent.Agent{Summary: agent.Summary{Name: "Mia"}}, 1e6)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range s.rand.Perm(len(patterns))[:3] {
			receivers = append(receivers, s.hook(t, made.ID, patterns[i], true, event.ConversationResolved))
		}
		s.hook(t, made.ID, "none", false, event.ConversationResolved)
		s.hook(t, made.ID, "none", true, event.AppointmentCreated)
		var writes []table.Write
		for i := range perAgent {
			put, err := event.Event{
				ID: s.hooks.IDs.Next(), Kind: event.ConversationResolved, At: s.clock(),
				AccountID: shuffleAccount, AgentID: made.ID,
				ConversationID: int64(i + 1),
			}.Put()
			if err != nil {
				t.Fatal(err)
			}
			writes = append(writes, put)
		}
		if err := s.store.Transact(t.Context(), writes...); err != nil {
			t.Fatal(err)
		}
	}
	s.play(t, 30)
	again := map[string]bool{}
	var writes []table.Write
	for _, to := range receivers {
		for _, d := range s.deliveries(t, to) {
			if s.rand.IntN(3) > 0 {
				continue
			}
			more, err := d.Again(s.hooks.IDs, s.clock())
			if err != nil {
				t.Fatal(err)
			}
			writes, again[s.name(d)] = append(writes, more...), true
		}
	}
	if len(writes) > 0 {
		if err := s.store.Transact(t.Context(), writes...); err != nil {
			t.Fatal(err)
		}
	}
	s.play(t, 20)
	for _, to := range receivers {
		deliveries := s.deliveries(t, to)
		if n, err := delivery.Count(t.Context(), s.store, to); err != nil || len(deliveries) != perAgent ||
			n != perAgent {
			t.Errorf("round %d: %s has %d deliveries, and %d are counted, %v", seed, s.places[to.WebhookID],
				len(deliveries), n, err)
		}
		for _, d := range deliveries {
			o := outcome{
				name:    fmt.Sprintf("round %d: %s", seed, s.name(d)),
				pattern: strings.Split(s.places[to.WebhookID], "/")[1],
				rounds:  1, answered: s.answers[s.name(d)], failures: s.failures[s.name(d)],
			}
			if again[s.name(d)] {
				o.rounds = 2
			}
			for _, a := range d.Attempts {
				o.noted = append(o.noted, a.HTTPStatus)
			}
			checkEnd(t, d, o)
			all = append(all, o)
		}
	}
	if len(s.strays) > 0 {
		t.Errorf("round %d: %v were called", seed, s.strays)
	}
	return all
}

// checkEnd holds a delivery to what is true of every one that has ended: each time that it was sent, the
// attempts went on until one was answered well, and were three where none was.
func checkEnd(t *testing.T, d delivery.Delivery, o outcome) {
	t.Helper()
	before := d.Last - delivery.Attempts // attempts of the time before
	if o.rounds == 1 && before != 0 || o.rounds == 2 && (before < 1 || before > delivery.Attempts) {
		t.Errorf("%s: sent %d times, it is to fail with attempt %d", o.name, o.rounds, d.Last)
		return
	}
	attempts := [][]int{o.noted}
	if before > 0 && before < len(o.noted) {
		attempts = [][]int{o.noted[:before], o.noted[before:]}
	}
	if len(attempts) != o.rounds {
		t.Errorf("%s: sent %d times, it was answered %v", o.name, o.rounds, attempts)
	}
	for i, answers := range attempts {
		well := slices.IndexFunc(answers, webhook.Delivered)
		if well >= 0 && well != len(answers)-1 || well < 0 && len(answers) != delivery.Attempts ||
			len(answers) > delivery.Attempts {
			t.Errorf("%s was answered %v", o.name, answers)
		}
		want := delivery.Failed
		if well >= 0 {
			want = delivery.Delivered
		}
		if i == len(attempts)-1 && d.Status != want {
			t.Errorf("%s is %s, and was answered %v", o.name, d.Status, answers)
		}
	}
}

// hook makes a webhook at a receiver that answers in a pattern.
func (s *shuffle) hook(t *testing.T, agent int64, pattern string, active bool,
	kind event.Kind) delivery.Receiver {
	t.Helper()
	place := fmt.Sprintf("/%s/%d", pattern, len(s.places))
	made, err := s.hooks.Create(t.Context(), shuffleAccount, webhook.Webhook{
		AgentID: agent, URL: s.server.URL + place, Active: active, Events: []event.Kind{kind},
	}, webhook.NewSecret())
	if err != nil {
		t.Fatal(err)
	}
	s.places[made.ID] = place
	return delivery.Receiver{AccountID: shuffleAccount, AgentID: agent, WebhookID: made.ID}
}

// deliveries are all deliveries to a receiver.
func (s *shuffle) deliveries(t *testing.T, to delivery.Receiver) (all []delivery.Delivery) {
	t.Helper()
	page, err := s.store.Query(t.Context(), delivery.Query(to))
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range page.Items {
		d, err := delivery.Read(item)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	return all
}

// play calls the workers in many steps that are left to chance, and then until nothing is left to do.
func (s *shuffle) play(t *testing.T, steps int) {
	t.Helper()
	for range steps {
		s.read(t)
		var calls sync.WaitGroup
		for range 1 + s.rand.IntN(4) {
			lost := s.rand.IntN(5) == 0 // the acknowledgement, so that all of it comes again
			if s.rand.IntN(3) == 0 {
				records := draw(s, 5, &s.records, &s.taken)
				calls.Go(func() { s.tell(t, records, lost) })
			} else {
				messages := draw(s, 8, &s.waiting, &s.gone)
				calls.Go(func() { s.hand(t, messages, lost) })
			}
		}
		calls.Wait()
		s.pass(time.Duration(s.rand.IntN(40)) * time.Second)
	}
	for range 100 {
		s.read(t)
		if len(s.records)+len(s.waiting) == 0 {
			return
		}
		s.tell(t, slices.Clone(s.records), false)
		s.hand(t, slices.Clone(s.waiting), false)
		s.pass(delivery.Lease)
	}
	t.Fatalf("there is no end of it: %d records and %d messages are left", len(s.records), len(s.waiting))
}

// draw takes up to so many of those to be dealt with, in any order, and now and then one that was dealt with
// before. What is drawn stays where it is, so that others may draw it at the same time.
func draw[E any](s *shuffle, most int, due, before *[]E) (drawn []E) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.rand.Perm(len(*due))[:min(len(*due), 1+s.rand.IntN(most))] {
		drawn = append(drawn, (*due)[i])
	}
	if len(*before) > 0 && s.rand.IntN(2) == 0 {
		drawn = slices.Insert(drawn, s.rand.IntN(len(drawn)+1), (*before)[s.rand.IntN(len(*before))])
	}
	return drawn
}

// read takes note of what is new on the queues and in the feed, of that which the template's filter lets
// through.
func (s *shuffle) read(t *testing.T) {
	t.Helper()
	if s.arrived != nil {
		for _, m := range s.arrived(t) {
			s.sent++
			s.waiting = append(s.waiting, queued{s.sent, m.Body})
		}
	}
	for {
		changes, err := s.store.Changes(t.Context(), s.position, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if len(changes) == 0 {
			return
		}
		for _, c := range changes {
			s.position = c.Position
			if c.Old == nil && c.New != nil && strings.HasPrefix(c.New.PK, event.KeyPrefix) {
				s.records = append(s.records, c)
			}
		}
	}
}

// tell gives records to dispatch.
func (s *shuffle) tell(t *testing.T, records []table.Change, lost bool) {
	var response events.DynamoDBEventResponse
	if !invoke(t, s.dispatch, dynamo.Event(records), &response) || lost {
		return
	}
	done := map[string]bool{}
	for _, r := range records {
		if len(response.BatchItemFailures) > 0 && response.BatchItemFailures[0].ItemIdentifier == r.Position {
			break // this one and those after it come again
		}
		done[r.Position] = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records = slices.DeleteFunc(s.records, func(c table.Change) bool {
		if done[c.Position] {
			s.taken = append(s.taken, c)
		}
		return done[c.Position]
	})
}

// hand gives messages to deliver.
func (s *shuffle) hand(t *testing.T, messages []queued, lost bool) {
	batch, done := events.SQSEvent{Records: []events.SQSMessage{}}, map[string]bool{}
	for _, m := range messages {
		batch.Records = append(batch.Records, events.SQSMessage{MessageId: fmt.Sprint(m.id), Body: m.body})
		done[fmt.Sprint(m.id)] = true
	}
	var response events.SQSEventResponse
	if !invoke(t, s.deliver, batch, &response) || lost {
		return
	}
	for _, f := range response.BatchItemFailures {
		delete(done, f.ItemIdentifier)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = slices.DeleteFunc(s.waiting, func(m queued) bool {
		if done[fmt.Sprint(m.id)] {
			s.gone = append(s.gone, m)
		}
		return done[fmt.Sprint(m.id)]
	})
}

// invoke calls a worker and reports whether it answered.
func invoke(t *testing.T, worker eventsource.Function, event, response any) bool {
	payload, err := json.Marshal(event)
	if err != nil {
		t.Error(err)
		return false
	}
	answer, err := worker(context.WithoutCancel(t.Context()), payload)
	if err == nil {
		err = json.Unmarshal(answer, response)
	}
	if err != nil {
		t.Error(err)
	}
	return err == nil
}
