package main

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	"frontdesk/infra/emulator"
	"frontdesk/infra/local"
	"frontdesk/infra/template"
	"frontdesk/shared/auth"
	"frontdesk/shared/id"
	"frontdesk/shared/queue"
	"frontdesk/shared/queue/sqs"
	"frontdesk/shared/secret"
	"frontdesk/shared/table/dynamo"
	"frontdesk/shared/table/dynamo/schema"
)

// tableName is the name of the table in DynamoDB Local.
const tableName = "frontdesk"

// The emulators take any region and credentials. These are named so that nobody's own are used.
const region, accessKey, secretKey = "us-east-1", "local", "local"

// A store is the table and the queues of the template, empty except for the local workspace. It is gone
// when the process ends.
type store struct {
	dynamodb, elasticmq *emulator.Server
	// queues of the template, by the variables with their addresses
	queues     map[string]string
	secretsKey string
}

// startStore starts the emulators and creates what the template describes.
func startStore(ctx context.Context, stack template.Template) (*store, error) {
	s := &store{queues: map[string]string{}, secretsKey: secret.NewKey()}
	var queues []emulator.Queue
	for name, q := range stack.Queues {
		queues = append(queues, emulator.Queue{
			Name: name, Delay: time.Duration(q.Delay) * time.Second,
			Visibility:  time.Duration(q.VisibilityTimeout) * time.Second,
			MaxReceives: q.MaxReceives, DeadLetters: q.DeadLetters,
		})
	}
	for _, f := range stack.Functions {
		for variable, queue := range f.QueueURLs {
			s.queues[variable] = queue
		}
	}
	var err error
	if s.dynamodb, err = emulator.DynamoDB().Start(ctx, 0); err != nil {
		return nil, err
	}
	if s.elasticmq, err = emulator.ElasticMQ(queues...).Start(ctx, 0); err != nil {
		s.stop()
		return nil, err
	}
	if err := s.fill(ctx); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// fill creates the table and the local workspace.
func (s *store) fill(ctx context.Context) error {
	if err := schema.Create(ctx, s.client(), tableName); err != nil {
		return err
	}
	_, err := s.workspaces().EnsureLocal(ctx, local.Key, time.Now())
	return err
}

// client returns a client of DynamoDB Local.
func (s *store) client() *dynamodb.Client {
	return dynamodb.NewFromConfig(s.config(s.dynamodb), func(o *dynamodb.Options) {
		o.DisableValidateResponseChecksum = true
	})
}

func (s *store) table() *dynamo.Table { return dynamo.New(s.client(), tableName, time.Now) }

func (s *store) workspaces() *auth.Workspaces {
	return &auth.Workspaces{Table: s.table(), Now: time.Now, IDs: id.NewSource(time.Now)}
}

// config returns the configuration for clients of an emulator.
func (s *store) config(server *emulator.Server) aws.Config {
	return aws.Config{
		Region: region, Credentials: credentials.NewStaticCredentialsProvider(accessKey, secretKey, ""),
		BaseEndpoint: &server.Address,
	}
}

// queue returns a queue of the template.
func (s *store) queue(name string) queue.Queue {
	return sqs.New(awssqs.NewFromConfig(s.config(s.elasticmq)), s.queueURL("127.0.0.1", name))
}

// standIns are the variables with the addresses of platforms' stand-ins, which may run on this machine.
var standIns = []string{
	"META_GRAPH_URL", "INSTAGRAM_GRAPH_URL", "TWILIO_API_URL", "AWS_ENDPOINT_URL_SESV2", "SMTP_URL",
}

// publicURL is the variable with the address at which platforms reach the service.
const publicURL = "PUBLIC_URL"

// reserveStandIns sets the variables of standIns that are not set, except for SMTP_URL, and PUBLIC_URL to
// free ports of this machine. The command that the stack runs for may serve stand-ins there, and a proxy to
// the service. So no external service is called.
func reserveStandIns() error {
	var reserved []io.Closer // kept open until all are reserved, so that no two get the same port
	for _, name := range append([]string{publicURL}, standIns...) {
		if os.Getenv(name) != "" || name == "SMTP_URL" {
			continue
		}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		reserved = append(reserved, listener)
		if err := os.Setenv(name, "http://"+listener.Addr().String()); err != nil {
			return err
		}
	}
	var failures []error
	for _, c := range reserved {
		failures = append(failures, c.Close())
	}
	return errors.Join(failures...)
}

// variables returns the environment with the functions' table and queues, for functions that reach this
// machine by the name host.
func (s *store) variables(host string) map[string]string {
	variables := map[string]string{
		"TABLE_NAME":                tableName,
		"SECRETS_KEY":               s.secretsKey,
		"AWS_ENDPOINT_URL_DYNAMODB": address(s.dynamodb, host),
		"AWS_ENDPOINT_URL_SQS":      address(s.elasticmq, host),
		publicURL:                   os.Getenv(publicURL),
	}
	for _, name := range standIns {
		variables[name] = strings.Replace(os.Getenv(name), "127.0.0.1", host, 1)
	}
	for variable, queue := range s.queues {
		variables[variable] = s.queueURL(host, queue)
	}
	return variables
}

// address returns an emulator's address for a client that reaches this machine by the name host.
func address(server *emulator.Server, host string) string {
	return strings.Replace(server.Address, "127.0.0.1", host, 1)
}

// queueURL returns the address of a queue of the template.
func (s *store) queueURL(host, queue string) string {
	return address(s.elasticmq, host) + "/000000000000/" + queue
}

// environment returns the variables for a process on this machine, with everything else that an AWS client
// needs.
func (s *store) environment() map[string]string {
	variables := s.variables("127.0.0.1")
	variables["AWS_REGION"] = region
	variables["AWS_ACCESS_KEY_ID"], variables["AWS_SECRET_ACCESS_KEY"] = accessKey, secretKey
	return variables
}

// stop ends the emulators.
func (s *store) stop() {
	if s.elasticmq != nil {
		s.elasticmq.Stop()
	}
	s.dynamodb.Stop()
}
