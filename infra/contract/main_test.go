package contract

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"testing"
)

// answers reads what all tests are answered.
var answers *recorder

// notSeen are the answers that no test from outside can bring about, each with the test that shows it.
var notSeen = map[string]string{
	"POST /agents/{agent_id}/chat/dry-run/ 402 ai_quota_exceeded": "a language model alone is counted",
	"POST /agents/{agent_id}/chat/dry-run/ 502 server_error":      "a model that fails, as of chat",
	"POST /agents/{agent_id}/chat/ 502 server_error": "a model that fails: TestFailedModelKeepsTheMessage " +
		"of shared/assistant",
	"PATCH /agents/{agent_id}/widget/ 403 plan_limit": "a plan without powered_by: TestPoweredBy " +
		"of functions/widget",
	"GET /widget/{embed_key}/config/ 400 validation_error": "a text that a gateway may mend: " +
		"TestConfigInAnotherLanguage of functions/widget",
	"POST /members/ 403 plan_limit":                             "200 members",
	"POST /api-keys/ 403 plan_limit":                            "100 keys",
	"POST /passkeys/ 403 plan_limit":                            "20 passkeys",
	"POST /session/passkey/ 429 rate_limited":                   "the limit of the gateway alone",
	"POST /session/passkey-request/ 429 rate_limited":           "the limit of the gateway alone",
	"POST /session/ 429 rate_limited":                           "the limit of the gateway alone",
	"DELETE /session/ 429 rate_limited":                         "the limit of the gateway alone",
	"GET /inbound/{agent_id}/{channel_type}/ 429 rate_limited":  "the limit of the gateway alone",
	"POST /inbound/{agent_id}/{channel_type}/ 429 rate_limited": "the limit of the gateway alone",
	"GET /inbound/{agent_id}/{channel_type}/ 503 unavailable": "a store that fails: TestStoreFailures of " +
		"shared/api",
	"POST /inbound/{agent_id}/{channel_type}/ 503 unavailable": "the same: TestStoreFails of " +
		"functions/inbound",
	"GET /openapi.json 429 rate_limited": "the limit of the gateway alone, which other stages " +
		"than AWS lack",
}

func TestMain(m *testing.M) {
	description, err := readDescription()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	answers = &recorder{description: description, transport: http.DefaultTransport, seen: map[string]bool{}}
	code := m.Run()
	for _, problem := range answers.problems {
		fmt.Println("FAIL:", problem)
		code = 1
	}
	if code == 0 && whole() && os.Getenv("BASE_URL") == "" {
		missing, needless := answers.unseen(notSeen)
		for _, name := range missing {
			fmt.Println("FAIL: no test was answered", name)
			code = 1
		}
		for _, name := range needless {
			fmt.Println("FAIL: notSeen is not needed for", name)
			code = 1
		}
	}
	os.Exit(code)
}

// whole tells whether all tests run, against a service that this process can bring into every state.
func whole() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list", "test.fuzz"} {
		if flag.Lookup(name).Value.String() != "" {
			return false
		}
	}
	return true
}
