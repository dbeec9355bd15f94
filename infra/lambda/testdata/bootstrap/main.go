// Command bootstrap is a function that does what its events say, for the tests of package lambda.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"
)

type event struct {
	Do    string
	Text  string
	Count int
}

type result struct {
	Text    string
	Calls   int // of this process, this one included
	Process int
	ARN     string
	ID      string
	Trace   string
	Left    time.Duration // until the deadline
	Env     []string
}

// failure is an error whose type has a name.
type failure struct{ text string }

func (f failure) Error() string { return f.text }

var calls int

func handle(ctx context.Context, e event) (any, error) {
	calls++
	lc, _ := lambdacontext.FromContext(ctx)
	deadline, _ := ctx.Deadline()
	switch e.Do {
	case "fail":
		return nil, failure{e.Text}
	case "fail plainly":
		return nil, errors.New(e.Text)
	case "panic":
		panic(e.Text)
	case "exit":
		os.Exit(e.Count)
	case "sleep":
		fmt.Println("sleeping")
		time.Sleep(time.Duration(e.Count) * time.Millisecond)
	case "sleep until the deadline":
		<-ctx.Done()
		time.Sleep(time.Minute)
	case "large":
		return strings.Repeat("x", e.Count-2), nil // with the quotes
	case "stream and fail":
		return io.MultiReader(strings.NewReader("some"), failingReader{}), nil
	case "answer and exit":
		go func() {
			time.Sleep(50 * time.Millisecond)
			os.Exit(1)
		}()
	}
	return result{
		Text: e.Text, Calls: calls, Process: os.Getpid(), ARN: lc.InvokedFunctionArn, ID: lc.AwsRequestID,
		Trace: os.Getenv("_X_AMZN_TRACE_ID"), Left: time.Until(deadline), Env: os.Environ(),
	}, nil
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, failure{"broken off"} }

func main() {
	api := "http://" + os.Getenv("AWS_LAMBDA_RUNTIME_API") + "/2018-06-01/runtime/"
	switch os.Getenv("INIT") {
	case "report":
		response, err := http.Post(api+"init/error", "application/json",
			bytes.NewReader([]byte(`{"errorMessage":"no table","errorType":"Config.Missing","stackTrace":[]}`)))
		fmt.Println(response.Status, err)
		os.Exit(1)
	case "exit":
		os.Exit(3)
	case "hang":
		time.Sleep(time.Minute)
	case "answer another":
		// Answers an invocation that does not exist, then goes on as usual.
		for _, what := range []string{"response", "error"} {
			response, err := http.Post(api+"invocation/none/"+what, "application/json",
				strings.NewReader(`{}`))
			if err != nil || response.StatusCode != http.StatusBadRequest {
				fmt.Println(response, err)
				os.Exit(4)
			}
		}
	}
	lambda.Start(handle)
}
