package template

import (
	"os"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestGateway checks that API Gateway's own answers have the headers without which browsers hide them from
// the calling page, and that the API has a single address.
func TestGateway(t *testing.T) {
	text, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var stack struct {
		Resources struct {
			API struct {
				Properties struct {
					Closed    []string `yaml:"DisableExecuteApiEndpoint"`
					Responses map[string]struct {
						Parameters struct {
							Headers map[string]string `yaml:"Headers"`
						} `yaml:"ResponseParameters"`
					} `yaml:"GatewayResponses"`
				} `yaml:"Properties"`
			} `yaml:"Api"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &stack); err != nil {
		t.Fatal(err)
	}
	api := stack.Resources.API.Properties
	for _, name := range []string{"THROTTLED", "WAF_FILTERED", "REQUEST_TOO_LARGE", "INTEGRATION_FAILURE",
		"INTEGRATION_TIMEOUT", "DEFAULT_4XX", "DEFAULT_5XX"} {
		headers := api.Responses[name].Parameters.Headers
		if headers["Access-Control-Allow-Origin"] != "'*'" ||
			headers["Access-Control-Expose-Headers"] != "'Retry-After'" {
			t.Errorf("%s has the headers %v", name, headers)
		}
	}
	if want := []string{"HasDomain", "true", "false"}; !slices.Equal(api.Closed, want) {
		t.Errorf("beside a domain execute-api is closed by %v, want %v", api.Closed, want)
	}
}
