package ai

import (
	"regexp"
	"strings"
	"testing"
)

func TestIn(t *testing.T) {
	for _, test := range []struct {
		model, region, id string
		input             int64
	}{
		{"claude-haiku-4-5", "us-east-1", "us.anthropic.claude-haiku-4-5-20251001-v1:0", 1_100_000},
		{"claude-haiku-4-5", "eu-central-1", "eu.anthropic.claude-haiku-4-5-20251001-v1:0", 1_100_000},
		{"claude-haiku-4-5", "ap-northeast-1", "jp.anthropic.claude-haiku-4-5-20251001-v1:0", 1_100_000},
		{"claude-haiku-4-5", "sa-east-1", "global.anthropic.claude-haiku-4-5-20251001-v1:0", 1_000_000},
		{"claude-opus-4-6", "ap-northeast-1", "global.anthropic.claude-opus-4-6-v1", 5_000_000},
		{"nova-micro", "ap-northeast-1", "apac.amazon.nova-micro-v1:0", 35_000},
		{"nova-micro", "eu-west-1", "eu.amazon.nova-micro-v1:0", 35_000},
		{"llama-3-3-70b", "us-west-2", "us.meta.llama3-3-70b-instruct-v1:0", 720_000},
		{"llama-3-3-70b", "us-gov-west-1", "meta.llama3-3-70b-instruct-v1:0", 720_000},
		{"llama-3-3-70b", "eu-west-1", "meta.llama3-3-70b-instruct-v1:0", 720_000},
		{"mistral-large-3", "eu-west-1", "mistral.mistral-large-3-675b-instruct", 500_000},
	} {
		m, ok := BedrockModel(test.model)
		id, price := m.In(test.region)
		if !ok || id != test.id || price.Input != test.input {
			t.Errorf("%s in %s: %s at %+v", test.model, test.region, id, price)
		}
	}
}

func TestPrice(t *testing.T) {
	for usage, want := range map[Usage]int64{
		{}:                                    0,
		{InputTokens: 1000, OutputTokens: 50}: 42, // 35 and 7
		{InputTokens: 14}:                     0,  // 0.49
		{InputTokens: 15}:                     1,  // 0.525
		{InputTokens: 1_000_000_000, OutputTokens: 1_000_000_000}: 175_000_000,
	} {
		if got := (Price{35_000, 140_000}).Of(usage); got != want {
			t.Errorf("%+v costs %d, want %d", usage, got, want)
		}
	}
}

// TestTable finds mistakes that a table invites.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range append(BedrockModels(), openAIModels[:]...) {
		if seen[m.Name] || m.MaxOutput < 4096 || m.Price.Input <= 0 || m.Price.Output < m.Price.Input ||
			strings.Contains(m.Name, ":") {
			t.Errorf("%+v", m)
		}
		if m.Regional != (Price{}) &&
			(m.Regional.Input*10 != m.Price.Input*11 || m.Regional.Output*10 != m.Price.Output*11) {
			t.Errorf("%s costs %+v, in a geography %+v", m.Name, m.Price, m.Regional)
		}
		seen[m.Name] = true
	}
}

// TestModelName holds what is valid to the pattern.
func TestModelName(t *testing.T) {
	pattern := regexp.MustCompile(ModelName("").Pattern())
	names := map[string]bool{
		"": false, "builtin:": false, "gpt-5": false, "bedrock:": false, "bedrock:nova": false,
		"bedrock:nova-micro ": false, "Builtin": false,
		"openai:": false, "openai:a b": false, "openai:é": false, "openai:a\n": false,
		"openai:" + strings.Repeat("a", 101): false,
		"openai:gpt-5":                       true, "openai:meta-llama/Llama-3.3:free": true,
		"openai:" + strings.Repeat("a", 100): true,
	}
	choices := ModelName("").Choices()
	for _, name := range choices[:len(choices)-1] {
		names[name] = true
	}
	for name, want := range names {
		if ModelName(name).Valid() != want || pattern.MatchString(name) != want {
			t.Errorf("%q is valid: %t, matches: %t, want %t", name, ModelName(name).Valid(),
				pattern.MatchString(name), want)
		}
	}
}
