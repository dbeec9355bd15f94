package emulator

import (
	"context"
	"os"
	"sync"
	"testing"
)

// SkipVariable is the environment variable that, if it is 1, skips tests instead of starting emulators.
const SkipVariable = "FRONTDESK_WITHOUT_EMULATORS"

// running are the servers that tests of this process share, by the emulator's name.
var running struct {
	mu      sync.Mutex
	servers map[string]*Server
}

// Endpoint returns the address of the emulator for a test: the one in e.Variable, or that of one that runs as
// long as the test process. Instead of starting one it skips the test if SkipVariable is 1. If none can run
// the test fails.
func (e Emulator) Endpoint(t testing.TB) string {
	t.Helper()
	if address := os.Getenv(e.Variable); address != "" {
		return address
	}
	if os.Getenv(SkipVariable) == "1" {
		t.Skipf("NOT TESTED: %s=1, so nothing of this ran against %s", SkipVariable, e.Name)
	}
	running.mu.Lock()
	defer running.mu.Unlock()
	if server, ok := running.servers[e.Name]; ok {
		return server.Address
	}
	server, err := e.Start(context.Background(), 0)
	if err != nil {
		t.Fatalf("%v\n%s=1 leaves out the tests that need it; %s=http://… names one that runs already",
			err, SkipVariable, e.Variable)
	}
	if running.servers == nil {
		running.servers = map[string]*Server{}
	}
	running.servers[e.Name] = server
	return server.Address
}
