package ai

// A ModelName is what an agent calls the model that answers for it: "builtin", or the name of a model of a service
// behind the service's own, as in "bedrock:<name>" and "openai:<name>".
type ModelName string

// Builtin is the engine of package builtin, which needs no outside service and costs nothing.
const Builtin ModelName = "builtin"

// models are the names that an agent may choose from, the default first. A name belongs here once something answers
// under it.
var models = [...]ModelName{Builtin}

// Values lists the names.
func (ModelName) Values() []string {
	names := make([]string, len(models))
	for i, m := range models {
		names[i] = string(m)
	}
	return names
}
