package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"frontdesk/infra/stack"
	"frontdesk/infra/template"
)

func TestVariable(t *testing.T) {
	for parameter, want := range map[string]string{
		"Architecture": "ARCHITECTURE", "AlarmEmail": "ALARM_EMAIL", "CertificateArn": "CERTIFICATE_ARN",
	} {
		if got := variable(parameter); got != want {
			t.Errorf("%s is set by %s, want %s", parameter, got, want)
		}
	}
}

func TestResolve(t *testing.T) {
	parameters := []template.Parameter{
		{Name: "Architecture", Default: "arm64", Allowed: []string{"arm64", "x86_64"}}, {Name: "AlarmEmail"},
		{Name: "LogRetention", Default: "30"},
	}
	memory := stack.Memory{Last: "acme", Stacks: map[string]stack.Stack{
		"acme": {Region: "eu-west-1",
			Parameters: map[string]string{"AlarmEmail": "ops@acme.example", "Architecture": "x86_64"}},
	}}
	type want struct {
		stack, region string
		given         map[string]string
	}
	for name, test := range map[string]struct {
		memory stack.Memory
		env    map[string]string
		want   want
	}{
		"the first time": {want: want{"frontdesk", "", map[string]string{}}},
		"what was remembered": {memory: memory,
			want: want{"acme", "eu-west-1", memory.Stacks["acme"].Parameters}},
		"another stack": {memory: memory, env: map[string]string{"STACK": "beta"},
			want: want{"beta", "", map[string]string{}}},
		"a new value": {memory: memory,
			env: map[string]string{"LOG_RETENTION": "7", "REGION": "us-east-1"},
			want: want{"acme", "us-east-1",
				map[string]string{"AlarmEmail": "ops@acme.example", "Architecture": "x86_64",
					"LogRetention": "7"}}},
		"the default again": {memory: memory,
			env:  map[string]string{"ALARM_EMAIL": "", "ARCHITECTURE": "arm64"},
			want: want{"acme", "eu-west-1", map[string]string{}}},
		"others' variables stay": {env: map[string]string{"PATH": "/bin"},
			want: want{"frontdesk", "", map[string]string{}}},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := resolve(test.memory, parameters,
				func(name string) (string, bool) { v, ok := test.env[name]; return v, ok })
			if err != nil {
				t.Fatal(err)
			}
			got := want{d.stack, d.region, d.given}
			if !cmp.Equal(got, test.want, cmp.AllowUnexported(want{})) {
				t.Error(cmp.Diff(test.want, got, cmp.AllowUnexported(want{})))
			}
		})
	}
	if _, err := resolve(stack.Memory{}, parameters,
		func(name string) (string, bool) { return "mips", name == "ARCHITECTURE" }); err == nil {
		t.Error("a value that the template does not allow is taken")
	}
}

func TestCovers(t *testing.T) {
	for _, test := range []struct {
		names  []string
		domain string
		want   bool
	}{
		{[]string{"api.example.com"}, "api.example.com", true},
		{[]string{"*.example.com"}, "API.example.com", true},
		{[]string{"*.example.com"}, "a.b.example.com", false},
		{[]string{"example.com"}, "api.example.com", false},
		{nil, "example.com", false},
	} {
		if got := covers(test.names, test.domain); got != test.want {
			t.Errorf("covers(%q, %q) is %v", test.names, test.domain, got)
		}
	}
}

func TestQuote(t *testing.T) {
	for value, want := range map[string]string{"30": "30", "a b": `"a b"`, `say "x"`: `"say \"x\""`,
		"a,b": `"a,b"`} {
		if got := quote(value); got != want {
			t.Errorf("quote(%s) is %s, want %s", value, got, want)
		}
	}
}

func TestReservation(t *testing.T) {
	for name, test := range map[string]struct {
		wanted, standing  string
		quota, unreserved int
		refused           bool
	}{
		"none":                        {wanted: "0", quota: 10, unreserved: 10},
		"a new account":               {wanted: "5", quota: 10, unreserved: 10, refused: true},
		"an unknown quota":            {wanted: "5"},
		"all that may be reserved":    {wanted: "450", quota: 1000, unreserved: 1000},
		"one more":                    {wanted: "451", quota: 1000, unreserved: 1000, refused: true},
		"what the stack has reserved": {wanted: "450", standing: "450", quota: 1000, unreserved: 100},
		"others have reserved some":   {wanted: "200", quota: 1000, unreserved: 400, refused: true},
	} {
		d := &deployment{
			values: map[string]string{"PublicConcurrency": test.wanted}, quota: test.quota,
			unreserved: test.unreserved,
			standing:   map[string]string{"PublicConcurrency": test.standing},
		}
		if f := d.checkReservation(); (f.problem != "") != test.refused {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// TestPublicFunctions counts the functions of the template that reserve what checkReservation checks.
func TestPublicFunctions(t *testing.T) {
	text, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	reserving := "ReservedConcurrentExecutions: !If [HasPublicConcurrency, !Ref PublicConcurrency, !Ref " +
		"AWS::NoValue]"
	if n := strings.Count(string(text), reserving); n != publicFunctions {
		t.Errorf("%d functions reserve concurrency, want %d", n, publicFunctions)
	}
}

func TestOverrides(t *testing.T) {
	for name, test := range map[string]struct {
		d    deployment
		want map[string]string
	}{
		"by the quota":     {deployment{quota: 1000}, map[string]string{"ConcurrencyAlarm": "800"}},
		"a tiny quota":     {deployment{quota: 1}, map[string]string{"ConcurrencyAlarm": "1"}},
		"an unknown quota": {deployment{}, map[string]string{}},
		"by the operator": {deployment{quota: 1000, given: map[string]string{"ConcurrencyAlarm": "70"}},
			map[string]string{"ConcurrencyAlarm": "70"}},
		"the default again": {deployment{
			values:   map[string]string{"LogRetention": "30"},
			standing: map[string]string{"LogRetention": "7", "GoneParameter": "x"},
		}, map[string]string{"LogRetention": "30"}},
		"an adopted table": {deployment{stream: "arn", given: map[string]string{"ExistingTable": "t"}},
			map[string]string{"ExistingTable": "t", "ExistingTableStream": "arn"}},
	} {
		if test.d.given == nil {
			test.d.given = map[string]string{}
		}
		if diff := cmp.Diff(test.want, test.d.overrides()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestChanged reads the settings of a stack that was deployed from elsewhere.
func TestChanged(t *testing.T) {
	parameters := []template.Parameter{
		{Name: "Architecture", Default: "arm64"}, {Name: "LogRetention", Default: "30"},
		{Name: "ExistingTable"},
		{Name: "ExistingTableStream"}, {Name: "ConcurrencyAlarm", Default: "800"},
	}
	standing := map[string]string{
		"Architecture": "x86_64", "LogRetention": "30", "ExistingTable": "t", "ExistingTableStream": "arn",
		"ConcurrencyAlarm": "458", "GoneParameter": "x",
	}
	want := map[string]string{"Architecture": "x86_64", "ExistingTable": "t", "GoneParameter": "x"}
	if diff := cmp.Diff(want, changed(standing, parameters)); diff != "" {
		t.Error(diff)
	}
}

func TestSpelling(t *testing.T) {
	parameters := []template.Parameter{{Name: "OpenAiBaseUrl"}, {Name: "BedrockModels"}}
	for flags, want := range map[string]string{
		"": "", "s": "", " -- STACK=a": "", "s -- BEDROCK_MODELS=yes": "",
		" -- BedrockModels=yes":                 "Write BEDROCK_MODELS=yes.",
		"s -- STACK=a OPENAI_BASE_URL=http://x": "Write OPEN_AI_BASE_URL=http://x.",
	} {
		got := ""
		for _, f := range checkSpelling(flags, parameters) {
			got += f.remedy
		}
		if got != want {
			t.Errorf("%q: %q, want %q", flags, got, want)
		}
	}
}

// TestCommandLine has the command that a deleted stack is deployed anew with.
func TestCommandLine(t *testing.T) {
	d := &deployment{stack: "acme", region: "eu-central-1"}
	got := d.commandLine(map[string]string{
		"ExistingTable": "t", "AlarmEmail": "ops@acme.example",
		"OpenAiBaseUrl": "https://x.example/v1?a=1&b=it's",
	})
	want := "make deploy STACK=acme REGION=eu-central-1 ALARM_EMAIL=ops@acme.example EXISTING_TABLE=t " +
		`OPEN_AI_BASE_URL='https://x.example/v1?a=1&b=it'\''s'`
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestBrief(t *testing.T) {
	absent := &types.ResourceNotFoundException{Message: aws.String("Table: nope not found")}
	wrapped := fmt.Errorf("operation error DynamoDB: DescribeTable, RequestID: 1, %w", absent)
	for _, err := range []error{absent, wrapped} {
		if got, want := brief(err), "ResourceNotFoundException: Table: nope not found"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := brief(errors.New("first line\nno credentials")); got != "no credentials" {
		t.Errorf("%q", got)
	}
}

// TestPage expects the table of docs/operating.md to have each parameter that an operator sets.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| parameter | default | |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	described, err := template.Read("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range described.Parameters {
		if p.Name != "ExistingTableStream" && !strings.Contains(table, "`"+p.Name+"`") {
			t.Errorf("the table of parameters lacks %s", p.Name)
		}
	}
}

// TestMail checks that an account in the sandbox of SES is reported if the stack receives mail.
func TestMail(t *testing.T) {
	for name, test := range map[string]struct {
		domain, answer string
		status         int
		want           string // in the problem
	}{
		"no mail":           {"", "", http.StatusInternalServerError, ""},
		"ready":             {"mail.acme.example", `{"ProductionAccessEnabled":true,"SendingEnabled":true}`, 200, ""},
		"sandbox":           {"mail.acme.example", `{"ProductionAccessEnabled":false,"SendingEnabled":true}`, 200, "sandbox"},
		"switched off":      {"mail.acme.example", `{"ProductionAccessEnabled":true,"SendingEnabled":false}`, 200, "off"},
		"without the right": {"mail.acme.example", `{}`, http.StatusForbidden, "403"},
	} {
		t.Run(name, func(t *testing.T) {
			ses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				signature := r.Header.Get("Authorization")
				if r.URL.Path != "/v2/email/account" || !strings.Contains(signature, "/ses/") {
					t.Errorf("%s %s, %q", r.Method, r.URL, signature)
				}
				w.WriteHeader(test.status)
				fmt.Fprint(w, test.answer)
			}))
			defer ses.Close()
			d := &deployment{region: "eu-central-1",
				values: map[string]string{"InboundMailDomain": test.domain},
				settings: aws.Config{Region: "eu-central-1", BaseEndpoint: &ses.URL,
					Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
						return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}, nil
					})}}
			f := d.checkMail(t.Context())
			if (f.problem == "") != (test.want == "") || !strings.Contains(f.problem, test.want) || f.fatal {
				t.Errorf("%+v, want a problem with %q", f, test.want)
			}
		})
	}
}
