package messages_test

import (
	"testing"

	"frontdesk/infra/platforms"
	"frontdesk/shared/channel"
	"frontdesk/shared/channel/registry"
)

// TestReconnect has WhatsApp refuse the access token of an agent. Nothing more is sent with it, and what is
// asked for is refused with the reason, until the channel is connected again.
func TestReconnect(t *testing.T) {
	c := serve(t).client(t)
	template := map[string]any{"to": ada, "type": "template", "template_name": "order_ready"}
	stored := func() channel.Channel {
		t.Helper()
		ch, err := channel.Load(t.Context(), c.Table, c.Account, c.agent, channel.WhatsApp)
		if err != nil {
			t.Fatal(err)
		}
		return ch
	}
	c.graph.Answer(platforms.NoTemplate, platforms.TokenExpired)
	c.WantError(t, 502, "server_error", "", "POST", c.path(), template)
	if ch := stored(); !ch.Live() {
		t.Errorf("a template that is unknown: %+v", ch)
	}
	const refused = "WhatsApp does not accept the channel's access token."
	c.WantError(t, 502, "server_error", "", "POST", c.path(), template)
	if ch := stored(); ch.Status != channel.NeedsRenewal || ch.Detail != refused || ch.StatusAt.IsZero() {
		t.Errorf("%+v", ch)
	}
	if calls := c.graph.Calls(); len(calls) != 2 {
		t.Errorf("%d calls", len(calls))
	}
	c.WantError(t, 422, "unprocessable", "", "POST", c.path(), template)
	if calls := c.graph.Calls(); len(calls) != 0 {
		t.Errorf("%d calls with a token that was refused", len(calls))
	}
	store := channel.Store{
		Table: c.Table, Now: c.now, Secrets: c.keys, Channels: registry.New(registry.Addresses{}),
	}
	_, _, err := store.Connect(t.Context(), c.Account, c.agent, channel.WhatsApp,
		channel.Change{channel.AccessToken: "EAAG1cYl"})
	if err != nil {
		t.Fatal(err)
	}
	c.Want(t, 201, "POST", c.path(), template)
	if calls := c.graph.Calls(); len(calls) != 1 || calls[0].Token != "EAAG1cYl" {
		t.Errorf("%+v", calls)
	}
}
