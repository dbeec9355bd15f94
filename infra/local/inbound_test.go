package local

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"frontdesk/infra/platforms"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/channel"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/id"
	"frontdesk/shared/inbox"
)

const (
	phoneNumberID = "106540352242922"
	appSecret     = "7d6f5e4c3b2a1908"
)

// A shop is a service with an agent that is connected to WhatsApp over a stand-in.
type shop struct {
	*apitest.Client
	graph   *platforms.Graph
	twilio  *platforms.Twilio
	agent   string
	inbound string // where Meta posts
	data    string // the folder of the store
	account int64
}

func openShop(t *testing.T) *shop { return openShopAt(t, time.Now) }

// openShopAt is openShop with a clock.
func openShopAt(t *testing.T, now func() time.Time) *shop {
	t.Helper()
	s := &shop{graph: platforms.NewGraph(t), twilio: platforms.NewTwilio(t), data: t.TempDir()}
	service, err := Start(t.Context(), Config{
		Template: "../../template.yaml", DataDir: s.data, Now: now, AllowHosts: "127.0.0.1",
		Platforms: registry.Addresses{Graph: s.graph.URL, Twilio: s.twilio.URL},
		Log:       slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(service.Close)
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	s.account = service.Account
	s.Client = &apitest.Client{Base: server.URL + "/api/v1/", Key: Key}
	s.agent = s.Want(t, 201, "POST", "/agents/",
		map[string]any{"name": "Mia", "business_name": "Acme"}).Number("id")
	s.Want(t, 201, "POST", "/agents/"+s.agent+"/knowledge/", map[string]any{
		"title": "FAQ", "doc_type": "faq", "content": "Q: When are you open?\nA: We are open from 9 to 5.",
	})
	s.Want(t, 200, "POST", "/agents/"+s.agent+"/train/", nil)
	s.Want(t, 201, "POST", "/agents/"+s.agent+"/channels/",
		map[string]any{"channel_type": "whatsapp", "config": map[string]any{
			"phone_number_id": phoneNumberID, "access_token": "EAAG0bXk", "app_secret": appSecret,
			"verify_token": "a word",
		}})
	s.inbound = server.URL + "/api/v1/inbound/" + s.agent + "/whatsapp/"
	return s
}

// post posts as Meta does and wants a status.
func (s *shop) post(t *testing.T, status int, body []byte) {
	t.Helper()
	if got, err := platforms.PostGraph(s.inbound, appSecret, body); err != nil || got != status {
		t.Fatalf("the post answered %d, %v; want %d", got, err, status)
	}
}

// until waits for a condition, at most ten seconds.
func until(t *testing.T, what string, met func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !met(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s did not happen", what)
		}
	}
}

// conversation is the agent's only conversation with its messages.
func (s *shop) conversation(t *testing.T) (map[string]any, []map[string]any) {
	t.Helper()
	all := s.Want(t, 200, "GET", "/agents/"+s.agent+"/conversations/", nil).Results()
	if len(all) != 1 {
		t.Fatalf("%d conversations, want 1: %v", len(all), all)
	}
	return all[0], s.Want(t, 200, "GET", fmt.Sprintf("/conversations/%v/messages/", all[0]["id"]),
		nil).Results()
}

// TestWhatsApp takes messages of a person in, and the agent's replies out.
func TestWhatsApp(t *testing.T) {
	s := openShop(t)
	now := time.Now().Unix()
	if resp, err := http.Get(s.inbound +
		"?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=a+word"); err != nil ||
		resp.StatusCode != 200 {
		t.Errorf("the handshake: %v, %v", resp, err)
	}
	if resp, err := http.Get(s.inbound +
		"?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=another"); err != nil ||
		resp.StatusCode != 403 {
		t.Errorf("the handshake with a wrong token: %v, %v", resp, err)
	}
	first := platforms.WhatsAppText(phoneNumberID, "16505551234", "wamid.1", "Hello", now)
	if got, err := platforms.PostGraph(s.inbound, "another secret", first); err != nil || got != 403 {
		t.Errorf("a wrong signature answered %d, %v", got, err)
	}
	begun := time.Now()
	s.post(t, 200, first)
	s.post(t, 200, first) // Meta repeats itself
	s.post(t, 200,
		platforms.WhatsAppText(phoneNumberID, "16505551234", "wamid.2", "When are you open?", now+1))
	until(t, "a reply", func() bool { return len(s.graph.Sent()) > 0 })
	t.Logf("replied after %v", time.Since(begun))
	time.Sleep(3 * time.Second)
	sent := s.graph.Sent()
	if len(sent) != 1 || sent[0].To() != "+16505551234" || sent[0].Token != "EAAG0bXk" ||
		sent[0].From != phoneNumberID {
		t.Fatalf("sent %+v", sent)
	}
	if !slices.Contains(s.graph.Marked(), "wamid.2") {
		t.Errorf("marked as read: %v", s.graph.Marked())
	}
	talk, messages := s.conversation(t)
	if talk["channel"] != "whatsapp" || talk["contact_name"] != "Sheena Nelson" || len(messages) != 3 {
		t.Fatalf("%v\n%v", talk, messages)
	}
	reply := messages[2]
	if reply["content"] != sent[0].Text() || reply["status"] != "sent" || reply["sent_by_ai"] != true ||
		messages[0]["content"] != "Hello" {
		t.Errorf("%v", messages)
	}
	status := func(to, ref string) {
		s.post(t, 200, platforms.WhatsAppStatus(phoneNumberID, "16505551234", sent[0].ID, ref, to, now+2))
	}
	status("read", "")
	status("delivered", "") // which came late
	until(t, "the status read", func() bool {
		_, messages := s.conversation(t)
		return messages[2]["status"] == "read"
	})
	// A free text may be sent now, since the window is open.
	s.Want(t, 201, "POST", "/agents/"+s.agent+"/messages/",
		map[string]any{"to": "+16505551234", "text": "It is ready."})
	if _, messages = s.conversation(t); len(messages) != 4 {
		t.Errorf("%v", messages)
	}
}

// TestStoredUpdateIsAnswered has a process end right after it stored a message: nothing else tells of it, and
// it is answered all the same.
func TestStoredUpdateIsAnswered(t *testing.T) {
	s := openShop(t)
	other, err := OpenStore(s.data, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	agent, err := strconv.ParseInt(s.agent, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	from := channel.Person{Address: "+16505551234", Phone: "+16505551234"}
	added, err := (&inbox.Store{Table: other.Table, Now: time.Now, IDs: id.NewSource(time.Now)}).Add(
		t.Context(),
		inbox.Lane{AccountID: s.account, AgentID: agent, Channel: channel.WhatsApp, Person: from.Lane()},
		channel.Update{
			Kind: channel.MessageUpdate, ID: "wamid.1", MessageID: "wamid.1", At: time.Now(), From: from,
			Type: channel.TextMessage, Text: "When are you open?",
		}, 0)
	if err != nil || !added {
		t.Fatal(added, err)
	}
	until(t, "a reply", func() bool { return len(s.graph.Sent()) > 0 })
}

// TestChannelPause has an agent answer each message at once, and then those together that follow one another
// within a pause of its own.
func TestChannelPause(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for pauses")
	}
	s := openShop(t)
	messages := 0
	write := func(pause int) {
		s.Want(t, 200, "PATCH", "/agents/"+s.agent+"/", map[string]any{"channel_pause_seconds": pause})
		messages++
		s.post(t, 200, platforms.WhatsAppText(phoneNumberID, "16505551234", fmt.Sprintf("wamid.%d", messages),
			"When are you open?", time.Now().Unix()))
	}
	replies := func(want int) func() bool {
		return func() bool { return len(s.graph.Sent()) >= want }
	}
	begun := time.Now()
	write(0)
	until(t, "a reply", replies(1))
	if took := time.Since(begun); took > 1500*time.Millisecond {
		t.Errorf("without a pause it took %v", took)
	} else {
		t.Logf("without a pause it took %v", took)
	}
	begun = time.Now()
	write(3)
	time.Sleep(2500 * time.Millisecond) // longer than the pause unless it is set
	write(3)
	until(t, "another reply", replies(2))
	if took := time.Since(begun); took < 5*time.Second {
		t.Errorf("with a pause of 3 s it took %v, want 3 s after the last message", took)
	}
	time.Sleep(500 * time.Millisecond)
	if sent := s.graph.Sent(); len(sent) != 2 {
		t.Errorf("%d replies, want one for both messages: %+v", len(sent), sent)
	}
}
