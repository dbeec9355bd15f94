package ai

import (
	"strconv"
	"strings"
)

// A ModelName identifies the model of an agent: "builtin", or a service and the name of its model, such as
// "bedrock:claude-haiku-4-5" and "openai:gpt-4.1-mini".
type ModelName string

// Builtin is the engine of package builtin, which needs no outside service and costs nothing.
const Builtin ModelName = "builtin"

// The services that models are behind.
const (
	Bedrock = "bedrock" // Amazon Bedrock; its models are those of BedrockModels
	// any service with OpenAI's chat completions interface, with any model
	OpenAI = "openai"
)

// maxName is the maximum length of a model's name at an OpenAI service, in bytes.
const maxName = 100

// Service returns the service and the name of the model there. The built-in engine is a service without a
// model name.
func (m ModelName) Service() (service, name string) {
	service, name, _ = strings.Cut(string(m), ":")
	return service, name
}

// Price returns the list price of the model's tokens; zero for the built-in engine and for unknown prices.
func (m ModelName) Price() Price {
	switch service, name := m.Service(); service {
	case Bedrock:
		model, _ := BedrockModel(name)
		return model.Price
	case OpenAI:
		return OpenAIModel(name).Price
	}
	return Price{}
}

// Valid reports whether an agent may choose the model: the built-in engine, one of BedrockModels, or
// "openai:" with a name of at most 100 printable ASCII characters without spaces. It does not check whether
// this deployment has the service.
func (m ModelName) Valid() bool {
	service, name := m.Service()
	switch service {
	case Bedrock:
		_, ok := BedrockModel(name)
		return ok
	case OpenAI:
		return name != "" && len(name) <= maxName &&
			!strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' })
	}
	return m == Builtin
}

// Choices lists the models that an agent may choose, the default first. The last entry, "openai:<name>",
// stands for all models of an OpenAI service.
func (ModelName) Choices() []string {
	names := []string{string(Builtin)}
	for _, m := range bedrockModels {
		names = append(names, Bedrock+":"+m.Name)
	}
	return append(names, OpenAI+":<name>")
}

// Pattern returns a regular expression that matches the valid names.
func (ModelName) Pattern() string {
	names := make([]string, len(bedrockModels))
	for i, m := range bedrockModels {
		names[i] = m.Name
	}
	return "^(" + string(Builtin) + "|" + Bedrock + ":(" + strings.Join(names, "|") + ")|" + OpenAI +
		":[!-~]{1," + strconv.Itoa(maxName) + "})$"
}
