// Package interop holds what the channels send and take against libraries and services that others wrote for
// the same platforms: Twilio's own library, pywa for WhatsApp, nodemailer, mailparser and Python's email, and
// moto and aws-ses-v2-local for SES. `make test-channels` installs them and says where they are; without them
// the tests are skipped.
package interop

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// installed is the path of a file below the folder of a part of the tools, python or node. Where that part
// could not be installed the test is skipped.
func installed(t *testing.T, part string, path ...string) string {
	t.Helper()
	home := os.Getenv("CHANNEL_TOOLS")
	if home == "" {
		t.Skip("CHANNEL_TOOLS is not set; see make test-channels")
	}
	if _, err := os.Stat(filepath.Join(home, part, "installed")); err != nil {
		t.Skip("NOT TESTED: the tools of", part, "are not installed")
	}
	return filepath.Join(append([]string{home, part}, path...)...)
}

// A peer is a program that answers questions, one a line.
type peer struct {
	mu      sync.Mutex
	in      io.WriteCloser
	answers *bufio.Reader
}

// start starts a program that answers questions until the test ends.
func start(t *testing.T, program string, args ...string) *peer {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	return &peer{in: in, answers: bufio.NewReader(out)}
}

// python answers by the libraries in Python.
func python(t *testing.T) *peer {
	t.Helper()
	return start(t, installed(t, "python", "bin", "python"), "peer.py")
}

// node answers by the libraries in JavaScript.
func node(t *testing.T) *peer {
	t.Helper()
	return start(t, "node", "peer.mjs", installed(t, "node", "node_modules"))
}

// ask asks a question and reads the answer into out.
func (p *peer) ask(t *testing.T, question map[string]any, out any) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	line, err := json.Marshal(question)
	if err == nil {
		_, err = p.in.Write(append(line, '\n'))
	}
	if err != nil {
		t.Fatal(err)
	}
	answer, err := p.answers.ReadBytes('\n')
	if err != nil {
		t.Fatalf("%s: no answer: %v", line, err)
	}
	var failure struct{ Failed string }
	if err := json.Unmarshal(answer, &failure); err != nil || failure.Failed != "" {
		t.Fatalf("%s: %v %s", line, err, failure.Failed)
	}
	if err := json.Unmarshal(answer, out); err != nil {
		t.Fatalf("%s: %v", answer, err)
	}
}

// serve starts a server on a free port, whose number takes the place of PORT in its arguments, and waits
// until it answers.
func serve(t *testing.T, program string, args ...string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	for i, arg := range args {
		if arg == "PORT" {
			args[i] = fmt.Sprint(port)
		}
	}
	cmd := exec.Command(program, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	address := fmt.Sprintf("http://127.0.0.1:%d", port)
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		resp, err := http.Get(address + "/")
		if err == nil {
			resp.Body.Close()
			return address
		}
		if time.Now().After(end) {
			t.Fatalf("%s does not answer: %v", program, err)
		}
	}
}
