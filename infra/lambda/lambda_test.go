package lambda

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// bootstrap is the path of the program of testdata, built once.
var bootstrap string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "bootstrap-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		bootstrap = filepath.Join(dir, "bootstrap")
		build := exec.Command("go", "build", "-tags", "lambda.norpc", "-o", bootstrap, "./testdata/bootstrap")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

func newFunction(t *testing.T, c Config) *Function {
	t.Helper()
	c.Name = "tested"
	if c.Bootstrap == "" {
		c.Bootstrap = bootstrap
	}
	if c.Timeout == 0 {
		c.Timeout = 30 * time.Second // a busy machine is no failure
	}
	c.Output = t.Output()
	f, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

// result is what the program answers.
type result struct {
	Text           string
	Calls, Process int
	ARN, ID, Trace string
	Left           time.Duration
	Env            []string
}

func invoke(t *testing.T, f *Function, payload string) result {
	t.Helper()
	answer, err := f.Invoke(t.Context(), []byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	var r result
	if err := json.Unmarshal(answer, &r); err != nil {
		t.Fatalf("answer %s: %v", answer, err)
	}
	return r
}

func TestInvoke(t *testing.T) {
	f := newFunction(t, Config{Timeout: 20 * time.Second,
		Env: map[string]string{"AWS_REGION": "eu-west-1", "TABLE_NAME": "t"}})
	first := invoke(t, f, `{"Text": "é <1>"}`)
	second := invoke(t, f, `{"Text": "2"}`)
	if first.Text != "é <1>" || second.Text != "2" {
		t.Errorf("texts %q and %q came back", first.Text, second.Text)
	}
	if first.Calls != 1 || second.Calls != 2 || first.Process != second.Process {
		t.Errorf("call %d of process %d, then %d of %d, want one process", first.Calls, first.Process,
			second.Calls, second.Process)
	}
	if first.ARN != "arn:aws:lambda:eu-west-1:000000000000:function:tested" {
		t.Errorf("ARN %s", first.ARN)
	}
	if first.ID == "" || first.ID == second.ID || !strings.HasPrefix(first.Trace, "Root=1-") ||
		first.Trace == second.Trace {
		t.Errorf("ids %s and %s, traces %s and %s", first.ID, second.ID, first.Trace, second.Trace)
	}
	if first.Left < 10*time.Second || first.Left > 20*time.Second {
		t.Errorf("%v until the deadline, want nearly 20 s", first.Left)
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("SECRET_OF_THIS_PROCESS", "x")
	f := newFunction(t, Config{Env: map[string]string{"TABLE_NAME": "t", "AWS_REGION": "eu-west-1",
		"AWS_LAMBDA_RUNTIME_API": "elsewhere"}})
	var got []string
	for _, variable := range invoke(t, f, `{}`).Env {
		if name, _, _ := strings.Cut(variable, "="); name == "AWS_LAMBDA_RUNTIME_API" ||
			name == "_X_AMZN_TRACE_ID" {
			continue // another at each run
		}
		got = append(got, variable)
	}
	slices.Sort(got)
	want := []string{
		"AWS_EXECUTION_ENV=AWS_Lambda_provided.al2023",
		"AWS_LAMBDA_FUNCTION_NAME=tested",
		"AWS_LAMBDA_FUNCTION_VERSION=$LATEST",
		"AWS_REGION=eu-west-1",
		"LAMBDA_TASK_ROOT=" + filepath.Dir(bootstrap),
		"PATH=/usr/local/bin:/usr/bin:/bin",
		"TABLE_NAME=t",
		"TZ=:UTC",
		"_HANDLER=bootstrap",
	}
	// os/exec adds the working directory.
	got = slices.DeleteFunc(got, func(v string) bool { return strings.HasPrefix(v, "PWD=") })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		name    string
		payload string
		init    string
		want    Error // the message without the request id
		restart bool  // the next invocation meets another process
	}{
		{"error with a type", `{"Do": "fail", "Text": "no such agent"}`, "",
			Error{"failure", "no such agent"}, false},
		{"plain error", `{"Do": "fail plainly", "Text": "no such agent"}`, "",
			Error{"errorString", "no such agent"}, false},
		{"panic", `{"Do": "panic", "Text": "nil map"}`, "", Error{"string", "nil map"}, true},
		{"exit", `{"Do": "exit", "Count": 2}`, "",
			Error{"Runtime.ExitError", "Runtime exited with error: exit status 2"}, true},
		{"exit without an error", `{"Do": "exit"}`, "",
			Error{"Runtime.ExitError", "Runtime exited without providing a reason"}, true},
		{"time-out", `{"Do": "sleep until the deadline"}`, "",
			Error{"Sandbox.Timedout", "Task timed out after 2.00 seconds"}, true},
		{"not what it takes", `[]`, "", Error{"UnmarshalTypeError",
			"json: cannot unmarshal array into Go value of type main.event"}, false},
		{"largest answer exceeded", fmt.Sprintf(`{"Do": "large", "Count": %d}`, MaxPayload+1), "",
			Error{"Function.ResponseSizeTooLarge",
				"Response payload size exceeded maximum allowed payload size (6291456 bytes)."}, true},
		{"broken off", `{"Do": "stream and fail"}`, "", Error{"failure", "broken off"}, false},
		{"init reports", `{}`, "report", Error{"Config.Missing", "no table"}, true},
		{"init exits", `{}`, "exit", Error{"Runtime.ExitError", "Runtime exited with error: exit status 3"},
			true},
		{"init hangs", `{}`, "hang", Error{"Sandbox.Timedout", "Task timed out after 1.00 seconds"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			env := map[string]string{"INIT": tt.init}
			f := newFunction(t, Config{Timeout: 2 * time.Second, Concurrency: 1, Env: env})
			if tt.init == "hang" {
				f.initTime = time.Second
			}
			before := 0
			if tt.init == "" {
				before = invoke(t, f, `{}`).Process
			}
			_, err := f.Invoke(t.Context(), []byte(tt.payload))
			var got *Error
			if !errors.As(err, &got) {
				t.Fatalf("Invoke = %v, want an *Error", err)
			}
			if id, rest, ok := strings.Cut(got.Message, " Error: "); ok &&
				strings.HasPrefix(id, "RequestId: ") {
				got.Message = rest
			}
			if diff := cmp.Diff(&tt.want, got); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			delete(env, "INIT")
			after := invoke(t, f, `{}`)
			if restarted := after.Process != before; restarted != tt.restart {
				t.Errorf("process %d, then %d, want another: %v", before, after.Process, tt.restart)
			}
		})
	}
}

func TestLargest(t *testing.T) {
	f := newFunction(t, Config{})
	answer, err := f.Invoke(t.Context(), fmt.Appendf(nil, `{"Do": "large", "Count": %d}`, MaxPayload))
	if err != nil || len(answer) != MaxPayload {
		t.Errorf("Invoke = %d bytes, %v, want %d", len(answer), err, MaxPayload)
	}
	text := strings.Repeat("x", MaxPayload-len(`{"Text":""}`))
	if got, err := f.Invoke(t.Context(), []byte(`{"Text":"`+text+`x"}`)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("Invoke = %d bytes, %v, want ErrTooLarge", len(got), err)
	}
	// The event is taken; the answer, which has more beside the text, is too large.
	var failed *Error
	if _, err := f.Invoke(t.Context(), []byte(`{"Text":"`+text+`"}`)); !errors.As(err, &failed) ||
		failed.Type != "Function.ResponseSizeTooLarge" {
		t.Errorf("Invoke = %v, want Function.ResponseSizeTooLarge", err)
	}
}

// TestEndsBetweenInvocations invokes a process that ends after it has answered.
func TestEndsBetweenInvocations(t *testing.T) {
	f := newFunction(t, Config{Concurrency: 1})
	first := invoke(t, f, `{"Do": "answer and exit"}`)
	time.Sleep(200 * time.Millisecond)
	if second := invoke(t, f, `{}`); second.Process == first.Process || second.Calls != 1 {
		t.Errorf("call %d of process %d, want the first of another than %d", second.Calls, second.Process,
			first.Process)
	}
}

func TestAnswerOfAnotherInvocation(t *testing.T) {
	f := newFunction(t, Config{Env: map[string]string{"INIT": "answer another"}})
	if got := invoke(t, f, `{"Text": "x"}`); got.Text != "x" {
		t.Errorf("answer %+v", got)
	}
}

// TestConcurrency makes more concurrent invocations than there may be processes.
func TestConcurrency(t *testing.T) {
	f := newFunction(t, Config{Concurrency: 3})
	var mu sync.Mutex
	calls := map[int]int{}
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			want := fmt.Sprint(i)
			got := invoke(t, f, `{"Do": "sleep", "Count": 100, "Text": "`+want+`"}`)
			if got.Text != want {
				t.Errorf("%s came back for %s", got.Text, want)
			}
			mu.Lock()
			defer mu.Unlock()
			calls[got.Process]++
		})
	}
	wg.Wait()
	if len(calls) != 3 {
		t.Errorf("calls by process: %v, want three processes", calls)
	}
	if starts := f.Starts(); len(starts) != 3 {
		t.Errorf("starts: %v, want three", starts)
	}
	// Sequential invocations reuse a process.
	last := invoke(t, f, `{}`).Process
	if again := invoke(t, f, `{}`).Process; again != last {
		t.Errorf("process %d, then %d, want the same", last, again)
	}
}

// TestCallerGoesAway cancels the contexts of a running invocation and of one that waits for it.
func TestCallerGoesAway(t *testing.T) {
	f := newFunction(t, Config{Concurrency: 1})
	first := invoke(t, f, `{}`)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if _, err := f.Invoke(ctx, []byte(`{"Do": "sleep", "Count": 600}`)); !errors.Is(err,
				context.DeadlineExceeded) {
				t.Errorf("Invoke = %v, want the end of the context", err)
			}
		})
	}
	wg.Wait()
	// The running invocation continued; the waiting one never started.
	if next := invoke(t, f, `{}`); next.Process != first.Process || next.Calls != 3 {
		t.Errorf("call %d of process %d, want the third of %d", next.Calls, next.Process, first.Process)
	}
}

func TestStarts(t *testing.T) {
	f := newFunction(t, Config{Concurrency: 1})
	begin := time.Now()
	invoke(t, f, `{"Do": "sleep", "Count": 50}`)
	took := time.Since(begin)
	invoke(t, f, `{"Do": "sleep", "Count": 200}`)
	starts := f.Starts()
	if len(starts) != 1 {
		t.Fatalf("starts: %v, want one", starts)
	}
	if s := starts[0]; s.Init <= 0 || s.Answer < s.Init+50*time.Millisecond || s.Answer > took {
		t.Errorf("start %+v, want the answer 50 ms after the init and within %v", s, took)
	}
}

func TestClose(t *testing.T) {
	f := newFunction(t, Config{})
	invoke(t, f, `{}`)
	done := make(chan error, 1)
	go func() {
		_, err := f.Invoke(context.WithoutCancel(t.Context()), []byte(`{"Do": "sleep", "Count": 20000}`))
		done <- err
	}()
	time.Sleep(200 * time.Millisecond)
	f.Close()
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("Invoke under way = %v, want ErrClosed", err)
	}
	if _, err := f.Invoke(t.Context(), []byte(`{}`)); !errors.Is(err, ErrClosed) {
		t.Errorf("Invoke afterwards = %v, want ErrClosed", err)
	}
}

func TestMissingProgram(t *testing.T) {
	f := newFunction(t, Config{Bootstrap: filepath.Join(t.TempDir(), "bootstrap")})
	var failed *Error
	if _, err := f.Invoke(t.Context(), []byte(`{}`)); err == nil || errors.As(err, &failed) {
		t.Errorf("Invoke = %v, want an error that is none of the function", err)
	}
}

// BenchmarkStart measures the time from the start of a process to its first answer.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		f, err := New(Config{Name: "tested", Bootstrap: bootstrap})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := f.Invoke(b.Context(), []byte(`{}`)); err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
}

// BenchmarkInvoke measures an invocation of a running process.
func BenchmarkInvoke(b *testing.B) {
	f, err := New(Config{Name: "tested", Bootstrap: bootstrap})
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	for b.Loop() {
		if _, err := f.Invoke(b.Context(), []byte(`{}`)); err != nil {
			b.Fatal(err)
		}
	}
}
