// Package stack remembers what the stacks of this checkout were deployed with, so that later commands need
// only a stack's name, or nothing where there is one stack.
package stack

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// File is where a checkout keeps its Memory. Git ignores it: it belongs to the operator and not to the
// product.
const File = ".deploy.json"

// FileVariable is the variable of the environment that names another file, for deployments that are to leave
// no trace in the checkout.
const FileVariable = "DEPLOY_FILE"

// A Memory holds the settings of the stacks that were deployed from a checkout.
type Memory struct {
	// Last is the name of the stack that was deployed last; "" before the first deployment.
	Last   string           `json:"last"`
	Stacks map[string]Stack `json:"stacks"` // by name
}

// A Stack holds the region of a stack and the parameters that it was deployed with.
type Stack struct {
	Region string `json:"region"`
	// Parameters holds the template's parameters that were given, by their names in the template. Those that
	// are absent have the template's defaults.
	Parameters map[string]string `json:"parameters,omitempty"`
}

// Read returns what File holds in the folder, or in the nearest folder above that has a File. Where there is
// none the Memory is empty.
func Read(folder string) (Memory, error) {
	if file := os.Getenv(FileVariable); file != "" {
		m, err := readFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			return Memory{}, nil
		}
		return m, err
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return Memory{}, err
	}
	for {
		m, err := readFile(filepath.Join(folder, File))
		if !errors.Is(err, fs.ErrNotExist) {
			return m, err
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return Memory{}, nil
		}
		folder = parent
	}
}

func readFile(file string) (Memory, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return Memory{}, err
	}
	var m Memory
	if err := json.Unmarshal(text, &m); err != nil {
		return Memory{}, fmt.Errorf("%s: %w", file, err)
	}
	return m, nil
}

// Write stores the Memory in the folder, readable by its owner alone: parameters may name things that are
// nobody else's business.
func (m Memory) Write(folder string) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	file := os.Getenv(FileVariable)
	if file == "" {
		file = filepath.Join(folder, File)
	}
	if err := os.WriteFile(file+".new", append(text, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// Region returns the region of a stack: that of REGION where it is set, as `make deploy` takes it, else the
// one that the stack was deployed to from here. It is "" where neither is known, and then the AWS
// configuration of the operator decides, with AWS_REGION before the profile. The region that was deployed to
// goes before AWS_REGION, since a stack of the same name in another region is another stack.
func (m Memory) Region(name string) string {
	return cmp.Or(os.Getenv("REGION"), m.Stacks[name].Region)
}
