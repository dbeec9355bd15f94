package stack

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/google/go-cmp/cmp"
)

// TestDescribe reads CloudFormation's answers of a stack that stands and of one that is not there.
func TestDescribe(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), "StackName=acme") {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>`+
				`<Message>Stack with id nope does not exist</Message></Error></ErrorResponse>`)
			return
		}
		fmt.Fprint(w, `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>acme</StackName>`+
			`<StackStatus>UPDATE_COMPLETE</StackStatus><CreationTime>2026-03-02T09:30:00Z</CreationTime>`+
			`<Parameters><member><ParameterKey>AlarmEmail</ParameterKey><ParameterValue>ops@acme.example`+
			`</ParameterValue></member></Parameters><Outputs><member><OutputKey>TableName</OutputKey>`+
			`<OutputValue>t</OutputValue></member></Outputs></member></Stacks></DescribeStacksResult>`+
			`</DescribeStacksResponse>`)
	}))
	defer server.Close()
	settings := aws.Config{
		Region: "eu-central-1", BaseEndpoint: &server.URL,
		Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
	}
	got, err := Describe(t.Context(), settings, "acme")
	want := Standing{
		Parameters: map[string]string{"AlarmEmail": "ops@acme.example"},
		Outputs:    map[string]string{"TableName": "t"},
	}
	if err != nil || !cmp.Equal(want, got) {
		t.Errorf("%v, %s", err, cmp.Diff(want, got))
	}
	_, err = Describe(t.Context(), settings, "nope")
	if !errors.Is(err, ErrAbsent) || !strings.HasSuffix(err.Error(), ": nope in region eu-central-1") {
		t.Errorf("of a stack that is not there: %v", err)
	}
	settings.Region = ""
	if _, err := Describe(t.Context(), settings, "acme"); err == nil || errors.Is(err, ErrAbsent) {
		t.Errorf("without a region: %v", err)
	}
}
