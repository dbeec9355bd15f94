package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestGate(t *testing.T) {
	passed := http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	})
	g := &gate{dynamodb: passed, elasticmq: passed, log: slog.New(slog.DiscardHandler),
		allowed: map[permission]bool{
			{"dynamodb:Query", "TableArn.Value"}:            true,
			{"dynamodb:Query", "TableArn.Value/index/gsi1"}: true,
			{"dynamodb:PutItem", "TableArn.Value"}:          true,
			{"dynamodb:UpdateItem", "TableArn.Value"}:       true,
			{"sqs:SendMessage", "JobsQueue.Arn"}:            true,
		}}
	tests := []struct {
		target, body string
		passes       bool
	}{
		{"DynamoDB_20120810.Query", `{"TableName":"t"}`, true},
		{"DynamoDB_20120810.Query", `{"TableName":"t","IndexName":"gsi1"}`, true},
		{"DynamoDB_20120810.Query", `{"TableName":"t","IndexName":"gsi2"}`, false},
		{"DynamoDB_20120810.Scan", `{"TableName":"t"}`, false},
		{"DynamoDB_20120810.TransactWriteItems", `{"TransactItems":[{"Put":{}},{"Update":{}}]}`, true},
		{"DynamoDB_20120810.TransactWriteItems", `{"TransactItems":[{"Put":{}},{"Delete":{}}]}`, false},
		{"DynamoDB_20120810.TransactWriteItems", `{"TransactItems":[{"ConditionCheck":{}}]}`, false},
		{"AmazonSQS.SendMessageBatch", `{"QueueUrl":"http://host:1/000000000000/JobsQueue"}`, true},
		{"AmazonSQS.SendMessage", `{"QueueUrl":"http://host:1/000000000000/DeadLetters"}`, false},
		{"AmazonSQS.DeleteMessage", `{"QueueUrl":"http://host:1/000000000000/JobsQueue"}`, false},
	}
	for _, test := range tests {
		req := httptest.NewRequest("POST", "/", strings.NewReader(test.body))
		req.Header.Set("X-Amz-Target", test.target)
		w := httptest.NewRecorder()
		g.ServeHTTP(w, req)
		if passes := w.Code == http.StatusNoContent; passes != test.passes {
			t.Errorf("%s %s: %d %s", test.target, test.body, w.Code, w.Body)
		}
	}
}

func TestReadPolicies(t *testing.T) {
	policies, err := readPolicies("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for function, want := range map[string]permission{
		"AccountFunction":   {"dynamodb:UpdateItem", "TableArn.Value"},
		"KnowledgeFunction": {"dynamodb:Query", "TableArn.Value/index/gsi1"},
		"DispatchFunction":  {"sqs:SendMessage", "JobsQueue.Arn"},
		"JobsFunction":      {"dynamodb:BatchWriteItem", "TableArn.Value"},
	} {
		if !policies[function][want] {
			t.Errorf("%s: %v is not among %v", function, want, policies[function])
		}
	}
	for function, allowed := range policies {
		for p := range allowed {
			if p.action == "dynamodb:Scan" || strings.Contains(p.action, "*") {
				t.Errorf("%s may %s", function, p.action)
			}
			if p.resource == "*" && !strings.HasPrefix(p.action, "xray:") {
				t.Errorf("%s may %s everywhere", function, p.action)
			}
		}
	}
}
