// Command dev serves the product as `make run` does, and builds and starts it anew whenever a file changes. A
// change that does not compile leaves the last one running.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// program is what is built and run.
const program = ".cache/bin/frontdesk"

const (
	look     = 300 * time.Millisecond // between two looks at the files
	stopTime = 10 * time.Second       // until a program that does not end is killed
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "dev:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends.
func run(ctx context.Context) error {
	var server *exec.Cmd
	defer func() { end(server) }()
	var served tree
	for ctx.Err() == nil {
		now, err := readTree(".")
		if err != nil {
			return err
		}
		if now == served {
			sleep(ctx, look)
			continue
		}
		served = now
		if !build(ctx) {
			continue
		}
		end(server)
		if server, err = begin(); err != nil {
			return err
		}
	}
	return nil
}

// build reports whether the program could be built. The compiler says why not.
func build(ctx context.Context) bool {
	cmd := exec.CommandContext(ctx, "go", "build", "-o", program, "./infra/local/frontdesk")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return cmd.Run() == nil
}

// begin starts the program. Ctrl-C reaches it too, so it may have ended when end asks it to.
func begin() (*exec.Cmd, error) {
	cmd := exec.Command(program)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd, cmd.Start()
}

// end ends the program and returns when it has ended.
func end(server *exec.Cmd) {
	if server == nil {
		return
	}
	server.Process.Signal(os.Interrupt)
	kill := time.AfterFunc(stopTime, func() { server.Process.Kill() })
	defer kill.Stop()
	server.Wait()
}

// sleep returns after d, or earlier when ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
