package local

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"frontdesk/infra/platforms"
)

// TestWhatsAppContact has somebody come by an advertisement and change their number.
func TestWhatsAppContact(t *testing.T) {
	s := openShop(t)
	first := string(platforms.WhatsAppText(phoneNumberID, "16505551234", "wamid.1", "Hi", time.Now().Unix()))
	ad := `"type":"text","referral":{"source_url":"https://fb.me/3cr4","source_id":"120208","source_type":"ad",` +
		`"headline":"Half price"}`
	s.post(t, 200, []byte(strings.Replace(first, `"type":"text"`, ad, 1)))
	until(t, "the reply", func() bool { return len(s.graph.Sent()) == 1 })
	talk, _ := s.conversation(t)
	ends, err := time.Parse(time.RFC3339, fmt.Sprint(talk["window_ends_at"]))
	if left := time.Until(ends); err != nil || left < 23*time.Hour || left > 24*time.Hour {
		t.Errorf("the window ends at %v", talk["window_ends_at"])
	}
	contact := fmt.Sprintf("/contacts/%v/", talk["contact_id"])
	source, _ := s.Want(t, 200, "GET", contact, nil).Fields["source"].(map[string]any)
	if source["type"] != "ad" || source["id"] != "120208" || source["headline"] != "Half price" {
		t.Errorf("the contact came by %v", source)
	}

	changed, err := json.Marshal(map[string]any{"object": "whatsapp_business_account",
		"entry": []any{map[string]any{
			"changes": []any{map[string]any{"field": "messages", "value": map[string]any{
				"metadata": map[string]any{"phone_number_id": phoneNumberID},
				"messages": []any{map[string]any{
					"from": "16505551234", "id": "wamid.2", "timestamp": fmt.Sprint(time.Now().Unix()),
					"type":   "system",
					"system": map[string]any{"wa_id": "12195555358", "type": "user_changed_number"},
				}},
			}}},
		}}})
	if err != nil {
		t.Fatal(err)
	}
	s.post(t, 200, changed)
	until(t, "the new number", func() bool {
		return s.Want(t, 200, "GET", contact, nil).Text("phone") == "+12195555358"
	})
	s.Want(t, 201, "POST", fmt.Sprintf("/conversations/%v/reply/", talk["id"]),
		map[string]any{"message": "Hello"})
	if sent := s.graph.Sent(); sent[len(sent)-1].To() != "+12195555358" {
		t.Errorf("the reply went to %s", sent[len(sent)-1].To())
	}
}

// TestDisconnected has a platform refuse a credential twice: the owner is told once.
func TestDisconnected(t *testing.T) {
	s := openShop(t)
	hook := s.Want(t, 201, "POST", "/agents/"+s.agent+"/webhooks/", map[string]any{
		"url": "https://127.0.0.1:9/", "events": []string{"channel.disconnected"},
	}).Number("id")
	s.graph.Refuse("EAAG0bXk")
	for n := range 2 {
		id := fmt.Sprint("wamid.", n)
		s.post(t, 200, platforms.WhatsAppText(phoneNumberID, "16505551234", id, "Hi", time.Now().Unix()))
		until(t, "the refusal", func() bool {
			row := s.Want(t, 200, "GET", "/agents/"+s.agent+"/channels/", nil).Results()[0]
			return row["status"] == "reconnect" && row["live"] == false
		})
	}
	list := "/agents/" + s.agent + "/webhooks/" + hook + "/deliveries/"
	until(t, "the event", func() bool { return len(s.Want(t, 200, "GET", list, nil).Results()) > 0 })
	time.Sleep(200 * time.Millisecond)
	if told := s.Want(t, 200, "GET", list, nil).Results(); len(told) != 1 ||
		told[0]["event"] != "channel.disconnected" {
		t.Errorf("%v", told)
	}
}
