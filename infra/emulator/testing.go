package emulator

import (
	"context"
	"os"
	"sync"
	"testing"
)

// SkipVariable is the environment variable that, when it is 1, lets tests go on without emulators.
const SkipVariable = "FRONTDESK_WITHOUT_EMULATORS"

// running are the servers that tests of this process share, by the emulator's name.
var running struct {
	mu      sync.Mutex
	servers map[string]*Server
}

// Endpoint returns the address of the emulator for a test: of the one that e.Variable names, or of one that
// runs as long as the test process. The test fails where none can run, and is skipped when SkipVariable says
// so.
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
