package product

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// TestThrottles expects a throttle for every method of the API, and the lower one for each that needs no key.
func TestThrottles(t *testing.T) {
	text, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var stack struct {
		Resources struct {
			API struct {
				Properties struct {
					MethodSettings []struct {
						Path   string `yaml:"ResourcePath"`
						Method string `yaml:"HttpMethod"`
						Rate   string `yaml:"ThrottlingRateLimit"`
						Burst  string `yaml:"ThrottlingBurstLimit"`
					} `yaml:"MethodSettings"`
				} `yaml:"Properties"`
			} `yaml:"Api"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &stack); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range stack.Resources.API.Properties.MethodSettings {
		path := "/" + strings.ReplaceAll(strings.TrimPrefix(s.Path, "/"), "~1", "/")
		path = strings.Replace(path, "//", "/", 1)
		got[s.Method+" "+path] = s.Rate + " " + s.Burst
	}
	want := map[string]string{"* /*": "ThrottleRate ThrottleBurst"}
	for _, router := range Endpoints(Parts{}) {
		for _, route := range router.Public() {
			want[strings.TrimSuffix(route, "/")] = "PublicThrottleRate PublicThrottleBurst"
		}
	}
	if len(want) < 10 || want["POST /api/v1/widget/{embed_key}/send"] == "" {
		t.Fatalf("the functions name %d public methods", len(want))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the template's MethodSettings (-want +got):\n%s", diff)
	}
}
