package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path"
	"strings"

	"frontdesk/infra/template"
)

// A gate is a proxy between a function and the emulators. Like IAM on AWS, it allows what the template's
// policy allows, so a missing permission shows here and not only after a deployment.
type gate struct {
	allowed             map[permission]bool
	dynamodb, elasticmq http.Handler
	log                 *slog.Logger

	listener net.Listener
	server   http.Server
}

// openGate opens the gate of a function on a port of its own. It listens on all addresses, since containers
// cannot reach the local one.
func openGate(function string, allowed map[permission]bool, s *store, log *slog.Logger) (*gate, error) {
	g := &gate{allowed: allowed, log: log.With(slog.String("function", function))}
	for _, to := range []struct {
		address string
		proxy   *http.Handler
	}{{s.dynamodb.Address, &g.dynamodb}, {s.elasticmq.Address, &g.elasticmq}} {
		address, err := url.Parse(to.address)
		if err != nil {
			return nil, err
		}
		proxy := httputil.NewSingleHostReverseProxy(address)
		proxy.ErrorLog = slog.NewLogLogger(g.log.Handler(), slog.LevelWarn)
		*to.proxy = proxy
	}
	var err error
	if g.listener, err = net.Listen("tcp", ":0"); err != nil {
		return nil, err
	}
	g.server.Handler = g
	go g.server.Serve(g.listener)
	return g, nil
}

// address returns the gate's address for a client that reaches this machine by the name host.
func (g *gate) address(host string) string {
	return fmt.Sprintf("http://%s:%d", host, g.listener.Addr().(*net.TCPAddr).Port)
}

func (g *gate) close() { g.server.Close() }

// ServeHTTP refuses a request that needs a missing permission, as AWS does, and forwards any other.
func (g *gate) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	service, operation, _ := strings.Cut(req.Header.Get("X-Amz-Target"), ".")
	needs, emulator := needsOfDynamoDB, g.dynamodb
	if service == "AmazonSQS" {
		needs, emulator = needsOfSQS, g.elasticmq
	}
	needed, err := needs(operation, body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for _, p := range needed {
		if !g.allowed[p] {
			g.refuse(w, p)
			return
		}
	}
	emulator.ServeHTTP(w, req)
}

// refuse responds that a permission is missing.
func (g *gate) refuse(w http.ResponseWriter, missing permission) {
	message := fmt.Sprintf("the policy in template.yaml does not allow %s on %s", missing.action,
		missing.resource)
	g.log.Error("access denied", slog.String("error", message))
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(http.StatusBadRequest)
	json.NewEncoder(w).Encode(map[string]string{
		"__type": "com.amazon.coral.service#AccessDeniedException", "message": message,
	})
}

// The gates of all functions, by their logical names.
type gates map[string]*gate

// openGates opens a gate for each function of the template.
func openGates(stack template.Template, s *store, out io.Writer) (gates, error) {
	policies, err := readPolicies("template.yaml")
	if err != nil {
		return nil, err
	}
	log := slog.New(slog.NewJSONHandler(out, nil))
	all := gates{}
	for _, f := range stack.Functions {
		gate, err := openGate(f.Name, policies[f.Name], s, log)
		if err != nil {
			all.close()
			return nil, err
		}
		all[f.Name] = gate
	}
	return all, nil
}

func (g gates) close() {
	for _, gate := range g {
		gate.close()
	}
}

// variables returns the variables that lead a function's clients through its gate, for a function that
// reaches this machine by the name host.
func (g gates) variables(function, host string) map[string]string {
	address := g[function].address(host)
	return map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": address, "AWS_ENDPOINT_URL_SQS": address}
}

// needsOfDynamoDB returns the permissions that a request to DynamoDB needs. A transaction needs those of
// its parts.
func needsOfDynamoDB(operation string, body []byte) ([]permission, error) {
	var request struct {
		IndexName     string
		TransactItems []map[string]json.RawMessage // by Put, Update, Delete, ConditionCheck or Get
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, fmt.Errorf("%s: %w", operation, err)
	}
	resource := "TableArn.Value"
	if request.IndexName != "" {
		resource += "/index/" + request.IndexName
	}
	if request.TransactItems == nil {
		return []permission{{"dynamodb:" + operation, resource}}, nil
	}
	var needed []permission
	for _, item := range request.TransactItems {
		for kind := range item {
			needed = append(needed, permission{"dynamodb:" + kind + "Item", resource})
		}
	}
	return needed, nil
}

// needsOfSQS returns the permissions that a request to SQS needs. A batch needs those of a single message.
func needsOfSQS(operation string, body []byte) ([]permission, error) {
	var request struct {
		Queue string `json:"QueueUrl"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, fmt.Errorf("%s: %w", operation, err)
	}
	return []permission{{"sqs:" + strings.TrimSuffix(operation, "Batch"), path.Base(request.Queue) + ".Arn"}},
		nil
}
