package local

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/api/apitest"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/event"
)

// TestActionWebhooks has each trigger happen, in each place where it can, and takes it all the way to a
// receiver. The signature is over the bytes of the body.
func TestActionWebhooks(t *testing.T) {
	graph := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"messages": [{"id": "wamid.1"}]}`)
	}))
	defer graph.Close()
	service, err := Start(t.Context(), Config{
		Template: "../../template.yaml", DataDir: t.TempDir(), Now: time.Now, AllowHosts: "127.0.0.1",
		Platforms: registry.Addresses{Graph: graph.URL},
		Log:       slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer service.Close()
	server := httptest.NewServer(service)
	defer server.Close()
	r := newReceiver(t)
	c := &apitest.Client{Base: server.URL + "/api/v1/", Key: Key}
	agent := c.Want(t, 201, "POST", "/agents/", map[string]any{"name": "Ada"}).Number("id")
	conditions := func(t event.Trigger) []any {
		switch t {
		case event.OnKeyword:
			return []any{map[string]any{"field": "message", "operator": "contains", "value": "parking"}}
		case event.OnIntentDetected:
			return []any{map[string]any{"field": "intent", "operator": "not_equals", "value": "goodbye"}}
		}
		return []any{}
	}
	actions := "/agents/" + agent + "/actions/"
	for _, name := range event.Trigger.Values("") {
		c.Want(t, 201, "POST", actions, map[string]any{
			"name": "On " + name, "action_type": "fire_webhook", "trigger_on": name,
			"conditions": conditions(event.Trigger(name)),
			"config":     map[string]any{"url": r.URL + "/" + name, "secret": "s3cret, of " + name},
		})
	}
	want := map[string][]string{} // the bodies at each path, in no order
	expect := func(name, contact, conversation, data string) {
		want[name] = append(want[name], fmt.Sprintf(`{"event": "action.fire_webhook", "action_name": "On %s", "agent_id": %s, `+
			`"contact_id": %s, "contact_name": "Ada", "conversation_id": %s, "data": {"trigger": "%s"%s}}`,
			name, agent, contact, conversation, name, data))
	}

	said := c.Want(t, 200, "POST", "/agents/"+agent+"/chat/", map[string]any{
		"message": "Is parking free?", "contact": map[string]any{"name": "Ada", "phone": "+14155550123"},
	})
	contact, conversation := said.Number("contact_id"), said.Number("conversation_id")
	intent := fmt.Sprintf(`, "intent": "%s", "confidence": %s`, said.Text("intent"),
		said.Number("confidence"))
	received := fmt.Sprintf(`, "channel": "api", "message_id": %s, "message": "Is parking free?"`, said.Number("inbound_message_id"))
	reply, err := json.Marshal(said.Text("reply"))
	if err != nil {
		t.Fatal(err)
	}
	expect("conversation_started", contact, conversation, `, "channel": "api"`)
	expect("contact_created", contact, conversation, `, "channel": "api"`)
	expect("message_received", contact, conversation, received+intent)
	expect("keyword", contact, conversation, received+intent)
	expect("intent_detected", contact, conversation, received+intent)
	expect("message_sent", contact, conversation,
		fmt.Sprintf(`, "channel": "api", "message_id": %s, "message": %s, "sent_by_ai": true`, said.Number("message_id"), reply)+intent)

	added := c.Want(t, 201, "POST", "/contacts/", fmt.Sprintf(
		`{"agent_id": %s, "name": "Ada", "phone": "+14155550199"}`, agent)).Number("id")
	expect("contact_created", added, "0", "")
	c.Want(t, 200, "POST", "/contacts/", fmt.Sprintf(`{"agent_id": %s, "phone": "+14155550199"}`, agent))

	answered := c.Want(t, 201, "POST", "/conversations/"+conversation+"/reply/",
		map[string]any{"message": "It is."})
	expect("message_sent", contact, conversation,
		fmt.Sprintf(`, "channel": "api", "message_id": %s, "message": "It is.", "sent_by_ai": false`, answered.Number("id")))
	for range 2 { // the second time nothing happens
		c.Want(t, 200, "POST", "/conversations/"+conversation+"/handoff/", nil)
		c.Want(t, 200, "PATCH", "/contacts/"+contact+"/",
			map[string]any{"stage": "customer", "notes": "Parks"})
	}
	expect("handoff", contact, conversation, `, "channel": "api"`)
	expect("stage_changed", contact, "0", `, "stage": "customer", "previous_stage": "lead"`)

	// While a person handles the conversation there is no reply, and nobody says what the message is about.
	more := c.Want(t, 200, "POST", "/agents/"+agent+"/chat/", map[string]any{
		"message": "And on Sundays?", "session_id": said.Text("session_id"),
	})
	expect("message_received", contact, conversation,
		fmt.Sprintf(`, "channel": "api", "message_id": %s, "message": "And on Sundays?"`, more.Number("inbound_message_id")))
	for range 2 {
		c.Want(t, 200, "POST", "/conversations/"+conversation+"/resolve/", nil)
	}
	expect("conversation_resolved", contact, conversation, `, "channel": "api"`)

	booked := c.Want(t, 201, "POST", "/appointments/", fmt.Sprintf(
		`{"agent_id": %s, "contact_id": %s, "title": "Visit", "start_time": "2027-03-02T09:30:00+01:00"}`, agent, contact)).Number("id")
	expect("appointment_created", contact, "0",
		fmt.Sprintf(`, "appointment_id": %s, "title": "Visit", "start_time": "2027-03-02 09:30:00+01:00", "contact_phone": "+14155550123"`, booked))
	c.Want(t, 200, "PATCH", "/appointments/"+booked+"/", map[string]any{"status": "confirmed"})
	c.Want(t, 200, "PATCH", "/appointments/"+booked+"/",
		map[string]any{"start_time": "2027-03-03T09:30:00+01:00"})
	expect("appointment_updated", contact, "0",
		fmt.Sprintf(`, "appointment_id": %s, "title": "Visit", "start_time": "2027-03-03 09:30:00+01:00", "contact_phone": "+14155550123"`, booked))

	c.Want(t, 201, "POST", "/agents/"+agent+"/channels/", map[string]any{
		"channel_type": "whatsapp",
		"config":       map[string]any{"phone_number_id": "106540352242922", "access_token": "EAAG0bXk"},
	})
	c.Want(t, 201, "POST", "/agents/"+agent+"/messages/", map[string]any{
		"to": "+14155550123", "type": "template", "template_name": "ready",
		"template_params": []string{"Ada"},
	})
	begun := fmt.Sprint(c.Want(t, 200, "GET", "/agents/"+agent+"/conversations/?status=open",
		nil).Results()[0]["id"])
	sent := c.Want(t, 200, "GET", "/conversations/"+begun+"/messages/", nil).Results()[0]["id"]
	expect("conversation_started", contact, begun, `, "channel": "whatsapp"`)
	expect("message_sent", contact, begun,
		fmt.Sprintf(`, "channel": "whatsapp", "message_id": %v, "message": "ready\nAda", "sent_by_ai": false`, sent))

	for name, bodies := range want {
		got := r.await(t, "/"+name, len(bodies), 10*time.Second)
		for _, body := range bodies {
			found := false
			for _, d := range got {
				found = found || d.body == body
			}
			if !found {
				t.Errorf("%s did not get\n%s", name, body)
			}
		}
		for _, d := range got {
			mac := hmac.New(sha256.New, []byte("s3cret, of "+name))
			mac.Write([]byte(d.body))
			if d.header.Get("X-Service-Signature") != hex.EncodeToString(mac.Sum(nil)) ||
				d.header.Get("X-Service-Event") != "action.fire_webhook" ||
				d.header.Get("X-Service-Agent") != agent {
				t.Errorf("%s got %s\nwith %v", name, d.body, d.header)
			}
			if t.Failed() {
				t.Logf("%s got\n%s", name, d.body)
			}
		}
	}
	time.Sleep(time.Second) // what fires too often would have come
	for _, name := range event.Trigger.Values("") {
		if n := len(r.await(t, "/"+name, 0, 0)); n != len(want[name]) {
			t.Errorf("%s got %d deliveries, want %d", name, n, len(want[name]))
		}
	}
	if strings.Contains(c.Want(t, 200, "GET", actions, nil).Body, "s3cret") {
		t.Error("a secret shows")
	}
}
