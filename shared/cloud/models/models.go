// Package models is what answers for agents on this deployment beside the built-in engine: the services of
// language models that the environment names.
package models

import (
	"context"
	"os"
	"time"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/bedrock"
	"frontdesk/shared/ai/llm"
	"frontdesk/shared/ai/openai"
	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/parameter"
)

// Models returns the engines by the service name in agents' settings. Bedrock is available if there is a
// region; the function's permissions decide whether it may be called. A service with OpenAI's interface is
// available if one of the variables OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_API_KEY_PARAMETER is set.
// Nothing is called before a message needs it.
func Models() map[string]ai.Model {
	models := map[string]ai.Model{}
	if config := cloud.Config("BEDROCK_RUNTIME"); config.Region != "" {
		models[ai.Bedrock] = llm.New(bedrock.New(config, time.Now))
	}
	address, key, name := os.Getenv("OPENAI_BASE_URL"), os.Getenv("OPENAI_API_KEY"),
		os.Getenv("OPENAI_API_KEY_PARAMETER")
	switch {
	case key != "" || address != "" && name == "":
		models[ai.OpenAI] = llm.New(openai.New(address,
			func(context.Context) (string, error) { return key, nil }))
	case name != "":
		models[ai.OpenAI] = llm.New(openai.New(address,
			parameter.New(name, cloud.Config("SSM"), time.Now).Value))
	}
	return models
}
