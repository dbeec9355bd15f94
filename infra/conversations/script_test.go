package conversations

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// A script is what people write to a business. Its lines are
//
//	# what the reader should know
//	@ 2026-11-20 18:30                          the time by the business's clock
//	@ taken 2026-11-21 19:00 to 2026-11-21 21:00   an appointment of somebody else
//	> what the person writes
//	! appointment {"does":"book"}               a skill that a language model calls then, and with what
//
// and everything else is what came of it: what was answered, with the action and the intent, and at the end
// what is kept.

// clockForm is how a script writes the time.
const clockForm = "2006-01-02 15:04"

// play has the conversation of a script, and returns the script with what came of it.
func (d *desk) play(t *testing.T, script string) string {
	t.Helper()
	var out strings.Builder
	var said []string
	var session, conversation, contact string
	answer := func() {
		if len(said) == 0 {
			return
		}
		message := map[string]any{"message": strings.Join(said, "\n")}
		if session != "" {
			message["session_id"] = session
		}
		said = nil
		d.turn++
		d.clock = d.clock.Add(20 * time.Second)
		a := d.Want(t, http.StatusOK, "POST", d.path+"chat/", message)
		session, conversation, contact = a.Text("session_id"), a.Number("conversation_id"),
			a.Number("contact_id")
		if a.Fields["reply"] != nil {
			for line := range strings.Lines(a.Text("reply")) {
				out.WriteString("< " + strings.TrimSuffix(line, "\n") + "\n")
			}
		}
		out.WriteString("  [" + about(a.Fields) + "]\n\n")
	}
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		switch mark, rest, _ := strings.Cut(line, " "); mark {
		case ">":
			said = append(said, rest)
			out.WriteString(line + "\n")
			continue
		case "!":
			out.WriteString(line + "\n")
			continue
		case "#", "@":
			answer()
			out.WriteString(line + "\n")
			if mark == "@" {
				d.happen(t, rest)
			}
			continue
		}
		if len(said) == 0 && line == "" && conversation == "" {
			out.WriteString("\n") // parts the head from the conversation
		}
		answer()
	}
	answer()
	d.kept(t, &out, conversation, contact)
	return out.String()
}

// guess marks an answer that is more likely wrong than right, and said to be a guess.
const guess = "guess"

// about is what the API says of an answer beside its words.
func about(answer map[string]any) string {
	words := []string{fmt.Sprint(answer["action"])}
	if intent := answer["intent"]; intent != nil && intent != "" {
		words = append(words, fmt.Sprint(intent))
	}
	if n, told := answer["confidence"].(json.Number); told && answer["action"] == "respond" {
		if sure, err := n.Float64(); err == nil && sure < 0.5 {
			words = append(words, guess)
		}
	}
	sources, _ := answer["sources"].([]any)
	for _, source := range sources {
		words = append(words, fmt.Sprintf("from %q", source.(map[string]any)["title"]))
	}
	return strings.Join(words, ", ")
}

// happen sets the clock, or fills the business's agenda.
func (d *desk) happen(t *testing.T, what string) {
	t.Helper()
	moment := func(s string) time.Time {
		at, err := time.ParseInLocation(clockForm, s, d.zone)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	period, taken := strings.CutPrefix(what, "taken ")
	if !taken {
		d.clock = moment(what).UTC()
		return
	}
	from, to, _ := strings.Cut(period, " to ")
	guest := d.Call(t, "POST", "/contacts/", map[string]any{"agent_id": json.Number(d.agent),
		"phone": "+442079460000", "name": "Somebody"})
	d.Want(t, http.StatusCreated, "POST", "/appointments/", map[string]any{
		"agent_id": json.Number(d.agent), "contact_id": guest.Fields["id"], "title": "Taken",
		"status":     "confirmed",
		"start_time": moment(from).Format(time.RFC3339), "end_time": moment(to).Format(time.RFC3339),
	})
}

// kept writes what the service knows in the end.
func (d *desk) kept(t *testing.T, out *strings.Builder, conversation, contact string) {
	t.Helper()
	line := func(title string, values ...any) {
		values = slices.DeleteFunc(values, func(v any) bool { return v == nil || v == "" })
		if len(values) > 0 {
			fmt.Fprintf(out, "= %s: %s\n", title, strings.TrimSuffix(fmt.Sprintln(values...), "\n"))
		}
	}
	c := d.Want(t, http.StatusOK, "GET", "/conversations/"+conversation+"/", nil)
	line("conversation", c.Text("status")+",", "answered by", c.Text("takeover_mode")+",", "priority",
		c.Text("priority"))
	line("handed over", c.Text("handoff_reason"))
	for told := range strings.Lines(c.Text("handoff_summary")) {
		line("  told", strings.TrimSuffix(told, "\n"))
	}
	who := d.Want(t, http.StatusOK, "GET", "/contacts/"+contact+"/", nil)
	line("contact", who.Text("name"), who.Text("email"), who.Text("phone"))
	facts, _ := who.Fields["facts"].(map[string]any)
	var names []string
	for name := range facts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		line("known "+name, facts[name])
	}
	appointments := d.Want(t, http.StatusOK, "GET", "/appointments/?agent_id="+d.agent, nil).Results()
	for _, a := range slices.Backward(appointments) {
		if fmt.Sprint(a["contact_id"]) == contact {
			line("appointment", a["title"], a["start_time"], "to", fmt.Sprint(a["end_time"])[11:16]+",",
				a["status"])
			line("  noted", a["notes"])
		}
	}
	for _, q := range d.Want(t, http.StatusOK, "GET", d.path+"knowledge/unanswered/", nil).Results() {
		line("unanswered", q["question"])
	}
}
