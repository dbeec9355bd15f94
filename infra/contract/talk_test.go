package contract

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/infra/platforms"
	"frontdesk/shared/conversation"
)

// TestTalks plays a conversation on each channel: a forged and a repeated post, a question and its answer,
// what became of it, a person's reply and the agent's silence, buttons, the end, and a conversation after
// that.
func TestTalks(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	w.each(t, func(t *testing.T, p platforms.Platform) { w.talk(t, p) })
}

func (w *business) talk(t *testing.T, p platforms.Platform) {
	question := platforms.Posted{ID: p.Channel + ".1." + w.agent[8:], Person: p.Person(1), Text: hours}
	if status, err := p.Post(w.inbound[p.Channel], "another secret", question); err != nil || status != 403 {
		t.Errorf("a forged post is answered %d, %v", status, err)
	}
	w.post(t, p, question)
	w.post(t, p, question)
	reply := w.sent(t, p, 1)
	if reply.Person != question.Person || !strings.Contains(reply.Text, hoursAnswer) {
		t.Errorf("the reply is %+v", reply)
	}
	w.status(t, p.Channel, 1, "sent")
	if p.Channel == "whatsapp" {
		until(t, "the mark that the question was read", func() bool {
			return slices.Contains(w.service.standIns.Graph.Marked(), question.ID)
		})
	}
	if p.Channel == "instagram" && reply.Graph.From != "me" { // the page's token says whose page it is
		t.Errorf("the reply was sent by %s", reply.Graph.From)
	}
	talk := w.talks(t, p.Channel)[0]
	asked := w.messages(t, p.Channel)[0]
	if asked["content"] != hours || asked["direction"] != "inbound" || asked["status"] != "received" {
		t.Errorf("the question is %v", asked)
	}
	w.windowOf(t, p.Channel, talk)
	if p.Report != nil {
		last := "read"
		if p.Channel == "sms" { // which nobody reports to have been read
			last = "delivered"
		}
		for _, status := range []string{last, "delivered", "sent"} {
			if status == "sent" && p.Channel != "sms" && p.Channel != "whatsapp" {
				continue
			}
			if code, err := p.Report(w.inbound[p.Channel], reply, status); err != nil || code != 200 {
				t.Fatalf("the status is answered %d, %v", code, err)
			}
		}
		w.status(t, p.Channel, 1, last)
	}

	// A person answers, and the agent leaves the conversation to them until it is given back.
	path := fmt.Sprintf("/conversations/%v/", talk["id"])
	w.Want(t, 201, "POST", path+"reply/", map[string]any{"message": "This is Grace."})
	if by := w.sent(t, p, 2); !strings.Contains(by.Text, "This is Grace.") || by.Person != question.Person {
		t.Errorf("the person's reply is %+v", by)
	}
	w.write(t, p, 1, hours)
	w.stored(t, p.Channel, 4)
	time.Sleep(settle)
	w.sent(t, p, 2)
	w.Want(t, 200, "POST", path+"resume-ai/", nil)

	// Buttons, or numbers where there are none.
	w.write(t, p, 1, "I'd like to book an appointment")
	offer := w.sent(t, p, 3)
	choice := platforms.Posted{ID: p.Channel + ".2." + w.agent[8:], Person: p.Person(1), Text: "1",
		Answers: &offer}
	if p.Channel != "sms" && p.Channel != "email" {
		if len(offer.Buttons) != 2 || offer.Buttons[0].Value != "Hair cut" {
			t.Fatalf("the buttons are %v", offer.Buttons)
		}
		choice.Button, choice.Text = offer.Buttons[0].Value, offer.Buttons[0].Title
	} else if !strings.Contains(offer.Text, "1. Hair cut") {
		t.Errorf("the choices are %q", offer.Text)
	}
	w.post(t, p, choice)
	if next := w.sent(t, p, 4); !strings.Contains(next.Text, "Which day") {
		t.Errorf("after the choice comes %q", next.Text)
	}

	// What is resolved ends; the same person begins another conversation.
	w.Want(t, 200, "POST", path+"resolve/", nil)
	again := w.write(t, p, 1, hours)
	w.sent(t, p, 5)
	talks := w.talks(t, p.Channel)
	if len(talks) != 2 || talks[0]["contact_id"] != talks[1]["contact_id"] {
		t.Errorf("after the end: %v", talks)
	}

	// Posts that come once more change nothing.
	for _, m := range []platforms.Posted{question, choice, again} {
		w.post(t, p, m)
	}
	time.Sleep(settle)
	w.sent(t, p, 5)
	if n := len(w.messages(t, p.Channel)); n != 2 {
		t.Errorf("the second conversation has %d messages, want 2", n)
	}
}

// windowOf checks until when one may write in a conversation whose contact has just written.
func (w *business) windowOf(t *testing.T, channel string, talk map[string]any) {
	t.Helper()
	open := map[string]time.Duration{
		"whatsapp": 24 * time.Hour, "messenger": 7 * 24 * time.Hour, "instagram": 7 * 24 * time.Hour,
	}[channel]
	if open == 0 {
		if talk["window_ends_at"] != nil {
			t.Errorf("one may write until %v", talk["window_ends_at"])
		}
		return
	}
	ends, err := time.Parse(time.RFC3339, text(talk["window_ends_at"]))
	if left := time.Until(ends); err != nil || left > open || left < open-time.Hour {
		t.Errorf("one may write until %v", talk["window_ends_at"])
	}
}

// TestEchoes has a person of the business answer in the platform's own app, and write there first.
func TestEchoes(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	w.each(t, func(t *testing.T, p platforms.Platform) {
		if p.Echo == nil {
			t.Skip("the platform has no app to answer in")
		}
		echo := func(id string, n int, text string) {
			t.Helper()
			if code, err := p.Echo(w.inbound[p.Channel], id, p.Person(n), text); err != nil || code != 200 {
				t.Fatalf("the echo is answered %d, %v", code, err)
			}
		}
		w.write(t, p, 1, hours)
		reply := w.sent(t, p, 1)
		w.status(t, p.Channel, 1, "sent")
		echo(reply.ID, 1, reply.Text) // of what was sent from here
		echo(p.Channel+".app.1", 1, "This is Grace.")
		messages := w.stored(t, p.Channel, 3)
		talk := w.talks(t, p.Channel)[0]
		if len(messages) != 3 || messages[2]["sent_by_ai"] != false ||
			messages[2]["direction"] != "outbound" ||
			talk["takeover_mode"] != "human" {
			t.Errorf("%v\n%v", talk, messages)
		}
		w.write(t, p, 1, hours)
		w.stored(t, p.Channel, 4)
		echo(p.Channel+".app.2", 2, "Your bicycle is ready.")
		until(t, "another conversation", func() bool { return len(w.talks(t, p.Channel)) == 2 })
		w.write(t, p, 2, hours)
		w.stored(t, p.Channel, 2)
		time.Sleep(settle)
		w.sent(t, p, 1)
	})
}

// TestPausedAgent has people write to an agent that is paused: what they write is kept.
func TestPausedAgent(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	w.Want(t, 200, "POST", w.agent+"pause/", nil)
	for _, p := range w.on {
		w.write(t, p, 1, hours)
	}
	for _, p := range w.on {
		if messages := w.stored(t, p.Channel, 1); messages[0]["content"] != hours {
			t.Errorf("%s: %v", p.Channel, messages)
		}
	}
	time.Sleep(settle)
	for _, p := range w.on {
		if sent := p.Sent(); len(sent) > 0 {
			t.Errorf("%s: %v was sent", p.Channel, texts(sent))
		}
	}
}

// TestOddMessages posts what is no text, some of it of kinds that nobody has heard of. It is stored where
// it is a message, and answered once at most.
func TestOddMessages(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	whatsApp, instagram := w.platform("whatsapp"), w.platform("instagram")
	odd := func(n int, kind string) string {
		text := string(platforms.WhatsAppText(whatsApp.Config["phone_number_id"], whatsApp.Person(n),
			fmt.Sprintf("wamid.odd.%d", n), "Hi", time.Now().Unix()))
		return strings.Replace(text, `"type":"text"`, kind, 1)
	}
	kinds := []struct{ body, kind string }{
		{`"type":"edit","edit":{"original_message_id":"wamid.X","message":{"type":"text","text":{"body":"Ok"}}}`,
			"edited"},
		{`"type":"revoke","revoke":{"original_message_id":"wamid.X"}`, "deleted"},
		{`"type":"sticker","sticker":{"id":"5","mime_type":"image/webp"}`, "sticker"},
		{`"type":"contacts","contacts":[{"name":{"formatted_name":"Bo"},"phones":[{"phone":"+1 983 555 2319"}]}]`,
			"contacts"},
		{`"type":"order","order":{"catalog_id":"1","product_items":[{"product_retailer_id":"sku","quantity":2}]}`,
			"order"},
		{`"type":"unsupported","errors":[{"code":131051,"title":"Message type unknown"}]`, "unsupported"},
		{`"type":"hologram","hologram":{"id":"1"}`, "unsupported"},
		{`"type":"location","location":{"latitude":38.9,"longitude":-77.0,"name":"Depot"}`, "location"},
		{`"type":"reaction","reaction":{"message_id":"wamid.X","emoji":"👍"}`, "reaction"},
		{`"type":"interactive"`, "unsupported"},
	}
	for i, k := range kinds {
		for range 2 {
			w.postGraph(t, whatsApp, odd(i+1, k.body))
		}
	}
	w.postGraph(t, whatsApp, `{"object":"whatsapp_business_account","entry":[{"changes":[{"field":"news","value":{"x":1}}]}]}`)
	account := instagram.Config["page_id"]
	events := map[string]string{ // what people send, by the types of messages
		"unsupported": `{"mid":"m_odd","is_unsupported":true}`,
		"story":       `{"mid":"m_story","attachments":[{"type":"story_mention","payload":{"url":"https://a.example"}}]}`,
		"deleted":     `{"mid":"m_gone","is_deleted":true}`,
	}
	for kind, event := range events {
		w.postGraph(t, instagram,
			string(platforms.MessagingEvent("instagram", account, "IGS."+kind, account, event)))
	}
	until(t, "all conversations", func() bool {
		return len(w.talks(t, "whatsapp")) == len(kinds) && len(w.talks(t, "instagram")) == len(events)
	})
	time.Sleep(settle)
	got, want := map[string]int{}, map[string]int{}
	for _, k := range kinds {
		want[k.kind]++
	}
	for kind := range events {
		want[kind]++
	}
	silent := map[string]bool{"reaction": true, "sticker": true, "deleted": true}
	for _, talk := range append(w.talks(t, "whatsapp"), w.talks(t, "instagram")...) {
		messages := w.Want(t, 200, "GET", fmt.Sprintf("/conversations/%v/messages/", talk["id"]),
			nil).Results()
		kind := text(messages[0]["type"])
		if replies := len(messages) - 1; replies > 1 || silent[kind] && replies > 0 {
			t.Errorf("%s is answered %d times: %v", kind, replies, messages)
		}
		got[kind]++
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestWhatsAppPeople has somebody come by an advertisement, change their number and get another id.
func TestWhatsAppPeople(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	p := w.platform("whatsapp")
	number, before := p.Config["phone_number_id"], p.Person(1)
	first := string(platforms.WhatsAppText(number, before, "wamid.ad", hours, time.Now().Unix()))
	w.postGraph(t, p, strings.Replace(first, `"type":"text"`, `"type":"text","referral":{`+
		`"source_url":"https://fb.me/3cr4","source_id":"120208","source_type":"ad","headline":"Half price"}`, 1))
	w.sent(t, p, 1)
	talk := w.talks(t, p.Channel)[0]
	source, _ := w.Want(t, 200, "GET", contactOf(talk), nil).Fields["source"].(map[string]any)
	if source["type"] != "ad" || source["id"] != "120208" || source["headline"] != "Half price" {
		t.Errorf("the contact came by %v", source)
	}

	const after = "12195555358"
	change := func(field, value string) {
		w.postGraph(t, p, fmt.Sprintf(`{"object":"whatsapp_business_account","entry":[{"changes":[{"field":%q,`+
			`"value":{"metadata":{"phone_number_id":%q},%s}}]}]}`, field, number, value))
	}
	change("messages", fmt.Sprintf(`"messages":[{"from":%q,"id":"wamid.moved","timestamp":"%d","type":"system",`+
		`"system":{"wa_id":%q,"type":"user_changed_number"}}]`, before, time.Now().Unix(), after))
	until(t, "the new number", func() bool {
		return w.Want(t, 200, "GET", contactOf(talk), nil).Text("phone") == "+"+after
	})
	w.Want(t, 201, "POST", fmt.Sprintf("/conversations/%v/reply/", talk["id"]),
		map[string]any{"message": "Hello"})
	if reply := w.sent(t, p, 2); reply.Person != after {
		t.Errorf("the reply went to %s", reply.Person)
	}
	change("user_id_update", fmt.Sprintf(`"user_id_update":[{"user_id":{"previous":"US.%s","current":"US.134"},`+
		`"timestamp":"%d"}]`, before, time.Now().Unix()))
	time.Sleep(settle)
	w.postGraph(t, p, fmt.Sprintf(`{"object":"whatsapp_business_account","entry":[{"changes":[{"field":"messages",`+
		`"value":{"metadata":{"phone_number_id":%q},"contacts":[{"user_id":"US.134"}],"messages":[{`+
		`"from_user_id":"US.134","id":"wamid.new-id","timestamp":"%d","type":"text","text":{"body":%q}}]}}]}]}`,
		number, time.Now().Unix(), hours))
	w.stored(t, p.Channel, 4)
	if talks := w.talks(t, p.Channel); len(talks) != 1 {
		t.Errorf("under the new id another conversation began: %v", talks)
	}
}

// TestConversationsEnd has people write once more after a long time: shorter than a conversation lasts, and
// longer.
func TestConversationsEnd(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	w.each(t, func(t *testing.T, p platforms.Platform) {
		t.Parallel()
		lasts := 24 * time.Hour
		if p.Channel == "email" {
			lasts = 30 * 24 * time.Hour
		}
		again := func(after time.Duration, conversations, sent int) {
			t.Helper()
			w.status(t, p.Channel, 2*(sent-1)-1, "sent")
			latest, err := w.talks(t, p.Channel)[0]["id"].(json.Number).Int64()
			if err != nil {
				t.Fatal(err)
			}
			w.service.Age(t, conversation.Key(w.Account, latest), after)
			w.write(t, p, 1, hours) // by e-mail as an answer to the reply before
			w.sent(t, p, sent)
			if talks := w.talks(t, p.Channel); len(talks) != conversations ||
				talks[0]["contact_id"] != talks[len(talks)-1]["contact_id"] {
				t.Errorf("after %v: %v", after, talks)
			}
		}
		w.write(t, p, 1, hours)
		w.sent(t, p, 1)
		again(lasts-time.Hour, 1, 2)
		again(lasts+time.Hour, 2, 3)
	})
}

// TestFunnelChoices has a funnel's question offer its numbered lines: as buttons where there are some.
func TestFunnelChoices(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	funnel := w.Want(t, 201, "POST", w.agent+"funnels/", map[string]any{
		"name": "Bicycles", "trigger_keyword": "bicycle",
	}).Number("id")
	for _, step := range []map[string]any{
		{"step_type": "question", "content": "What size?\n1. Small\n2. Large", "save_response_to": "size"},
		{"step_type": "message", "content": "We keep one for you."},
	} {
		w.Want(t, 201, "POST", w.agent+"funnels/"+funnel+"/steps/", step)
	}
	w.Want(t, 200, "POST", w.agent+"train/", nil)
	for i, name := range []string{"whatsapp", "sms"} {
		p := w.platform(name)
		w.write(t, p, i+1, "bicycle")
		offer := w.sent(t, p, 1)
		answer := platforms.Posted{ID: name + ".size", Person: p.Person(i + 1), Text: "2"}
		if name == "whatsapp" {
			want := []platforms.GraphButton{{Value: "Small", Title: "Small"},
				{Value: "Large", Title: "Large"}}
			if diff := cmp.Diff(want, offer.Buttons); diff != "" {
				t.Fatal(diff)
			}
			answer.Button, answer.Text = "Large", "Large"
		}
		w.post(t, p, answer)
		if next := w.sent(t, p, 2); next.Text != "We keep one for you." {
			t.Errorf("%s: after the answer comes %q", name, next.Text)
		}
		memory := w.Want(t, 200, "GET", contactOf(w.talks(t, name)[0]), nil).Body
		if !strings.Contains(memory, "Large") {
			t.Errorf("%s: the contact is %s", name, memory)
		}
	}
}

// TestOptOutWords has people say that they want no messages: by Twilio's word, by another and in a sentence.
func TestOptOutWords(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	sms, whatsApp := w.platform("sms"), w.platform("whatsapp")
	optedIn := func(p platforms.Platform, want bool) {
		t.Helper()
		until(t, fmt.Sprintf("%s: opted_in %v", p.Channel, want), func() bool {
			talks := w.talks(t, p.Channel)
			return len(talks) > 0 &&
				w.Want(t, 200, "GET", contactOf(talks[0]), nil).Fields["opted_in"] == want
		})
	}
	w.write(t, sms, 1, "STOP")
	optedIn(sms, false)
	path := fmt.Sprintf("/conversations/%v/", w.talks(t, "sms")[0]["id"])
	w.WantError(t, 403, "contact_opted_out", "", "POST", path+"reply/", map[string]any{"message": "Hello"})
	w.write(t, sms, 1, "START")
	optedIn(sms, true)
	w.write(t, sms, 1, "help")
	w.stored(t, "sms", 3)
	time.Sleep(settle)
	w.sent(t, sms, 0) // Twilio has answered these words
	w.Want(t, 201, "POST", path+"reply/", map[string]any{"message": "Welcome back."})
	w.sent(t, sms, 1)
	w.Want(t, 200, "POST", path+"resume-ai/", nil)

	for n, p := range []platforms.Platform{sms, whatsApp} {
		before := len(p.Sent())
		w.write(t, p, 2+n, "No more messages please")
		optedIn(p, false)
		w.sent(t, p, before+1) // the confirmation
		w.WantError(t, 403, "contact_opted_out", "", "POST",
			fmt.Sprintf("/conversations/%v/reply/", w.talks(t, p.Channel)[0]["id"]),
			map[string]any{"message": "Hello"})
	}
	for n, text := range []string{"No more sugar please", "Can you stop by at 5?"} {
		before := len(sms.Sent())
		w.write(t, sms, 4+n, text)
		w.sent(t, sms, before+1)
		optedIn(sms, true)
	}
}

// TestOnePerson has a person write on several channels: by one number they are one contact, and by ids that
// only a platform knows they are others, until the business joins them.
func TestOnePerson(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	ids := map[string]string{}
	for _, name := range []string{"whatsapp", "sms", "messenger", "instagram", "email"} {
		p := w.platform(name)
		w.write(t, p, 1, hours)
		w.sent(t, p, 1)
		ids[name] = contactOf(w.talks(t, name)[0])
	}
	if ids["whatsapp"] != ids["sms"] || ids["messenger"] == ids["whatsapp"] ||
		ids["messenger"] == ids["instagram"] ||
		ids["email"] == ids["whatsapp"] {
		t.Errorf("the contacts are %v", ids)
	}
	w.Want(t, 200, "POST", ids["messenger"]+"tags/", map[string]any{"tags": []string{"vip"}})
	w.Want(t, 200, "POST", ids["messenger"]+"opt-out/", nil)
	other := strings.Split(ids["messenger"], "/")[2]
	start := time.Now().AddDate(0, 0, 7).UTC().Truncate(time.Hour)
	appointment := "/appointments/" + w.Want(t, 201, "POST", "/appointments/", map[string]any{
		"agent_id": json.Number(strings.Split(w.agent, "/")[2]), "contact_id": json.Number(other),
		"title": "Hair cut", "start_time": start, "end_time": start.Add(time.Hour),
	}).Number("id") + "/"
	for range 2 { // the second changes nothing
		joined := w.Want(t, 200, "POST", ids["whatsapp"]+"merge/",
			map[string]any{"contact_id": json.Number(other)})
		if joined.Fields["opted_in"] != false || !strings.Contains(joined.Body, `"vip"`) {
			t.Errorf("%s", joined.Body)
		}
	}
	w.WantError(t, 404, "not_found", "", "GET", ids["messenger"], nil)
	if a := w.Want(t, 200, "GET", appointment, nil); contactOf(a.Fields) != ids["whatsapp"] {
		t.Errorf("%s", a.Body)
	}
	if got := contactOf(w.talks(t, "messenger")[0]); got != ids["whatsapp"] {
		t.Errorf("the conversation is of %s, want %s", got, ids["whatsapp"])
	}
	p := w.platform("messenger")
	w.Want(t, 200, "POST", fmt.Sprintf("/conversations/%v/resolve/", w.talks(t, "messenger")[0]["id"]), nil)
	w.write(t, p, 1, hours)
	until(t, "a conversation after the merge", func() bool { return len(w.talks(t, "messenger")) == 2 })
	if got := contactOf(w.talks(t, "messenger")[0]); got != ids["whatsapp"] {
		t.Errorf("the next conversation is of %s, want %s", got, ids["whatsapp"])
	}
}

// TestNoNumber has somebody write on WhatsApp who shows a name there and no number.
func TestNoNumber(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, nil)
	port, calls := receive(t)
	w.Want(t, 201, "POST", w.agent+"webhooks/", map[string]any{ // workers run on this machine itself
		"url": "http://127.0.0.1:" + port + "/", "events": []string{"message.sent"},
	})
	p := w.platform("whatsapp")
	const user = "US.13491208655302741918"
	w.postGraph(t, p, fmt.Sprintf(`{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages",`+
		`"value":{"metadata":{"phone_number_id":%q},"contacts":[{"profile":{"name":"Sheena","username":"sheena"},`+
		`"user_id":%q}],"messages":[{"from_user_id":%q,"id":"wamid.user","timestamp":"%d","type":"text",`+
		`"text":{"body":%q}}]}}]}]}`, p.Config["phone_number_id"], user, user, time.Now().Unix(), hours))
	reply := w.sent(t, p, 1)
	if reply.Graph.Body["recipient"] != user || reply.Graph.Body["to"] != nil {
		t.Errorf("the reply is %v", reply.Graph.Body)
	}
	c := w.Want(t, 200, "GET", contactOf(w.talks(t, p.Channel)[0]), nil)
	if c.Text("phone") != "" || c.Text("name") != "Sheena" {
		t.Errorf("%s", c.Body)
	}
	select {
	case call := <-calls:
		if !strings.Contains(call.body, `"contact_phone": ""`) || !strings.Contains(call.body, hoursAnswer) {
			t.Errorf("%s", call.body)
		}
	case <-time.After(15 * time.Second):
		t.Error("message.sent did not come")
	}
}

// TestDisorder has the platforms post what a person wrote backwards and twice, and again when it was
// answered. The messages are stored once and in the order in which they were written, as far as the
// platform tells it, and answered together; by e-mail each on its own.
func TestDisorder(t *testing.T) {
	t.Parallel()
	w := Open(t).business(t, map[string]any{"channel_pause_seconds": 2})
	now := time.Now().Add(-time.Minute)
	number := regexp.MustCompile(`\d`)
	w.each(t, func(t *testing.T, p platforms.Platform) {
		t.Parallel()
		write := func(order ...int) {
			t.Helper()
			for _, n := range order {
				w.post(t, p, platforms.Posted{
					ID: fmt.Sprint(p.Channel, n, ".disorder"), Person: p.Person(1),
					At:   now.Add(time.Duration(n) * time.Second),
					Text: fmt.Sprint("When are you open, ", n, "?"),
				})
			}
		}
		answers, want := 1, "1 2 3"
		switch p.Channel {
		case "email":
			answers = 3
		case "sms": // which does not tell when a message was written
			want = "3 1 2"
		}
		write(3, 3, 1, 2, 1, 3)
		w.sent(t, p, answers)
		write(2, 1, 3)
		time.Sleep(2*time.Second + settle) // longer than the pause
		w.sent(t, p, answers)
		if p.Channel == "email" {
			return
		}
		var got []string
		for _, m := range w.messages(t, p.Channel) {
			if m["direction"] == "inbound" {
				got = append(got, number.FindString(text(m["content"])))
			}
		}
		if order := strings.Join(got, " "); order != want {
			t.Errorf("stored are %s, want %s", order, want)
		}
	})
}
