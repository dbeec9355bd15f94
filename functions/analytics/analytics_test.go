package analytics_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/infra/product"
	"frontdesk/infra/template"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/llm"
	"frontdesk/shared/ai/openai"
	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/auth"
	"frontdesk/shared/counter"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

type object = map[string]any

// A service is the whole product over a table of its own, with a clock that goes on by a millisecond whenever
// it is read and can be set.
type service struct {
	table      *sqlite.Table
	workspaces *auth.Workspaces
	models     map[string]ai.Model
	base       string

	mu    sync.Mutex
	clock time.Time
}

func (s *service) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock = s.clock.Add(time.Millisecond)
	return s.clock
}

// at sets the clock.
func (s *service) at(t *testing.T, text string) {
	t.Helper()
	clock, err := time.Parse(time.DateTime, text)
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock = clock
}

func serve(t *testing.T) *service {
	t.Helper()
	s := &service{models: map[string]ai.Model{}}
	s.at(t, "2026-03-02 09:00:00")
	var err error
	if s.table, err = sqlite.Open(filepath.Join(t.TempDir(), "table.db"), s.now); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.table.Close() })
	stack, err := template.Read("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	ids := id.NewSource(s.now)
	s.workspaces = &auth.Workspaces{Table: s.table, Now: s.now, IDs: ids}
	front, err := product.Front(stack, product.Endpoints(product.Parts{
		Table: s.table, Models: s.models, Now: s.now, IDs: ids, Log: slog.New(slog.DiscardHandler),
	}))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(front)
	t.Cleanup(server.Close)
	s.base = server.URL + api.Prefix + "/"
	return s
}

// A client calls the service with the API key of a workspace that has one active agent.
type client struct {
	*service
	*apitest.Client
	id, agent, embed string // of the agent: id, path, key of the widget
}

func (s *service) client(t *testing.T, plan string) *client {
	t.Helper()
	_, key, err := s.workspaces.Create(t.Context(), "Acme", plan)
	if err != nil {
		t.Fatal(err)
	}
	c := &client{service: s, Client: &apitest.Client{Base: s.base, Key: key.Text}}
	c.id = c.Want(t, 201, "POST", "agents/", object{"name": "Mia"}).Number("id")
	c.agent = "agents/" + c.id + "/"
	c.Want(t, 200, "POST", c.agent+"activate/", nil)
	c.embed = c.Want(t, 200, "GET", c.agent+"widget/", nil).Text("embed_key")
	return c
}

// say is a message to the agent, "" in a new session. It returns the path of the conversation, and the
// session.
func (c *client) say(t *testing.T, session, text string) (path, of string) {
	t.Helper()
	body := object{"message": text}
	if session != "" {
		body["session_id"] = session
	}
	a := c.Want(t, 200, "POST", c.agent+"chat/", body)
	return "conversations/" + a.Number("conversation_id") + "/", a.Text("session_id")
}

// act does something with what has the path.
func (c *client) act(t *testing.T, path, action string) {
	t.Helper()
	c.Want(t, 200, "POST", path+action+"/", nil)
}

// expect compares the answer to a GET below the agent, but for the agent's id.
func (c *client) expect(t *testing.T, path, want string) {
	t.Helper()
	got := c.Want(t, 200, "GET", c.agent+"analytics/"+path, nil).Body
	got = strings.Replace(got, `"agent_id":`+c.id+`,`, "", 1)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func summary(period string, total int, resolved, handoff string, booked, sent, received int) string {
	return fmt.Sprintf(`{"period":%q,"conversations_total":%d,"ai_resolved_pct":%s,"handoff_pct":%s,"appointments_booked":%d,"messages_sent":%d,"messages_received":%d,"ai_input_tokens":0,"ai_output_tokens":0,"ai_cost_usd":0}`,
		period, total, resolved, handoff, booked, sent, received)
}

// TestSummary plays three days of an agent.
func TestSummary(t *testing.T) {
	c := serve(t).client(t, "free")
	c.expect(t, "", summary("2026-02-01 / 2026-03-02", 0, "0", "0", 0, 0, 0))

	alone, session := c.say(t, "", "Hello")
	c.say(t, session, "What do you sell?")
	c.act(t, alone, "resolve")
	taken, session2 := c.say(t, "", "Hello")
	c.act(t, taken, "handoff")
	c.say(t, session2, "Is a person there?") // nobody replies
	c.Want(t, 201, "POST", taken+"reply/", object{"message": "I am."})
	c.act(t, taken, "resolve")
	open, session3 := c.say(t, "", "Hello")
	c.expect(t, "", summary("2026-02-01 / 2026-03-02", 3, "33.3", "33.3", 0, 5, 5))

	c.at(t, "2026-03-03 10:00:00")
	c.say(t, session3, "Hello again")
	c.act(t, open, "handoff") // counts on the day that the conversation began, and once
	c.act(t, open, "resume-ai")
	c.act(t, open, "handoff")
	c.act(t, open, "resume-ai")
	c.act(t, open, "resolve") // somebody had a part in it
	replied, _ := c.say(t, "", "Hello")
	c.Want(t, 201, "POST", replied+"reply/", object{"message": "Welcome."}) // takes it over
	c.act(t, replied, "resolve")
	contact := c.Want(t, 201, "POST", "contacts/",
		object{"agent_id": c.number(t), "phone": "+14155550123"}).Fields["id"]
	var booked []string
	for range 3 {
		a := c.Want(t, 201, "POST", "appointments/", object{
			"agent_id": c.number(t), "contact_id": contact, "title": "Cut",
			"start_time": "2026-05-01T10:00:00Z", "end_time": "2026-05-01T11:00:00Z",
		})
		booked = append(booked, "appointments/"+a.Number("id")+"/")
	}
	c.Want(t, 200, "PATCH", booked[0], object{"status": "cancelled"})
	c.Want(t, 204, "DELETE", booked[1], nil)

	c.at(t, "2026-03-04 11:00:00")
	c.Want(t, 200, "PATCH", booked[2], object{"status": "confirmed"}) // still booked on the day before
	for _, test := range []struct{ query, want string }{
		{"", summary("2026-02-03 / 2026-03-04", 4, "25", "75", 2, 8, 7)},
		{"?since=2026-03-02&until=2026-03-02",
			summary("2026-03-02 / 2026-03-02", 3, "33.3", "66.7", 0, 5, 5)},
		{"?since=2026-03-03&until=2026-03-03", summary("2026-03-03 / 2026-03-03", 1, "0", "100", 2, 3, 2)},
		{"?since=2026-03-04", summary("2026-03-04 / 2026-03-04", 0, "0", "0", 0, 0, 0)},
		{"?until=2026-03-01", summary("2026-01-31 / 2026-03-01", 0, "0", "0", 0, 0, 0)},
		{"?since=2026-03-02T23:59:59-00:30&until=2026-03-04T00:30:00%2B01:00",
			summary("2026-03-03 / 2026-03-03", 1, "0", "100", 2, 3, 2)},
		{"?since=2026-03-02T23:59:59.9Z&until=2026-03-02T00:00:00",
			summary("2026-03-02 / 2026-03-02", 3, "33.3", "66.7", 0, 5, 5)},
		{"?since=2020-01-01&until=2030-01-07", summary("2020-01-01 / 2030-01-07", 4, "25", "75", 2, 8, 7)},
	} {
		c.expect(t, test.query, test.want)
	}

	// One that goes on is not resolved until it is again.
	c.say(t, session, "One more thing")
	c.expect(t, "", summary("2026-02-03 / 2026-03-04", 4, "0", "75", 2, 9, 8))
	c.act(t, alone, "resolve")
	c.expect(t, "", summary("2026-02-03 / 2026-03-04", 4, "25", "75", 2, 9, 8))
}

// number is the agent's id for a body.
func (c *client) number(t *testing.T) any {
	t.Helper()
	return c.Want(t, 200, "GET", c.agent, nil).Fields["id"]
}

// TestUsage has a service of language models answer, by what it says of its tokens.
func TestUsage(t *testing.T) {
	s := serve(t)
	var broken atomic.Bool
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if broken.Load() {
			http.Error(w,
				`{"error":{"message":"no","type":"invalid_request_error","code":"invalid_api_key"}}`,
				http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, chunk := range []string{
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"answer","arguments":"{\"action\":\"respond\",\"intent\":\"question\",\"confidence\":0.9,\"sources\":[],\"reply\":\"Yes.\"}"}}]},"finish_reason":null}]}`,
			`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
			`{"choices":[],"usage":{"prompt_tokens":1000,"completion_tokens":50,"total_tokens":1050}}`,
			`[DONE]`,
		} {
			fmt.Fprintf(w, "data: %s\n\n", chunk)
		}
	}))
	t.Cleanup(model.Close)
	s.models[ai.OpenAI] = llm.New(openai.New(model.URL,
		func(context.Context) (string, error) { return "", nil }))
	c := s.client(t, "free")
	usage := func(query string, input, output int, cost string) {
		t.Helper()
		got := c.Want(t, 200, "GET", c.agent+"analytics/"+query, nil)
		want := fmt.Sprintf(`"ai_input_tokens":%d,"ai_output_tokens":%d,"ai_cost_usd":%s}`, input, output,
			cost)
		if !strings.HasSuffix(got.Body, want) {
			t.Errorf("%s, want %s", got.Body, want)
		}
	}
	c.say(t, "", "Hello")
	usage("", 0, 0, "0") // the built-in engine
	c.Want(t, 200, "PATCH", c.agent, object{"ai_model": "openai:gpt-4o-mini"})
	_, session := c.say(t, "", "Hello")
	c.say(t, session, "Are dogs welcome?")
	usage("", 2000, 100, "0.00036")

	c.at(t, "2026-03-03 10:00:00")
	c.say(t, session, "And cats?")
	c.Want(t, 200, "PATCH", c.agent, object{"ai_model": "openai:our-own"})
	c.say(t, session, "And birds?") // by a model whose price is not known
	broken.Store(true)
	c.WantError(t, 502, "server_error", "", "POST", c.agent+"chat/",
		object{"message": "And fish?", "session_id": session})
	usage("", 4000, 200, "0.00054")
	usage("?until=2026-03-02", 2000, 100, "0.00036")
	usage("?since=2026-03-03", 2000, 100, "0.00018")
	usage("?until=2026-03-01", 0, 0, "0")
}

// TestConversations begins conversations on both sides of midnight, and many at once.
func TestConversations(t *testing.T) {
	c := serve(t).client(t, "pro")
	for _, at := range []string{"2026-03-02 23:59:00", "2026-03-02 23:59:59", "2026-03-03 00:00:00",
		"2026-03-05 12:00:00"} {
		c.at(t, at)
		c.say(t, "", "Hello")
	}
	c.at(t, "2026-03-06 00:00:00")
	c.expect(t, "conversations/?since=2026-03-01",
		`{"period":"2026-03-01 / 2026-03-06","results":[{"date":"2026-03-01","count":0},{"date":"2026-03-02","count":2},`+
			`{"date":"2026-03-03","count":1},{"date":"2026-03-04","count":0},{"date":"2026-03-05","count":1},{"date":"2026-03-06","count":0}]}`)

	const sessions, turns = 12, 3
	var wg sync.WaitGroup
	for i := range sessions {
		wg.Go(func() {
			session := fmt.Sprintf("11111111-2222-4333-8444-%012d", i)
			for range turns {
				a, err := c.Try("POST", c.agent+"chat/", object{"message": "Hello", "session_id": session})
				if err != nil || a.Status != 200 {
					t.Error(a.Status, a.Body, err)
				}
			}
		})
	}
	wg.Wait()
	c.expect(t, "?since=2026-03-06", summary("2026-03-06 / 2026-03-06", sessions, "0", "0", 0, sessions*turns,
		sessions*turns))
	if rows := c.Want(t, 200, "GET", c.agent+"analytics/conversations/", nil).Results(); len(rows) != 30 ||
		fmt.Sprint(rows[29]) != "map[count:12 date:2026-03-06]" {
		t.Errorf("%d rows: %v", len(rows), rows)
	}
}

// TestLeads follows contacts of two days through what becomes of them.
func TestLeads(t *testing.T) {
	c := serve(t).client(t, "starter")
	create := func(body object) string {
		t.Helper()
		body["agent_id"] = c.number(t)
		return "contacts/" + c.Want(t, 201, "POST", "contacts/", body).Number("id") + "/"
	}
	leads := func(period string, total int, stages [4]int, hot, warm, cold int) string {
		return fmt.Sprintf(`{"period":%q,"total_contacts":%d,"by_stage":{"lead":%d,"prospect":%d,"customer":%d,"churned":%d},"hot_leads":%d,"warm_leads":%d,"cold_leads":%d}`,
			period, total, stages[0], stages[1], stages[2], stages[3], hot, warm, cold)
	}
	first, second := create(object{"phone": "+14155550101"}), create(object{"phone": "+14155550102"})
	c.say(t, "", "Hello") // from somebody unknown
	c.at(t, "2026-03-03 10:00:00")
	create(object{"phone": "+14155550103", "stage": "prospect"})
	c.expect(t, "leads/", leads("2026-02-02 / 2026-03-03", 4, [4]int{3, 1, 0, 0}, 0, 1, 3))

	c.at(t, "2026-03-04 10:00:00")
	c.Want(t, 200, "PATCH", first, object{"stage": "customer", "name": "Ada", "budget": "500"})
	c.Want(t, 200, "PATCH", second, object{"stage": "churned"})
	c.expect(t, "leads/?since=2026-03-02&until=2026-03-02",
		leads("2026-03-02 / 2026-03-02", 3, [4]int{1, 0, 1, 1}, 1, 0, 2))
	c.expect(t, "leads/?since=2026-03-03&until=2026-03-04",
		leads("2026-03-03 / 2026-03-04", 1, [4]int{0, 1, 0, 0}, 0, 1, 0))
	c.Want(t, 204, "DELETE", first, nil)

	// A visitor who turns out to be known leaves nobody behind.
	session := c.Want(t, 200, "POST", "widget/"+c.embed+"/send/",
		object{"message": "Hello"}).Text("session_id")
	c.expect(t, "leads/?since=2026-03-04", leads("2026-03-04 / 2026-03-04", 1, [4]int{1, 0, 0, 0}, 0, 0, 1))
	c.Want(t, 200, "POST", c.agent+"chat/", object{"message": "Hello again", "session_id": session,
		"contact": object{"phone": "+14155550102", "name": "Bo", "email": "bo@example.com"}})
	c.expect(t, "leads/?since=2026-03-04", leads("2026-03-04 / 2026-03-04", 0, [4]int{}, 0, 0, 0))
	c.expect(t, "leads/", leads("2026-02-03 / 2026-03-04", 3, [4]int{1, 1, 0, 1}, 0, 1, 2))
}

func TestSatisfaction(t *testing.T) {
	c := serve(t).client(t, "enterprise")
	rate := func(session, rating string, message any) {
		t.Helper()
		c.Want(t, 200, "POST", "widget/"+c.embed+"/feedback/",
			object{"session_id": session, "message_id": message, "rating": rating})
	}
	service := func(count int, average, median, p90 string, target int, within string) string {
		return fmt.Sprintf(`{"count":%d,"average_seconds":%s,"median_seconds":%s,"p90_seconds":%s,"target_seconds":%d,"within_target_pct":%s}`,
			count, average, median, p90, target, within)
	}
	csat := func(period string, positive, negative int, rate, answered, response, resolution string) string {
		return fmt.Sprintf(`{"period":%q,"message_feedback":{"positive":%d,"negative":%d,"total":%d,"satisfaction_rate":%s},`+
			`"csat":{"score":%s,"responses":%d,"response_rate":%s},"sla":{"first_response":%s,"resolution":%s}}`,
			period, positive, negative, positive+negative, rate, rate, positive+negative, answered, response,
			resolution)
	}
	noResponse, noResolution := service(0, "0", "0", "0", 60, "0"), service(0, "0", "0", "0", 86400, "0")
	c.expect(t, "csat/", csat("2026-02-01 / 2026-03-02", 0, 0, "0", "0", noResponse, noResolution))

	// Of four answers within a moment three are rated, one of them twice and at last otherwise, another on
	// the next day.
	first := c.Want(t, 200, "POST", "widget/"+c.embed+"/send/", object{"message": "Hello"})
	session := first.Text("session_id")
	messages := []any{first.Fields["message_id"]}
	for range 3 {
		messages = append(messages, c.Want(t, 200, "POST", "widget/"+c.embed+"/send/",
			object{"message": "Hello", "session_id": session}).Fields["message_id"])
	}
	rate(session, "negative", messages[0])
	rate(session, "positive", messages[0])
	rate(session, "positive", messages[1])
	rate(session, "positive", messages[1])
	c.at(t, "2026-03-03 09:00:00")
	rate(session, "negative", messages[2])
	atOnce := service(1, "0", "0", "0", 60, "100")
	c.expect(t, "csat/?days=2", csat("2026-03-02 / 2026-03-03", 2, 1, "66.7", "75", atOnce, noResolution))
	c.expect(t, "csat/?days=1", csat("2026-03-03 / 2026-03-03", 0, 0, "0", "0", noResponse, noResolution))
	c.expect(t, "csat/?days=1&until=2026-03-02",
		csat("2026-03-02 / 2026-03-02", 2, 1, "66.7", "75", atOnce, noResolution))
	c.expect(t, "csat/?days=1&since=2026-03-02",
		csat("2026-03-02 / 2026-03-03", 2, 1, "66.7", "75", atOnce, noResolution))
	c.expect(t, "csat/?days=365", csat("2025-03-04 / 2026-03-03", 2, 1, "66.7", "75", atOnce, noResolution))

	// With the agent paused a person answers one contact after a minute and another after ten, and no contact
	// counts twice. The first matter is settled an hour after it came up, and once more the day after it came
	// up again; the second after three days.
	c.Want(t, 200, "POST", c.agent+"pause/", nil)
	c.at(t, "2026-03-04 09:00:00")
	quick, session := c.say(t, "", "Hello")
	c.at(t, "2026-03-04 09:00:59")
	c.Want(t, 201, "POST", quick+"reply/", object{"message": "Hello"})
	c.at(t, "2026-03-04 09:30:00")
	c.say(t, session, "And on Sundays?")
	c.at(t, "2026-03-04 09:50:00")
	c.Want(t, 201, "POST", quick+"reply/", object{"message": "Closed."})
	slow, _ := c.say(t, "", "Hello")
	c.at(t, "2026-03-04 10:00:00")
	c.Want(t, 201, "POST", slow+"reply/", object{"message": "Sorry for the wait."})
	c.act(t, quick, "resolve")
	c.act(t, quick, "resolve") // it is
	c.expect(t, "csat/?days=1", csat("2026-03-04 / 2026-03-04", 0, 0, "0", "0",
		service(2, "329.5", "57.3", "655.4", 60, "50"), service(1, "3600", "3670", "3670", 86400, "100")))
	c.at(t, "2026-03-06 10:00:00")
	c.say(t, session, "And on Mondays?")
	c.at(t, "2026-03-07 09:50:00")
	c.act(t, quick, "resolve")
	c.act(t, slow, "resolve")
	c.expect(t, "csat/?days=1", csat("2026-03-07 / 2026-03-07", 0, 0, "0", "0",
		noResponse, service(2, "172500", "83886.1", "234881", 86400, "50")))
}

func TestRules(t *testing.T) {
	s := serve(t)
	c, stranger, gone := s.client(t, "enterprise"), s.client(t, "enterprise"), s.client(t, "enterprise")
	gone.say(t, "", "Hello")
	gone.Want(t, 204, "DELETE", gone.agent, nil)
	for _, endpoint := range []string{"", "conversations/", "leads/", "csat/"} {
		path := "analytics/" + endpoint
		for _, test := range []struct{ query, field string }{
			{"since=yesterday", "since"}, {"since=2026-02-30", "since"}, {"since=2026-3-1", "since"},
			{"until=2026-03-01T25:00:00Z", "until"},
			{"until=0000-01-01", "until"}, {"until=9999-12-31T23:59:59-01:00", "until"},
			{"since=2026-03-03", "since"},
			{"since=2026-03-02&until=2026-03-01", "until"}, {"since=2020-01-01&until=2030-01-08", "since"},
		} {
			c.WantError(t, 400, "validation_error", test.field, "GET", c.agent+path+"?"+test.query, nil)
		}
		for _, query := range []string{"since=&until=", "since=0001-01-01&until=0001-01-01",
			"until=0001-01-01", "since=2026-03-02&until=2036-03-08"} {
			c.Want(t, 200, "GET", c.agent+path+"?"+query, nil)
		}
		for _, agent := range []string{stranger.agent, "agents/999/", "agents/x/"} {
			c.WantError(t, 404, "not_found", "", "GET", agent+path, nil)
		}
		gone.WantError(t, 404, "not_found", "", "GET", gone.agent+path, nil)
	}
	for _, days := range []string{"0", "366", "-1"} {
		c.WantError(t, 400, "validation_error", "days", "GET", c.agent+"analytics/csat/?days="+days, nil)
	}
	for _, plan := range []string{"free", "starter", "pro"} {
		other := s.client(t, plan)
		other.WantError(t, 501, "not_implemented", "", "GET", other.agent+"analytics/csat/", nil)
		other.WantError(t, 404, "not_found", "", "GET", c.agent+"analytics/csat/", nil)
		other.WantError(t, 400, "validation_error", "days", "GET", other.agent+"analytics/csat/?days=0", nil)
		other.Want(t, 200, "GET", other.agent+"analytics/leads/", nil)
	}
}

// TestLongPeriod reads ten years of an agent that was busy on every day.
func TestLongPeriod(t *testing.T) {
	c := serve(t).client(t, "free")
	account := c.Want(t, 200, "GET", "me/", nil).Fields["account"].(object)["id"]
	var accountID, agentID int64
	if _, err := fmt.Sscan(fmt.Sprint(account, " ", c.id), &accountID, &agentID); err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	var writes []table.Write
	for range 3660 {
		key := counter.DayKey(accountID, agentID, day.Format(time.DateOnly), 0)
		writes = append(writes, table.Set(table.Item{Key: key, Numbers: map[string]int64{"begun": 2}}))
		day = day.AddDate(0, 0, 1)
	}
	if err := c.table.WriteAll(t.Context(), writes...); err != nil {
		t.Fatal(err)
	}
	rows := c.Want(t, 200, "GET", c.agent+"analytics/conversations/?since=2026-03-02&until="+
		day.AddDate(0, 0, -1).Format(time.DateOnly), nil).Results()
	if len(rows) != 3660 {
		t.Errorf("%d days", len(rows))
	}
	for _, row := range rows {
		if fmt.Sprint(row["count"]) != "2" {
			t.Fatalf("%v", row)
		}
	}
}
