package appointments_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"frontdesk/shared/agent"
	"frontdesk/shared/contact"
)

// at makes an appointment of the client's agent.
func (c *client) at(t *testing.T, title, start string, contact int64) string {
	t.Helper()
	return c.Want(t, 201, "POST", "/appointments/", map[string]any{
		"agent_id": c.agent, "contact_id": contact, "title": title, "start_time": start,
	}).Number("id")
}

// TestNarrowLists lists by times and by contacts, of one agent and of all.
func TestNarrowLists(t *testing.T) {
	c := newClient(t, serve(t))
	grace := contact.New(0, c.agent, c.service.Now())
	grace.Name, grace.Phone = "Grace", "+4930901820"
	grace, _, err := c.contacts().Upsert(t.Context(), c.Account, grace)
	if err != nil {
		t.Fatal(err)
	}
	other := grace.ID
	c.at(t, "a", "2026-03-28T23:00:00+01:00", c.contact)
	c.at(t, "b", "2026-03-29T03:00:00+02:00", other)
	gone := c.at(t, "c", "2026-03-29T01:30:00+01:00", c.contact)
	c.at(t, "d", "2026-04-02T10:00:00+02:00", other)
	c.Want(t, 200, "PATCH", "/appointments/"+gone+"/", map[string]any{"status": "cancelled"})
	for query, want := range map[string][]string{
		"from=2026-03-29": {"d", "b", "c"},
		"from=2026-03-29T00:30:00Z&to=2026-03-29T01:00Z":                   nil, // not a time
		"from=2026-03-29T00:30:00Z&to=2026-03-29T01:00:00Z":                {"c"},
		"to=2026-03-29T00:30:00Z":                                          {"a"},
		fmt.Sprint("contact_id=", other):                                   {"d", "b"},
		fmt.Sprint("contact_id=", c.contact, "&status=pending"):            {"a"},
		fmt.Sprint("contact_id=", other, "&from=2026-03-01&to=2026-04-01"): {"b"},
		"contact_id=5": {},
		"from=2026-03-01T00:00:00%2B01:00&to=2026-05-01&status=cancelled": {"c"},
	} {
		for _, of := range []string{"", fmt.Sprintf("&agent_id=%d", c.agent)} {
			path := "/appointments/?" + query + of
			if want == nil {
				c.WantError(t, 400, "validation_error", "to", "GET", path, nil)
				continue
			}
			if strings.HasSuffix(query, "=5") {
				c.WantError(t, 404, "not_found", "", "GET", path, nil)
				continue
			}
			list := c.Want(t, 200, "GET", path, nil)
			got := []string{}
			for _, row := range list.Results() {
				got = append(got, row["title"].(string))
			}
			if !slices.Equal(got, want) || list.Number("count") != fmt.Sprint(len(want)) {
				t.Errorf("%s: %v, count %s, want %v", path, got, list.Number("count"), want)
			}
		}
	}
}

// TestOnlyIfFree has many take one time at once, and one move onto a time that is taken.
func TestOnlyIfFree(t *testing.T) {
	c := newClient(t, serve(t))
	body := func(start string) map[string]any {
		return map[string]any{
			"agent_id": c.agent, "contact_id": c.contact, "title": "t", "start_time": start,
			"only_if_free": true,
		}
	}
	var wait sync.WaitGroup
	var mu sync.Mutex
	statuses := map[int]int{}
	for range 6 {
		wait.Go(func() {
			a := c.Call(t, "POST", "/appointments/", body("2026-03-02T10:00:00Z"))
			mu.Lock()
			defer mu.Unlock()
			statuses[a.Status]++
		})
	}
	wait.Wait()
	if statuses[201] != 1 || statuses[422] != 5 {
		t.Errorf("six at once: %v", statuses)
	}
	second := c.Want(t, 201, "POST", "/appointments/", body("2026-03-02T10:30:00Z")).Number("id")
	path := "/appointments/" + second + "/"
	move := map[string]any{"start_time": "2026-03-02T11:15:00+01:00", "only_if_free": true}
	c.WantError(t, 422, "unprocessable", "", "PATCH", path, move)
	move = map[string]any{"start_time": "2026-03-02T10:45:00Z", "only_if_free": true}
	c.Want(t, 200, "PATCH", path, move)
	move = map[string]any{"start_time": "2026-03-02T10:15:00Z"} // whoever wants to may
	c.Want(t, 200, "PATCH", path, move)
	c.Want(t, 200, "PATCH", path, map[string]any{"notes": "stays", "only_if_free": true})
}

// TestFreeTimes asks for the free times of days on which clocks change.
func TestFreeTimes(t *testing.T) {
	s := serve(t)
	c := newClient(t, s)
	if _, err := c.agents().Update(t.Context(), c.Account, c.agent, func(a *agent.Agent) error {
		a.Timezone, a.Language = "Europe/Berlin", "en"
		a.BusinessHours = "Monday to Friday 9:00-11:00, Sunday 01:00-04:00"
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("/agents/%d/free-times/?day=", c.agent)
	starts := func(query string) []string {
		got := []string{}
		for _, row := range c.Want(t, 200, "GET", path+query, nil).Results() {
			got = append(got, row["start_time"].(string))
		}
		return got
	}
	taken := c.at(t, "taken", "2026-03-27T10:00:00+01:00", c.contact)
	for query, want := range map[string][]string{
		"2026-03-27": {
			"2026-03-27T09:00:00+01:00", "2026-03-27T09:30:00+01:00", "2026-03-27T10:30:00+01:00",
		},
		"2026-03-27&minutes=60":                  {"2026-03-27T09:00:00+01:00"},
		"2026-03-27&minutes=120&moving=" + taken: {"2026-03-27T09:00:00+01:00"},
		"2026-03-28":                             {},
		"2026-03-29": { // from two to three there is no time
			"2026-03-29T01:00:00+01:00", "2026-03-29T01:30:00+01:00",
			"2026-03-29T03:00:00+02:00", "2026-03-29T03:30:00+02:00",
		},
	} {
		if got := starts(query); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	c.WantError(t, 400, "validation_error", "day", "GET", path, nil)
	c.WantError(t, 404, "not_found", "", "GET", "/agents/5/free-times/?day=2026-03-02", nil)
}
