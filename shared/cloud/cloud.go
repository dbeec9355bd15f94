// Package cloud runs functions on AWS, configured by the environment that Lambda gives a function: region,
// credentials, addresses and names. It reads no profile and makes no request, so it adds nothing to a cold
// start; the operator's tools use the SDK's own loader instead.
package cloud

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/table"
	"frontdesk/shared/wiring"
)

// Config returns the configuration of AWS's clients. The variable AWS_ENDPOINT_URL_<service> has the address
// of an emulator of the service, if there is one.
func Config(service string) aws.Config {
	config := aws.Config{
		Region: os.Getenv("AWS_REGION"),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{
				AccessKeyID:     os.Getenv("AWS_ACCESS_KEY_ID"),
				SecretAccessKey: os.Getenv("AWS_SECRET_ACCESS_KEY"),
				SessionToken:    os.Getenv("AWS_SESSION_TOKEN"),
				Source:          "environment",
			}, nil
		}),
	}
	if config.Region == "" {
		config.Region = os.Getenv("AWS_DEFAULT_REGION")
	}
	for _, name := range []string{"AWS_ENDPOINT_URL_" + service, "AWS_ENDPOINT_URL"} {
		if address := os.Getenv(name); address != "" {
			config.BaseEndpoint = &address
			break
		}
	}
	return config
}

// Router returns a router for endpoints of the REST API behind API Gateway, whose callers authenticate by the
// API keys in the table.
func Router(t table.Table) *api.Router {
	return &api.Router{
		Auth: &auth.Keys{Table: t, Now: time.Now}, Answers: &api.Answers{Table: t, Now: time.Now}, Log: Log(),
		Front: Front, PublicURL: strings.TrimRight(os.Getenv("PUBLIC_URL"), "/"),
	}
}

// Log writes lines of JSON, which CloudWatch can search by their fields.
func Log() *slog.Logger { return slog.New(slog.NewJSONHandler(os.Stderr, nil)) }

// Front reads what API Gateway says of a request. Under the host name that it gives an API, paths begin with
// the stage; behind a custom domain and under `sam local` they do not.
func Front(req *http.Request) api.Front {
	from, _ := req.Context().Value(originKey{}).(origin)
	scheme := req.Header.Get("X-Forwarded-Proto")
	if scheme == "" {
		scheme = "https"
	}
	base := scheme + "://" + from.Domain
	if strings.HasPrefix(from.Domain, from.APIID+".execute-api.") {
		base += "/" + from.Stage
	}
	return api.Front{Base: base, RequestID: from.RequestID, Address: from.Identity.Address,
		Edge: strings.TrimSuffix(os.Getenv("EDGE_URL"), "/")}
}

// Env returns a required variable of the environment. It panics if the variable is missing or empty: the
// process ends at startup with a log line that names it.
func Env(name string) string {
	value := os.Getenv(name)
	if value == "" {
		panic("cloud: the environment lacks " + name)
	}
	return value
}

// Endpoints are a service of the REST API.
type Endpoints interface {
	// Routes adds the endpoints to a router.
	Routes(r *api.Router)
}

// Serve serves the requests of API Gateway by the endpoints of a service. It does not return. It panics if
// the service lacks a dependency; see package wiring.
func Serve(r *api.Router, service Endpoints) { start(requests(r, service)) }

// ServeWithMail is Serve for a function that SES also invokes, for the mail that it receives.
func ServeWithMail(
	r *api.Router, service Endpoints, mail func(context.Context, events.SimpleEmailEvent) error,
) {
	start(withMail(requests(r, service), mail))
}

// requests returns the handler for requests of API Gateway to the endpoints of a service.
func requests(r *api.Router, service Endpoints) handler {
	check(service)
	service.Routes(r)
	return gateway{r}.handle
}

// withMail distinguishes the events of SES from those of API Gateway: the former begin with their records,
// the latter never do.
func withMail(requests handler, mail func(context.Context, events.SimpleEmailEvent) error) handler {
	mails := typed(func(ctx context.Context, e events.SimpleEmailEvent) (any, error) {
		return nil, mail(ctx, e)
	})
	return func(ctx context.Context, event []byte) ([]byte, error) {
		if bytes.HasPrefix(bytes.TrimSpace(event), []byte(`{"Records"`)) {
			return mails(ctx, event)
		}
		return requests(ctx, event)
	}
}

// Work processes the events of a queue or a stream by the handler of a service. It does not return. It panics
// if the service lacks a dependency.
func Work[E, A any](service any, handle func(context.Context, E) (A, error)) {
	check(service)
	start(typed(handle))
}

func check(service any) {
	if err := wiring.Check(service); err != nil {
		panic(err)
	}
}
