package dynamo_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"frontdesk/infra/emulator"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
)

// A fault stands between the SDK and DynamoDB Local and does to a request what a busy network and a busy
// DynamoDB do.
type fault func(request *http.Request, send http.RoundTripper) (*http.Response, error)

func (f fault) Do(request *http.Request) (*http.Response, error) {
	return f(request, http.DefaultTransport)
}

// times applies the fault to the first n requests of the operation alone.
func times(n int32, operation string, f fault) fault {
	return func(request *http.Request, send http.RoundTripper) (*http.Response, error) {
		if strings.HasSuffix(request.Header.Get("X-Amz-Target"), "."+operation) &&
			atomic.AddInt32(&n, -1) >= 0 {
			return f(request, send)
		}
		return send.RoundTrip(request)
	}
}

// refuse answers with an error of DynamoDB's.
func refuse(code, more string) fault {
	return func(request *http.Request, _ http.RoundTripper) (*http.Response, error) {
		return answer(request, http.StatusBadRequest,
			fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"refused"%s}`, code,
				more)), nil
	}
}

// loseAnswer lets DynamoDB carry out the request and keeps the answer back.
func loseAnswer(request *http.Request, send http.RoundTripper) (*http.Response, error) {
	response, err := send.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	response.Body.Close()
	return nil, io.ErrUnexpectedEOF
}

// leaveOver hands on a part of a BatchWriteItem and answers that the rest was not done.
func leaveOver(request *http.Request, send http.RoundTripper) (*http.Response, error) {
	const most = 10
	var body map[string]any
	if err := json.NewDecoder(request.Body).Decode(&body); err != nil {
		return nil, err
	}
	left := map[string]any{}
	for name, writes := range body["RequestItems"].(map[string]any) {
		if all := writes.([]any); len(all) > most {
			body["RequestItems"].(map[string]any)[name], left[name] = all[:most], all[most:]
		}
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	part := request.Clone(request.Context())
	part.Body, part.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	response, err := send.RoundTrip(part)
	if err != nil || response.StatusCode != http.StatusOK {
		return response, err
	}
	response.Body.Close()
	text, err = json.Marshal(map[string]any{"UnprocessedItems": left})
	return answer(request, http.StatusOK, string(text)), err
}

func answer(request *http.Request, status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: request,
	}
}

func TestFaults(t *testing.T) {
	endpoint := emulator.DynamoDB().Endpoint(t)
	const always = 1 << 30
	key := table.Key{PK: "p", SK: "counter"}
	const conflict = `,"CancellationReasons":[{"Code":"TransactionConflict"},{"Code":"None"}]`
	const throttled = `,"CancellationReasons":[{"Code":"None"},{"Code":"ThrottlingError"}]`
	var many []table.Write
	for i := range 60 {
		many = append(many, table.Set(table.Item{Key: table.Key{PK: "many", SK: fmt.Sprintf("%02d", i)}}))
	}
	transact := func(tb *dynamo.Table) error {
		return tb.Transact(t.Context(), table.Add(key, "n", 1),
			table.Put(table.Item{Key: table.Key{PK: "p", SK: "x"}}))
	}
	update := func(tb *dynamo.Table) error {
		_, err := tb.Update(t.Context(), table.Update{Key: key, Add: map[string]int64{"n": 1}})
		return err
	}
	writeAll := func(tb *dynamo.Table) error { return tb.WriteAll(t.Context(), many...) }
	get := func(tb *dynamo.Table) error { _, err := tb.Get(t.Context(), key); return err }

	tests := []struct {
		name  string
		fault fault
		call  func(*dynamo.Table) error
		want  error
		n     int64 // the counter afterwards, from 10
		many  int   // how many of the many are there afterwards
	}{
		{name: "conflict in Transact", fault: times(3, "TransactWriteItems",
			refuse("TransactionCanceledException", conflict)), call: transact, n: 11},
		{name: "throttled Transact", fault: times(3, "TransactWriteItems",
			refuse("TransactionCanceledException", throttled)), call: transact, n: 11},
		{name: "token in progress", fault: times(1, "TransactWriteItems",
			refuse("TransactionInProgressException", "")), call: transact, n: 11},
		{name: "endless conflict", fault: times(always, "TransactWriteItems",
			refuse("TransactionCanceledException", conflict)), call: transact, want: table.ErrBusy, n: 10},
		{name: "lost answer of Transact", fault: times(1, "TransactWriteItems", loseAnswer), call: transact,
			n: 11},
		{name: "conflict in Update", fault: times(3, "UpdateItem",
			refuse("TransactionConflictException", "")), call: update, n: 11},
		{name: "throttled Update", fault: times(always, "UpdateItem", refuse("ThrottlingException", "")),
			call: update, want: table.ErrBusy, n: 10},
		{name: "throttled Get", fault: times(always, "GetItem",
			refuse("ProvisionedThroughputExceededException", "")), call: get, want: table.ErrBusy, n: 10},
		{name: "writes left over", fault: times(always, "BatchWriteItem", leaveOver), call: writeAll, n: 10,
			many: 60},
		{name: "throttled WriteAll", fault: times(always, "BatchWriteItem",
			refuse("RequestLimitExceeded", "")), call: writeAll, want: table.ErrBusy, n: 10},
	}
	client := newClient(endpoint)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel() // they mostly wait
			name := newTable(t, client)
			clean := dynamo.New(client, name, time.Now)
			if err := clean.Transact(t.Context(), table.Add(key, "n", 10)); err != nil {
				t.Fatal(err)
			}
			faulty := newClient(endpoint, func(o *dynamodb.Options) { o.HTTPClient = test.fault })
			if err := test.call(dynamo.New(faulty, name, time.Now)); !errors.Is(err, test.want) {
				t.Errorf("the call returned %v, want %v", err, test.want)
			}
			item, err := clean.Get(t.Context(), key)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string]int64{"n": test.n}, item.Numbers); diff != "" {
				t.Errorf("numbers (-want +got):\n%s", diff)
			}
			page, err := clean.Query(t.Context(), table.Query{PK: "many"})
			if err != nil {
				t.Fatal(err)
			}
			if len(page.Items) != test.many {
				t.Errorf("%d items of WriteAll are there, want %d", len(page.Items), test.many)
			}
		})
	}
}

// TestLargeBatchGet reads more than the 16 MB that DynamoDB returns at once.
func TestLargeBatchGet(t *testing.T) {
	client := newClient(emulator.DynamoDB().Endpoint(t))
	tb := dynamo.New(client, newTable(t, client), time.Now)
	var keys []table.Key
	var writes []table.Write
	for i := range 45 {
		item := table.Item{Key: table.Key{PK: "p", SK: fmt.Sprint(i)}, Blob: make([]byte, 390<<10)}
		keys, writes = append(keys, item.Key), append(writes, table.Set(item))
	}
	if err := tb.WriteAll(t.Context(), writes...); err != nil {
		t.Fatal(err)
	}
	ctx, meter := table.WithMeter(t.Context())
	got, err := tb.BatchGet(ctx, keys...)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(keys) || meter.Cost().Requests < 2 {
		t.Errorf("BatchGet returned %d of %d items in %d requests, want all in several", len(got), len(keys),
			meter.Cost().Requests)
	}
}
