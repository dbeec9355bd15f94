package habits

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"frontdesk/shared/ai"
)

// TestModels checks the template and the documents against the table of language models.
func TestModels(t *testing.T) {
	read := func(file string) string {
		text, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var stack struct {
		Parameters struct {
			DefaultModel struct {
				AllowedPattern string `yaml:"AllowedPattern"`
			} `yaml:"DefaultModel"`
		} `yaml:"Parameters"`
		Resources struct {
			BedrockPolicy struct {
				Properties struct {
					PolicyDocument struct {
						Statement []struct {
							Resource []string `yaml:"Resource"`
						} `yaml:"Statement"`
					} `yaml:"PolicyDocument"`
				} `yaml:"Properties"`
			} `yaml:"BedrockPolicy"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal([]byte(read("template.yaml")), &stack); err != nil {
		t.Fatal(err)
	}
	var resources []string
	for _, m := range ai.BedrockModels() {
		resources = append(resources, "arn:${AWS::Partition}:bedrock:*::foundation-model/"+m.ID)
		if m.Profiles != "" {
			resources = append(resources,
				"arn:${AWS::Partition}:bedrock:${AWS::Region}:${AWS::AccountId}:inference-profile/*."+m.ID)
		}
	}
	if got, want := "^("+stack.Parameters.DefaultModel.AllowedPattern+")$",
		ai.ModelName("").Pattern(); got != want {
		t.Errorf("the parameter DefaultModel allows %s, an agent may choose %s", got, want)
	}
	allowed := stack.Resources.BedrockPolicy.Properties.PolicyDocument.Statement[0].Resource
	slices.Sort(resources)
	slices.Sort(allowed)
	if diff := cmp.Diff(resources, allowed); diff != "" {
		t.Errorf("called are (-), BedrockPolicy allows (+):\n%s", diff)
	}
	operating := read("docs/operating.md")
	for _, m := range ai.BedrockModels() {
		row := fmt.Sprintf("| `bedrock:%s` | %s | %s |", m.Name, dollars(m.Price.Input),
			dollars(m.Price.Output))
		if !strings.Contains(operating, row) {
			t.Errorf("docs/operating.md lacks the row %s", row)
		}
	}
}

// dollars returns a price in dollars per million tokens.
func dollars(micro int64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", float64(micro)/1e6), "0"), ".")
}
