// Command bare is what cold starts are measured against: a handler made the usual way, with the clients of
// DynamoDB and SQS from the SDK's default configuration, that does nothing. It is a module of its own, so
// that it has the SDK as one gets it today and not the versions that the product chose.
package main

import (
	"context"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

func main() {
	settings, err := config.LoadDefaultConfig(context.Background())
	if err != nil {
		panic(err)
	}
	table, queue := dynamodb.NewFromConfig(settings), sqs.NewFromConfig(settings)
	lambda.Start(func(context.Context, events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse,
		error) {
		if table == nil || queue == nil {
			panic("no clients")
		}
		return events.APIGatewayProxyResponse{StatusCode: 200, Body: "{}"}, nil
	})
}
