package parameter

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"frontdesk/shared/table"
)

// TestValue reads a parameter over HTTP as Systems Manager answers it, and again when time has passed.
func TestValue(t *testing.T) {
	value, asked := "first", 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		asked++
		body, _ := io.ReadAll(req.Body)
		if req.Method != "POST" || req.URL.Path != "/" ||
			req.Header.Get("X-Amz-Target") != "AmazonSSM.GetParameter" ||
			req.Header.Get("Content-Type") != "application/x-amz-json-1.1" ||
			string(body) != `{"Name":"/a/b","WithDecryption":true}` ||
			!strings.Contains(req.Header.Get("Authorization"),
				"/us-east-1/ssm/aws4_request, "+
					"SignedHeaders=content-length;content-type;host;x-amz-date;x-amz-target, ") {
			t.Errorf("%s %s %v %s", req.Method, req.URL, req.Header, body)
		}
		w.Header().Set("Content-Type", "application/x-amz-json-1.1")
		if value == "" {
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"__type":"ParameterNotFound","message":"quoted"}`)
			return
		}
		json.NewEncoder(w).Encode(map[string]any{"Parameter": map[string]any{"Name": "/a/b",
			"Type": "SecureString", "Value": value}})
	}))
	defer server.Close()
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	config := aws.Config{Region: "us-east-1",
		Credentials: credentials.NewStaticCredentialsProvider("a", "b", ""), BaseEndpoint: &server.URL}
	open := func() *Parameter { return New("/a/b", config, func() time.Time { return now }) }

	p := open()
	ctx, meter := table.WithMeter(t.Context())
	for _, step := range []struct {
		value string // that the service has
		after time.Duration
		want  string
		asked int
	}{
		{"first", 0, "first", 1},
		{"second", 4 * time.Minute, "first", 1},
		{"second", time.Minute, "second", 2},
		{"", 5 * time.Minute, "second", 3}, // it stays in use
		{"third", time.Minute, "second", 3},
		{"third", 4 * time.Minute, "third", 4},
	} {
		value, now = step.value, now.Add(step.after)
		if got, err := p.Value(ctx); err != nil || got != step.want || asked != step.asked {
			t.Errorf("%+v: %q, %v, asked %d times", step, got, err, asked)
		}
	}
	if trips := meter.Cost().Trips; trips != 4 {
		t.Errorf("%d trips", trips)
	}
	value = ""
	if _, err := open().Value(t.Context()); err == nil ||
		err.Error() != "parameter /a/b: status 400 ParameterNotFound" {
		t.Error(err)
	}
}
