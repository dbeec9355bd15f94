package cloud

import (
	"context"
	"testing"

	"github.com/aws/aws-lambda-go/events"
)

// TestWithMail tells mail from requests, whatever a request's body holds.
func TestWithMail(t *testing.T) {
	var got string
	requests := func(_ context.Context, e events.APIGatewayProxyRequest) (any, error) {
		got = "request " + e.Path
		return nil, nil
	}
	handle := withMail(typed(requests), func(_ context.Context, e events.SimpleEmailEvent) error {
		got = "mail " + e.Records[0].SES.Mail.MessageID
		return nil
	})
	for event, want := range map[string]string{
		`{"Records":[{"eventSource":"aws:ses","ses":{"mail":{"messageId":"7"}}}]}`:         "mail 7",
		"\n {\"Records\":[{\"ses\":{\"mail\":{\"messageId\":\"8\"}}}]}":                    "mail 8",
		`{"resource":"/inbound","path":"/inbound/","body":"{\"Records\":[{\"ses\":{}}]}"}`: "request /inbound/",
		`{"body":"{\"Records\"","path":"/x/"}`:                                             "request /x/",
	} {
		if _, err := handle(t.Context(), []byte(event)); err != nil || got != want {
			t.Errorf("%s: %q, %v", event, got, err)
		}
	}
}
