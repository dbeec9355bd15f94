package contract

import (
	"strings"
	"sync"
	"testing"

	"frontdesk/infra/platforms"
)

// TestClosedWidget calls the endpoints of a widget that is switched off.
func TestClosedWidget(t *testing.T) {
	w := Open(t).fixture(t)
	w.makeAll(t)
	w.Want(t, 200, "PATCH", w.path(t, "/agents/{agent_id}/widget/"), map[string]any{"enabled": false})
	for _, o := range answers.description.operations {
		if strings.HasPrefix(o.path, "/widget/") {
			wantError(t, o, w.call(t, &w.Client.Client, o), 403, "forbidden", "")
		}
	}
}

// TestBusyWidget calls the endpoints of a widget until there were too many calls from one address.
func TestBusyWidget(t *testing.T) {
	t.Parallel()
	w := Open(t).fixture(t)
	w.makeAll(t)
	for _, o := range answers.description.operations {
		if !strings.HasPrefix(o.path, "/widget/") {
			continue
		}
		var wg sync.WaitGroup
		path, fields := w.path(t, o.path)+w.query(t, o), body(w.body(t, o))
		refused := make([]bool, 8)
		for i := range refused {
			wg.Go(func() {
				for range 2 * 600 / len(refused) { // a minute may end in between
					a, err := w.Try(o.method, path, fields)
					if err != nil {
						t.Error(err)
						return
					}
					if a.Status == 429 {
						refused[i] = true
						return
					}
				}
			})
		}
		wg.Wait()
		for _, was := range refused {
			if !was {
				t.Errorf("%v: no call was refused", o)
				break
			}
		}
	}
}

// TestRejectedSends has WhatsApp reject messages.
func TestRejectedSends(t *testing.T) {
	s := Open(t)
	if s.graph == nil {
		t.Skip("WhatsApp is not to be reached")
	}
	w := s.fixture(t)
	w.connect(t)
	for _, o := range answers.description.operations {
		if o.sends() {
			s.graph.Answer(platforms.WindowClosed)
			wantError(t, o, w.call(t, &w.Client.Client, o), 502, "server_error", "")
		}
	}
}

func TestSatisfactionIsForEnterprise(t *testing.T) {
	c := Open(t).Client(t, "pro")
	c.WantError(t, 501, "not_implemented", "", "GET", c.Agent(t, nil)+"analytics/csat/", nil)
}

func TestRedeliveryToAnInactiveWebhook(t *testing.T) {
	w := Open(t).fixture(t)
	again := w.path(t, "/agents/{agent_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver/")
	w.Want(t, 200, "PATCH", w.path(t, "/agents/{agent_id}/webhooks/{webhook_id}/"),
		map[string]any{"active": false})
	w.WantError(t, 422, "unprocessable", "", "POST", again, nil)
}
