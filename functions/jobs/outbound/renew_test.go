package outbound_test

import (
	"encoding/json"
	"testing"
	"time"

	"frontdesk/shared/channel"
	"frontdesk/shared/event"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
)

const day = 24 * time.Hour

// connect connects the agent to Instagram by a login.
func (d *desk) connect(t *testing.T, login, token string) {
	t.Helper()
	_, _, err := d.channels().Connect(t.Context(), account, d.agent, channel.Instagram, channel.Change{
		channel.PageID: "17841477965412210", channel.Login: login, channel.AccessToken: token,
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (d *desk) channels() *channel.Store {
	return &channel.Store{
		Table: d.table, Now: d.clock.Now, Secrets: d.sender.Secrets, Channels: d.sender.Channels,
	}
}

// daily has the worker do what the daily schedule asks of it, twice.
func (d *desk) daily(t *testing.T) {
	t.Helper()
	body, err := json.Marshal(event.Event{Kind: event.RenewalDue})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := d.queue.Send(t.Context(), queue.Outgoing{Body: string(body)}); err != nil {
			t.Fatal(err)
		}
	}
	for d.work(t) > 0 {
	}
}

// credential is the agent's token for Instagram, and how the channel stands.
func (d *desk) credential(t *testing.T) (string, channel.ConnectionStatus) {
	t.Helper()
	c, err := channel.Load(t.Context(), d.table, account, d.agent, channel.Instagram)
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.Secret(t.Context(), d.sender.Secrets, channel.AccessToken)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), c.Status
}

// listed is how many channels the daily look reads.
func (d *desk) listed(t *testing.T) int {
	t.Helper()
	page, err := d.table.Query(t.Context(), channel.RenewalQuery())
	if err != nil {
		t.Fatal(err)
	}
	return len(page.Items)
}

// TestRenewal lets an account of Instagram Login lie idle for months: its token, which lives for 60 days, is
// exchanged all the same, once for each 30 days.
func TestRenewal(t *testing.T) {
	d := open(t)
	d.connect(t, "instagram", "token")
	want := "token"
	for range 6 {
		for _, step := range []struct {
			after time.Duration
			fresh string
		}{{29 * day, ""}, {day, "-fresh"}} {
			d.clock.Pass(step.after)
			d.daily(t)
			want += step.fresh
			if got, status := d.credential(t); got != want || status != channel.Connected {
				t.Fatalf("the token is %q, want %q; %s", got, want, status)
			}
		}
	}
	if log := d.log.String(); log != "" {
		t.Error(log)
	}
}

// TestRenewalOfAPage holds that the token of a page is left alone: it does not end.
func TestRenewalOfAPage(t *testing.T) {
	d := open(t)
	d.connect(t, "page", "token")
	d.clock.Pass(100 * day)
	d.daily(t)
	if got, status := d.credential(t); got != "token" || status != channel.Connected {
		t.Errorf("the token is %q, %s", got, status)
	}
}

// TestRenewalIsRefused has a token end before its time: the owner is told once, and the channel is to be
// connected again.
func TestRenewalIsRefused(t *testing.T) {
	d := open(t)
	d.connect(t, "instagram", "token")
	d.graph.Refuse("token")
	for range 2 {
		d.clock.Pass(31 * day)
		d.daily(t)
	}
	if got, status := d.credential(t); got != "token" || status != channel.NeedsRenewal {
		t.Errorf("the token is %q, %s", got, status)
	}
	changes, err := d.table.Changes(t.Context(), "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, change := range changes {
		if change.New == nil || change.Old != nil {
			continue
		}
		if e, err := event.Read(*change.New); err == nil && e.Kind == event.ChannelDisconnected {
			told++
		}
	}
	if told != 1 {
		t.Errorf("the owner was told %d times", told)
	}
}

// TestRenewalEnds disconnects channels: they are looked at no more.
func TestRenewalEnds(t *testing.T) {
	d := open(t)
	d.connect(t, "instagram", "token")
	if n := d.listed(t); n != 1 {
		t.Fatalf("%d channels are listed", n)
	}
	if err := d.channels().Disconnect(t.Context(), account, d.agent, channel.Instagram); err != nil {
		t.Fatal(err)
	}
	if n := d.listed(t); n != 0 {
		t.Errorf("%d channels are listed after the end", n)
	}
	// What an agent leaves that is deleted goes with the next look.
	d.connect(t, "instagram", "token")
	key := channel.Key(account, d.agent, string(channel.Instagram))
	if err := d.table.Transact(t.Context(), table.Delete(key)); err != nil {
		t.Fatal(err)
	}
	d.daily(t)
	if n := d.listed(t); n != 0 {
		t.Errorf("%d channels are listed that are gone", n)
	}
}
