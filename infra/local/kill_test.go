package local_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/shared/api/apitest"
)

// TestKilledDeliveries kills services with kill -9 in 50 rounds, at the moments at which an event could be
// lost or told twice: right after the change that it tells of, when it was dispatched, during an attempt to
// deliver it, between two attempts, and at any moment. In the end every webhook has every event that was
// acknowledged. One that it has twice carries the same webhook-id, and the service was killed in that moment.
func TestKilledDeliveries(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for attempts")
	}
	program := build(t)
	const services, rounds = 5, 10
	var repeated atomic.Int64
	var all sync.WaitGroup
	for i := range services { // at once, however few tests may run in parallel: they mostly wait
		all.Go(func() {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				k := newKilling(t, program)
				for round := range rounds {
					k.round(t, moments[(round+i)%len(moments)])
				}
				repeated.Add(k.check(t))
			})
		})
	}
	all.Wait()
	if repeated.Load() == 0 {
		t.Error("no attempt was cut off: the kills came at moments that try nothing")
	}
}

// A moment is when a service is killed: after something was seen so many times, 1 at the least, and at most
// so long after.
type moment struct {
	seen  string // a key of killing.seen; "" for nothing
	times int
	later time.Duration
}

var moments = []moment{
	{"committed", 5, 5 * time.Millisecond},
	{"committed", 5, 300 * time.Millisecond}, // when it is being dispatched
	{"received", 15, 50 * time.Millisecond},  // while the receiver takes its time to answer
	{"refused", 8, 2 * time.Second},          // before the next attempt
	{"", 0, 1500 * time.Millisecond},
}

// A killing is a service that is killed again and again, those who write to it, and the receiver of its
// events.
type killing struct {
	program, data string
	agent         string
	hooks         map[string]string // paths in the API by those at the receiver
	seen          map[string]chan struct{}
	kills         []time.Time

	mu        sync.Mutex
	committed map[happening]bool
	got       map[string]map[string][]request // by the path and the id of the event
}

// A happening is an event as receivers tell it from others.
type happening struct {
	Event string
	Data  struct {
		Conversation int64 `json:"conversation_id"`
		Appointment  int64 `json:"appointment_id"`
	}
}

// A request is one that a receiver got.
type request struct {
	at time.Time
	of happening
}

func newKilling(t *testing.T, program string) *killing {
	k := &killing{
		program: program, data: t.TempDir(), hooks: map[string]string{}, committed: map[happening]bool{},
		got: map[string]map[string][]request{"/take": {}, "/refuse-once": {}, "/refuse": {}},
		seen: map[string]chan struct{}{"committed": make(chan struct{}), "received": make(chan struct{}),
			"refused": make(chan struct{})},
	}
	receiver := httptest.NewServer(k)
	t.Cleanup(receiver.Close)
	c, kill := run(t, program, k.data)
	defer kill()
	k.agent = c.Want(t, 201, "POST", "/agents/", map[string]any{"name": "Ada"}).Number("id")
	c.Want(t, 200, "POST", "/agents/"+k.agent+"/activate/", nil)
	for path := range k.got {
		made := c.Want(t, 201, "POST", "/agents/"+k.agent+"/webhooks/", map[string]any{
			"url": receiver.URL + path, "events": []string{"conversation.resolved", "appointment.created"},
		})
		k.hooks[path] = "/agents/" + k.agent + "/webhooks/" + made.Number("id") + "/"
	}
	return k
}

// tell lets who waits for it know that something was seen.
func (k *killing) tell(what string) {
	select {
	case k.seen[what] <- struct{}{}:
	default:
	}
}

// ServeHTTP answers as the path says, after a tenth of a second at most.
func (k *killing) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	got := request{at: time.Now()}
	body, err := io.ReadAll(req.Body)
	if err != nil || json.Unmarshal(body, &got.of) != nil {
		return // the sender was killed
	}
	id := req.Header.Get("Webhook-Id")
	k.mu.Lock()
	k.got[req.URL.Path][id] = append(k.got[req.URL.Path][id], got)
	first := len(k.got[req.URL.Path][id]) == 1
	k.mu.Unlock()
	k.tell("received")
	time.Sleep(rand.N(100 * time.Millisecond))
	if req.URL.Path == "/refuse" || req.URL.Path == "/refuse-once" && first {
		w.WriteHeader(http.StatusInternalServerError)
		k.tell("refused")
	}
}

// round runs the service, writes to it, and kills it at a moment.
func (k *killing) round(t *testing.T, m moment) {
	c, kill := run(t, k.program, k.data)
	ended := make(chan struct{})
	var writers sync.WaitGroup
	for _, write := range []func(*apitest.Client) (happening, bool){k.resolve, k.book} {
		writers.Go(func() {
			for {
				if h, ok := write(c); ok {
					k.mu.Lock()
					k.committed[h] = true
					k.mu.Unlock()
					k.tell("committed")
				}
				select {
				case <-ended:
					return
				case <-time.After(rand.N(100 * time.Millisecond)):
				}
			}
		})
	}
	if m.seen != "" {
		late := time.After(5 * time.Second)
		for range 1 + rand.IntN(m.times) {
			select {
			case <-k.seen[m.seen]:
			case <-late:
			}
		}
	}
	time.Sleep(rand.N(m.later))
	k.kills = append(k.kills, time.Now())
	kill()
	close(ended)
	writers.Wait()
}

// resolve makes a conversation resolved. It reports false where the service did not say that it is.
func (k *killing) resolve(c *apitest.Client) (h happening, ok bool) {
	chat, err := c.Try("POST", "/agents/"+k.agent+"/chat/", map[string]any{"message": "Hello"})
	if err != nil || chat.Status != http.StatusOK {
		return h, false
	}
	resolved, err := c.Try("POST", "/conversations/"+chat.Number("conversation_id")+"/resolve/", nil)
	h.Event = "conversation.resolved"
	fmt.Sscan(chat.Number("conversation_id"), &h.Data.Conversation)
	return h, err == nil && resolved.Status == http.StatusOK
}

// book makes an appointment, of a contact of its own.
func (k *killing) book(c *apitest.Client) (h happening, ok bool) {
	contact, err := c.Try("POST", "/contacts/",
		map[string]any{"agent_id": json.Number(k.agent),
			"phone": fmt.Sprint("+1415", 2000000+rand.IntN(8000000)), "name": "Ada"})
	if err != nil || contact.Number("id") == "" {
		return h, false
	}
	made, err := c.Try("POST", "/appointments/", map[string]any{
		"agent_id": json.Number(k.agent), "contact_id": json.Number(contact.Number("id")), "title": "Cut",
		"start_time": "2031-12-01T09:30:00Z",
	})
	h.Event = "appointment.created"
	fmt.Sscan(made.Number("id"), &h.Data.Appointment)
	return h, err == nil && made.Status == http.StatusCreated
}

// happened reports whether the service has what an event tells.
func (k *killing) happened(t *testing.T, c *apitest.Client, h happening) bool {
	if h.Event == "appointment.created" {
		return c.Call(t, "GET", fmt.Sprintf("/appointments/%d/", h.Data.Appointment),
			nil).Status == http.StatusOK
	}
	return c.Call(t, "GET", fmt.Sprintf("/conversations/%d/", h.Data.Conversation),
		nil).Text("status") == "resolved"
}

// A logged delivery is one of the list of deliveries.
type logged struct {
	ID       int64
	Status   string
	Attempts []struct {
		HTTPStatus int `json:"http_status"`
	}
}

// deliveries returns the list of deliveries to a webhook once it has been told of the last event and all of
// them have ended. That takes no longer than their attempts and the waits between them: what was cut off
// waits for nothing else. A list that was read before the webhook was told of the last event need not hold
// its delivery.
func (k *killing) deliveries(t *testing.T, c *apitest.Client, path string, last happening) []logged {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		told := k.told(path, last)
		var all []logged
		pending := 0
		for next := k.hooks[path] + "deliveries/?page_size=100"; next != ""; {
			page := c.Want(t, 200, "GET", next, nil)
			var list struct {
				Next    string
				Results []logged
			}
			page.Into(t, &list)
			all, next = append(all, list.Results...), list.Next
		}
		for _, d := range all {
			if d.Status == "pending" {
				pending++
			}
		}
		if told && pending == 0 {
			return all
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d deliveries to %s have not ended", pending, len(all), path)
		}
	}
}

// told reports whether a webhook was told of an event.
func (k *killing) told(path string, h happening) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, requests := range k.got[path] {
		if requests[0].of == h {
			return true
		}
	}
	return false
}

// cutOff reports whether a kill came so soon after a request that its outcome may not have been stored.
func (k *killing) cutOff(r request) bool {
	for _, kill := range k.kills {
		if after := kill.Sub(r.at); after > -time.Second && after < 2*time.Second {
			return true
		}
	}
	return false
}

// check runs the service a last time and compares what happened with what was received and with the list of
// deliveries. It returns how many requests were repeated because the service was killed.
func (k *killing) check(t *testing.T) (repeated int64) {
	c, _ := run(t, k.program, k.data)
	// The feed keeps the order: who is told of this event is told of all before it.
	last, ok := k.resolve(c)
	if !ok {
		t.Fatal("the service does not work any more")
	}
	k.committed[last] = true
	for path, ids := range k.got {
		list := map[string]logged{}
		for _, d := range k.deliveries(t, c, path, last) {
			list[fmt.Sprint("msg_", d.ID)] = d
		}
		k.mu.Lock()
		told := map[happening]string{}
		for id, requests := range ids {
			of := requests[0].of
			if other, twice := told[of]; twice {
				t.Errorf("%s was told of %+v as %s and as %s", path, of, id, other)
			}
			told[of] = id
			if !k.committed[of] && !k.happened(t, c, of) {
				t.Errorf("%s was told of %+v, which did not happen", path, of)
			}
			cuts := 0
			for _, r := range requests {
				if r.of != of {
					t.Errorf("%s: %s is %+v and %+v", path, id, of, r.of)
				}
				if k.cutOff(r) {
					cuts++
				}
			}
			d := list[id]
			status, attempts := "delivered", len(d.Attempts)
			if path == "/refuse" {
				status = "failed"
			}
			if d.Status != status || attempts > 3 || status == "failed" && attempts != 3 {
				t.Errorf("%s: %s is %s after %d attempts", path, id, d.Status, attempts)
			}
			for i, a := range d.Attempts {
				if taken := a.HTTPStatus == http.StatusOK; taken != (i == attempts-1 &&
					status == "delivered") {
					t.Errorf("%s: %s was answered %d in attempt %d of %d", path, id, a.HTTPStatus, i+1,
						attempts)
				}
			}
			more := len(requests) - attempts
			if more < 0 || more > cuts {
				t.Errorf("%s got %s %d times in %d attempts, of which %d may have been cut off", path, id,
					len(requests), attempts, cuts)
			}
			repeated += int64(more)
		}
		for h := range k.committed {
			if told[h] == "" {
				t.Errorf("%s was never told of %+v", path, h)
			}
		}
		t.Logf("%s: %d events acknowledged, %d told of, %d in the list", path, len(k.committed), len(told),
			len(list))
		k.mu.Unlock()
	}
	t.Logf("%d requests were repeated", repeated)
	return repeated
}
