package local_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk/infra/local"
	"frontdesk/shared/api/apitest"
)

// TestKilledService kills the running service with kill -9 while it is written to. What it has acknowledged
// is there when it runs again.
func TestKilledService(t *testing.T) {
	program := build(t)
	data := t.TempDir()
	c, kill := run(t, program, data)
	agent := "/agents/" + c.Want(t, 201, "POST", "/agents/", map[string]any{"name": "Ada"}).Number("id") + "/"

	var mu sync.Mutex
	var documents, sessions []string
	const rounds = 5
	for round := range rounds {
		var writers sync.WaitGroup
		for writer := range 4 {
			writers.Go(func() {
				for i := 0; ; i++ {
					session := fmt.Sprintf("11111111-2222-4333-8444-%03d%03d%06d", round, writer, i)
					made, err := c.Try("POST", agent+"knowledge/",
						map[string]any{"title": session, "content": "Parking is free behind the house. " +
							session})
					if err != nil {
						return // it has been killed
					}
					said, err := c.Try("POST", agent+"chat/",
						map[string]any{"message": "Is parking free?", "session_id": session})
					mu.Lock()
					if made.Status == http.StatusCreated {
						documents = append(documents, made.Number("id"))
					}
					if err == nil && said.Status == http.StatusOK {
						sessions = append(sessions, session)
					}
					mu.Unlock()
				}
			})
		}
		time.Sleep(time.Duration(200+rand.IntN(300)) * time.Millisecond)
		kill()
		writers.Wait()
		c, kill = run(t, program, data)
	}
	for _, id := range documents {
		if a := c.Want(t, 200, "GET", "/knowledge/"+id+"/", nil); a.Number("chunk_count") != "1" {
			t.Errorf("document %s: %s", id, a.Body)
		}
	}
	for _, session := range sessions {
		a := c.Want(t, 200, "GET", agent+"chat/history/?session_id="+session, nil)
		if messages, _ := a.Fields["messages"].([]any); len(messages) != 2 {
			t.Errorf("session %s has %d messages", session, len(messages))
		}
	}
	list := c.Want(t, 200, "GET", agent+"knowledge/", nil)
	listed := 0
	for page := list; ; page = c.Want(t, 200, "GET", page.Text("next"), nil) {
		listed += len(page.Results())
		if page.Fields["next"] == nil {
			break
		}
	}
	if list.Number("count") != fmt.Sprint(listed) || listed < len(documents) {
		t.Errorf("count says %s, the list has %d, acknowledged were %d", list.Number("count"), listed,
			len(documents))
	}
	if len(documents) == 0 || len(sessions) == 0 {
		t.Error("nothing was written between the kills")
	}
}

// build builds the service and returns where it is.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "frontdesk")
	if out, err := exec.Command("go", "build", "-o", program, "./frontdesk").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// run starts the service on a free port, with variables of its environment beside the usual, and returns a
// client with the local key, and what kills it.
func run(t *testing.T, program, data string, environment ...string) (*apitest.Client, func()) {
	t.Helper()
	return runIn(t, "../..", program, data, environment...)
}

// runIn is run in a folder of a checkout.
func runIn(t *testing.T, folder, program, data string, environment ...string) (*apitest.Client, func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background()) // which kills with SIGKILL
	cmd := exec.CommandContext(ctx, program)
	cmd.Dir = folder
	cmd.Env = append(append(os.Environ(), environment...), "PORT=0", "DATA_DIR="+data,
		"WEBHOOK_ALLOW_HOSTS=127.0.0.1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := sync.OnceFunc(func() {
		cancel()
		cmd.Wait()
	})
	t.Cleanup(kill)
	base := ""
	for said := bufio.NewReader(out); base == ""; {
		line, err := said.ReadString('\n')
		if err != nil {
			t.Fatalf("the service says %q, %v", line, err)
		}
		_, base, _ = strings.Cut(line, "API: ")
		base, _, _ = strings.Cut(base, " ")
	}
	c := &apitest.Client{Base: base, Key: local.Key}
	c.Want(t, 200, "GET", "/me/", nil)
	return c, kill
}
