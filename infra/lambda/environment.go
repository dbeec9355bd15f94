package lambda

import (
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// An environment is one process of a function and the Runtime API that it calls. Each process has its own
// address for it, since its requests do not identify the process.
type environment struct {
	function *Function
	process  *exec.Cmd
	started  time.Time
	next     chan *invocation // to the process's request for the next one
	ended    chan struct{}    // closed when the process has ended and printed all

	mu        sync.Mutex
	current   *invocation // the one that the process has not answered yet
	init      time.Duration
	initError *Error
	answered  bool
	exit      error // why the process ended, set before ended closes
}

// start starts an environment. Clocks are the machine's, since the process reads them too.
func (f *Function) start() (*environment, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	e := &environment{
		function: f,
		process:  exec.Command(f.config.Bootstrap),
		next:     make(chan *invocation),
		ended:    make(chan struct{}),
	}
	e.process.Dir = filepath.Dir(f.config.Bootstrap)
	e.process.Env = f.environ(listener.Addr().String())
	e.process.Stdout, e.process.Stderr = f.config.Output, f.config.Output
	e.process.WaitDelay = time.Second // for what it may have started itself
	server := &http.Server{Handler: e.runtimeAPI()}

	e.started = time.Now()
	go server.Serve(listener)
	if err := e.process.Start(); err != nil {
		server.Close()
		return nil, err
	}
	go func() {
		err := e.process.Wait()
		f.addProcessor(e.process.ProcessState)
		server.Close()
		e.mu.Lock()
		e.exit = err
		e.mu.Unlock()
		close(e.ended)
	}()
	return e, nil
}

// environ returns the environment variables of a process. The last value of a name counts.
func (f *Function) environ(api string) []string {
	env := []string{
		"PATH=/usr/local/bin:/usr/bin:/bin",
		"TZ=:UTC",
		"AWS_REGION=" + defaultRegion,
		"AWS_EXECUTION_ENV=AWS_Lambda_provided.al2023",
		"_HANDLER=bootstrap",
	}
	for name, value := range f.config.Env {
		env = append(env, name+"="+value)
	}
	return append(env,
		"AWS_LAMBDA_RUNTIME_API="+api,
		"AWS_LAMBDA_FUNCTION_NAME="+f.config.Name,
		"AWS_LAMBDA_FUNCTION_VERSION=$LATEST",
		"LAMBDA_TASK_ROOT="+filepath.Dir(f.config.Bootstrap),
	)
}

// defaultRegion is the region of functions whose configuration names none.
const defaultRegion = "us-east-1"

// arn returns the function's ARN in an account that does not exist.
func (f *Function) arn() string {
	region := f.config.Env["AWS_REGION"]
	if region == "" {
		region = defaultRegion
	}
	return fmt.Sprintf("arn:aws:lambda:%s:000000000000:function:%s", region, f.config.Name)
}

// handle passes the invocation to the process and waits for the answer. taken is false if the process ended
// before it asked for the invocation.
func (e *environment) handle(i *invocation) (a answer, taken bool) {
	timer := time.NewTimer(e.function.initTime)
	defer timer.Stop()
	select {
	case e.next <- i:
	case <-e.ended:
		return answer{err: e.exitError(i)}, false
	case <-timer.C:
		e.kill()
		<-e.ended
		return answer{err: e.timedOut(i, e.function.initTime)}, true
	}
	timer.Reset(e.function.config.Timeout)
	select {
	case a := <-i.answer:
		return a, true
	case <-e.ended:
		select {
		case a := <-i.answer: // the last thing it did
			return a, true
		default:
			return answer{err: e.exitError(i)}, true
		}
	case <-timer.C:
		e.kill()
		<-e.ended
		return answer{err: e.timedOut(i, e.function.config.Timeout)}, true
	}
}

// kill kills the process and does not wait for its end.
func (e *environment) kill() { e.process.Process.Kill() }

func (e *environment) hasEnded() bool {
	select {
	case <-e.ended:
		return true
	default:
		return false
	}
}

// exitError returns the error of an invocation during which the process ended.
func (e *environment) exitError(i *invocation) error {
	if e.function.isClosed() {
		return ErrClosed
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.initError != nil {
		return e.initError
	}
	reason := "Runtime exited without providing a reason"
	if e.exit != nil {
		reason = "Runtime exited with error: " + e.exit.Error()
	}
	return &Error{Type: "Runtime.ExitError", Message: fmt.Sprintf("RequestId: %s Error: %s", i.id, reason)}
}

// timedOut returns the error of an invocation that exceeded the timeout d.
func (e *environment) timedOut(i *invocation, d time.Duration) error {
	if e.function.isClosed() {
		return ErrClosed
	}
	return &Error{Type: "Sandbox.Timedout",
		Message: fmt.Sprintf("RequestId: %s Error: Task timed out after %.2f seconds", i.id, d.Seconds())}
}
