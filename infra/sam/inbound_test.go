package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/infra/platforms"
)

// A desk is an agent of a built stack that is connected to the stand-ins of all platforms.
type desk struct {
	*builtStack
	agent   string
	on      []platforms.Platform
	inbound map[string]string // where each channel's platform posts
}

// openDesk starts a built stack with an agent that answers at once.
func openDesk(t *testing.T) *desk {
	t.Helper()
	graph, twilio, mail := platforms.NewGraph(t), platforms.NewTwilio(t), new(platforms.MailServer)
	ses := httptest.NewServer(mail)
	t.Cleanup(ses.Close)
	for name, address := range map[string]string{
		"META_GRAPH_URL": graph.URL, "INSTAGRAM_GRAPH_URL": graph.URL, "TWILIO_API_URL": twilio.URL,
		"AWS_ENDPOINT_URL_SESV2": ses.URL, "SMTP_URL": "",
	} {
		t.Setenv(name, address)
	}
	d := &desk{builtStack: startBuilt(t), inbound: map[string]string{}}
	d.on = platforms.StandIns{Graph: graph, Twilio: twilio, Mail: mail}.Platforms(1)
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
		d.inbound[p.Channel] = c.Want(t, 201, "POST", path+"channels/", map[string]any{
			"channel_type": p.Channel, "config": p.Config,
		}).Text("inbound_url")
	}
	return d
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
	// kills is how often TestKilledWorkers kills the workers.
	kills = 8
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
	people := 0
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

// TestMailOfSES has the built function take the event by which Amazon SES tells of a mail, as AWS documents
// it, with the mail in a bucket, and the built workers answer it.
func TestMailOfSES(t *testing.T) {
	var bucket http.ServeMux
	raw := ""
	bucket.HandleFunc("GET /mails/mail/{id}", func(w http.ResponseWriter, req *http.Request) {
		if !strings.HasPrefix(req.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		io.WriteString(w, raw)
	})
	s3 := httptest.NewServer(&bucket)
	defer s3.Close()
	d := openDesk(t)
	email := d.on[len(d.on)-1]
	address := "desk-" + d.agent + "@in.acme.example"
	email.Config["inbound_address"] = address
	d.client.Want(t, 200, "POST", "/agents/"+d.agent+"/channels/", map[string]any{
		"channel_type": "email", "config": email.Config,
	})
	raw = "From: Ada <ada@customer.example>\r\nTo: " + address + "\r\nSubject: Hours\r\n" +
		"Message-ID: <one@customer.example>\r\n\r\nWhen are you open?\r\n"

	text, err := os.ReadFile("infra/sam/testdata/ses-lambda-event.json")
	if err != nil {
		t.Fatal(err)
	}
	var event events.SimpleEmailEvent
	if err := json.Unmarshal(text, &event); err != nil {
		t.Fatal(err)
	}
	ses := &event.Records[0].SES
	ses.Mail.Source, ses.Receipt.Recipients = "ada@customer.example", []string{address}
	payload, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	inbound := d.function(t, "InboundFunction", map[string]string{
		"MAIL_BUCKET": "mails", "AWS_ENDPOINT_URL_S3": s3.URL,
	})
	for range 2 { // an event may come twice
		if _, err := inbound(t.Context(), payload); err != nil {
			t.Fatal(err)
		}
	}
	for end := time.Now().Add(20 * time.Second); len(email.Sent()) == 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no reply: %v", d.talks(t, "email"))
		}
	}
	reply := email.Sent()[0]
	if reply.Person != "ada@customer.example" || reply.Mail.Header("Subject") != "Re: Hours" ||
		!strings.Contains(reply.Text, "9 to 5") {
		t.Errorf("%+v", reply)
	}
	if talks := d.talks(t, "email"); len(talks) != 1 || len(talks[0]) != 2 {
		t.Errorf("%v", talks)
	}
}
