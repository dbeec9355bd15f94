package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"frontdesk/infra/platforms"
	"frontdesk/infra/template"
	"frontdesk/shared/channel"
	"frontdesk/shared/table"
)

// A desk is an agent of a built stack that is connected to the stand-ins of all platforms.
type desk struct {
	*builtStack
	agent    string
	standIns platforms.StandIns
	on       []platforms.Platform
	inbound  map[string]string // where each channel's platform posts
}

// openDesk starts a built stack with an agent that answers at once.
func openDesk(t *testing.T) *desk {
	t.Helper()
	all := platforms.StandIns{
		Graph: platforms.NewGraph(t), Instagram: platforms.NewGraph(t), Twilio: platforms.NewTwilio(t),
		Mail: new(platforms.MailServer),
	}
	ses := httptest.NewServer(all.Mail)
	t.Cleanup(ses.Close)
	for name, address := range map[string]string{
		"META_GRAPH_URL": all.Graph.URL, "INSTAGRAM_GRAPH_URL": all.Instagram.URL,
		"TWILIO_API_URL": all.Twilio.URL, "AWS_ENDPOINT_URL_SESV2": ses.URL, "SMTP_URL": "",
	} {
		t.Setenv(name, address)
	}
	d := &desk{builtStack: startBuilt(t), inbound: map[string]string{}, standIns: all, on: all.Platforms(1)}
	c := d.client
	d.agent = c.Want(t, 201, "POST", "/agents/", map[string]any{
		"name": "Mia", "business_name": "Acme", "channel_pause_seconds": 0,
	}).Number("id")
	path := "/agents/" + d.agent + "/"
	c.Want(t, 201, "POST", path+"knowledge/", map[string]any{
		"title": "FAQ", "doc_type": "faq", "content": "Q: When are you open?\nA: We are open from 9 to 5.",
	})
	c.Want(t, 200, "POST", path+"train/", nil)
	for _, p := range d.on {
		d.connect(t, p)
	}
	return d
}

// connect connects a channel, or changes its settings.
func (d *desk) connect(t *testing.T, p platforms.Platform) {
	t.Helper()
	a := d.client.Call(t, "POST", "/agents/"+d.agent+"/channels/", map[string]any{
		"channel_type": p.Channel, "config": p.Config,
	})
	if a.Status/100 != 2 {
		t.Fatalf("connecting %s: %d %s", p.Channel, a.Status, a.Body)
	}
	d.inbound[p.Channel] = a.Text("inbound_url")
}

// talks are the messages of the channel's conversations.
func (d *desk) talks(t *testing.T, channel string) (all [][]map[string]any) {
	t.Helper()
	for next := "/agents/" + d.agent + "/conversations/"; next != ""; {
		list := d.client.Want(t, 200, "GET", next, nil)
		for _, talk := range list.Results() {
			if talk["channel"] == channel {
				messages := fmt.Sprintf("/conversations/%v/messages/", talk["id"])
				all = append(all, d.client.Want(t, 200, "GET", messages, nil).Results())
			}
		}
		next = list.Text("next")
	}
	return all
}

const (
	// defaultKills is how often TestKilledWorkers kills the workers. INBOUND_KILLS asks for more.
	defaultKills = 8
	// patience is how long the work may take that killed workers left: their messages come again after
	// maxVisibility, and a send that was cut off is tried again half a minute later.
	patience = 3 * time.Minute
)

// TestKilledWorkers kills the built workers again and again while the platforms of all channels post
// messages, each twice. In the end each message is stored once and each person is answered, once but where
// a kill came between the send and its note.
func TestKilledWorkers(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for leases")
	}
	d := openDesk(t)
	people, kills := 0, defaultKills
	if text := os.Getenv("INBOUND_KILLS"); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	var killed []time.Time
	for range kills {
		for range 2 {
			people++
			for _, p := range d.on {
				for range 2 {
					status, err := p.Post(d.inbound[p.Channel], p.Secret, platforms.Posted{
						ID: fmt.Sprintf("%s.%d", p.Channel, people), Person: p.Person(people),
						Text: "When are you open?",
					})
					if err != nil || status != http.StatusOK {
						t.Fatalf("%s: the post is answered %d, %v", p.Channel, status, err)
					}
				}
			}
		}
		time.Sleep(rand.N(600 * time.Millisecond))
		killed = append(killed, time.Now())
		for _, f := range d.workers.functions {
			f.Kill()
		}
	}
	end := time.Now().Add(patience)
	for _, p := range d.on {
		unanswered := func() (all [][]map[string]any) {
			talks := d.talks(t, p.Channel)
			for _, messages := range talks {
				if len(messages) != 2 || messages[1]["status"] != "sent" {
					all = append(all, messages)
				}
			}
			if len(talks) != people {
				all = append(all, nil)
			}
			return all
		}
		for len(unanswered()) > 0 {
			if time.Now().After(end) {
				t.Fatalf("%s: of %d people these are not answered: %v", p.Channel, people, unanswered())
			}
			time.Sleep(time.Second)
		}
		got, unclear := map[string]int{}, 0
		for _, m := range p.Sent() {
			got[m.Person]++
			for _, at := range killed {
				if after := at.Sub(m.At); after > -time.Second && after < time.Second {
					unclear++
					break
				}
			}
		}
		repeated := 0
		for _, n := range got {
			repeated += n - 1
		}
		if len(got) != people || repeated > unclear {
			t.Errorf("%s: %d of %d people got a reply, %d got another, and %d may have been cut off",
				p.Channel, len(got), people, repeated, unclear)
		}
		t.Logf("%s: %d people, %d replies repeated after a kill", p.Channel, people, repeated)
	}
}

// TestTokensAreRenewed has the built function do what the template's schedule asks of it every day: the token
// of an account that was connected by Instagram Login 31 days ago is exchanged, and replies go out under the
// fresh one.
func TestTokensAreRenewed(t *testing.T) {
	d := openDesk(t)
	p := d.standIns.InstagramLogin(1)
	d.connect(t, p)
	agent, err := strconv.ParseInt(d.agent, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	items, key := d.store.table(), channel.Key(d.client.Account, agent, p.Channel)
	item, err := items.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	month := time.Now().AddDate(0, 0, -31).UTC().Format(time.RFC3339)
	item.Doc = regexp.MustCompile(`"credentials_at":"[^"]*"`).ReplaceAll(item.Doc,
		[]byte(`"credentials_at":"`+month+`"`))
	if err := items.Transact(t.Context(), table.PutIfVersion(item)); err != nil {
		t.Fatal(err)
	}
	jobs := slices.IndexFunc(d.stack.Functions, func(f template.Function) bool {
		return f.Name == "JobsFunction"
	})
	daily := d.stack.Functions[jobs].Schedules[0].Input
	if _, err := d.function(t, "JobsFunction", nil)(t.Context(), []byte(daily)); err != nil {
		t.Fatal(err)
	}
	end, n := time.Now().Add(20*time.Second), 0
	for fresh := false; !fresh; n++ {
		if time.Now().After(end) {
			t.Fatal("replies do not go out under a fresh token")
		}
		status, err := p.Post(d.inbound[p.Channel], p.Secret, platforms.Posted{
			ID: fmt.Sprint("m_", n), Person: p.Person(n), Text: "Hello",
		})
		if err != nil || status != http.StatusOK {
			t.Fatal(status, err)
		}
		for len(d.standIns.Instagram.Sent()) <= n && time.Now().Before(end) {
			time.Sleep(50 * time.Millisecond)
		}
		sent := d.standIns.Instagram.Sent()
		fresh = len(sent) > n && sent[n].Token == p.Config["access_token"]+"-fresh"
	}
}
