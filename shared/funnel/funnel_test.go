package funnel

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/conversation"
	"frontdesk/shared/playbook"
)

func TestChoices(t *testing.T) {
	for content, want := range map[string][]string{
		"What size?":                                 nil,
		"What size?\n1. Small\n2. Large":             {"Small", "Large"},
		"What size?\n\n 1) Small \n 2) Very large\n": {"Small", "Very large"},
		"1. Small\n2. Large\nWhich one?":             nil,
		"1. First\n2. Second\n1. Small\n2. Large":    {"Small", "Large"},
		"At 1.30\n2.30":                              nil,
		"What size?\n1. Small":                       nil,
		"What size?\n2. Small\n3. Large":             nil,
	} {
		got := Choices(playbook.FunnelStep{Content: content})
		if diff := cmp.Diff(conversation.Choices(want...), got); diff != "" {
			t.Errorf("%q:\n%s", content, diff)
		}
	}
}
