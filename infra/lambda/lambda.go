// Package lambda runs programs built for AWS Lambda, unchanged, on this machine. It serves them the Lambda
// Runtime API (https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html).
//
// As on Lambda, a function has a number of environments: processes that are started when they are needed and
// that handle one invocation at a time. One that takes too long is killed. Unlike there, no environment is
// frozen between invocations, nor limited in memory or processor, nor ended for being idle.
package lambda

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Limits of Lambda.
const (
	// MaxPayload bounds the bytes of an invocation's event and of its answer.
	MaxPayload = 6 << 20
	// initTime is how long a program may take from its start to its first request for work.
	initTime = 10 * time.Second
)

var (
	// ErrClosed says that the function was closed before the answer.
	ErrClosed = errors.New("lambda: function closed")
	// ErrTooLarge says that an event is larger than MaxPayload. The function was not invoked.
	ErrTooLarge = errors.New("lambda: event too large")
)

// An Error is the error that a function or its runtime returned. Other failures have errors of other types.
type Error struct {
	// Type is the name of the error's type in the function, or one of Lambda's: Sandbox.Timedout,
	// Runtime.ExitError, Function.ResponseSizeTooLarge.
	Type    string `json:"errorType"`
	Message string `json:"errorMessage"`
}

// Error returns type and message of the failed invocation.
func (e *Error) Error() string { return fmt.Sprintf("lambda: %s: %s", e.Type, e.Message) }

// Config describes a function.
type Config struct {
	Name      string
	Bootstrap string            // path of the program
	Env       map[string]string // its environment, beside what Lambda sets; nothing comes from this process
	Timeout   time.Duration     // of an invocation; 0 is three seconds, as on Lambda
	// Concurrency is how many environments there may be; 0 is 10. Invocations above it wait.
	Concurrency int
	// Output is written what the programs print, by several goroutines at once unless it is an *os.File; nil
	// drops it.
	Output io.Writer
}

// A Function can be invoked. It is safe for concurrent use.
type Function struct {
	config   Config
	initTime time.Duration
	slots    chan struct{} // one element per invocation that may still start

	mu     sync.Mutex
	closed bool
	all    map[*environment]bool
	idle   []*environment // some may have ended
	starts []Start
	// processor is the processor time of the environments that have ended.
	processor time.Duration
}

// New returns a function. Nothing is started before the first invocation.
func New(c Config) (*Function, error) {
	path, err := filepath.Abs(c.Bootstrap)
	if err != nil {
		return nil, fmt.Errorf("lambda: %w", err)
	}
	c.Bootstrap = path
	if c.Timeout == 0 {
		c.Timeout = 3 * time.Second
	}
	if c.Concurrency == 0 {
		c.Concurrency = 10
	}
	f := &Function{config: c, initTime: initTime, all: map[*environment]bool{},
		slots: make(chan struct{}, c.Concurrency)}
	for range c.Concurrency {
		f.slots <- struct{}{}
	}
	return f, nil
}

// Invoke passes an event to the function and returns its answer. An error of the function is an *Error. If
// ctx ends before the answer, Invoke returns, but the function continues, as on Lambda.
func (f *Function) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	if len(payload) > MaxPayload {
		return nil, fmt.Errorf("%w: %d bytes", ErrTooLarge, len(payload))
	}
	select {
	case <-f.slots:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	invocation := newInvocation(payload)
	done := make(chan answer, 1)
	go func() {
		done <- f.run(invocation)
		f.slots <- struct{}{}
	}()
	select {
	case a := <-done:
		return a.payload, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// run handles the invocation in an environment.
func (f *Function) run(i *invocation) answer {
	for {
		e, fresh, err := f.acquire()
		if err != nil {
			return answer{err: err}
		}
		a, taken := e.handle(i)
		f.release(e)
		if taken || fresh {
			return a
		}
		// It had ended since its last invocation.
	}
}

// acquire returns an idle environment, or a fresh one if none is idle.
func (f *Function) acquire() (e *environment, fresh bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, false, ErrClosed
	}
	if last := len(f.idle) - 1; last >= 0 {
		e := f.idle[last]
		f.idle = f.idle[:last]
		return e, false, nil
	}
	e, err = f.start()
	if err != nil {
		return nil, false, fmt.Errorf("lambda: start %s: %w", f.config.Bootstrap, err)
	}
	f.all[e] = true
	return e, true, nil
}

// release keeps the environment for the next invocation, unless it has ended.
func (f *Function) release(e *environment) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e.hasEnded() {
		delete(f.all, e)
	} else {
		f.idle = append(f.idle, e)
	}
}

// Close ends all environments, invocations under way included, and returns when they have ended.
func (f *Function) Close() {
	f.mu.Lock()
	f.closed = true
	all := f.all
	f.all = nil
	f.mu.Unlock()
	for e := range all {
		e.kill()
	}
	for e := range all {
		<-e.ended
	}
}

// isClosed reports whether Close was called.
func (f *Function) isClosed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closed
}

// A Start holds the startup times of an environment, measured from just before its process was started.
type Start struct {
	Init   time.Duration // until it asked for its first invocation
	Answer time.Duration // until it had answered it
}

// Starts returns the start of each environment that has answered an invocation, in the order of those
// answers.
func (f *Function) Starts() []Start {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Start(nil), f.starts...)
}

// Kill ends all processes of the function as kill -9 does. Their invocations fail, and the next invocation
// starts a new process.
func (f *Function) Kill() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for e := range f.all {
		e.kill()
	}
}

// Processor returns the processor time of the environments that have ended. After Close it covers all of
// them.
func (f *Function) Processor() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.processor
}

func (f *Function) addProcessor(ended *os.ProcessState) {
	if ended == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.processor += ended.UserTime() + ended.SystemTime()
}
