package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// startTime is how long the service may take to start.
const startTime = 30 * time.Second

// customers plays the conversations of a folder "customers" against the local service, by the program run.py
// that lies with them. It prints the tables of that program, and reports whether there are any.
func customers(ctx context.Context, data, dir string, said *calibration) (bool, error) {
	folder := filepath.Join(data, "customers")
	script := filepath.Join(folder, "run.py")
	if _, err := os.Stat(script); err != nil {
		return false, nil
	}
	files, err := filepath.Glob(filepath.Join(folder, "businesses", "*.json"))
	if err != nil || len(files) == 0 {
		return false, err
	}
	offset, err := exec.CommandContext(ctx, "python3", script, "offset").Output()
	if err != nil {
		return false, fmt.Errorf("%s: %w", script, err)
	}
	base, stop, err := startLocal(ctx, dir, strings.TrimSpace(string(offset)))
	if err != nil {
		return false, err
	}
	defer stop()
	out := filepath.Join(dir, "failures.txt")
	args := []string{script, "--base", base, "--key", "local-dev-key", "--dir", folder, "--out", out}
	for _, file := range files {
		args = append(args, strings.TrimSuffix(filepath.Base(file), ".json"))
	}
	play := exec.CommandContext(ctx, "python3", args...)
	play.Stdout, play.Stderr = os.Stdout, os.Stderr
	if err := play.Run(); err != nil {
		return true, err
	}
	return true, said.addTurns(strings.TrimSuffix(out, ".txt") + ".json")
}

// addTurns counts in the replies of a file that the program writes, with all turns of all customers.
func (c *calibration) addTurns(file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var played []struct {
		Turns []struct {
			Action     string
			Confidence float64
			Bad        []string
		}
	}
	if err := json.Unmarshal(content, &played); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, customer := range played {
		for _, t := range customer.Turns {
			if t.Action == "respond" {
				c.add(t.Confidence, len(t.Bad) == 0)
			}
		}
	}
	return nil
}

// startLocal builds and starts the local service with its clock moved, and returns the address of its API and
// what ends it.
func startLocal(ctx context.Context, dir, offset string) (base string, stop func(), err error) {
	program := filepath.Join(dir, "frontdesk")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program,
		"./infra/local/frontdesk").CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	port, err := freePort()
	if err != nil {
		return "", nil, err
	}
	service := exec.CommandContext(ctx, program)
	service.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", port), "DATA_DIR="+filepath.Join(dir, "data"),
		"CLOCK_OFFSET="+offset)
	if err := service.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		service.Process.Kill()
		service.Wait()
	}
	base = fmt.Sprintf("http://127.0.0.1:%d/api/v1", port)
	for began := time.Now(); time.Since(began) < startTime; time.Sleep(100 * time.Millisecond) {
		if res, err := http.Get(base + "/me/"); err == nil {
			res.Body.Close()
			return base, stop, nil
		}
	}
	stop()
	return "", nil, errors.New("the local service did not start")
}

// freePort is one that nobody listens on at the moment.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
