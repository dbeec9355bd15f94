package cloud

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/api"
)

// TestGateway hands over requests as API Gateway has them, written by the types of aws-lambda-go, and reads
// the answers by them.
func TestGateway(t *testing.T) {
	type seen struct {
		Method, URL, Body string
		Header            http.Header
		Front             api.Front
	}
	context := events.APIGatewayProxyRequestContext{
		DomainName: "a1.execute-api.eu-west-1.amazonaws.com", APIID: "a1", Stage: "Prod", RequestID: "r-1",
		Identity: events.APIGatewayRequestIdentity{SourceIP: "198.51.100.7"},
	}
	front := api.Front{Base: "https://" + context.DomainName + "/Prod", RequestID: "r-1",
		Address: "198.51.100.7"}
	const host = "https://a1.execute-api.eu-west-1.amazonaws.com"
	for name, test := range map[string]struct {
		event events.APIGatewayProxyRequest
		want  seen
	}{
		"lists": {
			events.APIGatewayProxyRequest{
				HTTPMethod: "POST", Path: "/contacts/", Body: `{"name":"Zoë"}`,
				Headers:                         map[string]string{"x-a": "2"},
				MultiValueHeaders:               map[string][]string{"x-a": {"1", "2"}},
				QueryStringParameters:           map[string]string{"q": "c&d"},
				MultiValueQueryStringParameters: map[string][]string{"q": {"a b", "c&d"}, "p": {""}},
			},
			seen{"POST", host + "/contacts/?p=&q=a+b&q=c%26d", `{"name":"Zoë"}`,
				http.Header{"X-A": {"1", "2"}}, front},
		},
		"single values": {
			events.APIGatewayProxyRequest{
				HTTPMethod: "GET", Path: "/me/", Headers: map[string]string{"authorization": "Bearer x"},
				QueryStringParameters: map[string]string{"page": "2"},
			},
			seen{"GET", host + "/me/?page=2", "", http.Header{"Authorization": {"Bearer x"}}, front},
		},
		"bytes": {
			events.APIGatewayProxyRequest{
				HTTPMethod: "POST", Path: "/inbound/5/email/", Body: "/wAB", IsBase64Encoded: true,
			},
			seen{"POST", host + "/inbound/5/email/", "\xff\x00\x01", http.Header{}, front},
		},
	} {
		var got seen
		g := gateway{http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			body, _ := io.ReadAll(req.Body)
			got = seen{req.Method, req.URL.String(), string(body), req.Header, Front(req)}
		})}
		test.event.RequestContext = context
		payload, err := json.Marshal(test.event)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.handle(t.Context(), payload); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for _, payload := range []string{``, `[]`, `{"path":7}`, `{"body":"?","isBase64Encoded":true}`} {
		g := gateway{http.NotFoundHandler()}
		if out, err := g.handle(t.Context(), []byte(payload)); err == nil {
			t.Errorf("%s: %s", payload, out)
		}
	}
}

// TestGatewayAnswers has a handler answer text, bytes and nothing.
func TestGatewayAnswers(t *testing.T) {
	for _, test := range []struct {
		status int
		body   string
		want   events.APIGatewayProxyResponse
	}{
		{0, "", events.APIGatewayProxyResponse{StatusCode: 200}},
		{404, `{"error":"<not_found>"}`,
			events.APIGatewayProxyResponse{StatusCode: 404, Body: `{"error":"<not_found>"}`}},
		{200, "\x1f\x8b",
			events.APIGatewayProxyResponse{StatusCode: 200, Body: "H4s=", IsBase64Encoded: true}},
	} {
		test.want.MultiValueHeaders = map[string][]string{"Set-Cookie": {"a=1", "b=2"}}
		g := gateway{http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			w.Header()["Set-Cookie"] = []string{"a=1", "b=2"}
			if test.status != 0 {
				w.WriteHeader(test.status)
			}
			fmt.Fprint(w, test.body)
		})}
		payload, err := g.handle(t.Context(), []byte(`{"httpMethod":"GET","path":"/"}`))
		if err != nil {
			t.Fatal(err)
		}
		var got events.APIGatewayProxyResponse
		if err := json.Unmarshal(payload, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// FuzzGateway expects whatever a client sends to arrive as it was sent.
func FuzzGateway(f *testing.F) {
	f.Add("X-A", "1", "q", "a&b", "body")
	f.Fuzz(func(t *testing.T, name, value, key, text, body string) {
		sent := url.Values{key: {text, ""}}
		payload, err := json.Marshal(events.APIGatewayProxyRequest{HTTPMethod: "GET", Path: "/x/", Body: body,
			MultiValueHeaders: http.Header{name: {value}}, MultiValueQueryStringParameters: sent})
		if err != nil {
			t.Fatal(err)
		}
		var arrived events.APIGatewayProxyRequest // JSON replaces what is not UTF-8
		if err := json.Unmarshal(payload, &arrived); err != nil {
			t.Fatal(err)
		}
		g := gateway{http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			got, _ := io.ReadAll(req.Body)
			if string(got) != arrived.Body ||
				!cmp.Equal(req.URL.Query(), url.Values(arrived.MultiValueQueryStringParameters)) {
				t.Errorf("%s: %s %s", payload, req.URL, got)
			}
		})}
		if _, err := g.handle(t.Context(), payload); err != nil {
			t.Errorf("%s: %v", payload, err)
		}
	})
}
