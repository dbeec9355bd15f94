package product

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	"frontdesk/infra/emulator"
	"frontdesk/infra/lambda"
	"frontdesk/infra/platforms"
	"frontdesk/infra/template"
	"frontdesk/shared/agent"
	"frontdesk/shared/appointment"
	"frontdesk/shared/auth"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/delivery"
	"frontdesk/shared/event"
	"frontdesk/shared/frame"
	"frontdesk/shared/id"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/message"
	"frontdesk/shared/playbook"
	"frontdesk/shared/queue/sqs"
	"frontdesk/shared/resource"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
	"frontdesk/shared/table/dynamo/schema"
	"frontdesk/shared/webhook"
)

// The sample events are of the workspace, the agent, the conversation, the contact, and the message sent in
// another conversation, with these ids.
const (
	sampleAccount      = "266190000000257"
	sampleAgent        = "266200000000513"
	sampleConversation = "266200000004609"
	sampleContact      = "266200000001025"
	sampleSendsIn      = "266200000012801"
	sampleMessage      = "266200000012802"
	sampleWebhook      = "266200000013313"
	sampleDelivery     = "266200000013825"
	sampleWait         = "266200000014337"
	sampleKey          = "local-dev-key"
)

// elasticMQ is the address of an ElasticMQ with the queues of this package's tests, which share it.
func elasticMQ(t *testing.T) string {
	t.Helper()
	return emulator.ElasticMQ(
		emulator.Queue{Name: "SampleJobs", Visibility: time.Minute},
		emulator.Queue{Name: "SampleInbox", Visibility: time.Minute},
		emulator.Queue{Name: "ShuffledDeliveries", Visibility: time.Minute},
	).Endpoint(t)
}

// build builds a function as it is built for Lambda, and returns where its program is.
func build(t *testing.T, group string) string {
	t.Helper()
	bootstrap := filepath.Join(t.TempDir(), group)
	build := exec.Command("go", "build", "-o", bootstrap, "../../functions/"+
		group+"/lambda")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return bootstrap
}

// TestSampleEvents gives each function, built as it is for Lambda, the event of its name in events/, over
// DynamoDB Local and ElasticMQ.
func TestSampleEvents(t *testing.T) {
	stack, err := template.Read("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	tables := emulator.DynamoDB().Endpoint(t)
	queues := elasticMQ(t)
	queueURL := queues + "/000000000000/SampleJobs"
	name := fmt.Sprint("events-", time.Now().UnixNano())
	static := credentials.NewStaticCredentialsProvider("local", "local", "")
	client := dynamodb.New(dynamodb.Options{Region: "us-east-1", Credentials: static, BaseEndpoint: &tables,
		DisableValidateResponseChecksum: true})
	if err := schema.Create(t.Context(), client, name); err != nil {
		t.Fatal(err)
	}
	store, ids := dynamo.New(client, name, time.Now), id.NewSource(time.Now)
	jobs := sqs.New(awssqs.NewFromConfig(aws.Config{Region: "us-east-1", Credentials: static,
		BaseEndpoint: &queues}), queueURL)

	workspaces := auth.Workspaces{Table: store, Now: time.Now, IDs: ids}
	account, err := workspaces.EnsureLocal(t.Context(), sampleKey, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	made, err := (&agent.Store{Table: store, Now: time.Now, IDs: ids}).Create(t.Context(), account.ID,
		agent.Agent{Summary: agent.Summary{
			Name: "Nora", Language: "en", Status: agent.Active, AIEnabled: true, AIModel: "builtin",
			MaxResponseLength: 500,
		}}, 10)
	if err != nil {
		t.Fatal(err)
	}
	ours := []string{sampleAccount, fmt.Sprint(account.ID), sampleAgent, fmt.Sprint(made.ID)}
	secretsKey, graph := secret.NewKey(), platforms.NewGraph(t)
	graph.Answer(platforms.Overloaded)
	// invoke gives a function a sample event: the name of the sample is that of the function or begins with
	// it.
	invoke := func(t *testing.T, sample string) []byte {
		t.Helper()
		text, err := os.ReadFile(filepath.Join("../../events", sample+".json"))
		if err != nil {
			t.Fatal(err)
		}
		event := strings.NewReplacer(ours...).Replace(string(text))
		group, _, _ := strings.Cut(sample, "-")
		bootstrap := build(t, group)
		f, err := lambda.New(lambda.Config{Name: group, Bootstrap: bootstrap, Timeout: 20 * time.Second,
			Env: map[string]string{
				"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
				"TABLE_NAME":                name,
				"AWS_ENDPOINT_URL_DYNAMODB": tables, "AWS_ENDPOINT_URL_SQS": queues,
				"JOBS_QUEUE_URL": queueURL, "DELIVERIES_QUEUE_URL": queueURL,
				"DEAD_LETTERS_QUEUE_URL": queueURL,
				"SECRETS_KEY":            secretsKey, "WEBHOOK_ALLOW_HOSTS": "127.0.0.1",
				"META_GRAPH_URL":  graph.URL,
				"INBOX_QUEUE_URL": queues + "/000000000000/SampleInbox",
			}})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		answer, err := f.Invoke(t.Context(), []byte(event))
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}

	// open lists the agent's open conversations, the oldest first.
	open := func(t *testing.T) []conversation.Conversation {
		t.Helper()
		q, _ := conversation.Filter{Status: conversation.Open}.OfAgent(account.ID, made.ID)
		q.Descending = false
		all, err := resource.Find(t.Context(), store, q, nil, conversation.Read,
			func(conversation.Conversation) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	tried := map[string]bool{}
	for _, test := range []struct {
		group  string
		status int
		holds  string // something of the answer's body
	}{
		{"account", 200, `"plan":{"name":"enterprise"`},
		{"agents", 201, `"business_name":"Trattoria Nora"`},
		{"widget", 200, `"primary_color":"#1f6feb"`},
		{"knowledge", 201, `"chunk_count":`},
		{"upload", 201, `"title":"prices"`},
		{"chat", 200, `Sunday`},
		{"conversations", 201, `"sent_by_ai":false`}, // what the chat began
		{"contacts", 201, `"name":"Ada Lovelace"`},
		{"appointments", 201, `"start_time":"2026-12-01T09:30:00+01:00"`}, // with that contact
		{"analytics", 200, `"conversations_total":1,`},
		{"channels", 201, `"access_token":"__set__"`},
		{"messages", 201, `"status":"queued"`}, // over that channel, to that contact
		{"playbook", 201, `"price":499.9`},
		{"webhooks", 201, `"name":"CRM"`},
		{"openapi", 200, `"openapi": "3.1.0"`},
		{"console", 200, `<title>Frontdesk</title>`},
	} {
		tried[test.group] = true
		t.Run(test.group, func(t *testing.T) {
			var response events.APIGatewayProxyResponse
			if err := json.Unmarshal(invoke(t, test.group), &response); err != nil {
				t.Fatal(err)
			}
			if response.StatusCode != test.status || !strings.Contains(response.Body, test.holds) {
				t.Errorf("%d %.2000s", response.StatusCode, response.Body)
			}
		})
		if test.group == "chat" {
			begun := open(t)
			if len(begun) != 1 {
				t.Fatalf("the chat began %d conversations", len(begun))
			}
			ours = append(ours, sampleConversation, fmt.Sprint(begun[0].ID))
		}
		if test.group == "contacts" {
			pointer, err := store.Get(t.Context(), contact.KeyByPhone(account.ID, made.ID, "+14155550123"))
			if err != nil {
				t.Fatal(err)
			}
			added, err := contact.ReadPointer(pointer)
			if err != nil {
				t.Fatal(err)
			}
			ours = append(ours, sampleContact, fmt.Sprint(added.ContactID))
		}
	}

	tried["jobs"] = true
	t.Run("jobs-outbound", func(t *testing.T) {
		talks := open(t)
		if len(talks) == 0 {
			t.Fatal("no conversation is open")
		}
		sends := talks[len(talks)-1]
		said, err := conversation.Messages{Table: store}.Query(t.Context(),
			conversation.All(account.ID, sends.ID))
		if err != nil || len(said.Items) != 1 {
			t.Fatalf("%d messages, %v", len(said.Items), err)
		}
		sent, err := conversation.ReadMessage(said.Items[0])
		if err != nil || sent.Status != conversation.Queued {
			t.Fatalf("%+v, %v", sent, err)
		}
		ours = append(ours, sampleSendsIn, fmt.Sprint(sends.ID), sampleMessage, fmt.Sprint(sent.ID))
		var response events.SQSEventResponse
		if err := json.Unmarshal(invoke(t, "jobs-outbound"), &response); err != nil ||
			len(response.BatchItemFailures) > 0 {
			t.Fatalf("%+v, %v", response, err)
		}
		item, err := store.Get(t.Context(), said.Items[0].Key)
		if err != nil {
			t.Fatal(err)
		}
		if sent, err = conversation.ReadMessage(item); err != nil || sent.Status != conversation.Sent ||
			len(graph.Calls()) != 2 {
			t.Errorf("%+v, %v", sent, err)
		}
	})

	tried["inbound"], tried["inbox"] = true, true
	t.Run("inbound", func(t *testing.T) {
		var response events.APIGatewayProxyResponse
		if err := json.Unmarshal(invoke(t, "inbound"), &response); err != nil || response.StatusCode != 200 {
			t.Fatalf("%d %.2000s, %v", response.StatusCode, response.Body, err)
		}
		graph.Calls()
		time.Sleep(2 * time.Second) // more may follow
		var processed events.SQSEventResponse
		if err := json.Unmarshal(invoke(t, "inbox"), &processed); err != nil ||
			len(processed.BatchItemFailures) > 0 {
			t.Fatalf("%+v, %v", processed, err)
		}
		sent := false
		for _, call := range graph.Calls() {
			sent = sent || call.Body["to"] == "+16505551234"
		}
		if !sent {
			t.Error("nobody answered")
		}
	})

	t.Run("jobs-funnels", func(t *testing.T) {
		made, err := playbook.Store[playbook.Funnel, *playbook.Funnel]{Table: store, Now: time.Now,
			IDs: ids}.Create(t.Context(), account.ID, made.ID,
			func(f *playbook.Funnel) error {
				f.IsActive = true
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		step, err := playbook.StepStore{Table: store, Now: time.Now, IDs: ids}.Create(t.Context(), account.ID,
			made.AgentID, made.ID,
			func(s *playbook.FunnelStep) error {
				s.StepType, s.Content = playbook.MessageStep, "We have one for you."
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		in, err := strconv.ParseInt(ours[slices.Index(ours, sampleConversation)+1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		units := message.Store{Table: store, Now: time.Now, IDs: ids}
		wait := ids.Next()
		if _, err := units.Change(t.Context(), account.ID, in, func(u *message.Unit) error {
			u.Conversation.Frame.Asked.Funnel = frame.InFunnel{
				Funnel: made.ID, Step: step.ID, Wait: wait, At: time.Now().UTC(),
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		ours = append(ours, sampleWait, fmt.Sprint(wait))
		var response events.SQSEventResponse
		if err := json.Unmarshal(invoke(t, "jobs-funnels"), &response); err != nil ||
			len(response.BatchItemFailures) > 0 {
			t.Fatalf("%+v, %v", response, err)
		}
		said, err := conversation.Messages{Table: store}.Query(t.Context(),
			conversation.Latest(account.ID, in, 1, false))
		if err != nil || len(said.Items) != 1 {
			t.Fatalf("%d messages, %v", len(said.Items), err)
		}
		if m, err := conversation.ReadMessage(said.Items[0]); err != nil || m.Content != step.Content ||
			!m.SentByAI {
			t.Errorf("%+v, %v", m, err)
		}
	})

	t.Run("jobs-crawl", func(t *testing.T) { // of a website that was deleted meanwhile
		var response events.SQSEventResponse
		if err := json.Unmarshal(invoke(t, "jobs-crawl"), &response); err != nil ||
			len(response.BatchItemFailures) > 0 {
			t.Fatalf("%+v, %v", response, err)
		}
	})

	tried["deliver"] = true
	t.Run("deliver", func(t *testing.T) {
		hooks, err := store.Query(t.Context(), webhook.Query(account.ID, made.ID))
		if err != nil || len(hooks.Items) != 1 {
			t.Fatalf("%d webhooks, %v", len(hooks.Items), err)
		}
		hook, err := webhook.Read(hooks.Items[0])
		if err != nil {
			t.Fatal(err)
		}
		var calls atomic.Int64
		receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter,
			*http.Request) {
			calls.Add(1)
		}))
		defer receiver.Close()
		if _, err := (&webhook.Store{Table: store, Now: time.Now}).Change(t.Context(), account.ID, made.ID,
			hook.ID, func(h *webhook.Webhook) error {
				h.URL = receiver.URL
				return nil
			}); err != nil {
			t.Fatal(err)
		}
		to := delivery.Receiver{AccountID: account.ID, AgentID: made.ID, WebhookID: hook.ID}
		d := delivery.New(to, ids.Next(), "conversation.resolved", "msg", []byte("{}"), time.Now())
		if err := delivery.Create(t.Context(), store, []delivery.Delivery{d}); err != nil {
			t.Fatal(err)
		}
		ours = append(ours, sampleWebhook, fmt.Sprint(hook.ID), sampleDelivery, fmt.Sprint(d.ID))
		var response events.SQSEventResponse
		if err := json.Unmarshal(invoke(t, "deliver"), &response); err != nil ||
			len(response.BatchItemFailures) > 0 {
			t.Fatalf("%+v, %v", response, err)
		}
		if d, err = delivery.Load(t.Context(), store, to, d.ID); err != nil ||
			d.Status != delivery.Delivered || calls.Load() != 1 {
			t.Errorf("%+v after %d calls, %v", d, calls.Load(), err)
		}
	})

	tried["dispatch"] = true
	t.Run("dispatch", func(t *testing.T) {
		var response events.DynamoDBEventResponse
		if err := json.Unmarshal(invoke(t, "dispatch"), &response); err != nil ||
			len(response.BatchItemFailures) > 0 {
			t.Fatalf("%+v, %v", response, err)
		}
		// It waits half a minute on the queue, on which other samples may have left messages.
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
			messages, err := jobs.Receive(t.Context(), 1, time.Minute, 20*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range messages {
				var e event.Event
				if err := json.Unmarshal([]byte(m.Body), &e); err != nil {
					t.Fatal(err)
				}
				if e.Kind == event.AgentDeleted && e.AgentID == made.ID {
					return
				}
			}
		}
		t.Error("the purge of the agent was not asked for")
	})

	t.Run("jobs-purge", func(t *testing.T) {
		var response events.SQSEventResponse
		if err := json.Unmarshal(invoke(t, "jobs-purge"), &response); err != nil ||
			len(response.BatchItemFailures) > 0 {
			t.Fatalf("%+v, %v", response, err)
		}
		for what, q := range map[string]table.Query{
			"documents": {Index: table.Index1,
				PK: knowledge.DocumentKeyByAgent(account.ID, made.ID, 0).PK},
			"appointments": {Index: table.Index1,
				PK: appointment.KeyByAgent(account.ID, made.ID, "pending", time.Time{}, 0).PK},
			"details": {PK: agent.Partition(account.ID, made.ID)},
		} {
			page, err := store.Query(t.Context(), q)
			if err != nil || len(page.Items) > 0 {
				t.Errorf("%d %s are left, %v", len(page.Items), what, err)
			}
		}
		if left := open(t); len(left) > 0 {
			t.Errorf("%d conversations are left", len(left))
		}
	})

	for _, f := range stack.Functions {
		if !tried[f.Group] {
			t.Errorf("no sample event was tried with %s", f.Name)
		}
	}
}
