package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestWarnings has an owner write what an agent cannot use, and mend it.
func TestWarnings(t *testing.T) {
	c := Open(t).Client(t, "pro")
	made := c.Want(t, 201, "POST", "/agents/", map[string]any{
		"name": "Ada", "business_hours": "Mon-Thu 10-6, Fridays when the tide allows",
		"booking_enabled":    true,
		"available_services": []string{"Cut, 45 min", "Beard trim"},
	})
	agent := "/agents/" + made.Number("id") + "/"
	// warned reads the agent, and the values of its warnings by their codes.
	warned := func() map[string][]any {
		t.Helper()
		byCode := map[string][]any{}
		for _, w := range c.Want(t, 200, "GET", agent, nil).Fields["warnings"].([]any) {
			w := w.(map[string]any)
			if w["detail"] == "" || w["field"] == "" {
				t.Errorf("a warning says too little: %v", w)
			}
			byCode[w["code"].(string)] = w["values"].([]any)
		}
		return byCode
	}
	want := func(codes ...string) map[string][]any {
		t.Helper()
		got := warned()
		for _, code := range codes {
			if _, ok := got[code]; !ok {
				t.Errorf("%s is not warned of: %v", code, got)
			}
		}
		if len(got) != len(codes) {
			t.Errorf("warned of %v, want %v", got, codes)
		}
		return got
	}
	got := want("hours_unread", "service_without_duration")
	if !strings.Contains(fmt.Sprint(got["hours_unread"]), "Fridays") {
		t.Errorf("unread: %v", got["hours_unread"])
	}
	if services := got["service_without_duration"]; !slices.Equal(services, []any{"Beard trim"}) {
		t.Errorf("without a duration: %v", services)
	}
	c.Want(t, 200, "PATCH", agent, map[string]any{
		"business_hours":     "Mon-Thu 10:00-18:00, Friday closed",
		"available_services": []string{"Cut, 45 min", "Beard trim, 15 min"},
	})
	want()

	blank := c.Want(t, 201, "POST", agent+"knowledge/", map[string]any{"title": "Blank", "content": "🙂 …"})
	if warnings := blank.Fields["warnings"].([]any); len(warnings) != 1 {
		t.Errorf("a document without text: %s", blank.Body)
	}
	want("document_without_text")
	full := c.Want(t, 200, "PATCH", "/knowledge/"+blank.Number("id")+"/",
		map[string]any{"content": "The harbour is next door."})
	if warnings := full.Fields["warnings"].([]any); len(warnings) != 0 {
		t.Errorf("a document with text: %s", full.Body)
	}
	want()
	empty := c.Want(t, 201, "POST", agent+"knowledge/",
		map[string]any{"title": "Gone", "doc_type": "url", "url": "https://localhost:1/"})
	want("document_without_text")
	c.Want(t, 204, "DELETE", "/knowledge/"+empty.Number("id")+"/", nil)
	want()

	var faq strings.Builder
	for question := range 110 {
		for phrasing := range 10 {
			fmt.Fprintf(&faq, "Q: What of thing %d in way %d?\n", question, phrasing)
		}
		fmt.Fprintf(&faq, "A: It is %d.\n\n", question)
	}
	crowded := c.Want(t, 201, "POST", agent+"knowledge/",
		map[string]any{"title": "Questions", "doc_type": "faq", "content": faq.String()})
	want()
	c.Want(t, 200, "POST", agent+"train/", nil)
	want("phrasings_untrained")
	c.Want(t, 200, "PATCH", "/knowledge/"+crowded.Number("id")+"/",
		map[string]any{"content": "Q: What of it?\nA: It is 5."})
	c.Want(t, 200, "POST", agent+"train/", nil)
	want()
}
