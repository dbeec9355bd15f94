package webhooks_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/webhooks"
	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/api/servicetest"
	"frontdesk/shared/delivery"
	"frontdesk/shared/egress"
	"frontdesk/shared/event"
	"frontdesk/shared/secret"
	"frontdesk/shared/webhook"
)

// A fixture is the endpoints with an agent of a workspace, and a server that webhooks may be at.
type fixture struct {
	*servicetest.Service
	*apitest.Client
	keys  *secret.Keys
	agent int64

	server *httptest.Server
	status int // of the server's answers
	mu     sync.Mutex
	got    []*http.Request
	bodies []string
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	w := &fixture{Service: servicetest.New(t), keys: &secret.Keys{Read: secret.Static(secret.NewKey())},
		status: 200}
	w.server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		w.mu.Lock()
		w.got, w.bodies = append(w.got, req), append(w.bodies, string(body))
		w.mu.Unlock()
		rw.WriteHeader(w.status)
	}))
	t.Cleanup(w.server.Close)
	w.Now = time.Now // that of the table, in which deliveries and answers expire
	w.Router.Answers = &api.Answers{Table: w.Table, Now: w.Now}
	(&webhooks.Service{
		Table: w.Table, Now: w.Now, IDs: w.IDs, Secrets: w.keys,
		Web: egress.New(egress.Config{AllowHosts: "127.0.0.1"}),
	}).Routes(w.Router)
	client := w.Service.Client(t, "enterprise")
	w.Client = &client
	w.agent = w.newAgent(t)
	return w
}

func (w *fixture) newAgent(t *testing.T) int64 {
	t.Helper()
	store := agent.Store{Table: w.Table, Now: w.Now, IDs: w.IDs}
	made, err := store.Create(t.Context(), w.Account, agent.Agent{Summary: agent.Summary{Name: "Mia"}}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return made.ID
}

// all is the path of the agent's webhooks.
func (w *fixture) all() string { return fmt.Sprintf("agents/%d/webhooks/", w.agent) }

type object = map[string]any

// register makes a webhook at the server and returns its path and the answer.
func (w *fixture) register(t *testing.T, fields object) (string, apitest.Answer) {
	t.Helper()
	body := object{"url": w.server.URL + "/hook", "events": []string{"conversation.resolved"}}
	for name, value := range fields {
		body[name] = value
	}
	made := w.Want(t, 201, "POST", w.all(), body)
	return w.all() + made.Number("id") + "/", made
}

func TestRegister(t *testing.T) {
	w := newFixture(t)
	path, made := w.register(t, object{
		"events": []string{"message.sent", "conversation.resolved", "message.sent"}, "secret": " hunter2 ",
		"description": " CRM ", "active": false,
	})
	want := fmt.Sprintf(`{"id":%s,"agent_id":%d,"name":"CRM","url":"%s/hook","events":["message.sent","conversation.resolved"],"active":false,`+
		`"created_at":"%s","secret":" hunter2 ","failing_since":null,"disabled_at":null,"disabled_reason":null,"previous_secret_expires_at":null}`,
		made.Number("id"), w.agent, w.server.URL, made.Text("created_at"))
	if made.Body != want {
		t.Errorf("%s\nwant %s", made.Body, want)
	}
	without := strings.Replace(want, `"secret":" hunter2 ",`, "", 1)
	if read := w.Want(t, 200, "GET", path, nil); read.Body != without {
		t.Errorf("%s\nwant %s", read.Body, without)
	}
	list := w.Want(t, 200, "GET", w.all(), nil)
	if list.Body != `{"count":1,"next":null,"previous":null,"results":[`+without+`]}` {
		t.Errorf("%s", list.Body)
	}

	_, made = w.register(t, object{"secret": nil, "description": nil})
	name := "Webhook " + made.Text("created_at")[:len("2026-03-02")]
	if raw, err := hex.DecodeString(made.Text("secret")); err != nil || len(raw) != 32 ||
		made.Text("name") != name || made.Fields["active"] != true {
		t.Errorf("%s", made.Body)
	}
	_, other := w.register(t, object{"secret": ""})
	if len(other.Text("secret")) != 64 || other.Text("secret") == made.Text("secret") {
		t.Errorf("%s", other.Body)
	}
	list = w.Want(t, 200, "GET", w.all(), nil)
	if list.Number("count") != "3" || fmt.Sprint(list.Results()[0]["id"]) != other.Number("id") {
		t.Errorf("the newest first: %s", list.Body)
	}
}

func TestRefused(t *testing.T) {
	w := newFixture(t)
	path, _ := w.register(t, nil)
	events := []string{"message.sent"}
	const good = "https://example.com/hook"
	for _, test := range []struct {
		field string
		body  any
	}{
		{"url", object{"events": events}},
		{"url", object{"events": events, "url": " "}},
		{"url", object{"events": events, "url": "example.com"}},
		{"url", object{"events": events, "url": "http://example.com/hook"}},
		{"url", object{"events": events, "url": "ftp://example.com/hook"}},
		{"url", object{"events": events, "url": "https://"}},
		{"url", object{"events": events, "url": "https://example.com:99999/"}},
		{"url", object{"events": events, "url": "https://example.com/a b"}},
		{"url", object{"events": events, "url": "https://ada:secret@example.com/"}},
		{"url", object{"events": events, "url": "https://example.com/" + strings.Repeat("é", 1981)}},
		{"events", object{"url": good}},
		{"events", object{"url": good, "events": []string{}}},
		{"events", object{"url": good, "events": []string{"message.sent", "message.*"}}},
		{"events", object{"url": good, "events": []string{"Message.Sent"}}},
		{"events", object{"url": good, "events": []string{""}}},
		{"secret", object{"url": good, "events": events, "secret": strings.Repeat("x", 256)}},
	} {
		w.WantError(t, 400, "validation_error", test.field, "POST", w.all(), test.body)
	}
	for _, body := range []any{
		"{", "[]", object{"url": 5, "events": events}, object{"url": good, "events": "message.sent"},
		object{"url": good, "events": []any{nil}},
		object{"url": good, "events": events, "active": "yes"}, object{"url": nil, "events": events},
	} {
		w.WantError(t, 400, "bad_request", "", "POST", w.all(), body)
	}
	for field, value := range map[string]any{"url": "http://example.com/", "events": []string{}} {
		w.WantError(t, 400, "validation_error", field, "PATCH", path, object{field: value})
	}
	w.register(t, object{"url": "https://example.com/" + strings.Repeat("é", 1980)})
	// What is on a private network is refused when it is called.
	w.register(t, object{"url": "https://10.0.0.1/hook"})
}

func TestChange(t *testing.T) {
	w := newFixture(t)
	path, made := w.register(t, object{"description": "CRM"})
	changed := w.Want(t, 200, "PATCH", path, object{
		"url": "https://example.com/", "events": []string{"appointment.created"}, "active": false,
		"description": "New", "secret": "ignored", "id": 5,
	})
	if changed.Text("url") != "https://example.com/" || changed.Fields["active"] != false ||
		changed.Text("name") != "New" ||
		!strings.Contains(changed.Body, `"events":["appointment.created"]`) ||
		changed.Number("id") != made.Number("id") ||
		strings.Contains(changed.Body, `"secret"`) {
		t.Errorf("%s", changed.Body)
	}
	if read := w.Want(t, 200, "GET", path, nil); read.Body != changed.Body {
		t.Errorf("%s\nwant %s", read.Body, changed.Body)
	}
	if same := w.Want(t, 200, "PATCH", path, object{}); same.Body != changed.Body {
		t.Errorf("nothing changed: %s", same.Body)
	}
	if named := w.Want(t, 200, "PATCH", path, object{"description": ""}); named.Text("name") != "Webhook "+
		made.Text("created_at")[:len("2026-03-02")] {
		t.Errorf("%s", named.Body)
	}
	w.Want(t, 204, "DELETE", path, nil)
	for _, method := range []string{"GET", "PATCH", "DELETE"} {
		w.WantError(t, 404, "not_found", "", method, path, object{})
	}
	if list := w.Want(t, 200, "GET", w.all(), nil); list.Number("count") != "0" || len(list.Results()) != 0 {
		t.Errorf("%s", list.Body)
	}
}

// TestOthers asks for a webhook from another workspace, from another agent, and after its agent was deleted.
func TestOthers(t *testing.T) {
	w := newFixture(t)
	path, made := w.register(t, nil)
	endpoints := func(path string) map[string]string {
		return map[string]string{
			path: "GET", path + "test/": "POST", path + "rotate-secret/": "POST", path + "deliveries/": "GET",
			path + "deliveries/5/redeliver/": "POST",
		}
	}
	other := w.Service.Client(t, "enterprise")
	for p, method := range endpoints(path) {
		other.WantError(t, 404, "not_found", "", method, p, nil)
	}
	other.WantError(t, 404, "not_found", "", "GET", w.all(), nil)
	other.WantError(t, 404, "not_found", "", "POST", w.all(),
		object{"url": "https://example.com/", "events": []string{"message.sent"}})
	other.WantError(t, 404, "not_found", "", "PATCH", path, object{"active": false})
	other.WantError(t, 404, "not_found", "", "DELETE", path, nil)

	for p, method := range endpoints(fmt.Sprintf("agents/%d/webhooks/%s/", w.newAgent(t),
		made.Number("id"))) {
		w.WantError(t, 404, "not_found", "", method, p, nil)
	}
	if err := (&agent.Store{Table: w.Table, Now: w.Now, IDs: w.IDs}).Delete(t.Context(), w.Account,
		w.agent); err != nil {
		t.Fatal(err)
	}
	for p, method := range endpoints(path) {
		w.WantError(t, 404, "not_found", "", method, p, nil)
	}
	w.WantError(t, 404, "not_found", "", "GET", w.all(), nil)
	w.WantError(t, 404, "not_found", "", "DELETE", path, nil)
}

func TestLimit(t *testing.T) {
	w := newFixture(t)
	var last string
	for range webhook.Max {
		last, _ = w.register(t, nil)
	}
	body := object{"url": "https://example.com/", "events": []string{"message.sent"}}
	w.WantError(t, 400, "validation_error", "", "POST", w.all(), body)
	w.Want(t, 204, "DELETE", last, nil)
	w.Want(t, 201, "POST", w.all(), body)
	list := w.Want(t, 200, "GET", w.all(), nil)
	if list.Number("count") != "50" || len(list.Results()) != 50 || list.Fields["next"] != nil {
		t.Errorf("%s of %d", list.Number("count"), len(list.Results()))
	}
}

func TestTest(t *testing.T) {
	w := newFixture(t)
	path, made := w.register(t, object{"active": false})
	for _, event := range []string{"", "appointment.created"} {
		before := len(w.got)
		var body any = object{"event_type": event}
		if event == "" {
			body, event = nil, "message.received"
		}
		if got := w.Want(t, 200, "POST", path+"test/",
			body); got.Body != `{"delivered":true,"http_status":200}` {
			t.Errorf("%s", got.Body)
		}
		if len(w.got) != before+1 {
			t.Fatalf("%d requests", len(w.got)-before)
		}
		req, sent := w.got[before], w.bodies[before]
		var fields struct {
			ID        string `json:"id"`
			CreatedAt string `json:"created_at"`
		}
		if err := json.Unmarshal([]byte(sent), &fields); err != nil {
			t.Fatal(err)
		}
		if id, ok := strings.CutPrefix(fields.ID, "test_"); !ok || len(id) != 16 ||
			strings.Trim(id, "0123456789abcdef") != "" {
			t.Errorf("the id is %s", fields.ID)
		}
		if at, err := time.Parse("2006-01-02T15:04:05-07:00", fields.CreatedAt); err != nil ||
			time.Since(at) > time.Minute || !strings.HasSuffix(fields.CreatedAt, "+00:00") {
			t.Errorf("created_at is %s, %v", fields.CreatedAt, err)
		}
		want := fmt.Sprintf(`{"id": "%s", "type": "%s", "created_at": "%s", "agent_id": %d, "livemode": false, `+
			`"data": {"test": true, "message": "This is a test of your webhook. Nothing happened."}}`,
			fields.ID, event, fields.CreatedAt, w.agent)
		if sent != want {
			t.Errorf("%s\nwant %s", sent, want)
		}
		signed := webhook.Live("", "", 0, []byte(sent),
			webhook.Signature{Secrets: []secret.Plain{secret.Plain(made.Text("secret"))}}).Header
		for name, want := range map[string]string{
			"Content-Type": "application/json", "User-Agent": "Service-Webhook/1.0", "X-Service-Event": event,
			"X-Service-Agent":     "",
			"X-Service-Signature": signed.Get("X-Service-Signature"), "Webhook-Id": fields.ID,
		} {
			if got := req.Header.Get(name); got != want {
				t.Errorf("%s is %q, not %q", name, got, want)
			}
		}
		if len(req.Header.Get("X-Service-Delivery")) != 32 || req.Header.Get("Webhook-Signature") == "" {
			t.Errorf("%v", req.Header)
		}
	}
	for status, want := range map[int]string{
		302: `{"delivered":true,"http_status":302}`,
		400: `{"delivered":false,"error":"The address answered with HTTP status 400."}`,
		503: `{"delivered":false,"error":"The address answered with HTTP status 503."}`,
	} {
		w.status = status
		before := len(w.got)
		if got := w.Want(t, 200, "POST", path+"test/", object{}); got.Body != want || len(w.got) != before+1 {
			t.Errorf("%d: %s, %d requests", status, got.Body, len(w.got)-before)
		}
	}
	w.WantError(t, 400, "validation_error", "event_type", "POST", path+"test/",
		object{"event_type": "conversation.burned"})
	w.WantError(t, 400, "bad_request", "", "POST", path+"test/", object{"event_type": 5})
	private, _ := w.register(t, object{"url": "https://10.0.0.1/hook"})
	if got := w.Want(t, 200, "POST", private+"test/",
		nil); got.Body != `{"delivered":false,"error":"The address points to a private network."}` {
		t.Errorf("%s", got.Body)
	}
}

// TestSecretIsSealed looks for secrets in the table, also where answers are kept for an Idempotency-Key.
func TestSecretIsSealed(t *testing.T) {
	w := newFixture(t)
	post := func(key string, path string) apitest.Answer {
		t.Helper()
		req, err := http.NewRequest("POST", w.Base+path,
			strings.NewReader(`{"url": "https://example.com/", "events": ["message.sent"]}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+key)
		req.Header.Set(api.IdempotencyKeyHeader, "once")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		a := apitest.Answer{Status: resp.StatusCode, Header: resp.Header}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		a.Body = string(body)
		a.Into(t, &a.Fields)
		return a
	}
	first := post(w.Key, w.all())
	path := w.all() + fmt.Sprint(int64(first.Fields["id"].(float64))) + "/"
	rotated := post(w.Key, path+"rotate-secret/")
	for _, made := range []struct {
		path string
		apitest.Answer
	}{{w.all(), first}, {path + "rotate-secret/", rotated}} {
		again := post(w.Key, made.path)
		if again.Body != made.Body || again.Header.Get(api.ReplayedHeader) != "true" ||
			len(made.Text("secret")) != 64 {
			t.Errorf("%s\nreplayed %s", made.Body, again.Body)
		}
	}
	// Another key of the workspace gets no secret.
	other, err := w.Workspaces.Issue(t.Context(), w.Account, "other")
	if err != nil {
		t.Fatal(err)
	}
	if refused := post(other.Text, w.all()); refused.Status != 400 ||
		refused.Text("field") != api.IdempotencyKeyHeader ||
		strings.Contains(refused.Body, first.Text("secret")) {
		t.Errorf("%d %s", refused.Status, refused.Body)
	}
	changes, err := w.Table.Changes(t.Context(), "", 10000)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range changes {
		if change.New == nil {
			continue
		}
		for _, made := range []apitest.Answer{first, rotated} {
			if strings.Contains(string(change.New.Doc)+string(change.New.Blob), made.Text("secret")) {
				t.Errorf("%s/%s holds a secret", change.New.PK, change.New.SK)
			}
		}
	}
	if len(changes) < 6 {
		t.Errorf("only %d changes were looked at", len(changes))
	}
}

func TestRotate(t *testing.T) {
	w := newFixture(t)
	path, made := w.register(t, nil)
	rotated := w.Want(t, 200, "POST", path+"rotate-secret/", nil)
	if text := rotated.Text("secret"); len(text) != 64 || text == made.Text("secret") ||
		rotated.Text("previous_secret_expires_at") == "" {
		t.Errorf("%s", rotated.Body)
	}
	if read := w.Want(t, 200, "GET", path, nil); strings.Contains(read.Body, rotated.Text("secret")) ||
		read.Text("previous_secret_expires_at") == "" {
		t.Errorf("%s", read.Body)
	}
	if own := w.Want(t, 200, "POST", path+"rotate-secret/",
		object{"secret": "of my own"}); own.Text("secret") != "of my own" {
		t.Errorf("%s", own.Body)
	}
	w.Want(t, 200, "POST", path+"test/", nil)
	var want []string
	for _, text := range []string{"of my own", rotated.Text("secret")} {
		want = append(want, webhook.Live("", "", 0, []byte(w.bodies[0]), webhook.Signature{
			Secrets: []secret.Plain{secret.Plain(text)}, ID: w.got[0].Header.Get("Webhook-Id"),
			At: timestamp(t, w.got[0]),
		}).Header.Get("Webhook-Signature"))
	}
	if got := w.got[0].Header.Get("Webhook-Signature"); got != strings.Join(want, " ") {
		t.Errorf("signed %s, want %s", got, want)
	}
}

func timestamp(t *testing.T, req *http.Request) time.Time {
	t.Helper()
	var seconds int64
	if _, err := fmt.Sscan(req.Header.Get("Webhook-Timestamp"), &seconds); err != nil {
		t.Fatal(err)
	}
	return time.Unix(seconds, 0)
}

// TestDeliveries reads deliveries and sends one again.
func TestDeliveries(t *testing.T) {
	w := newFixture(t)
	path, made := w.register(t, nil)
	id, err := json.Number(made.Number("id")).Int64()
	if err != nil {
		t.Fatal(err)
	}
	to := delivery.Receiver{AccountID: w.Account, AgentID: w.agent, WebhookID: id}
	at := w.Now().UTC().Truncate(time.Millisecond)
	var all []delivery.Delivery
	for range 60 {
		all = append(all, delivery.New(to, w.IDs.Next(), "conversation.resolved", "msg", []byte("{}"), at))
	}
	if err := delivery.Create(t.Context(), w.Table, all); err != nil {
		t.Fatal(err)
	}
	first, err := delivery.Load(t.Context(), w.Table, to, all[59].ID)
	if err != nil {
		t.Fatal(err)
	}
	first.Add(delivery.Attempt{At: at, HTTPStatus: 500, Duration: 84 * time.Millisecond}, false)
	first.Add(delivery.Attempt{At: at, Error: "The address did not answer in time.",
		Duration: 10 * time.Second}, false)
	first.GiveUp("The webhook is switched off.")
	put, err := first.Put()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Table.Transact(t.Context(), put); err != nil {
		t.Fatal(err)
	}

	list := w.Want(t, 200, "GET", path+"deliveries/", nil)
	if list.Number("count") != "60" || len(list.Results()) != 50 {
		t.Errorf("%s of %d", list.Number("count"), len(list.Results()))
	}
	stamp := at.Format(time.RFC3339Nano)
	want := fmt.Sprintf(`{"id":%d,"event":"conversation.resolved","status":"failed","created_at":"%s","attempts":[`+
		`{"time":"%s","http_status":500,"error":null,"duration_ms":84},`+
		`{"time":"%s","http_status":null,"error":"The address did not answer in time.","duration_ms":10000}],"error":"The webhook is switched off."}`,
		first.ID, stamp, stamp, stamp)
	if !strings.Contains(list.Body, `"results":[`+want) ||
		!strings.Contains(list.Body,
			`"status":"pending","created_at":"`+stamp+`","attempts":[],"error":null}`) {
		t.Errorf("%.700s\nwant first %s", list.Body, want)
	}
	if next := w.Want(t, 200, "GET", list.Text("next"), nil); len(next.Results()) != 10 ||
		next.Fields["next"] != nil {
		t.Errorf("%s", next.Body)
	}

	again := fmt.Sprintf("%sdeliveries/%d/redeliver/", path, first.ID)
	if got := w.Want(t, 200, "POST", again, nil); got.Text("status") != "pending" ||
		!strings.Contains(got.Body, `"duration_ms":10000}],"error":null}`) {
		t.Errorf("%s", got.Body)
	}
	if got := w.Want(t, 200, "POST", again, nil); got.Text("status") != "pending" {
		t.Errorf("%s", got.Body)
	}
	changes, err := w.Table.Changes(t.Context(), "", 10000)
	if err != nil {
		t.Fatal(err)
	}
	var events []event.Event
	for _, change := range changes {
		if change.New != nil && strings.HasPrefix(change.New.PK, event.KeyPrefix) {
			e, err := event.Read(*change.New)
			if err != nil {
				t.Fatal(err)
			}
			e.ID, e.At = 0, time.Time{}
			events = append(events, e)
		}
	}
	wanted := []event.Event{{
		Kind: event.DeliveryRequested, AccountID: w.Account, AgentID: w.agent, WebhookID: id,
		DeliveryID: first.ID, Attempt: 3,
	}}
	if diff := cmp.Diff(wanted, events); diff != "" {
		t.Error(diff)
	}
	w.WantError(t, 404, "not_found", "", "POST", path+"deliveries/5/redeliver/", nil)
	w.Want(t, 200, "PATCH", path, object{"active": false})
	w.WantError(t, 422, "unprocessable", "", "POST", again, nil)
}

// TestSwitchOnAgain shows what the service switched off, and switches it on again.
func TestSwitchOnAgain(t *testing.T) {
	w := newFixture(t)
	path, made := w.register(t, nil)
	id, err := json.Number(made.Number("id")).Int64()
	if err != nil {
		t.Fatal(err)
	}
	store := webhook.Store{Table: w.Table, Now: w.Now}
	if _, err := store.Change(t.Context(), w.Account, w.agent, id, func(h *webhook.Webhook) error {
		began := w.Now()
		h.Failed(began)
		h.Failed(began.Add(6 * 24 * time.Hour))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	off := w.Want(t, 200, "GET", path, nil)
	if off.Fields["active"] != false || off.Text("failing_since") == "" || off.Text("disabled_at") == "" ||
		off.Text("disabled_reason") != "Every delivery failed for 5 days." {
		t.Errorf("%s", off.Body)
	}
	if back := w.Want(t, 200, "PATCH", path, off.Fields); back.Body != off.Body {
		t.Errorf("sent back as it was read it became %s, was %s", back.Body, off.Body)
	}
	moved := w.Want(t, 200, "PATCH", path, object{"url": w.server.URL + "/elsewhere"})
	if moved.Fields["active"] != false || moved.Text("disabled_at") != off.Text("disabled_at") ||
		moved.Text("disabled_reason") != off.Text("disabled_reason") {
		t.Errorf("%s", moved.Body)
	}
	on := w.Want(t, 200, "PATCH", path, object{"active": true})
	if on.Fields["active"] != true || on.Fields["failing_since"] != nil || on.Fields["disabled_at"] != nil ||
		on.Fields["disabled_reason"] != nil {
		t.Errorf("%s", on.Body)
	}
}
