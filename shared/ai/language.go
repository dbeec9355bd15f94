package ai

import "strings"

// A LanguageModel describes a model behind a service.
type LanguageModel struct {
	Name string // without the prefix of the service
	// ID is Bedrock's id of the model, without the prefix of an inference profile.
	ID string
	// Profiles lists the model's inference profiles at Bedrock, separated by spaces, the preferred ones
	// first. A profile keeps requests within a geography or spreads them over all regions (global). A model
	// without profiles is called by its ID.
	Profiles  string
	MaxOutput int // tokens
	Form      Form
	// Thinks reports whether the model may generate thoughts before it answers. They count as output, and
	// such a model does not accept a temperature.
	Thinks bool
	Price  Price
	// Regional is the price with an inference profile of a geography, if it differs.
	Regional Price
}

// A Form is how a model returns the parts of its reply.
type Form uint8

// The forms. An answer in plain text is accepted with every form.
const (
	JSONText   Form = iota // the prompt asks for a JSON object
	FreeTool               // as arguments of a tool that the prompt asks for
	ForcedTool             // as arguments of a tool that the service enforces
)

// A Price is the price of a million tokens in millionths of a dollar: 1,000,000 is a dollar.
type Price struct{ Input, Output int64 }

// dollar is a Price of one dollar for a million tokens.
const dollar = 1_000_000

// Of returns the price of the usage in millionths of a dollar, rounded.
func (p Price) Of(u Usage) int64 {
	return (u.InputTokens*p.Input + u.OutputTokens*p.Output + dollar/2) / dollar
}

// bedrockModels are the models of Bedrock that agents may choose, with the on-demand list prices of
// November 2026 in us-east-1. Tools are not used with Llama and Mistral models: it is undocumented whether
// they work in streamed answers and can be enforced.
//
// docs/operating.md, the parameter DefaultModel and the policy BedrockPolicy of template.yaml repeat parts
// of this table; tests compare them.
var bedrockModels = [...]LanguageModel{
	{
		Name: "claude-haiku-4-5", ID: "anthropic.claude-haiku-4-5-20251001-v1:0",
		Profiles: "us eu jp au global", MaxOutput: 64_000,
		Form: ForcedTool, Price: Price{1 * dollar, 5 * dollar}, Regional: Price{1.1 * dollar, 5.5 * dollar},
	},
	{
		Name: "claude-sonnet-4-6", ID: "anthropic.claude-sonnet-4-6", Profiles: "us eu jp au global",
		MaxOutput: 64_000,
		Form:      ForcedTool, Price: Price{3 * dollar, 15 * dollar},
		Regional: Price{3.3 * dollar, 16.5 * dollar},
	},
	{
		Name: "claude-sonnet-5", ID: "anthropic.claude-sonnet-5", Profiles: "us eu jp au global",
		MaxOutput: 128_000,
		Form:      FreeTool, Thinks: true, Price: Price{2 * dollar, 10 * dollar},
		Regional: Price{2.2 * dollar, 11 * dollar},
	},
	{
		Name: "claude-opus-4-6", ID: "anthropic.claude-opus-4-6-v1", Profiles: "us eu au global",
		MaxOutput: 128_000,
		Form:      ForcedTool, Price: Price{5 * dollar, 25 * dollar},
		Regional: Price{5.5 * dollar, 27.5 * dollar},
	},
	{
		Name: "nova-micro", ID: "amazon.nova-micro-v1:0", Profiles: "us eu apac", MaxOutput: 10_000,
		Form: ForcedTool, Price: Price{0.035 * dollar, 0.14 * dollar},
	},
	{
		Name: "nova-lite", ID: "amazon.nova-lite-v1:0", Profiles: "us eu apac", MaxOutput: 10_000,
		Form: ForcedTool, Price: Price{0.06 * dollar, 0.24 * dollar},
	},
	{
		Name: "nova-pro", ID: "amazon.nova-pro-v1:0", Profiles: "us eu apac", MaxOutput: 10_000,
		Form: ForcedTool, Price: Price{0.8 * dollar, 3.2 * dollar},
	},
	{
		Name: "nova-2-lite", ID: "amazon.nova-2-lite-v1:0", Profiles: "us eu jp global", MaxOutput: 64_000,
		Form: ForcedTool, Price: Price{0.3 * dollar, 2.5 * dollar},
		Regional: Price{0.33 * dollar, 2.75 * dollar},
	},
	{
		Name: "llama-3-3-70b", ID: "meta.llama3-3-70b-instruct-v1:0", Profiles: "us", MaxOutput: 4_096,
		Form: JSONText, Price: Price{0.72 * dollar, 0.72 * dollar},
	},
	{
		Name: "llama-4-maverick", ID: "meta.llama4-maverick-17b-instruct-v1:0", Profiles: "us",
		MaxOutput: 8_000,
		Form:      JSONText, Price: Price{0.24 * dollar, 0.97 * dollar},
	},
	{
		Name: "mistral-large-3", ID: "mistral.mistral-large-3-675b-instruct", MaxOutput: 8_192,
		Form: JSONText, Price: Price{0.5 * dollar, 1.5 * dollar},
	},
	{
		Name: "ministral-3-8b", ID: "mistral.ministral-3-8b-instruct", MaxOutput: 4_096,
		Form: JSONText, Price: Price{0.15 * dollar, 0.15 * dollar},
	},
}

// BedrockModels lists the models of Bedrock that agents may choose.
func BedrockModels() []LanguageModel { return bedrockModels[:] }

// BedrockModel returns the model with a name, and whether there is one.
func BedrockModel(name string) (LanguageModel, bool) { return find(bedrockModels[:], name) }

// openAIModels are the models of OpenAI with known prices, as of November 2026.
var openAIModels = [...]LanguageModel{
	{Name: "gpt-5", MaxOutput: 128_000, Form: ForcedTool, Thinks: true,
		Price: Price{1.25 * dollar, 10 * dollar}},
	{Name: "gpt-5-mini", MaxOutput: 128_000, Form: ForcedTool, Thinks: true,
		Price: Price{0.25 * dollar, 2 * dollar}},
	{Name: "gpt-5-nano", MaxOutput: 128_000, Form: ForcedTool, Thinks: true,
		Price: Price{0.05 * dollar, 0.4 * dollar}},
	{Name: "gpt-4.1", MaxOutput: 32_768, Form: ForcedTool, Price: Price{2 * dollar, 8 * dollar}},
	{Name: "gpt-4.1-mini", MaxOutput: 32_768, Form: ForcedTool, Price: Price{0.4 * dollar, 1.6 * dollar}},
	{Name: "gpt-4.1-nano", MaxOutput: 32_768, Form: ForcedTool, Price: Price{0.1 * dollar, 0.4 * dollar}},
	{Name: "gpt-4o", MaxOutput: 16_384, Form: ForcedTool, Price: Price{2.5 * dollar, 10 * dollar}},
	{Name: "gpt-4o-mini", MaxOutput: 16_384, Form: ForcedTool, Price: Price{0.15 * dollar, 0.6 * dollar}},
}

// OpenAIModel returns the model with a name at a service with OpenAI's interface. For an unknown model it
// makes the safest assumptions: JSON in text, possibly thoughts, no price.
func OpenAIModel(name string) LanguageModel {
	if m, ok := find(openAIModels[:], name); ok {
		return m
	}
	return LanguageModel{Name: name, MaxOutput: 4_096, Thinks: true}
}

func find(models []LanguageModel, name string) (LanguageModel, bool) {
	for _, m := range models {
		if m.Name == name {
			return m, true
		}
	}
	return LanguageModel{}, false
}

// In returns the id and the price of the model in a region. It prefers the inference profile of the
// region's geography, then the global one, then the plain model.
func (m LanguageModel) In(region string) (string, Price) {
	profiles := " " + m.Profiles + " "
	for _, profile := range [...]string{geography(region), "apac", "global"} {
		if profile == "" || profile == "apac" && !strings.HasPrefix(region, "ap-") ||
			!strings.Contains(profiles, " "+profile+" ") {
			continue
		}
		if profile != "global" && m.Regional != (Price{}) {
			return profile + "." + m.ID, m.Regional
		}
		return profile + "." + m.ID, m.Price
	}
	return m.ID, m.Price
}

// geography returns the inference profile of a region's geography, or "" if there is none.
func geography(region string) string {
	switch region {
	case "ap-northeast-1", "ap-northeast-3":
		return "jp"
	case "ap-southeast-2", "ap-southeast-4":
		return "au"
	}
	part, _, _ := strings.Cut(region, "-")
	switch {
	case strings.HasPrefix(region, "us-gov-"):
		return ""
	case part == "us" || part == "eu":
		return part
	}
	return ""
}
