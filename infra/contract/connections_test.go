package contract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/infra/platforms"
	"frontdesk/shared/channel"
)

// TestInstagramLogin connects an account by Instagram's own login: it sends by another API than a page.
func TestInstagramLogin(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	p := w.service.standIns.InstagramLogin(int(businesses.Add(1)))
	w.connect(t, p.Channel, p.Config)
	w.write(t, p, 1, hours)
	reply := w.sent(t, p, 1)
	if reply.Graph.From != p.Config["page_id"] || !strings.Contains(reply.Text, hoursAnswer) ||
		reply.Person != p.Person(1) {
		t.Errorf("%+v", reply)
	}
	check := w.Want(t, 200, "POST", w.agent+"channels/instagram/check/", nil).Body
	if !strings.Contains(check, "accepts the access token") || strings.Contains(check, "is of the account") {
		t.Errorf("%s", check)
	}
	for _, m := range w.service.standIns.Graph.Sent() {
		if m.Token == p.Config["access_token"] {
			t.Errorf("a page's API was called: %+v", m)
		}
	}
}

// TestPublicURL has the platforms reach the service through a proxy: they are told its address, they sign for
// it, and what is signed for another is refused. Links for others have it, too.
func TestPublicURL(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	if w.service.public == "" {
		t.Skip("the service is reached without a proxy")
	}
	for channel, inbound := range w.inbound {
		if !strings.HasPrefix(inbound, w.service.public+"/api/v1/inbound/") {
			t.Errorf("%s: the platform is told %s", channel, inbound)
		}
	}
	member := w.Want(t, 201, "POST", "/members/", map[string]any{
		"name": "Grace", "email": "grace@acme.example", "role": "agent",
	}).Number("id")
	for what, link := range map[string]string{
		"the chat box's script": w.Want(t, 200, "GET", w.agent+"widget/", nil).Text("script_url"),
		"an invitation":         w.Want(t, 201, "POST", "/members/"+member+"/invite/", nil).Text("url"),
	} {
		if !strings.HasPrefix(link, w.service.public+"/") {
			t.Errorf("%s is at %s", what, link)
		}
	}
	p := w.platform("sms")
	m := platforms.Posted{ID: "SM1", Person: p.Person(1), Text: hours}
	own := strings.Replace(w.inbound["sms"], w.service.public+"/api/v1/", w.service.Base, 1)
	if status, err := p.Post(own, p.Secret, m); err != nil || status != 403 {
		t.Errorf("a post that is signed for %s is answered %d, %v", own, status, err)
	}
	w.post(t, p, m)
	reply := w.sent(t, p, 1)
	if callback := reply.Twilio.Form.Get("StatusCallback"); !strings.HasPrefix(callback, w.inbound["sms"]) {
		t.Errorf("the status is to be posted to %s", callback)
	}
}

// TestRefusedCredentials has the platforms refuse a credential: the channel is to be connected again, the
// owner is told once, and nothing is sent until new settings, or a check that finds the credential accepted
// again.
func TestRefusedCredentials(t *testing.T) {
	w := Open(t).business(t, nil)
	hook := w.Want(t, 201, "POST", w.agent+"webhooks/", map[string]any{
		"url": "https://10.0.0.1/", "events": []string{"channel.disconnected"},
	}).Number("id")
	told := func() int {
		return len(w.Want(t, 200, "GET", w.agent+"webhooks/"+hook+"/deliveries/", nil).Results())
	}
	graph, twilio := w.service.standIns.Graph, w.service.standIns.Twilio
	denyMail := func(secret string) { w.service.standIns.Mail.Deny(secret != "") }
	for i, test := range []struct {
		channel, setting string
		refuse           func(string)
	}{
		{"whatsapp", "access_token", graph.Refuse}, {"instagram", "access_token", graph.Refuse},
		{"messenger", "access_token", graph.Refuse}, {"sms", "auth_token", twilio.Refuse},
		{"email", "inbound_secret", denyMail}, // the service's own credentials send
	} {
		p := w.platform(test.channel)
		test.refuse(p.Config[test.setting])
		for n := range 2 {
			w.write(t, p, 1, hours)
			reply := 2*n + 1
			if p.Channel == "email" { // a mail that answers none begins a conversation
				until(t, "the conversation", func() bool { return len(w.talks(t, p.Channel)) == n+1 })
				reply = 1
			}
			w.status(t, p.Channel, reply, "failed")
		}
		if row := w.row(t, p.Channel); row["live"] != false || row["status"] != "reconnect" ||
			text(row["status_detail"]) == "" {
			t.Errorf("%v", row)
		}
		if m := w.messages(t, p.Channel)[1]; text(m["status_detail"]) == "" {
			t.Errorf("%v", m)
		}
		w.WantError(t, 422, "unprocessable", "", "POST",
			fmt.Sprintf("/conversations/%v/reply/", w.talks(t, p.Channel)[0]["id"]),
			map[string]any{"message": "Hello"})
		until(t, "the event", func() bool { return told() == i+1 })
		test.refuse("")
		if i%2 == 0 {
			w.connect(t, p.Channel, p.Config)
		} else {
			w.Want(t, 200, "POST", w.agent+"channels/"+p.Channel+"/check/", nil)
		}
		if row := w.row(t, p.Channel); row["live"] != true || row["status"] != "connected" {
			t.Errorf("connected again: %v", row)
		}
		w.write(t, p, 2, hours)
		w.sent(t, p, 1)
	}
	if n := told(); n != 5 {
		t.Errorf("the owner was told %d times of 5 channels", n)
	}
}

// TestEveryCheck asks the platform of each channel whether it accepts the settings.
func TestEveryCheck(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	w.each(t, func(t *testing.T, p platforms.Platform) {
		var check struct{ Findings []channel.Finding }
		w.Want(t, 200, "POST", w.agent+"channels/"+p.Channel+"/check/", nil).Into(t, &check)
		var credentials []bool
		for _, f := range check.Findings {
			if f.Name == channel.CredentialsCheck {
				credentials = append(credentials, f.OK)
			}
		}
		if diff := cmp.Diff([]bool{true}, credentials); diff != "" {
			t.Errorf("%+v", check.Findings)
		}
	})
}
