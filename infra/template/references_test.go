package template

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestReferences finds what the template refers to and does not declare. CloudFormation says so only when it
// makes the resource.
func TestReferences(t *testing.T) {
	text, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var root struct {
		Parameters map[string]yaml.Node `yaml:"Parameters"`
		Conditions map[string]yaml.Node `yaml:"Conditions"`
		Resources  map[string]yaml.Node `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	declared := func(name string) bool {
		name, _, _ = strings.Cut(name, ".")
		for _, section := range []map[string]yaml.Node{root.Parameters, root.Resources} {
			if _, ok := section[name]; ok {
				return true
			}
		}
		// SAM makes a role for each function that has none, and the API's deployment and stage.
		_, function := root.Resources[strings.TrimSuffix(name, "Role")]
		return function || strings.HasPrefix(name, "AWS::") || strings.HasPrefix(name, "ServerlessRestApi")
	}
	place := regexp.MustCompile(`\$\{([A-Za-z0-9:.]+)\}`)
	found := 0
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		var names []string
		switch {
		case n.Tag == "!Sub" && n.Kind == yaml.ScalarNode:
			for _, m := range place.FindAllStringSubmatch(n.Value, -1) {
				names = append(names, m[1])
			}
		case n.Tag == "!Ref" || n.Tag == "!GetAtt":
			names = append(names, n.Value)
		case n.Tag == "!If":
			if _, ok := root.Conditions[n.Content[0].Value]; !ok {
				t.Errorf("line %d: no condition is called %s", n.Line, n.Content[0].Value)
			}
		}
		for _, name := range names {
			found++
			if !declared(name) {
				t.Errorf("line %d: nothing is called %s", n.Line, name)
			}
		}
		for _, below := range n.Content {
			walk(below)
		}
	}
	for _, section := range root.Resources {
		walk(&section)
	}
	if found < 500 {
		t.Errorf("only %d references were found", found)
	}
}
