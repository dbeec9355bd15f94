package template

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// A Parameter is a parameter of the template.
type Parameter struct {
	Name, Default, Description string
	Allowed                    []string // values; nil where the template lists none
}

// Allows reports whether the template lists the value, or lists none.
func (p Parameter) Allows(value string) bool {
	return len(p.Allowed) == 0 || slices.Contains(p.Allowed, value)
}

func readParameters(node *yaml.Node) ([]Parameter, error) {
	var all []Parameter
	for name, value := range pairs(node) {
		var p struct {
			Default       string   `yaml:"Default"`
			Description   string   `yaml:"Description"`
			AllowedValues []string `yaml:"AllowedValues"`
		}
		if err := value.Decode(&p); err != nil {
			return nil, fmt.Errorf("parameter %s: %w", name, err)
		}
		all = append(all, Parameter{Name: name, Default: p.Default, Description: p.Description,
			Allowed: p.AllowedValues})
	}
	return all, nil
}
