package template

import (
	"os"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestEdge checks the edge cache: it forwards reads only, without anything that identifies the caller, and
// has the expected cache key.
func TestEdge(t *testing.T) {
	text, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var stack struct {
		Parameters map[string]struct {
			Default string `yaml:"Default"`
		} `yaml:"Parameters"`
		Resources map[string]yaml.Node `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &stack); err != nil {
		t.Fatal(err)
	}
	if d := stack.Parameters["EdgeCache"].Default; d != "no" {
		t.Errorf("the edge is %q by default", d)
	}
	var distribution struct {
		Condition  string `yaml:"Condition"`
		Properties struct {
			Config struct {
				Default struct {
					Methods  []string `yaml:"AllowedMethods"`
					Policy   string   `yaml:"CachePolicyId"`
					Requests string   `yaml:"OriginRequestPolicyId"`
				} `yaml:"DefaultCacheBehavior"`
				Behaviors []any `yaml:"CacheBehaviors"`
			} `yaml:"DistributionConfig"`
		} `yaml:"Properties"`
	}
	node := stack.Resources["EdgeDistribution"]
	if err := node.Decode(&distribution); err != nil {
		t.Fatal(err)
	}
	behavior := distribution.Properties.Config.Default
	if distribution.Condition != "HasEdge" || behavior.Policy != "EdgePolicy" || behavior.Requests != "" ||
		len(distribution.Properties.Config.Behaviors) > 0 ||
		!slices.Equal(behavior.Methods, []string{"GET", "HEAD"}) {
		t.Errorf("the edge is %+v", distribution)
	}
	var policy struct {
		Condition  string `yaml:"Condition"`
		Properties struct {
			Config struct {
				Least int `yaml:"MinTTL"`
				Key   struct {
					Cookies struct {
						Behavior string `yaml:"CookieBehavior"`
					} `yaml:"CookiesConfig"`
					Headers struct {
						Names []string `yaml:"Headers"`
					} `yaml:"HeadersConfig"`
					Queries struct {
						Names []string `yaml:"QueryStrings"`
					} `yaml:"QueryStringsConfig"`
				} `yaml:"ParametersInCacheKeyAndForwardedToOrigin"`
			} `yaml:"CachePolicyConfig"`
		} `yaml:"Properties"`
	}
	node = stack.Resources["EdgePolicy"]
	if err := node.Decode(&policy); err != nil {
		t.Fatal(err)
	}
	if c := policy.Properties.Config; policy.Condition != "HasEdge" || c.Least != 0 ||
		c.Key.Cookies.Behavior != "none" || !slices.Equal(c.Key.Headers.Names, []string{"Origin"}) ||
		!slices.Equal(c.Key.Queries.Names, []string{"language"}) {
		t.Errorf("the edge keeps by %+v", policy)
	}
}
