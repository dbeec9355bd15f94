// Package examples runs the programs that docs/webhooks.md shows to those who receive webhooks: each as a
// process of its own, to which the product delivers.
package examples

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk/infra/local"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/egress"
	"frontdesk/shared/secret"
	"frontdesk/shared/webhook"
)

const folder = "../../docs/examples/webhooks/"

// programs are the examples, with what each is run by.
var programs = []struct{ language, file, runner string }{
	{"go", "go/receiver.go", "go"},
	{"js", "node/receiver.mjs", "node"},
	{"python", "python/receiver.py", "python3"},
}

// TestPage holds the page to the programs that are run here.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/webhooks.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		text, err := os.ReadFile(folder + p.file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(page), "\n```"+p.language+"\n"+string(text)+"```\n") {
			t.Errorf("docs/webhooks.md does not show %s as it is", p.file)
		}
	}
}

// Secrets in both forms: text, and that of the specification.
var (
	first = []string{strings.Repeat("0123456789abcdef", 4), "whsec_" +
		base64.StdEncoding.EncodeToString([]byte("a key of twenty-four byte"))}
	second = []string{strings.Repeat("fedcba9876543210", 4), "whsec_" +
		base64.StdEncoding.EncodeToString([]byte("and another one after it"))}
)

// Where the programs take what was signed in which way.
const (
	messages = "/webhooks"      // Webhook-Signature
	bodies   = "/webhooks/body" // X-Service-Signature of events
	actions  = "/actions/body"  // X-Service-Signature of actions
)

// TestReceivers has the product deliver to the programs: events, tests, and events after the secret was
// replaced, before and after the program knows of it.
func TestReceivers(t *testing.T) {
	service, err := local.Start(t.Context(), local.Config{
		Template: "../../template.yaml", DataDir: t.TempDir(), Now: time.Now, AllowHosts: "127.0.0.1",
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(service.Close)
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	c := &apitest.Client{Base: server.URL + "/api/v1/", Key: local.Key}

	for _, p := range programs {
		t.Run(p.language, func(t *testing.T) {
			t.Parallel()
			command := commandOf(t, p.runner, p.file)
			for form := range first {
				t.Run([]string{"text", "whsec"}[form], func(t *testing.T) {
					t.Parallel()
					live(t, c, command, first[form], second[form])
				})
			}
		})
	}
}

// live goes through the life of a receiver.
func live(t *testing.T, c *apitest.Client, command []string, first, second string) {
	r := start(t, command, freePort(t), first)
	agent := c.Want(t, 201, "POST", "/agents/", map[string]any{"name": "Ada"}).Number("id")
	c.Want(t, 200, "POST", "/agents/"+agent+"/activate/", nil)
	contact := c.Want(t, 201, "POST", "/contacts/",
		map[string]any{"agent_id": json.Number(agent), "phone": "+14155550123"}).Number("id")
	register := func(path, event string) string {
		made := c.Want(t, 201, "POST", "/agents/"+agent+"/webhooks/",
			map[string]any{"url": r.address + path, "events": []string{event}, "secret": first})
		return "/agents/" + agent + "/webhooks/" + made.Number("id") + "/"
	}
	ofMessages, ofBodies := register(messages, "conversation.resolved"),
		register(bodies, "appointment.created")
	for name, path := range map[string]string{"CRM": actions, "Till": actions, "Post": messages} {
		c.Want(t, 201, "POST", "/agents/"+agent+"/actions/", map[string]any{
			"name": name, "action_type": "fire_webhook", "trigger_on": "handoff",
			"config": map[string]any{"url": r.address + path, "secret": first},
		})
	}

	// happen makes both events happen, and waits until the receiver has handled them.
	happen := func() {
		t.Helper()
		conversation := c.Want(t, 200, "POST", "/agents/"+agent+"/chat/",
			map[string]any{"message": "Hello"}).Number("conversation_id")
		c.Want(t, 200, "POST", "/conversations/"+conversation+"/resolve/", nil)
		appointment := c.Want(t, 201, "POST", "/appointments/", map[string]any{
			"agent_id": json.Number(agent), "contact_id": json.Number(contact), "title": "Hair cut",
			"start_time": "2026-03-02T09:30:00+01:00",
		}).Number("id")
		r.await(t,
			fmt.Sprintf(`conversation.resolved {"event": "conversation.resolved", "agent_id": %s, "data": {"conversation_id": %s}}`, agent, conversation))
		r.await(t,
			fmt.Sprintf(`appointment.created {"event": "appointment.created", "agent_id": %s, "data": {"appointment_id": %s, `+
				`"title": "Hair cut", "start_time": "2026-03-02 09:30:00+01:00", "contact_phone": "+14155550123"}}`, agent, appointment))
	}
	// statuses are those with which the attempts of the latest delivery were answered.
	statuses := func(hook string) string {
		t.Helper()
		for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			latest := c.Want(t, 200, "GET", hook+"deliveries/", nil).Results()[0]
			if latest["status"] != "pending" || time.Now().After(deadline) {
				var all []string
				for _, attempt := range latest["attempts"].([]any) {
					all = append(all, fmt.Sprint(attempt.(map[string]any)["http_status"]))
				}
				return strings.Join(all, " ")
			}
		}
	}

	happen()
	if got := statuses(ofMessages) + ", " + statuses(ofBodies); got != "204, 204" {
		t.Errorf("events were answered %s", got)
	}
	for _, hook := range []string{ofMessages, ofBodies} {
		if a := c.Want(t, 200, "POST", hook+"test/",
			map[string]any{"event_type": "contact.created"}); a.Fields["delivered"] != true {
			t.Errorf("test delivery: %s", a.Body)
		}
		r.await(t, `contact.created {"id": "test_`)
	}

	// Three actions that the same sets off, two of them with webhooks at one address.
	conversation := c.Want(t, 200, "POST", "/agents/"+agent+"/chat/",
		map[string]any{"message": "Hello"}).Number("conversation_id")
	c.Want(t, 200, "POST", "/conversations/"+conversation+"/handoff/", nil)
	for _, name := range []string{"CRM", "Till", "Post"} {
		r.await(t,
			fmt.Sprintf(`action.fire_webhook {"event": "action.fire_webhook", "action_name": "%s", "agent_id": %s, `, name, agent))
	}

	// Another secret, of which the receiver does not know yet.
	for _, hook := range []string{ofMessages, ofBodies} {
		c.Want(t, 200, "POST", hook+"rotate-secret/", map[string]any{"secret": second})
	}
	happen()
	if got := statuses(ofMessages) + ", " + statuses(ofBodies); got != "204, 403 204" {
		t.Errorf("events signed with the next secret too were answered %s", got)
	}
	r.stop()
	r = start(t, command, r.port, second)
	happen()
	if got := statuses(ofMessages) + ", " + statuses(ofBodies); got != "204, 204" {
		t.Errorf("events signed with the secret before too were answered %s", got)
	}
	refuse(t, r, second)
}

// refuse sends a receiver what was signed well and what was not.
func refuse(t *testing.T, r *receiver, text string) {
	const body = `{"event": "conversation.resolved", "agent_id": 7, "data": {"conversation_id": 9}}`
	now := time.Now()
	own := []secret.Plain{secret.Plain(text)}
	others := []secret.Plain{"another"}
	web := egress.New(egress.Config{AllowHosts: "127.0.0.1"})
	for i, test := range []struct {
		name, path string
		webhook.Signature
		edit    func(*egress.Call)
		status  int
		handled bool
	}{
		{"a message", messages, webhook.Signature{ID: "msg_1", Secrets: own, At: now}, nil, 204, true},
		{"the same, sent again", messages, webhook.Signature{ID: "msg_1", Secrets: own,
			At: now.Add(time.Second)}, nil, 204, false},
		{"signed with two secrets", messages, webhook.Signature{Secrets: slices.Concat(others, own), At: now},
			nil, 204, true},
		{"signed with another secret", messages, webhook.Signature{Secrets: others, At: now}, nil, 403,
			false},
		{"not signed", messages, webhook.Signature{At: now}, nil, 403, false},
		{"six minutes old", messages, webhook.Signature{Secrets: own, At: now.Add(-6 * time.Minute)}, nil,
			403, false},
		{"six minutes early", messages, webhook.Signature{Secrets: own, At: now.Add(6 * time.Minute)}, nil,
			403, false},
		{"four minutes old", messages, webhook.Signature{Secrets: own, At: now.Add(-4 * time.Minute)}, nil,
			204, true},
		{"another body", messages, webhook.Signature{Secrets: own, At: now}, func(c *egress.Call) {
			c.Body = []byte(strings.Replace(body, "9", "8", 1))
		}, 403, false},
		{"another id", messages, webhook.Signature{Secrets: own, At: now},
			func(c *egress.Call) { c.Header.Set("Webhook-Id", "msg_x") }, 403, false},
		{"another time", messages, webhook.Signature{Secrets: own, At: now.Add(-6 * time.Minute)},
			func(c *egress.Call) {
				c.Header.Set("Webhook-Timestamp", fmt.Sprint(now.Unix()))
			}, 403, false},
		{"a time that is none", messages, webhook.Signature{Secrets: own, At: now}, func(c *egress.Call) {
			c.Header.Set("Webhook-Timestamp", strings.Repeat("9", 5000))
		}, 403, false},
		{"without the version", messages, webhook.Signature{Secrets: own, At: now}, func(c *egress.Call) {
			c.Header.Set("Webhook-Signature", strings.TrimPrefix(c.Header.Get("Webhook-Signature"), "v1,"))
		}, 403, false},

		{"a body", bodies, webhook.Signature{Secrets: own, At: now}, nil, 204, true},
		{"with another secret", bodies, webhook.Signature{Secrets: others, At: now}, nil, 403, false},
		{"not signed", bodies, webhook.Signature{At: now}, nil, 403, false},
		{"without the prefix", bodies, webhook.Signature{Secrets: own, At: now, Bare: true}, nil, 403, false},
		{"another body", bodies, webhook.Signature{Secrets: own, At: now},
			func(c *egress.Call) { c.Body = append(c.Body, ' ') }, 403, false},

		{"an action", actions, webhook.Signature{Secrets: own, At: now, Bare: true}, nil, 204, true},
		{"with the prefix", actions, webhook.Signature{Secrets: own, At: now}, nil, 403, false},
		{"another body", actions, webhook.Signature{Secrets: own, At: now, Bare: true},
			func(c *egress.Call) { c.Body[2] = 'E' }, 403, false},
	} {
		if test.ID == "" {
			test.ID = fmt.Sprint("msg_", i+10)
		}
		call := webhook.Live(r.address+test.path, "conversation.resolved", 7, []byte(body), test.Signature)
		if test.edit != nil {
			test.edit(&call)
		}
		before := len(r.lines())
		answer, err := web.Do(t.Context(), call)
		if err != nil || answer.Status != test.status {
			t.Errorf("%s %s: %d %v, want %d", test.path, test.name, answer.Status, err, test.status)
			continue
		}
		if test.handled {
			r.awaitLine(t, before)
		} else if time.Sleep(50 * time.Millisecond); len(r.lines()) > before {
			t.Errorf("%s %s: handled: %s", test.path, test.name, r.lines()[before])
		}
	}
	response, err := http.Get(r.address + messages)
	if err != nil {
		t.Fatal(err)
	}
	if response.Body.Close(); response.StatusCode < 400 {
		t.Errorf("GET: %d", response.StatusCode)
	}
}

// commandOf is how a program is started. The test is skipped where the machine cannot.
func commandOf(t *testing.T, runner, file string) []string {
	t.Helper()
	path, err := exec.LookPath(runner)
	if err != nil {
		t.Skipf("NOT TESTED: %s, which needs %s", file, runner)
	}
	if runner != "go" {
		return []string{path, folder + file}
	}
	program := filepath.Join(t.TempDir(), "receiver")
	if out, err := exec.Command(path, "build", "-o", program, folder+file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return []string{program}
}

// A receiver is a running program.
type receiver struct {
	address, port string
	stop          func()

	mu      sync.Mutex
	printed []string
}

// start runs a program with a secret and waits until it can be reached.
func start(t *testing.T, command []string, port, secret string) *receiver {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "PORT="+port, "WEBHOOK_SECRET="+secret)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := &receiver{address: "http://127.0.0.1:" + port, port: port}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			r.mu.Lock()
			r.printed = append(r.printed, lines.Text())
			r.mu.Unlock()
		}
	}()
	r.stop = sync.OnceFunc(func() {
		cancel()
		<-read
		cmd.Wait()
	})
	t.Cleanup(r.stop)
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			conn.Close()
			return r
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not listen: %v", command, err)
		}
	}
}

// freePort is a port that nobody listens at.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}

// lines is what the receiver has printed: a line for each event that it handled.
func (r *receiver) lines() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.printed)
}

// await waits for a line with that beginning.
func (r *receiver) await(t *testing.T, prefix string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		lines := r.lines()
		if slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, prefix) }) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("not handled: %s\nhandled:\n%s", prefix, strings.Join(lines, "\n"))
		}
	}
}

// awaitLine waits until more lines than n are there.
func (r *receiver) awaitLine(t *testing.T, n int) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); len(r.lines()) <= n; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d lines, want %d", len(r.lines()), n+1)
		}
	}
}
