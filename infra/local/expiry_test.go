package local

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"frontdesk/infra/platforms"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/channel/registry"
)

// startAt starts the service in a folder with a clock that is ahead, and the platforms at those addresses. It
// returns a client of the service, and what stops it.
func startAt(
	t *testing.T, dir string, ahead time.Duration, platforms registry.Addresses,
) (*apitest.Client, func()) {
	t.Helper()
	service, err := Start(t.Context(), Config{
		Template: "../../template.yaml", DataDir: dir, Platforms: platforms,
		Now: func() time.Time { return time.Now().Add(ahead) },
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service)
	return &apitest.Client{Base: server.URL + "/api/v1/", Key: Key}, func() {
		server.Close()
		service.Close()
	}
}

// TestKeyExpiry starts the service again 80 days after its key was made, and then once more: answers have the
// header of keys that end soon, and the webhook is told once.
func TestKeyExpiry(t *testing.T) {
	dir := t.TempDir()
	start := func(days time.Duration) (*apitest.Client, func()) {
		t.Helper()
		return startAt(t, dir, days*24*time.Hour, registry.Addresses{})
	}
	const header = "X-API-Key-Expires"
	c, stop := start(0)
	agent := "/agents/" + c.Want(t, 201, "POST", "/agents/", map[string]any{"name": "Mia"}).Number("id") + "/"
	hook := c.Want(t, 201, "POST", agent+"webhooks/", map[string]any{
		"url": "https://127.0.0.1:9/", "events": []string{"api_key.expiring"},
	}).Number("id")
	if got := c.Want(t, 200, "GET", "/me/", nil).Header.Get(header); got != "" {
		t.Errorf("a new key ends on %s", got)
	}
	stop()

	for range 2 {
		c, stop = start(80)
		me := c.Want(t, 200, "GET", "/me/", nil)
		ends := me.Fields["api_key"].(map[string]any)["expires_at"].(string)
		told, err := time.Parse(time.RFC3339, me.Header.Get(header))
		want, wrong := time.Parse(time.RFC3339, ends)
		if err != nil || wrong != nil || !told.Equal(want.Truncate(time.Second)) {
			t.Errorf("the header says %q, the key ends at %s", me.Header.Get(header), ends)
		}
		deliveries := func() []map[string]any {
			return c.Want(t, 200, "GET", agent+"webhooks/"+hook+"/deliveries/", nil).Results()
		}
		until(t, "the warning", func() bool { return len(deliveries()) > 0 })
		time.Sleep(200 * time.Millisecond)
		if all := deliveries(); len(all) != 1 || all[0]["event"] != "api_key.expiring" {
			t.Errorf("the webhook was told %v", all)
		}
		stop()
	}
}

// TestTokensAreRenewed starts the service again 31 days after an account was connected by Instagram Login:
// replies go out under the token that Instagram has exchanged.
func TestTokensAreRenewed(t *testing.T) {
	standIns := platforms.NewStandIns(t)
	p, dir := standIns.InstagramLogin(1), t.TempDir()
	start := func(days time.Duration) (*apitest.Client, func()) {
		t.Helper()
		return startAt(t, dir, days*24*time.Hour, registry.Addresses{InstagramGraph: standIns.Instagram.URL})
	}
	c, stop := start(0)
	agent := c.Want(t, 201, "POST", "/agents/", map[string]any{"name": "Mia"}).Number("id")
	c.Want(t, 201, "POST", "/agents/"+agent+"/channels/", map[string]any{
		"channel_type": "instagram", "config": p.Config,
	})
	write := func(n int) string {
		t.Helper()
		status, err := p.Post(c.Base+"inbound/"+agent+"/instagram/", p.Secret, platforms.Posted{
			ID: fmt.Sprint("m_", n), Person: p.Person(n), Text: "Hello",
		})
		if err != nil || status != 200 {
			t.Fatal(status, err)
		}
		until(t, "a reply", func() bool { return len(standIns.Instagram.Sent()) == n })
		return standIns.Instagram.Sent()[n-1].Token
	}
	token := p.Config["access_token"]
	if by := write(1); by != token {
		t.Errorf("the first reply went out under %q", by)
	}
	stop()
	c, stop = start(31)
	defer stop()
	n := 1
	until(t, "the exchange", func() bool { n++; return write(n) == token+"-fresh" })
}
