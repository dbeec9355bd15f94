package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"go.yaml.in/yaml/v3"

	"frontdesk/infra/eventsource"
)

// A mailRule is what the template has Amazon SES do with a mail, one action after the other.
type mailRule struct {
	Recipients []string `yaml:"Recipients"` // the names of parameters with domains
	Actions    []struct {
		S3 *struct {
			Bucket string `yaml:"BucketName"`
			Prefix string `yaml:"ObjectKeyPrefix"`
		} `yaml:"S3Action"`
		Lambda *struct {
			Function string `yaml:"FunctionArn"`
		} `yaml:"LambdaAction"`
	} `yaml:"Actions"`
}

// A receiver stands in for the receiving of Amazon SES: it does with a mail what the rule says. Its bucket is
// a handler for the API of S3, which gives what the template's policy allows.
type receiver struct {
	rule      mailRule
	domains   map[string]string // the values of parameters
	functions map[string]eventsource.Function
	readable  string // the pattern of what may be read of the bucket, which ends in a star

	mu     sync.Mutex
	bucket map[string]string
	mails  int
}

// readRule reads the rule of the template, and what may be read of its bucket.
func readRule(t *testing.T, file string) (rule mailRule, readable string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Resources map[string]struct {
			Properties struct {
				Rule     mailRule `yaml:"Rule"`
				Document struct {
					Statement []struct {
						Action, Resource yaml.Node
					} `yaml:"Statement"`
				} `yaml:"PolicyDocument"`
			} `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	for _, statement := range document.Resources["InboundMailPolicy"].Properties.Document.Statement {
		if slices.Contains(texts(&statement.Action), "s3:GetObject") {
			_, readable, _ = strings.Cut(texts(&statement.Resource)[0], "/")
		}
	}
	return document.Resources["InboundMailRule"].Properties.Rule, readable
}

// ServeHTTP gives an object to whoever signs the request.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key, ours := strings.CutPrefix(req.URL.Path, "/mails/")
	signed := strings.HasPrefix(req.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ")
	allowed := strings.HasPrefix(key, strings.TrimSuffix(r.readable, "*"))
	content, ok := r.bucket[key]
	switch {
	case !ours || !signed || !allowed:
		w.WriteHeader(http.StatusForbidden)
	case !ok:
		w.WriteHeader(http.StatusNotFound)
	default:
		io.WriteString(w, content)
	}
}

// receive takes a mail for recipients, with what SES found about it, and reports whether the rule is for it.
func (r *receiver) receive(
	ctx context.Context, sender, recipient, raw string, found func(*events.SimpleEmailReceipt),
) (taken bool, err error) {
	_, host, _ := strings.Cut(recipient, "@")
	if !slices.ContainsFunc(r.rule.Recipients, func(name string) bool { return r.domains[name] == host }) {
		return false, nil
	}
	text, err := os.ReadFile("infra/sam/testdata/ses-lambda-event.json")
	if err != nil {
		return false, err
	}
	var event events.SimpleEmailEvent
	if err := json.Unmarshal(text, &event); err != nil {
		return false, err
	}
	r.mu.Lock()
	r.mails++
	id := fmt.Sprintf("6n4thuhcbhpfiuf25gshf70rss364fuejrvm%04d", r.mails)
	r.mu.Unlock()
	ses := &event.Records[0].SES
	ses.Mail.MessageID, ses.Mail.Source, ses.Receipt.Recipients = id, sender, []string{recipient}
	found(&ses.Receipt)
	payload, err := json.Marshal(event)
	if err != nil {
		return false, err
	}
	for _, action := range r.rule.Actions {
		if s3 := action.S3; s3 != nil {
			r.mu.Lock()
			r.bucket[s3.Prefix+id] = raw
			r.mu.Unlock()
		}
		if action.Lambda == nil {
			continue
		}
		function := strings.TrimSuffix(action.Lambda.Function, ".Arn")
		for range 2 { // an event may come twice
			if _, err := r.functions[function](ctx, payload); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// TestMailOfSES has a stand-in of Amazon SES do with mails what the template's rule says: they lie in the
// bucket, the built function hears of them by the event that AWS documents, and the built workers answer. It
// is believed who SES vouches for; spam is stored alone, and a mail with a virus is dropped.
func TestMailOfSES(t *testing.T) {
	r := &receiver{
		domains: map[string]string{"InboundMailDomain": "in.acme.example"}, bucket: map[string]string{},
	}
	s3 := httptest.NewServer(r)
	defer s3.Close()
	d := openDesk(t) // in the folder of the template
	r.rule, r.readable = readRule(t, "template.yaml")
	r.functions = map[string]eventsource.Function{
		"InboundFunction": d.function(t, "InboundFunction", map[string]string{
			"MAIL_BUCKET": "mails", "AWS_ENDPOINT_URL_S3": s3.URL,
		}),
	}
	email := d.on[len(d.on)-1]
	address := "desk-" + d.agent + "@in.acme.example"
	email.Config["inbound_address"] = address
	d.connect(t, email)

	write := func(name, to string, found func(*events.SimpleEmailReceipt)) bool {
		t.Helper()
		sender := name + "@customer.example"
		raw := "From: " + sender + "\r\nTo: " + to + "\r\nSubject: Hours\r\n" +
			"Message-ID: <" + name + "@customer.example>\r\n\r\nWhen are you open?\r\n"
		taken, err := r.receive(t.Context(), sender, to, raw, found)
		if err != nil {
			t.Fatal(err)
		}
		return taken
	}
	type receipt = events.SimpleEmailReceipt
	verdict := func(status string) events.SimpleEmailVerdict {
		return events.SimpleEmailVerdict{Status: status}
	}
	passed := func(r *receipt) { r.DMARCVerdict = verdict("PASS") }
	if write("nobody", "desk@elsewhere.example", passed) {
		t.Error("the rule takes mail of another domain")
	}
	write("infected", address, func(r *receipt) { r.VirusVerdict = verdict("FAIL") })
	write("spammer", address, func(r *receipt) { r.SpamVerdict = verdict("FAIL") })
	write("forger", address, func(r *receipt) { r.DMARCVerdict = verdict("FAIL") })
	write("ada", address, passed)

	identities := func() map[string]any {
		all := map[string]any{}
		for _, c := range d.client.Want(t, 200, "GET", "/contacts/?agent_id="+d.agent, nil).Results() {
			name := c["email"]
			if claimed, ok := c["claimed"].(map[string]any); ok && name == "" {
				name = claimed["email"]
			}
			all[fmt.Sprint(name)] = c["identity"]
		}
		return all
	}
	for end := time.Now().Add(20 * time.Second); len(email.Sent()) < 2 || len(identities()) < 3; {
		if time.Now().After(end) {
			t.Fatalf("replies and people are missing: %v, %v", d.talks(t, "email"), identities())
		}
		time.Sleep(50 * time.Millisecond)
	}
	time.Sleep(time.Second)
	for person, want := range map[string]any{
		"ada@customer.example": "verified", "forger@customer.example": "claimed",
	} {
		if got := identities()[person]; got != want {
			t.Errorf("%s is %v, want %v", person, got, want)
		}
	}
	if all := identities(); len(all) != 3 {
		t.Errorf("the people are %v", all)
	}
	var answered []string
	for _, reply := range email.Sent() {
		answered = append(answered, reply.Person)
		if reply.Mail.Header("Subject") != "Re: Hours" || !strings.Contains(reply.Text, "9 to 5") {
			t.Errorf("%+v", reply)
		}
	}
	slices.Sort(answered)
	if got := strings.Join(answered, " "); got != "ada@customer.example forger@customer.example" {
		t.Errorf("answered are %s", got)
	}
	if talks := d.talks(t, "email"); len(talks) != 3 {
		t.Errorf("%v", talks)
	}
}
