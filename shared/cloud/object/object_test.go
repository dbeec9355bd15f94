package object

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
)

func TestGet(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		signed := req.Header.Get("Authorization")
		if !strings.HasPrefix(signed, "AWS4-HMAC-SHA256 Credential=key/") ||
			!strings.Contains(signed, "/eu-west-1/s3/aws4_request") || req.Header.Get("X-Amz-Date") == "" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		if req.URL.Path != "/mails/mail/abc" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		io.WriteString(w, "From: a@b.example\r\n")
	}))
	defer server.Close()
	config := aws.Config{
		Region: "eu-west-1", BaseEndpoint: &server.URL,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "key", SecretAccessKey: "secret"}, nil
		}),
	}
	b := New("mails", config)
	content, err := b.Get(t.Context(), "mail/abc", 100)
	if err != nil || string(content) != "From: a@b.example\r\n" {
		t.Errorf("%q, %v", content, err)
	}
	for name, get := range map[string]func() ([]byte, error){
		"a long object":    func() ([]byte, error) { return b.Get(t.Context(), "mail/abc", 5) },
		"a missing object": func() ([]byte, error) { return b.Get(t.Context(), "mail/xyz", 100) },
	} {
		if content, err := get(); err == nil || content != nil {
			t.Errorf("%s: %q", name, content)
		}
	}
}
