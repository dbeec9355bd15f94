package emulator_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"frontdesk/infra/emulator"
)

// childVariable makes the test binary start the emulator of that name, print its address and wait to be
// killed.
const childVariable = "EMULATOR_TEST_CHILD"

func TestMain(m *testing.M) {
	for _, e := range emulator.All() {
		if os.Getenv(childVariable) == e.Name {
			server, err := e.Start(context.Background(), 0)
			fmt.Println(server.Address, err)
			select {}
		}
	}
	os.Exit(m.Run())
}

// TestEndsWithItsStarter kills the process that started an emulator and expects the emulator to go too.
func TestEndsWithItsStarter(t *testing.T) {
	for _, e := range emulator.All() {
		t.Run(e.Name, func(t *testing.T) {
			e.Endpoint(t) // fails or skips the test where none can run
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), childVariable+"="+e.Name)
			out, err := child.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(out).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			address, _, _ := strings.Cut(line, " ")
			response, err := http.Get(address)
			if err != nil {
				t.Fatalf("%s does not answer: %v", line, err)
			}
			response.Body.Close()

			child.Process.Kill()
			child.Wait()
			deadline := time.Now().Add(10 * time.Second)
			for time.Now().Before(deadline) {
				response, err := http.Get(address)
				if err != nil {
					return
				}
				response.Body.Close()
				time.Sleep(50 * time.Millisecond)
			}
			t.Errorf("%s still answers on %s", e.Name, address)
		})
	}
}

func TestStop(t *testing.T) {
	for _, e := range emulator.All() {
		t.Run(e.Name, func(t *testing.T) {
			e.Endpoint(t)
			server, err := e.Start(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			server.Stop()
			if response, err := http.Get(server.Address); err == nil {
				response.Body.Close()
				t.Error("it still answers")
			}
		})
	}
}

func TestFailedStartTellsWhy(t *testing.T) {
	e := emulator.DynamoDB()
	e.Endpoint(t)
	server, err := e.Start(t.Context(), 70000)
	if err == nil {
		server.Stop()
		t.Fatal("it started on port 70000")
	}
	if !strings.Contains(err.Error(), "Invalid Port") {
		t.Errorf("the error does not show what the server printed: %v", err)
	}
}
