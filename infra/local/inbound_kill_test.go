package local_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"frontdesk/infra/platforms"
	"frontdesk/shared/api/apitest"
)

// defaultKills is how often TestKilledInbound kills the service. INBOUND_KILLS asks for more.
const defaultKills = 5

// slowPlatforms are stand-ins of the platforms of all channels, and the environment that leads the service to
// them. They take up to 40 ms for an answer, so that a kill can come between a send and its answer.
func slowPlatforms(t *testing.T) ([]platforms.Platform, []string) {
	all := platforms.StandIns{
		Graph: new(platforms.Graph), Twilio: new(platforms.Twilio), Mail: platforms.NewMailServer(t),
	}
	slowly := func(h http.Handler) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			h.ServeHTTP(w, req)
			time.Sleep(rand.N(40 * time.Millisecond))
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	all.Graph.URL, all.Twilio.URL = slowly(all.Graph), slowly(all.Twilio)
	return all.Platforms(1), []string{
		"META_GRAPH_URL=" + all.Graph.URL, "TWILIO_API_URL=" + all.Twilio.URL, "SMTP_URL=" + all.Mail.URL,
	}
}

// A trade is one platform's work on a service that is killed again and again.
type trade struct {
	platforms.Platform
	mu       sync.Mutex
	people   int
	waiting  []platforms.Posted // not accepted so far
	accepted []platforms.Posted
}

// TestKilledInbound kills the service with kill -9 in INBOUND_KILLS rounds while the platforms of all
// channels post: right after a post was accepted, while its reply is being sent, and at any moment. The
// platforms repeat what was not accepted, in any order, and now and then what was. In the end each message is
// stored once, the latest of each person is answered, and a platform got a reply twice only where the service
// was killed before it could note that it was taken.
func TestKilledInbound(t *testing.T) {
	if testing.Short() {
		t.Skip("it kills services")
	}
	kills := defaultKills
	if text := os.Getenv("INBOUND_KILLS"); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	k := &inboundKilling{program: build(t), data: t.TempDir(), acknowledged: make(chan struct{})}
	c, kill := k.open(t)
	c.Want(t, 200, "PATCH", "/agents/"+k.agent+"/", map[string]any{"channel_pause_seconds": 0})
	kill()
	for range kills {
		k.round(t)
	}
	k.check(t)
}

// An inboundKilling is a service that is killed again and again while platforms post to it.
type inboundKilling struct {
	program, data string
	environment   []string
	agent         string
	trades        []*trade
	acknowledged  chan struct{} // gets a value for each post that was accepted, where somebody waits
	kills         []time.Time
}

// open runs the service for the first time, with an agent that is connected to all platforms.
func (k *inboundKilling) open(t *testing.T) (c *apitest.Client, kill func()) {
	var all []platforms.Platform
	all, k.environment = slowPlatforms(t)
	c, kill = run(t, k.program, k.data, k.environment...)
	k.agent = c.Want(t, 201, "POST", "/agents/", map[string]any{"name": "Ada"}).Number("id")
	path := "/agents/" + k.agent + "/"
	c.Want(t, 201, "POST", path+"knowledge/", map[string]any{
		"title": "FAQ", "doc_type": "faq", "content": "Q: When are you open?\nA: We are open from 9 to 5.",
	})
	c.Want(t, 200, "POST", path+"train/", nil)
	for _, p := range all {
		c.Want(t, 201, "POST", path+"channels/",
			map[string]any{"channel_type": p.Channel, "config": p.Config})
		k.trades = append(k.trades, &trade{Platform: p})
	}
	return c, kill
}

func (k *inboundKilling) address(c *apitest.Client, channel string) string {
	return c.Base + "inbound/" + k.agent + "/" + channel + "/"
}

// round runs the service, has the platforms post, and kills it after up to ten accepted posts and a moment
// more.
func (k *inboundKilling) round(t *testing.T) {
	c, kill := run(t, k.program, k.data, k.environment...)
	ended := make(chan struct{})
	var posting sync.WaitGroup
	for _, of := range k.trades {
		for range 2 {
			posting.Go(func() {
				for {
					if of.step(k.address(c, of.Channel)) {
						select {
						case k.acknowledged <- struct{}{}:
						default:
						}
					}
					select {
					case <-ended:
						return
					case <-time.After(rand.N(100 * time.Millisecond)):
					}
				}
			})
		}
	}
	late := time.After(5 * time.Second)
	for range rand.IntN(10) {
		select {
		case <-k.acknowledged:
		case <-late:
		}
	}
	time.Sleep(rand.N([]time.Duration{
		5 * time.Millisecond, 50 * time.Millisecond, 400 * time.Millisecond, time.Second,
	}[rand.IntN(4)]))
	k.kills = append(k.kills, time.Now())
	kill()
	close(ended)
	posting.Wait()
}

// post posts a message and returns the status of the answer, 0 where there is none.
func (of *trade) post(inbound string, m platforms.Posted) int {
	status, _ := of.Post(inbound, of.Secret, m)
	return status
}

// step posts something: a message that was not accepted before, one that was, or a new one. It reports
// whether a message was accepted.
func (of *trade) step(inbound string) bool {
	of.mu.Lock()
	var m platforms.Posted
	known, again := len(of.accepted), false
	switch n := rand.IntN(10); {
	case n < 3 && len(of.waiting) > 0: // which may be late by rounds
		i := rand.IntN(len(of.waiting))
		m = of.waiting[i]
		of.waiting = slices.Delete(of.waiting, i, i+1)
	case n < 5 && known > 0:
		m, again = of.accepted[rand.IntN(known)], true
	default:
		if of.people == 0 || rand.IntN(3) > 0 { // others write once more
			of.people++
		}
		m = platforms.Posted{Person: of.Person(of.people), At: time.Now()}
		m.ID = fmt.Sprintf("%s.%d.%d", of.Channel, of.people, rand.Int64())
		m.Text = "When are you open? " + m.ID
	}
	of.mu.Unlock()
	accepted := of.post(inbound, m) == http.StatusOK
	of.mu.Lock()
	defer of.mu.Unlock()
	switch {
	case again:
	case accepted:
		of.accepted = append(of.accepted, m)
	default:
		of.waiting = append(of.waiting, m)
	}
	return accepted
}

// check runs the service a last time, a while later by its clock, has the platforms post what was not
// accepted, and compares what they posted and got with what is stored.
func (k *inboundKilling) check(t *testing.T) {
	c, _ := run(t, k.program, k.data, append(k.environment, "CLOCK_OFFSET=45s")...)
	for _, of := range k.trades {
		for _, m := range of.waiting {
			if status := of.post(k.address(c, of.Channel), m); status != http.StatusOK {
				t.Fatalf("%s: a post is answered %d", of.Channel, status)
			}
			of.accepted = append(of.accepted, m)
		}
	}
	for _, of := range k.trades {
		deadline := time.Now().Add(90 * time.Second)
		for {
			problems, repeated := k.compare(t, c, of)
			if len(problems) == 0 {
				t.Logf("%s: %d messages of %d people, %d replies, %d of them repeated after a kill",
					of.Channel,
					len(of.accepted), of.people, len(of.Sent()), repeated)
				break
			}
			if time.Now().After(deadline) {
				for _, p := range problems {
					t.Errorf("%s: %s", of.Channel, p)
				}
				break
			}
			time.Sleep(time.Second)
		}
	}
}

// A stored message is one as the API lists it.
type stored struct {
	Content, Direction, Status string
}

// compare returns what is not as it should be with a trade, and how many replies the platform got once more
// than there are because the service was killed.
func (k *inboundKilling) compare(t *testing.T, c *apitest.Client,
	of *trade) (problems []string, repeated int) {
	t.Helper()
	problem := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	replies, at := map[string]int{}, map[string][]time.Time{}
	for _, r := range of.Sent() {
		at[r.Person] = append(at[r.Person], r.At)
	}
	owner := map[string]string{}
	for _, m := range of.accepted {
		owner[m.Text] = m.Person
	}
	times := map[string]int{}
	for _, talk := range k.conversations(t, c, of.Channel) {
		messages, person := k.messages(t, c, talk), ""
		for i, m := range messages {
			if m.Direction == "inbound" {
				times[m.Content]++
				person = owner[m.Content]
				continue
			}
			replies[person]++
			if i == 0 || messages[i-1].Direction != "inbound" {
				problem("%s was answered twice", person)
			}
			if m.Status != "sent" {
				problem("a reply to %s is %s", person, m.Status)
			}
		}
		if len(messages) == 0 || messages[len(messages)-1].Direction == "inbound" {
			problem("%s is not answered", person)
		}
	}
	for _, m := range of.accepted {
		if times[m.Text] != 1 {
			problem("%s is stored %d times", m.Text, times[m.Text])
		}
	}
	for person, got := range at {
		more, unclear := len(got)-replies[person], 0
		for _, one := range got {
			if k.cutOff(one) {
				unclear++
			}
		}
		if more < 0 || more > unclear {
			problem("%s got %d replies of %d, and %d may have been cut off", person, len(got),
				replies[person], unclear)
		}
		repeated += max(more, 0)
	}
	for person, n := range replies {
		if len(at[person]) < n {
			problem("%s got %d replies of %d", person, len(at[person]), n)
		}
	}
	return problems, repeated
}

// cutOff reports whether a kill came so soon after a reply was taken that this may not have been noted.
func (k *inboundKilling) cutOff(at time.Time) bool {
	return slices.ContainsFunc(k.kills, func(kill time.Time) bool {
		after := kill.Sub(at)
		return after > -time.Second && after < time.Second
	})
}

// conversations are the paths of the messages of a channel's conversations.
func (k *inboundKilling) conversations(t *testing.T, c *apitest.Client, channel string) (paths []string) {
	t.Helper()
	for next := "/agents/" + k.agent + "/conversations/?page_size=100"; next != ""; {
		page := c.Want(t, 200, "GET", next, nil)
		var list struct {
			Next    string
			Results []struct {
				ID      json.Number
				Channel string
			}
		}
		page.Into(t, &list)
		for _, talk := range list.Results {
			if talk.Channel == channel {
				paths = append(paths, "/conversations/"+talk.ID.String()+"/messages/?page_size=100")
			}
		}
		next = list.Next
	}
	return paths
}

func (k *inboundKilling) messages(t *testing.T, c *apitest.Client, path string) []stored {
	t.Helper()
	var list struct{ Results []stored }
	c.Want(t, 200, "GET", path, nil).Into(t, &list)
	return list.Results
}
