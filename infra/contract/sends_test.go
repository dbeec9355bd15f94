package contract

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"frontdesk/infra/platforms"
)

// TestWindowClosed has a message come a day late: no free text may be sent any more, and a template may.
func TestWindowClosed(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	w.Want(t, 200, "POST", w.agent+"pause/", nil)
	p := w.platform("whatsapp")
	w.post(t, p, platforms.Posted{
		ID: "wamid.late", Person: p.Person(1), Text: hours, At: time.Now().Add(-25 * time.Hour),
	})
	w.stored(t, p.Channel, 1)
	talk := w.talks(t, p.Channel)[0]
	ends, err := time.Parse(time.RFC3339, text(talk["window_ends_at"]))
	if err != nil || time.Until(ends) > 0 {
		t.Errorf("one may write until %v", talk["window_ends_at"])
	}
	refused := w.WantError(t, 422, "unprocessable", "", "POST",
		fmt.Sprintf("/conversations/%v/reply/", talk["id"]),
		map[string]any{"message": "Hello"})
	if !strings.Contains(refused.Text("detail"), "Send a template.") {
		t.Errorf("%s", refused.Body)
	}
	to := "+" + p.Person(1)
	w.WantError(t, 422, "unprocessable", "", "POST", w.agent+"messages/",
		map[string]any{"to": to, "text": "Hello"})
	if sent := p.Sent(); len(sent) != 0 {
		t.Errorf("%v was sent after the window", texts(sent))
	}
	w.Want(t, 201, "POST", w.agent+"messages/", map[string]any{
		"to": to, "type": "template", "template_name": "order_ready", "template_params": []string{"Ada"},
	})
	template, _ := w.sent(t, p, 1).Graph.Body["template"].(map[string]any)
	if template["name"] != "order_ready" {
		t.Errorf("the template is %v", template)
	}
}

// TestLateAnswer has messages come late on Messenger and Instagram: within a week a person may answer, and as
// one; after that nobody may. The agent never answers as a person: it is for the platform to refuse it.
func TestLateAnswer(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	for _, channel := range []string{"messenger", "instagram"} {
		p := w.platform(channel)
		answered := func(n int, kind, tag any) {
			t.Helper()
			if by := w.sent(t, p, n).Graph.Body; by["messaging_type"] != kind || by["tag"] != tag {
				t.Errorf("%s: message %d is %v", channel, n, by)
			}
		}
		for n, test := range []struct {
			after  time.Duration
			status int
			tag    any
		}{{0, 201, nil}, {25 * time.Hour, 201, "HUMAN_AGENT"}, {8 * 24 * time.Hour, 422, nil}} {
			before := len(p.Sent())
			w.post(t, p, platforms.Posted{
				ID: fmt.Sprint("m_late_", n), Person: p.Person(n), Text: hours,
				At: time.Now().Add(-test.after),
			})
			answered(before+1, "RESPONSE", nil)
			path := fmt.Sprintf("/conversations/%v/reply/", w.talks(t, channel)[0]["id"])
			w.Want(t, test.status, "POST", path, map[string]any{"message": "This is Grace."})
			switch {
			case test.status != 201:
				w.sent(t, p, before+1)
			case test.tag != nil:
				answered(before+2, "MESSAGE_TAG", test.tag)
			default:
				answered(before+2, "RESPONSE", nil)
			}
		}
	}
}

// TestUnclearSend loses the answer of a send after the message was taken. What the platform reports of it
// settles it, and it is not sent again.
func TestUnclearSend(t *testing.T) {
	w := Open(t).business(t, nil)
	p := w.platform("whatsapp")
	w.service.standIns.Graph.Answer(platforms.Broken)
	w.write(t, p, 1, hours)
	reply := w.sent(t, p, 1)
	w.status(t, p.Channel, 1, "queued")
	time.Sleep(settle)
	if code, err := p.Report(w.inbound[p.Channel], reply, "delivered"); err != nil || code != 200 {
		t.Fatalf("the status is answered %d, %v", code, err)
	}
	w.status(t, p.Channel, 1, "delivered")
	w.service.Pass(time.Hour)
	time.Sleep(settle)
	w.sent(t, p, 1)
}

// TestEarlyStatuses has the platforms tell that a message was read before they have answered its send: one of
// the agent's, and one of a person's.
func TestEarlyStatuses(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	for _, name := range []string{"whatsapp", "messenger", "instagram"} {
		p := w.platform(name)
		w.service.standIns.Graph.BeforeAnswer(p.Config["access_token"], func(m platforms.GraphMessage) {
			code, err := p.Report(w.inbound[name], platforms.Sent{
				ID: m.ID, Person: strings.TrimPrefix(m.To(), "+"), Graph: m,
			}, "read")
			if err != nil || code != 200 {
				t.Errorf("%s: the status is answered %d, %v", name, code, err)
			}
			time.Sleep(settle / 2) // the status is looked at meanwhile
		})
		w.write(t, p, 1, hours)
	}
	for _, name := range []string{"whatsapp", "messenger", "instagram"} {
		w.status(t, name, 1, "read")
		w.Want(t, 201, "POST", fmt.Sprintf("/conversations/%v/reply/", w.talks(t, name)[0]["id"]),
			map[string]any{"message": "This is Grace."})
	}
	for _, name := range []string{"whatsapp", "messenger", "instagram"} {
		w.status(t, name, 2, "read")
		w.sent(t, w.platform(name), 2)
	}
}

// TestLongTexts has a person reply with more than a message of the platform may have: it goes in several, in
// order, and is one message of the conversation.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	var long strings.Builder
	for n := range 100 {
		fmt.Fprintf(&long, "Grüße Nummer %d aus Köln 👋. ", n)
	}
	whole := strings.TrimSpace(long.String())
	w.each(t, func(t *testing.T, p platforms.Platform) {
		w.write(t, p, 1, hours)
		w.sent(t, p, 1)
		path := fmt.Sprintf("/conversations/%v/", w.talks(t, p.Channel)[0]["id"])
		w.Want(t, 201, "POST", path+"reply/", map[string]any{"message": whole})
		var parts []string
		for _, m := range p.Sent()[1:] {
			part, length := strings.TrimSpace(m.Text), utf8.RuneCountInString(m.Text)
			most := map[string]int{"messenger": 2000, "instagram": 1000, "sms": 1600}[p.Channel]
			if p.Channel == "messenger" || p.Channel == "instagram" {
				length = len(m.Text)
			}
			if most > 0 && length > most || !strings.HasSuffix(part, ".") {
				t.Errorf("a part of %d: %q", length, part)
			}
			parts = append(parts, part)
		}
		if got := strings.Join(parts, " "); got != whole {
			t.Errorf("%d parts: %q", len(parts), got)
		}
		want := map[string]int{"messenger": 2, "instagram": 4, "sms": 2}[p.Channel]
		if want = max(want, 1); len(parts) != want {
			t.Errorf("%d parts, want %d", len(parts), want)
		}
		messages := w.stored(t, p.Channel, 3)
		reply := messages[2]
		if len(messages) != 3 || reply["content"] != whole || reply["status"] != "sent" {
			t.Errorf("%d messages, %v", len(messages), reply)
		}
		billed, _ := reply["segments"].(json.Number)
		if n, _ := billed.Int64(); (p.Channel == "sms") != (n > 30) {
			t.Errorf("%q segments", billed)
		}
	})
}

// TestFiles has a picture come on each channel, which the business fetches.
func TestFiles(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	graph, twilio := w.service.standIns.Graph, w.service.standIns.Twilio
	picture := platforms.GraphFile{Type: "image/png", Content: []byte("\x89PNG\r\n\x00")}
	w.each(t, func(t *testing.T, p platforms.Platform) {
		id := p.Channel + p.Config["page_id"] + p.Config["phone_number_id"]
		person, account := p.Person(1), p.Config["page_id"]
		switch p.Channel {
		case "whatsapp":
			graph.Keep(id, picture)
			message := string(platforms.WhatsAppText(p.Config["phone_number_id"], person, id, "",
				time.Now().Unix()))
			w.postGraph(t, p, strings.Replace(message, `"type":"text"`,
				`"type":"image","image":{"mime_type":"image/png","id":"`+id+`"}`, 1))
		case "messenger", "instagram":
			object := map[string]string{"messenger": "page"}[p.Channel]
			w.postGraph(t, p, string(platforms.MessagingEvent(cmp.Or(object, p.Channel), account, person,
				account, fmt.Sprintf(`{"mid":%q,"attachments":[{"type":"image","payload":{"url":%q}}]}`, id,
					graph.Keep(id, picture)))))
		case "sms":
			status, _, err := platforms.PostTwilio(w.inbound["sms"], p.Secret, url.Values{
				"AccountSid": {p.Config["account_sid"]}, "MessageSid": {"MM" + id}, "From": {person},
				"To": {p.Config["from"]}, "NumMedia": {"1"}, "MediaContentType0": {"image/png"},
				"MediaUrl0": {twilio.Keep("ME"+p.Config["account_sid"], picture)},
			})
			if err != nil || status != 200 {
				t.Fatal(status, err)
			}
		case "email":
			mail := "From: " + person + "\r\nMessage-ID: <picture@customer.example>\r\n" +
				"Content-Type: image/png; name=a.png\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
				base64.StdEncoding.EncodeToString(picture.Content) + "\r\n"
			status, err := platforms.PostMail(w.inbound["email"], p.Secret, "message/rfc822", []byte(mail))
			if err != nil || status != 200 {
				t.Fatal(status, err)
			}
		}
		m := w.stored(t, p.Channel, 1)[0]
		if m["type"] != "image" || !strings.HasPrefix(text(m["content"]), "[image]") {
			t.Errorf("%v", m)
		}
		file := w.Want(t, 200, "GET", fmt.Sprintf("/messages/%v/attachments/0/", m["id"]), nil)
		if file.Body != string(picture.Content) || file.Header.Get("Content-Type") != "image/png" {
			t.Errorf("%q %v", file.Body, file.Header)
		}
		if reply := w.sent(t, p, 1); reply.Text == "" { // asks for words
			t.Errorf("%+v", reply)
		}
	})
}
