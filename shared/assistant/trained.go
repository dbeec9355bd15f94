package assistant

import (
	"context"
	"errors"
	"sync"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/faq"
	"frontdesk/shared/table"
)

// maxTrained is how many agents' models a process keeps: some megabytes each at the most.
const maxTrained = 32

// A trained keeps the models of agents' FAQs, so that a turn reads one only after a training.
type trained struct {
	mu     sync.Mutex
	models map[int64]trainedModel // by the agent
}

type trainedModel struct {
	version int64
	model   *faq.Model
}

// model is that of an agent, nil where it has none for the built-in engine. It takes a trip when the process does not
// have it yet.
func (t *trained) model(ctx context.Context, store table.Table, a *agent.Agent) (*faq.Model, error) {
	if a.FAQModel == 0 || a.AIModel != ai.Builtin {
		return nil, nil
	}
	t.mu.Lock()
	kept := t.models[a.ID]
	t.mu.Unlock()
	if kept.version == a.FAQModel {
		return kept.model, nil
	}
	item, err := store.Get(ctx, agent.ModelKey(a.AccountID, a.ID))
	if errors.Is(err, table.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	model, version, err := agent.ReadModel(item)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.models) >= maxTrained || t.models == nil {
		t.models = map[int64]trainedModel{}
	}
	t.models[a.ID] = trainedModel{version, model}
	return model, nil
}
