package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/infra/template"
)

// TestUnknownTo has a version that does not know the adopted table of the stack.
func TestUnknownTo(t *testing.T) {
	d := &deployment{standing: map[string]string{"ExistingTable": "t", "AlarmEmail": "ops@acme.example"}}
	older := []template.Parameter{{Name: "AlarmEmail"}, {Name: "LogRetention"}}
	if diff := cmp.Diff([]string{"ExistingTable"}, d.unknownTo(older)); diff != "" {
		t.Error(diff)
	}
	if got := d.unknownTo(append(older, template.Parameter{Name: "ExistingTable"})); got != nil {
		t.Errorf("a version that knows all does not know %v", got)
	}
}
