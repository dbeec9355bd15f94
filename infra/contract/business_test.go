package contract

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/infra/platforms"
)

// A business is an agent that is connected to the platforms of all channels, over stand-ins.
type business struct {
	*Client
	service *Service
	agent   string // the path that begins everything of it
	on      []platforms.Platform
	inbound map[string]string // where each channel's platform posts
	posts   int
}

// businesses counts the businesses, each of which has ids, numbers and addresses of its own.
var businesses atomic.Int64

// hours is a question that the agent of a business can answer, with words of the answer.
const hours, hoursAnswer = "When are you open?", "9 to 5"

// business makes a business whose agent answers at once, unless the fields say otherwise.
func (s *Service) business(t *testing.T, fields map[string]any) *business {
	t.Helper()
	w := &business{
		Client: s.Client(t, "enterprise"), service: s, inbound: map[string]string{},
		on: s.standIns.Platforms(int(businesses.Add(1))),
	}
	all := map[string]any{
		"business_name": "Acme", "channel_pause_seconds": 0, "booking_enabled": true,
		"business_hours": "Mon-Sun 9-17", "available_services": []string{"Hair cut", "Colour"},
	}
	for name, value := range fields {
		all[name] = value
	}
	w.agent = w.Agent(t, all)
	w.Want(t, 201, "POST", w.agent+"knowledge/", map[string]any{
		"title": "FAQ", "doc_type": "faq", "content": "Q: " + hours + "\nA: We are open from 9 to 5.",
	})
	w.Want(t, 200, "POST", w.agent+"train/", nil)
	for _, p := range w.on {
		w.connect(t, p.Channel, p.Config)
	}
	return w
}

// connect connects a channel, or changes its settings.
func (w *business) connect(t *testing.T, channel string, config map[string]string) {
	t.Helper()
	a := w.Call(t, "POST", w.agent+"channels/", map[string]any{"channel_type": channel, "config": config})
	if a.Status/100 != 2 {
		t.Fatalf("connecting %s: %d %s", channel, a.Status, a.Body)
	}
	w.inbound[channel] = a.Text("inbound_url")
}

// platform is the one of a channel.
func (w *business) platform(channel string) platforms.Platform {
	for _, p := range w.on {
		if p.Channel == channel {
			return p
		}
	}
	panic("no platform has the channel " + channel)
}

// row is the row of a channel in the list of channels.
func (w *business) row(t *testing.T, channel string) map[string]any {
	t.Helper()
	for _, row := range w.Want(t, 200, "GET", w.agent+"channels/", nil).Results() {
		if row["channel_type"] == channel {
			return row
		}
	}
	t.Fatalf("there is no row of %s", channel)
	return nil
}

// write has the nth person write, and wants the post to be taken.
func (w *business) write(t *testing.T, p platforms.Platform, n int, text string) platforms.Posted {
	t.Helper()
	w.posts++
	m := platforms.Posted{
		ID: fmt.Sprintf("%s.%d.%d", p.Channel, w.posts, time.Now().UnixNano()), Person: p.Person(n),
		Text: text,
	}
	if sent := p.Sent(); len(sent) > 0 { // an e-mail answers the last one
		m.Answers = &sent[len(sent)-1]
	}
	w.post(t, p, m)
	return m
}

// post posts a message and wants it to be taken.
func (w *business) post(t *testing.T, p platforms.Platform, m platforms.Posted) {
	t.Helper()
	if status, err := p.Post(w.inbound[p.Channel], p.Secret, m); err != nil || status != http.StatusOK {
		t.Fatalf("%s: the post is answered %d, %v", p.Channel, status, err)
	}
}

// postGraph posts a body as Meta does for a channel, and wants it to be taken.
func (w *business) postGraph(t *testing.T, p platforms.Platform, body string) {
	t.Helper()
	if status, err := platforms.PostGraph(w.inbound[p.Channel], p.Secret, []byte(body)); err != nil ||
		status != 200 {
		t.Fatalf("%s: the post is answered %d, %v", p.Channel, status, err)
	}
}

// sent waits until so many messages were sent on a channel, and returns the last one. More of them fail the
// test.
func (w *business) sent(t *testing.T, p platforms.Platform, n int) platforms.Sent {
	t.Helper()
	until(t, fmt.Sprintf("message %d on %s", n, p.Channel), func() bool { return len(p.Sent()) >= n })
	all := p.Sent()
	if len(all) != n {
		t.Fatalf("%d messages were sent on %s, want %d: %v", len(all), p.Channel, n, texts(all))
	}
	if n == 0 {
		return platforms.Sent{}
	}
	return all[n-1]
}

func texts(sent []platforms.Sent) (all []string) {
	for _, m := range sent {
		all = append(all, m.Text)
	}
	return all
}

// talks are the conversations of a channel, the newest first.
func (w *business) talks(t *testing.T, channel string) (all []map[string]any) {
	t.Helper()
	for _, talk := range w.Want(t, 200, "GET", w.agent+"conversations/", nil).Results() {
		if talk["channel"] == channel {
			all = append(all, talk)
		}
	}
	return all
}

// messages are those of the channel's latest conversation.
func (w *business) messages(t *testing.T, channel string) []map[string]any {
	t.Helper()
	talks := w.talks(t, channel)
	if len(talks) == 0 {
		return nil
	}
	return w.Want(t, 200, "GET", fmt.Sprintf("/conversations/%v/messages/", talks[0]["id"]), nil).Results()
}

// stored waits until the channel's latest conversation has so many messages, and returns them.
func (w *business) stored(t *testing.T, channel string, n int) []map[string]any {
	t.Helper()
	until(t, fmt.Sprintf("message %d in the conversation of %s", n, channel), func() bool {
		return len(w.messages(t, channel)) >= n
	})
	return w.messages(t, channel)
}

// status waits until a message of the channel's latest conversation has a status.
func (w *business) status(t *testing.T, channel string, index int, want string) {
	t.Helper()
	until(t, fmt.Sprintf("%s: status %s of message %d", channel, want, index), func() bool {
		messages := w.messages(t, channel)
		return len(messages) > index && messages[index]["status"] == want
	})
}

// until waits for a condition, at most fifteen seconds.
func until(t *testing.T, what string, met func() bool) {
	t.Helper()
	for end := time.Now().Add(15 * time.Second); !met(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s did not come", what)
		}
	}
}

// each runs a test on every channel of a business, at the same time.
func (w *business) each(t *testing.T, test func(*testing.T, platforms.Platform)) {
	for _, p := range w.on {
		t.Run(p.Channel, func(t *testing.T) { test(t, p) })
	}
}

// settle is how long what must not happen is waited for.
const settle = 1500 * time.Millisecond

// contactOf is the path of the contact of a conversation or an appointment.
func contactOf(talk map[string]any) string { return fmt.Sprintf("/contacts/%v/", talk["contact_id"]) }

// text is the value of a field as a text.
func text(v any) string { return strings.TrimSpace(fmt.Sprint(v)) }
