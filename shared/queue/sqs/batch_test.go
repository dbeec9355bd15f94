package sqs_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/queue"
	"frontdesk/shared/queue/sqs"
	"frontdesk/shared/table"
)

// flaky stands before the emulator and fails on the last entry of some batches, as SQS may, which the
// emulator never does.
type flaky struct {
	failures    int  // how often it fails
	senderFault bool // whether it says that the sender is to blame
	requests    []int
}

func (f *flaky) Do(request *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(request.Header.Get("X-Amz-Target"), "MessageBatch") {
		return http.DefaultClient.Do(request)
	}
	var in map[string]any
	if err := json.NewDecoder(request.Body).Decode(&in); err != nil {
		return nil, err
	}
	entries := in["Entries"].([]any)
	f.requests = append(f.requests, len(entries))
	if f.failures == 0 {
		setBody(request, in)
		return http.DefaultClient.Do(request)
	}
	f.failures--
	last := entries[len(entries)-1].(map[string]any)
	out := map[string]any{}
	response := &http.Response{StatusCode: http.StatusOK,
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}}}
	if in["Entries"] = entries[:len(entries)-1]; len(entries) > 1 {
		setBody(request, in)
		var err error
		if response, err = http.DefaultClient.Do(request); err != nil {
			return nil, err
		}
		defer response.Body.Close()
		if err := json.NewDecoder(response.Body).Decode(&out); err != nil {
			return nil, err
		}
	}
	out["Failed"] = []any{map[string]any{"Id": last["Id"], "Code": "InternalError", "Message": "try again",
		"SenderFault": f.senderFault}}
	text, err := json.Marshal(out)
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	return response, err
}

func setBody(request *http.Request, in any) {
	text, err := json.Marshal(in)
	if err != nil {
		panic(err) // it was decoded before
	}
	request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
}

func TestSendTriesFailedEntriesAgain(t *testing.T) {
	for _, tt := range []struct {
		name         string
		transport    flaky
		wantErr      bool
		wantRequests []int
		wantBodies   []string
	}{
		{"none fails", flaky{}, false, []int{3}, []string{"a", "b", "c"}},
		{"one fails once", flaky{failures: 1}, false, []int{3, 1}, []string{"a", "b", "c"}},
		{"one fails three times", flaky{failures: 3}, false, []int{3, 1, 1, 1}, []string{"a", "b", "c"}},
		{"one fails for good", flaky{failures: 4}, true, []int{3, 1, 1, 1}, []string{"a", "b"}},
		{"the sender is to blame", flaky{failures: 4, senderFault: true}, true, []int{3}, []string{"a", "b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			url := newQueue(t, newClient(t, nil), nil)
			q := sqs.New(newClient(t, &tt.transport), url)
			ctx, meter := table.WithMeter(t.Context())
			err := q.Send(ctx, queue.Outgoing{Body: "a"}, queue.Outgoing{Body: "b"},
				queue.Outgoing{Body: "c"})
			if (err != nil) != tt.wantErr {
				t.Errorf("Send = %v, want an error: %v", err, tt.wantErr)
			}
			if diff := cmp.Diff(tt.wantRequests, tt.transport.requests); diff != "" {
				t.Errorf("entries of the requests (-want +got):\n%s", diff)
			}
			if got := meter.Cost(); got.Requests != len(tt.wantRequests) ||
				got.Trips != len(tt.wantRequests) {
				t.Errorf("cost = %+v, want %d trips", got, len(tt.wantRequests))
			}
			var bodies []string
			for range tt.wantBodies {
				bodies = append(bodies, receiveOne(t, q).Body)
			}
			slices.Sort(bodies)
			if diff := cmp.Diff(tt.wantBodies, bodies); diff != "" {
				t.Errorf("received (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeleteTriesFailedEntriesAgain(t *testing.T) {
	url := newQueue(t, newClient(t, nil), nil)
	transport := &flaky{}
	q := sqs.New(newClient(t, transport), url)
	if err := q.Send(t.Context(), queue.Outgoing{Body: "a"}, queue.Outgoing{Body: "b"}); err != nil {
		t.Fatal(err)
	}
	one, two := receiveOne(t, q), receiveOne(t, q)
	transport.failures, transport.requests = 1, nil
	if err := q.Delete(t.Context(), one.Receipt, two.Receipt); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{2, 1}, transport.requests); diff != "" {
		t.Errorf("entries of the requests (-want +got):\n%s", diff)
	}
}

// TestRequests counts what a call takes: ten messages, and 256 KiB, a request.
func TestRequests(t *testing.T) {
	large := strings.Repeat("x", queue.MaxBody/2)
	for _, tt := range []struct {
		name   string
		bodies []string
		want   []int
	}{
		{"ten", repeat("x", 10), []int{10}},
		{"eleven", repeat("x", 11), []int{10, 1}},
		{"two fill a request", []string{large, large}, []int{2}},
		{"the third is too much", []string{large, large, "x"}, []int{2, 1}},
		{"small ones share with a large one", []string{"x", large, "x", large, "x"}, []int{3, 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			transport := &flaky{}
			client := newClient(t, transport)
			q := sqs.New(client, newQueue(t, client, nil))
			var messages []queue.Outgoing
			for _, body := range tt.bodies {
				messages = append(messages, queue.Outgoing{Body: body})
			}
			if err := q.Send(t.Context(), messages...); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, transport.requests); diff != "" {
				t.Errorf("entries of the requests (-want +got):\n%s", diff)
			}
		})
	}
}

func TestInvalidSendsNothing(t *testing.T) {
	transport := &flaky{}
	client := newClient(t, transport)
	q := sqs.New(client, newQueue(t, client, nil))
	messages := make([]queue.Outgoing, 11)
	for i := range 10 {
		messages[i].Body = "fine"
	}
	if err := q.Send(t.Context(), messages...); !errors.Is(err, queue.ErrInvalid) {
		t.Errorf("Send = %v, want ErrInvalid", err)
	}
	if len(transport.requests) > 0 {
		t.Errorf("%d requests were sent", len(transport.requests))
	}
}

func receiveOne(t *testing.T, q queue.Queue) queue.Message {
	t.Helper()
	got, err := q.Receive(t.Context(), 1, time.Minute, 5*time.Second)
	if err != nil || len(got) != 1 {
		t.Fatalf("Receive = %v, %v, want one message", got, err)
	}
	return got[0]
}

func repeat(body string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = body
	}
	return all
}
