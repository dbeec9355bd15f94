package ai

import (
	"strconv"
	"strings"
)

// A ModelName is what an agent calls the model that answers for it: "builtin", or the name of a model of a
// service behind the service's own, as in "bedrock:claude-haiku-4-5" and "openai:gpt-4.1-mini".
type ModelName string

// Builtin is the engine of package builtin, which needs no outside service and costs nothing.
const Builtin ModelName = "builtin"

// The services that models are behind.
const (
	Bedrock = "bedrock" // Amazon Bedrock; its models are those of BedrockModels
	// any service with OpenAI's interface of chat completions; its models are its own business
	OpenAI = "openai"
)

// maxName bounds the name of a model behind an OpenAI service, in bytes.
const maxName = 100

// Service returns the service that the model is behind, and the name of the model there. The built-in engine
// is its own service and has no such name.
func (m ModelName) Service() (service, name string) {
	service, name, _ = strings.Cut(string(m), ":")
	return service, name
}

// Price returns what the model's tokens cost by the list: nothing for the built-in engine, and nothing for a
// model whose price is not known.
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

// Valid reports whether an agent may choose the model: the built-in engine, a model of BedrockModels, or
// whatever is called openai: and a name of at most 100 printable characters of ASCII without spaces. Whether
// the service can be called from here is another matter.
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

// Choices lists the models that an agent may choose from, the default first and at the end what stands for
// all of an OpenAI service.
func (ModelName) Choices() []string {
	names := []string{string(Builtin)}
	for _, m := range bedrockModels {
		names = append(names, Bedrock+":"+m.Name)
	}
	return append(names, OpenAI+":<name>")
}

// Pattern is a regular expression that matches the valid names.
func (ModelName) Pattern() string {
	names := make([]string, len(bedrockModels))
	for i, m := range bedrockModels {
		names[i] = m.Name
	}
	return "^(" + string(Builtin) + "|" + Bedrock + ":(" + strings.Join(names, "|") + ")|" + OpenAI +
		":[!-~]{1," + strconv.Itoa(maxName) + "})$"
}
