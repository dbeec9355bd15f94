package main

import (
	"fmt"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A permission is an action that a policy allows on a resource. The resource is as the template names it:
// TableArn.Value for !GetAtt TableArn.Value, TableArn.Value/index/gsi1 for !Sub ${TableArn.Value}/index/gsi1.
type permission struct{ action, resource string }

// readPolicies returns what the functions of a template are allowed, by their logical names.
func readPolicies(file string) (map[string]map[permission]bool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var document struct {
		Resources map[string]struct {
			Type       string `yaml:"Type"`
			Properties struct {
				Role     string    `yaml:"Role"`
				Policies yaml.Node `yaml:"Policies"`
			} `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	policies := map[string]map[permission]bool{}
	for name, r := range document.Resources {
		if r.Type != "AWS::Serverless::Function" {
			continue
		}
		holder := r
		if r.Properties.Role != "" {
			role, _, _ := strings.Cut(r.Properties.Role, ".")
			holder = document.Resources[role]
		}
		if policies[name], err = permissions(&holder.Properties.Policies); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, name, err)
		}
	}
	return policies, nil
}

// permissions reads the policies of a function, or of a role, whose statements are one level deeper.
func permissions(node *yaml.Node) (map[permission]bool, error) {
	if node.IsZero() {
		return nil, nil
	}
	type statement struct {
		Effect   string    `yaml:"Effect"`
		Action   yaml.Node `yaml:"Action"`   // a text or a list of them
		Resource yaml.Node `yaml:"Resource"` // a text or a list of them
	}
	var policies []struct {
		Statement      []statement `yaml:"Statement"`
		PolicyDocument struct {
			Statement []statement `yaml:"Statement"`
		} `yaml:"PolicyDocument"`
	}
	if err := node.Decode(&policies); err != nil {
		return nil, err
	}
	allowed := map[permission]bool{}
	for _, p := range policies {
		for _, s := range append(p.Statement, p.PolicyDocument.Statement...) {
			if s.Effect != "Allow" {
				return nil, fmt.Errorf("a statement with the effect %q is not understood here", s.Effect)
			}
			for _, action := range texts(&s.Action) {
				for _, resource := range texts(&s.Resource) {
					allowed[permission{action, resource}] = true
				}
			}
		}
	}
	return allowed, nil
}

// texts returns the texts of a node that is one or a list of them, without the ${} of !Sub.
func texts(node *yaml.Node) []string {
	if node.Kind == yaml.SequenceNode {
		var all []string
		for _, n := range node.Content {
			all = append(all, texts(n)...)
		}
		return all
	}
	return []string{strings.NewReplacer("${", "", "}", "").Replace(node.Value)}
}
