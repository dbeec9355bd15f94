package models

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestModels(t *testing.T) {
	for _, test := range []struct {
		environment map[string]string
		want        []string
	}{
		{nil, nil},
		{map[string]string{"AWS_REGION": "eu-west-1"}, []string{"bedrock"}},
		{map[string]string{"OPENAI_API_KEY": "sk-1"}, []string{"openai"}},
		{map[string]string{"OPENAI_BASE_URL": "http://127.0.0.1:11434/v1"}, []string{"openai"}},
		{map[string]string{"AWS_REGION": "eu-west-1",
			"OPENAI_API_KEY_PARAMETER": "/frontdesk/x/openai-api-key"}, []string{"bedrock", "openai"}},
	} {
		for _, name := range []string{"AWS_REGION", "AWS_DEFAULT_REGION", "OPENAI_BASE_URL", "OPENAI_API_KEY",
			"OPENAI_API_KEY_PARAMETER"} {
			t.Setenv(name, test.environment[name])
		}
		if diff := cmp.Diff(test.want, slices.Sorted(maps.Keys(Models()))); diff != "" {
			t.Errorf("%v: %s", test.environment, diff)
		}
	}
}
