package effects

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/api/apitest"
)

// An effect is what changing one field brings about: a visitor comes before the change and another after it,
// who say the same.
type effect struct {
	// path is that of what has the field, below the agent: "" for the agent itself.
	path, field string
	// from and to are the field before and after the change. With from nil it was never sent.
	from, to any
	// agent is what else the agent is made with, row what else what has the field.
	agent, row object // row is nil for the agent and its widget, which are there anyway
	// with is what else the agent has, by the path below it, and below what else the row has, by the path
	// below that.
	with, below map[string][]object

	// says are the visitor's messages.
	says []string
	// refused is the status that they may get in place of 200; 0 is none.
	refused int
	// look is what is looked at after them, below the base address: {embed}, {conversation} and {contact}
	// stand for the agent's key and for what the visitor's last message belongs to. With "" it is the answer
	// to that message.
	look string
	// origin is that of the page which looks, "" where it is no page of another site.
	origin string
	// gets is what stands there after the change and did not before; loses is the other way round.
	gets, loses string
	// told and untold are the same of what a language model is told in the place of the built-in engine.
	told, untold string
}

// covered are the paths whose fields must have effects, below an agent.
var covered = []string{
	"", "widget/", "products/", "quick-answers/", "procedures/", "guidance/", "roles/", "journey-stages/",
	"funnels/", steps, "actions/",
}

// labels are the fields by which the people of the business know a thing, and nobody else.
var labels = []string{"funnels/ name", "funnels/ description"}

// apart are the fields whose effect no visitor of the chat box sees, with the test that shows it.
var apart = map[string]string{
	" channel_pause_seconds": "infra/local TestChannelPause",
	" retention_days":        "infra/local TestRetention",
}

// elsewhere are the other paths below an agent that take a body, by their first part, with where it is shown
// what comes of it.
var elsewhere = map[string]string{
	"channels/":  "functions/channels, shared/message",
	"chat/":      "functions/chat, shared/assistant",
	"ecommerce/": "functions/channels",
	"imports/":   "functions/playbook",
	"knowledge/": "functions/knowledge",
	"messages/":  "functions/messages",
	"webhooks/":  "functions/webhooks, functions/deliver",
	"websites/":  "functions/jobs/crawl",
}

// TestEveryFieldHasACase compares the cases with the fields that the API's description says can be written.
func TestEveryFieldHasACase(t *testing.T) {
	writable := writableFields(t)
	cases := map[string]bool{}
	for _, e := range effects {
		name := e.path + " " + e.field
		cases[name] = true
		if !slices.Contains(writable[e.path], e.field) {
			t.Errorf("%s%s cannot be written", e.path, e.field)
		}
		if e.gets+e.loses+e.told+e.untold == "" {
			t.Errorf("the case of %s%s shows nothing", e.path, e.field)
		}
	}
	for _, path := range covered {
		for _, field := range writable[path] {
			if name := path + " " + field; !cases[name] && apart[name] == "" &&
				!slices.Contains(labels, name) {
				t.Errorf("nothing shows that agents/…/%s heeds %s", path, field)
			}
		}
	}
	for path := range writable {
		first, _, _ := strings.Cut(path, "/")
		if elsewhere[first+"/"] == "" && !slices.Contains(covered, path) {
			t.Errorf("nothing shows that the fields of agents/…/%s have effects", path)
		}
	}
}

// A schema is that of a body or of a part of it.
type schema struct {
	Ref        string             `json:"$ref"`
	Properties map[string]*schema `json:"properties"`
	Items      *schema            `json:"items"`
	Enum       []string           `json:"enum"`
}

// A description is that of the API, as far as bodies go.
type description struct {
	Paths map[string]map[string]struct {
		RequestBody struct {
			Content map[string]struct{ Schema *schema }
		}
	}
	Components struct{ Schemas map[string]*schema }
}

func describe(t *testing.T) description {
	t.Helper()
	text, err := os.ReadFile("../../functions/openapi/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// writableFields are the fields of the bodies that can be sent below an agent, by the path there. Those of an
// object in a list are named behind it.
func writableFields(t *testing.T) map[string][]string {
	t.Helper()
	description := describe(t)
	fields := map[string][]string{}
	var add func(path, prefix string, s *schema)
	add = func(path, prefix string, s *schema) {
		if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
			s = description.Components.Schemas[name]
		}
		for name, property := range s.Properties {
			if items := property.Items; items != nil && (items.Ref != "" || items.Properties != nil) {
				add(path, prefix+name+".", items)
			} else if !slices.Contains(fields[path], prefix+name) {
				fields[path] = append(fields[path], prefix+name)
			}
		}
	}
	for path, methods := range description.Paths {
		below, ok := strings.CutPrefix(strings.TrimPrefix(path, "/agents/{agent_id}/"), "/agents/")
		if !ok && !strings.HasPrefix(path, "/agents/") {
			continue
		}
		for _, id := range []string{"{item_id}/", "{funnel_id}/", "{webhook_id}/"} {
			below = strings.TrimSuffix(below, id)
		}
		for method, operation := range methods {
			body, ok := operation.RequestBody.Content["application/json"]
			if ok && (method == "post" || method == "patch") {
				add(below, "", body.Schema)
			}
		}
	}
	return fields
}

// TestEffects changes every field.
func TestEffects(t *testing.T) {
	s := serve(t)
	for _, e := range effects {
		t.Run(e.path+e.field, func(t *testing.T) {
			if e.gets+e.loses != "" {
				before, after := s.play(t, e, false)
				compare(t, "a visitor", before, after, e.gets, e.loses)
			}
			if e.told+e.untold != "" {
				before, after := s.play(t, e, true)
				compare(t, "a language model", before, after, e.told, e.untold)
			}
		})
	}
}

// TestEveryChoice gives an agent each value of the fields that have a few: a language model is told each of
// them otherwise, and in each language a visitor is greeted otherwise.
func TestEveryChoice(t *testing.T) {
	s := serve(t)
	said := describe(t).Paths["/agents/"]["post"].RequestBody.Content["application/json"].Schema
	for field, property := range said.Properties {
		if len(property.Enum) == 0 || field == "position" {
			continue // where the chat box stands is nothing to tell a model
		}
		told, heard := map[string]string{}, map[string]string{}
		distinct := func(all map[string]string, what, value string) {
			t.Helper()
			if other, known := all[what]; known {
				t.Errorf("the %s %s is as %s: %s", field, value, other, what)
			}
			all[what] = value
		}
		for _, value := range property.Enum {
			made := and(unsaid, object{"name": "Ada", field: value, "ai_model": "openai:any"})
			agent := "agents/" + s.Want(t, 201, "POST", "agents/", made).Number("id") + "/"
			distinct(told, s.visit(t, agent, effect{says: hello}, true), value)
			s.Want(t, 200, "PATCH", agent, object{"ai_model": "builtin"})
			if field == "language" {
				distinct(heard, s.Want(t, 200, "POST", agent+"chat/", object{"message": "👋"}).Text("reply"),
					value)
			}
		}
	}
}

func compare(t *testing.T, who, before, after, gets, loses string) {
	t.Helper()
	for _, wrong := range []struct {
		is   bool
		what string
	}{
		{gets != "" && strings.Contains(before, gets), fmt.Sprintf("has %q before", gets)},
		{gets != "" && !strings.Contains(after, gets), fmt.Sprintf("has not %q after", gets)},
		{loses != "" && !strings.Contains(before, loses), fmt.Sprintf("has not %q before", loses)},
		{loses != "" && strings.Contains(after, loses), fmt.Sprintf("has %q after", loses)},
	} {
		if wrong.is {
			t.Errorf("%s %s the change (-before +after):\n%s", who, wrong.what,
				cmp.Diff(strings.Split(before, "\n"), strings.Split(after, "\n")))
		}
	}
}

// play makes an agent, has a visitor come, changes the field, and has another come. It returns what they get,
// or what the model is told with their last messages.
func (s *service) play(t *testing.T, e effect, byModel bool) (before, after string) {
	t.Helper()
	made := object{
		"name": "Ada", "memory_enabled": true, "capability_small_talk": true, "capability_quote_prices": true,
		"capability_recommend_products": true, "capability_share_links": true,
	}
	maps.Copy(made, e.agent)
	if byModel && made["ai_model"] == nil {
		made["ai_model"] = "openai:any"
	}
	if e.path == "" && e.from != nil {
		set(made, e.field, e.from)
	}
	created := s.Want(t, 201, "POST", "agents/", made)
	agent := "agents/" + created.Number("id") + "/"
	funnel := ""
	for _, path := range slices.Sorted(maps.Keys(e.with)) {
		for _, row := range e.with[path] {
			made := s.Want(t, 201, "POST", agent+strings.Replace(path, "{funnel_id}", funnel, 1), row)
			if path == "funnels/" {
				funnel = made.Number("id")
			}
		}
	}
	changed := agent + strings.Replace(e.path, "{funnel_id}", funnel, 1)
	if e.row != nil {
		row := maps.Clone(e.row)
		if e.from != nil {
			set(row, e.field, e.from)
		}
		changed += s.Want(t, 201, "POST", changed, row).Number("id") + "/"
		for path, rows := range e.below {
			for _, row := range rows {
				s.Want(t, 201, "POST", changed+path, row)
			}
		}
	} else if e.path != "" && e.from != nil {
		s.Want(t, 200, "PATCH", changed, object{e.field: e.from})
	}
	before = s.visit(t, agent, e, byModel)
	change := object{}
	set(change, e.field, e.to)
	s.Want(t, 200, "PATCH", changed, change)
	return before, s.visit(t, agent, e, byModel)
}

// set puts a value into a body. That of a field of a list's objects is such an object.
func set(body object, field string, value any) {
	if list, _, ok := strings.Cut(field, "."); ok {
		body[list] = []any{value}
		return
	}
	body[field] = value
}

func (s *service) visit(t *testing.T, agent string, e effect, byModel bool) string {
	t.Helper()
	s.model.last()
	var last apitest.Answer
	body := object{}
	for _, message := range e.says {
		body["message"] = message
		last = s.Call(t, "POST", agent+"chat/", body)
		if last.Status != 200 && last.Status != e.refused {
			t.Fatalf("%q gets %d: %s", message, last.Status, last.Body)
		}
		body["session_id"] = last.Text("session_id")
	}
	if byModel {
		return s.model.last()
	}
	if e.look == "" {
		return last.Body
	}
	s.act(t)
	embed := s.Want(t, 200, "GET", agent+"widget/", nil).Text("embed_key")
	place := strings.NewReplacer(
		"{agent}/", agent, "{embed}", embed, "{conversation}", last.Number("conversation_id"), "{contact}",
		last.Number("contact_id"),
	).Replace(e.look)
	page := *s.Client
	if e.origin != "" {
		page.Header = http.Header{"Origin": {e.origin}}
	}
	return page.Call(t, "GET", place, nil).Body
}
