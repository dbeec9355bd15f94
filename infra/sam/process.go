package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// A process is a program that runs beside this one.
type process struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed when it has ended, with err set
	err   error
}

// stopTime is how long a program may take to clean up. The SAM CLI removes its containers, one after the
// other.
const stopTime = 30 * time.Second

// start runs a program whose output goes to out. Ctrl-C does not reach it, so that it ends in its turn.
func start(cmd *exec.Cmd, out io.Writer) (*process, error) {
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, ended: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		close(p.ended)
	}()
	return p, nil
}

// stop asks the program to end, waits until it has, and kills it and what it started when it does not.
func (p *process) stop() {
	p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(stopTime):
		syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
		<-p.ended
	}
}

// say tells whoever started the command how far it is.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "sam-local: "+format+"\n", args...) }
