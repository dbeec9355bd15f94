package template

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	got, err := Parse([]byte(`
Globals:
  Function:
    Timeout: 10
    Environment:
      Variables: {TABLE_NAME: !Ref Table, HOSTS: ""}
Resources:
  ShopFunction:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: functions/shop/lambda
      Environment:
        Variables: {WORK_QUEUE_URL: !Ref Work}
      Events:
        Items: {Type: Api, Properties: {Path: "/items/{id}", Method: ANY}}
        Nightly: {Type: Schedule, Properties: {Schedule: rate(1 day)}}
  WorkerFunction:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: functions/worker/lambda
      Timeout: 60
      Events:
        Work: {Type: SQS, Properties: {Queue: !GetAtt Work.Arn, BatchSize: 1, ScalingConfig: {MaximumConcurrency: 2}}}
        Feed:
          Type: DynamoDB
          Properties:
            Stream: !GetAtt Table.StreamArn
            FunctionResponseTypes: [ReportBatchItemFailures]
            MaximumRetryAttempts: 100
            DestinationConfig: {OnFailure: {Type: SQS, Destination: !GetAtt Dead.Arn}}
            FilterCriteria: {Filters: [{Pattern: '{"eventName":["INSERT"]}'}]}
  Work:
    Type: AWS::SQS::Queue
    Properties:
      VisibilityTimeout: 360
      DelaySeconds: 2
      RedrivePolicy: {deadLetterTargetArn: !GetAtt Dead.Arn, maxReceiveCount: 5}
  Dead: {Type: AWS::SQS::Queue}
  Table: {Type: AWS::DynamoDB::Table}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := Template{
		Functions: []Function{{
			Name: "ShopFunction", Group: "shop", Timeout: 10, Paths: []string{"/items/{id}"},
			Schedules:   []ScheduleEvent{{"Nightly", "rate(1 day)", ""}},
			Environment: map[string]string{"HOSTS": ""},
			QueueURLs:   map[string]string{"WORK_QUEUE_URL": "Work"},
		}, {
			Name: "WorkerFunction", Group: "worker", Timeout: 60,
			Queues:      []QueueEvent{{"Work", 1, 2, false}},
			Streams:     []StreamEvent{{100, []string{`{"eventName":["INSERT"]}`}, true, false, 100, "Dead"}},
			Environment: map[string]string{"HOSTS": ""},
			QueueURLs:   map[string]string{},
		}},
		Queues: map[string]Queue{"Work": {2, 360, 5, "Dead"}, "Dead": {VisibilityTimeout: 30}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseRefusesUnknownEvents(t *testing.T) {
	_, err := Parse([]byte(`
Resources:
  F:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: functions/f/lambda
      Events: {E: {Type: SNS}}
`))
	if err == nil {
		t.Error("an event of a type that nothing here can play was accepted")
	}
}
