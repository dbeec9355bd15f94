package template

import (
	"os"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestFloods holds what an operator may switch on against floods: a firewall before the API that counts the
// requests of each address, and a bound for the functions that strangers call.
func TestFloods(t *testing.T) {
	text, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	type resource struct {
		Condition  string `yaml:"Condition"`
		Properties struct {
			WebACLArn   string   `yaml:"WebACLArn"`
			Concurrency []string `yaml:"ReservedConcurrentExecutions"`
			Rules       []struct {
				Action    map[string]any `yaml:"Action"`
				Statement struct {
					Rate struct {
						By      string `yaml:"AggregateKeyType"`
						Limit   string `yaml:"Limit"`
						Seconds int    `yaml:"EvaluationWindowSec"`
					} `yaml:"RateBasedStatement"`
				} `yaml:"Statement"`
			} `yaml:"Rules"`
		} `yaml:"Properties"`
	}
	var stack struct {
		Resources map[string]yaml.Node `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &stack); err != nil {
		t.Fatal(err)
	}
	read := func(name string) (r resource) {
		node := stack.Resources[name]
		if err := node.Decode(&r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return r
	}
	firewall := read("Firewall")
	if len(firewall.Properties.Rules) != 1 || firewall.Properties.Rules[0].Action["Block"] == nil {
		t.Fatalf("the firewall has the rules %+v", firewall.Properties.Rules)
	}
	if rate := firewall.Properties.Rules[0].Statement.Rate; rate.By != "IP" || rate.Limit != "WafRateLimit" ||
		rate.Seconds != 300 {
		t.Errorf("the firewall counts %+v", rate)
	}
	if to := read("FirewallAssociation"); firewall.Condition != "HasWaf" || to.Condition != "HasWaf" ||
		to.Properties.WebACLArn != "Firewall.Arn" {
		t.Errorf("the firewall is before %+v", to)
	}
	for _, name := range []string{"WidgetFunction", "InboundFunction"} {
		want := []string{"HasPublicConcurrency", "PublicConcurrency", "AWS::NoValue"}
		if bound := read(name).Properties.Concurrency; !slices.Equal(bound, want) {
			t.Errorf("%s is bounded by %v", name, bound)
		}
	}
}
