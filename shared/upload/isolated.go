package upload

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"

	"frontdesk/shared/page"
)

const (
	// isolatedArgument is the first argument of a process that reads a file. The second is the file's name.
	isolatedArgument = "read-upload"
	// maxTime limits the time to read a file.
	maxTime = 10 * time.Second
	// maxMemory limits the heap of the process that reads a file, in bytes.
	maxMemory = 384 << 20
	// outOfMemory is the exit code of a process that exceeds maxMemory.
	outOfMemory = 78
)

// A result is the output of such a process, as JSON.
type result struct {
	Page  page.Page `json:"page"`
	Error string    `json:"error,omitempty"`
}

// Isolated reads a file in a process of its own, which is killed after maxTime and exits above maxMemory,
// since a malicious file may be built to exhaust either. The program must call ServeIsolated first.
func Isolated(ctx context.Context, name string, data []byte) (page.Page, error) {
	return isolated(ctx, maxTime, name, data)
}

func isolated(ctx context.Context, most time.Duration, name string, data []byte) (page.Page, error) {
	program, err := os.Executable()
	if err != nil {
		return page.Page{}, err
	}
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	var out, log bytes.Buffer
	command := exec.CommandContext(limited, program, isolatedArgument, name)
	command.Env = []string{} // no secrets
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(data), &out, &log
	err = command.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return page.Page{}, ctx.Err()
	case limited.Err() != nil, errors.As(err, &exit):
		return page.Page{}, tooMuch // or the file made the process crash
	case err != nil:
		return page.Page{}, err
	}
	var r result
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return page.Page{}, fmt.Errorf("upload: what the reader says: %w", err)
	}
	if r.Error != "" {
		return page.Page{}, Error(r.Error)
	}
	return r.Page, nil
}

// ServeIsolated reads a file and exits, if the process was started by Isolated; otherwise it returns.
// Programs that call Isolated must call it first.
func ServeIsolated() {
	if len(os.Args) != 3 || os.Args[1] != isolatedArgument {
		return
	}
	go watchMemory()
	data, err := io.ReadAll(os.Stdin)
	if err != nil {
		os.Exit(1)
	}
	p, err := Read(context.Background(), os.Args[2], data)
	r := result{Page: p}
	var problem Error
	switch {
	case errors.As(err, &problem):
		r.Error = problem.Error()
	case err != nil:
		os.Exit(1)
	}
	if json.NewEncoder(os.Stdout).Encode(r) != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// watchMemory exits the process when its heap exceeds maxMemory.
func watchMemory() {
	var memory runtime.MemStats
	for {
		if runtime.ReadMemStats(&memory); memory.HeapAlloc > maxMemory {
			os.Exit(outOfMemory)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
