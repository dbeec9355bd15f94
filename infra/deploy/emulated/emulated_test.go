// Package emulated deploys the stack as the README says to an emulator of AWS, uses it, updates it and
// deletes it. It needs MINISTACK, the emulator's program, and SAM, the SAM CLI; `make test-deploy` installs
// both.
package emulated

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"frontdesk/infra/platforms"
	"frontdesk/infra/stack"
)

const (
	stackName = "story"
	region    = "eu-central-1"
)

// TestStory follows the README from an empty account to an answer, and on to the deletion of the stack.
func TestStory(t *testing.T) {
	if os.Getenv("MINISTACK") == "" {
		t.Skip("NOT TESTED: the deployment, which needs MINISTACK; run it by make test-deploy")
	}
	t.Chdir("../../..")
	e := start(t)
	e.run("make", "deploy", "STACK="+stackName, "REGION="+region, "ALARM_EMAIL=ops@acme.example",
		"ARCHITECTURE=x86_64")
	e.mend()

	made := e.run("make", "--no-print-directory", "account", "STACK="+stackName, "PLAN=pro", "NAME=acme")
	e.key = regexp.MustCompile(`"api_key":"([^"]+)"`).FindStringSubmatch(made)[1]
	account := regexp.MustCompile(`"account_id":(\d+)`).FindStringSubmatch(made)[1]
	agent := e.answer("POST", "/agents/", `{"name": "Ada", "business_name": "Bean There", "industry": "restaurant"}`)["id"]
	path := fmt.Sprintf("/agents/%.0f", agent)
	e.answer("POST", path+"/knowledge/", `{"title": "House rules", "content": "Dogs are welcome in the garden."}`)
	chat := e.answer("POST", path+"/chat/", `{"message": "Can I bring my dog?"}`)
	if chat["reply"] != "Dogs are welcome in the garden." {
		t.Errorf("the first answer is %v", chat["reply"])
	}
	e.testEvent(path)
	e.testInbound()
	e.testBadEvent(path)

	// Nothing changed: the next deployment needs no settings and succeeds.
	e.run("make", "deploy")
	// A setting changed, in a checkout that has not deployed the stack: the stack is updated and keeps its
	// data.
	t.Setenv(stack.FileVariable, filepath.Join(t.TempDir(), stack.File))
	e.run("make", "deploy", "STACK="+stackName, "REGION="+region, "LOG_RETENTION=7")
	e.mend()
	history := e.answer("GET", path+"/chat/history/?session_id="+chat["session_id"].(string), "")
	if n := len(history["messages"].([]any)); n != 2 {
		t.Errorf("%d messages after an update, want 2", n)
	}
	memory, err := stack.Read(".")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"AlarmEmail": "ops@acme.example", "Architecture": "x86_64", "LogRetention": "7"}
	if got := memory.Stacks[stackName].Parameters; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("remembered %v, want %v", got, want)
	}
	if log := e.run("make", "logs", "FOLLOW=no"); !strings.Contains(log, "/chat/") {
		t.Errorf("make logs shows no request:\n%s", log)
	}
	e.testMove(account, path, chat["session_id"].(string))
	e.run("go", "run", "./infra/admin", "rotate-key", "-stack", stackName, "-wait", "0s")
	e.testEvent(path)
	e.testErase(path)
	e.testRollback(path, chat["session_id"].(string))
	kept := e.testRestore(path, chat["session_id"].(string))
	out := e.run("make", "delete")
	if _, err := e.stacks().DescribeStacks(t.Context(),
		&cloudformation.DescribeStacksInput{StackName: aws.String(stackName)}); err == nil {
		t.Error("the stack is still there")
	}
	if !strings.Contains(out, "EXISTING_TABLE="+kept) {
		t.Errorf("deleting the stack does not say how to use its table %s again:\n%s", kept, out)
	}
	e.testAdopt(kept, path, chat["session_id"].(string))
}

// testMove moves the workspace to this machine's store, deletes it from the stack and moves it back.
func (e *emulator) testMove(account, agentPath, session string) {
	e.t.Setenv("DATA_DIR", e.t.TempDir())
	away, back := filepath.Join(e.t.TempDir(), "away.jsonl"), filepath.Join(e.t.TempDir(), "back.jsonl")
	admin := func(args ...string) string {
		return e.run("go", append([]string{"run", "./infra/admin"}, args...)...)
	}
	admin("export", "-account", account, "-file", away, "-stack", stackName)
	admin("delete", "-account", account, "-name", "acme", "-stack", stackName)
	if status, text := e.call("GET", agentPath+"/", ""); status != http.StatusUnauthorized {
		e.t.Errorf("a deleted workspace is answered %d %s", status, text)
	}
	admin("import", "-file", away)
	if shown := admin("show", "-account", account); !strings.Contains(shown, `"acme"`) {
		e.t.Errorf("on this machine the workspace is %s", shown)
	}
	admin("export", "-account", account, "-file", back)
	admin("import", "-file", back, "-stack", stackName)
	e.testHistory(agentPath, session, http.StatusOK)
	e.testEvent(agentPath)
}

// testBadEvent stores an event that this version does not know, as a newer one may have left it. Other events
// are delivered, and replay lists it among the dead letters.
func (e *emulator) testBadEvent(agentPath string) {
	e.t.Helper()
	found, err := e.stacks().DescribeStackResource(e.t.Context(), &cloudformation.DescribeStackResourceInput{
		StackName: aws.String(stackName), LogicalResourceId: aws.String("Table")})
	if err != nil {
		e.t.Fatal(err)
	}
	_, err = dynamodb.NewFromConfig(e.settings()).PutItem(e.t.Context(), &dynamodb.PutItemInput{
		TableName: found.StackResourceDetail.PhysicalResourceId,
		Item: map[string]types.AttributeValue{
			"pk":      &types.AttributeValueMemberS{Value: "outbox/1/1"},
			"sk":      &types.AttributeValueMemberS{Value: "event"},
			"doc":     &types.AttributeValueMemberS{Value: `{"id": 1, "kind": "parcel.sent", "account_id": 1}`},
			"version": &types.AttributeValueMemberN{Value: "1"},
		}})
	if err != nil {
		e.t.Fatal(err)
	}
	e.testEvent(agentPath)
	args := []string{"run", "./infra/admin", "replay", "-stack", stackName}
	if out, err := e.try("go", args...); err == nil || !strings.Contains(out, "parcel.sent") {
		e.t.Errorf("replay printed %s, %v, want the event of an unknown kind among the dead letters", out,
			err)
	}
}

// testErase erases a person. Their data is deleted by way of an event, the table's stream, a queue and the
// jobs function.
func (e *emulator) testErase(agentPath string) {
	e.t.Helper()
	chat := e.answer("POST", agentPath+"/chat/", `{"message": "I am Ada, ada@example.com. Can I bring my dog?"}`)
	e.answer("GET", fmt.Sprintf("/contacts/%.0f/export/", chat["contact_id"]), "")
	contact := fmt.Sprintf("/contacts/%.0f/", chat["contact_id"])
	if status, text := e.call("DELETE", contact+"?erase=true", ""); status >= 300 {
		e.t.Fatalf("erasing is answered %d %s", status, text)
	}
	gone := []string{contact, fmt.Sprintf("/conversations/%.0f/", chat["conversation_id"])}
	for deadline := time.Now().Add(90 * time.Second); len(gone) > 0; time.Sleep(time.Second) {
		if status, _ := e.call("GET", gone[0], ""); status == http.StatusNotFound {
			gone = gone[1:]
		} else if time.Now().After(deadline) {
			e.t.Fatalf("%s is still there 90 seconds after it was erased\n%s", gone[0], e.log())
		}
	}
}

// testRollback goes back to the previous release, which answers from the stored data. The next deployment
// goes forward again.
func (e *emulator) testRollback(agentPath, session string) {
	e.t.Helper()
	e.run("make", "rollback")
	e.mend()
	e.testHistory(agentPath, session, http.StatusOK)
	e.testEvent(agentPath)
}

// testRestore restores the table and points the stack at the new one, whose name it returns. What is written
// after the restoration is in the old table alone.
//
// The emulator restores what the table holds now, whatever moment is named, so that no more of the moment is
// tested than that it is taken.
func (e *emulator) testRestore(agentPath, session string) (restored string) {
	at := time.Now().Add(-time.Second).UTC().Format(time.RFC3339)
	out := e.run("go", "run", "./infra/admin", "restore", "-stack", stackName, "-at", at)
	found := regexp.MustCompile(`"table":"([^"]+)"`).FindStringSubmatch(out)
	if found == nil {
		e.t.Fatalf("restore printed %s", out)
	}
	late := e.answer("POST", agentPath+"/chat/", `{"message": "Are you open today?"}`)
	e.run("make", "deploy", "EXISTING_TABLE="+found[1], "LOG_RETENTION=")
	e.mend()
	e.testHistory(agentPath, session, http.StatusOK)
	e.testHistory(agentPath, late["session_id"].(string), http.StatusNotFound)
	e.testEvent(agentPath)
	e.testTable(found[1])
	// An empty value brought the template's default back.
	memory, err := stack.Read(".")
	if err != nil {
		e.t.Fatal(err)
	}
	if v, ok := memory.Stacks[stackName].Parameters["LogRetention"]; ok ||
		e.parameter("LogRetention") != "30" {
		e.t.Errorf("LogRetention is remembered as %q and deployed as %q", v, e.parameter("LogRetention"))
	}
	return found[1]
}

// testAdopt deploys a stack of the name anew, with the table that the deleted one used.
func (e *emulator) testAdopt(table, agentPath, session string) {
	e.run("make", "deploy", "STACK="+stackName, "REGION="+region, "ARCHITECTURE=x86_64",
		"EXISTING_TABLE="+table)
	e.mend()
	e.testHistory(agentPath, session, http.StatusOK)
	e.testEvent(agentPath)
	e.run("make", "delete")
	e.testTable(table)
}

// testTable expects an adopted table to be protected as the template's own is.
func (e *emulator) testTable(name string) {
	e.t.Helper()
	client := dynamodb.NewFromConfig(e.settings())
	table, err := client.DescribeTable(e.t.Context(), &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		e.t.Fatal(err)
	}
	expiry, err := client.DescribeTimeToLive(e.t.Context(),
		&dynamodb.DescribeTimeToLiveInput{TableName: &name})
	if err != nil {
		e.t.Fatal(err)
	}
	backups, err := client.DescribeContinuousBackups(e.t.Context(),
		&dynamodb.DescribeContinuousBackupsInput{TableName: &name})
	if err != nil {
		e.t.Fatal(err)
	}
	recovery := backups.ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus
	if !aws.ToBool(table.Table.DeletionProtectionEnabled) ||
		recovery != types.PointInTimeRecoveryStatusEnabled ||
		expiry.TimeToLiveDescription.TimeToLiveStatus != types.TimeToLiveStatusEnabled {
		e.t.Errorf("protected %v, recovery %s, expiry %s", aws.ToBool(table.Table.DeletionProtectionEnabled),
			recovery,
			expiry.TimeToLiveDescription.TimeToLiveStatus)
	}
}

// testHistory asks for the messages of a chat session.
func (e *emulator) testHistory(agentPath, session string, want int) {
	e.t.Helper()
	status, text := e.call("GET", agentPath+"/chat/history/?session_id="+session, "")
	if status != want {
		e.t.Errorf("the history of %s: %d %s, want %d", session, status, text, want)
	}
}

// parameter returns what the stack was deployed with.
func (e *emulator) parameter(name string) string {
	e.t.Helper()
	found, err := e.stacks().DescribeStacks(e.t.Context(),
		&cloudformation.DescribeStacksInput{StackName: aws.String(stackName)})
	if err != nil {
		e.t.Fatal(err)
	}
	for _, p := range found.Stacks[0].Parameters {
		if aws.ToString(p.ParameterKey) == name {
			return aws.ToString(p.ParameterValue)
		}
	}
	return ""
}

// testEvent expects an event to reach a receiver through the table's stream, the dispatch function, a queue
// and the deliver function.
func (e *emulator) testEvent(agentPath string) {
	e.t.Helper()
	chat := e.answer("POST", agentPath+"/chat/", `{"message": "Can I bring my dog?"}`)
	received := make(chan string, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		select {
		case received <- string(body):
		default:
		}
	}))
	defer receiver.Close()
	e.answer("POST", agentPath+"/webhooks/",
		fmt.Sprintf(`{"url": %q, "events": ["conversation.resolved"]}`, receiver.URL))
	e.answer("POST", fmt.Sprintf("/conversations/%.0f/resolve/", chat["conversation_id"]), "")
	select {
	case body := <-received:
		if !strings.HasPrefix(body, `{"event": "conversation.resolved", `) {
			e.t.Errorf("the receiver got %s", body)
		}
	case <-time.After(90 * time.Second):
		e.t.Errorf("no event came within 90 seconds\n%s", e.log())
	}
}

// testInbound has WhatsApp post a message for an agent that answers nobody: it comes through the table's
// stream, the dispatch function, a queue and the inbox function into a conversation.
func (e *emulator) testInbound() {
	e.t.Helper()
	const number, secret = "106540352242922", "7d6f5e4c3b2a1908"
	path := fmt.Sprintf("/agents/%.0f/", e.answer("POST", "/agents/", `{"name": "Mia"}`)["id"])
	e.answer("POST", path+"pause/", "")
	connected := e.answer("POST", path+"channels/", fmt.Sprintf(`{"channel_type": "whatsapp", "config": `+
		`{"phone_number_id": %q, "access_token": "EAAG0bXk", "app_secret": %q}}`, number, secret))
	if url := connected["inbound_url"]; !strings.HasSuffix(fmt.Sprint(url),
		"/api/v1"+strings.Replace(path, "agents", "inbound", 1)+"whatsapp/") {
		e.t.Errorf("inbound_url is %v", url)
	}
	body := platforms.WhatsAppText(number, "16505551234", "wamid.1", "Are you open?", time.Now().Unix())
	address := e.api + strings.Replace(path, "agents", "inbound", 1) + "whatsapp/"
	for want, signature := range map[int]string{http.StatusForbidden: "another secret",
		http.StatusOK: secret} {
		if status, err := platforms.PostGraph(address, signature, body); err != nil || status != want {
			e.t.Errorf("the post is answered %d, %v; want %d", status, err, want)
		}
	}
	for deadline := time.Now().Add(90 * time.Second); ; time.Sleep(time.Second) {
		talks := e.answer("GET", path+"conversations/", "")["results"].([]any)
		if len(talks) == 1 && talks[0].(map[string]any)["preview"] == "Are you open?" {
			return
		}
		if time.Now().After(deadline) {
			e.t.Errorf("no conversation began within 90 seconds: %v\n%s", talks, e.log())
			return
		}
	}
}

// An emulator is MiniStack with the story's stack.
type emulator struct {
	t             *testing.T
	address, file string
	api, key      string
}

// start starts MiniStack, which ends with the test.
func start(t *testing.T) *emulator {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	e := &emulator{t: t, address: fmt.Sprintf("http://127.0.0.1:%d", port),
		file: filepath.Join(t.TempDir(), "ministack.log")}
	log, err := os.Create(e.file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": e.address, "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
		"AWS_EC2_METADATA_DISABLED": "true",
		"AWS_REGION":                "", "AWS_DEFAULT_REGION": "", "AWS_PROFILE": "",
		stack.FileVariable: filepath.Join(t.TempDir(), stack.File),
	} {
		t.Setenv(name, value)
	}
	for _, name := range []string{"AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"} {
		os.Unsetenv(name)
	}
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, os.Getenv("MINISTACK"))
	cmd.Dir, cmd.Stdout, cmd.Stderr = t.TempDir(), log, log
	cmd.Env = append(os.Environ(), fmt.Sprintf("GATEWAY_PORT=%d", port), fmt.Sprintf("EDGE_PORT=%d", port),
		"STATE_DIR="+t.TempDir(), "LAMBDA_EXECUTOR=local")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); cmd.Wait() })
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		response, err := http.Get(e.address + "/_ministack/health")
		if err == nil {
			response.Body.Close()
			return e
		}
		if time.Now().After(deadline) {
			t.Fatalf("the emulator did not start: %v\n%s", err, e.log())
		}
	}
}

func (e *emulator) log() string {
	text, _ := os.ReadFile(e.file)
	return string(text[max(0, len(text)-4000):])
}

// run runs a command that has to succeed and returns its output. The command has no input, so it fails if it
// asks for any.
func (e *emulator) run(name string, args ...string) string {
	e.t.Helper()
	start := time.Now()
	output, err := e.try(name, args...)
	if err != nil {
		e.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, output)
	}
	e.t.Logf("%s %s took %d s", name, strings.Join(args, " "), int(time.Since(start).Seconds()))
	return output
}

// try runs a command without an input, and returns its output; the error has what it wrote beside that.
func (e *emulator) try(name string, args ...string) (string, error) {
	cmd := exec.CommandContext(e.t.Context(), name, args...)
	var output, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &errors
	if err := cmd.Run(); err != nil {
		return output.String(), fmt.Errorf("%w\n%s", err, errors.String())
	}
	return output.String(), nil
}

// answer calls the deployed API and returns the answer of a call that succeeded.
func (e *emulator) answer(method, path, body string) map[string]any {
	e.t.Helper()
	status, text := e.call(method, path, body)
	if status >= 300 {
		e.t.Fatalf("%s %s: %d %s\n%s", method, path, status, text, e.log())
	}
	answer := map[string]any{}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		e.t.Fatalf("%s %s: %v: %s", method, path, err, text)
	}
	return answer
}

// call calls the deployed API.
func (e *emulator) call(method, path, body string) (status int, answer string) {
	e.t.Helper()
	req, err := http.NewRequestWithContext(e.t.Context(), method, e.api+path, strings.NewReader(body))
	if err != nil {
		e.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+e.key)
	req.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(req)
	if err != nil {
		e.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		e.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func (e *emulator) settings() aws.Config {
	settings, err := config.LoadDefaultConfig(e.t.Context(), config.WithRegion(region))
	if err != nil {
		e.t.Fatal(err)
	}
	return settings
}

func (e *emulator) stacks() *cloudformation.Client { return cloudformation.NewFromConfig(e.settings()) }
