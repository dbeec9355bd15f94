package local

import (
	"testing"
	"time"

	"frontdesk/shared/api/apitest"
	"frontdesk/shared/channel/registry"
)

// TestRetention sets a retention on an agent that has an old conversation and a young one, and starts the
// service again when the young one is old too, as a machine that is off at night does.
func TestRetention(t *testing.T) {
	dir := t.TempDir()
	start := func(offset time.Duration) (*apitest.Client, func()) {
		t.Helper()
		return startAt(t, dir, offset, registry.Addresses{})
	}
	const day = 24 * time.Hour
	c, stop := start(0)
	agent := "/agents/" + c.Want(t, 201, "POST", "/agents/", map[string]any{"name": "Mia"}).Number("id") + "/"
	talk := func() string {
		chat := c.Want(t, 200, "POST", agent+"chat/", map[string]any{"message": "Hello"})
		return "/conversations/" + chat.Number("conversation_id") + "/"
	}
	gone := func(path string) func() bool {
		return func() bool { return c.Call(t, "GET", path, nil).Status == 404 }
	}
	old := talk()
	stop()

	c, stop = start(8 * day)
	young := talk()
	for _, bad := range []any{0, 3651, -1} {
		c.Want(t, 400, "PATCH", agent, map[string]any{"retention_days": bad})
	}
	if got := c.Want(t, 200, "GET", agent, nil).Fields["retention_days"]; got != nil {
		t.Errorf("at first retention_days is %v", got)
	}
	c.Want(t, 200, "PATCH", agent, map[string]any{"retention_days": 7})
	until(t, "the deletion of the old conversation", gone(old))
	c.Want(t, 200, "GET", young, nil)
	stop()

	c, stop = start(16 * day)
	until(t, "the deletion of the other conversation", gone(young))
	kept := talk()
	c.Want(t, 200, "PATCH", agent, map[string]any{"retention_days": nil})
	if got := c.Want(t, 200, "GET", agent, nil).Fields["retention_days"]; got != nil {
		t.Errorf("taken away, retention_days is %v", got)
	}
	stop()

	c, stop = start(40 * day)
	defer stop()
	time.Sleep(300 * time.Millisecond)
	c.Want(t, 200, "GET", kept, nil)
}
