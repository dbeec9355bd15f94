package assistant

import (
	"context"
	"errors"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai/faq"
	"frontdesk/shared/table"
)

// trained is the model of an agent's FAQs, nil where it has none for the built-in engine. It takes a trip
// when the process does not have it yet.
func (a *Assistant) trained(ctx context.Context, of *agent.Agent) (*faq.Model, error) {
	if of.FAQModel == 0 || !byBuiltIn(of) {
		return nil, nil
	}
	return a.models.get(of.ID, of.FAQModel, func() (*faq.Model, error) {
		item, err := a.Table.Get(ctx, agent.ModelKey(of.AccountID, of.ID))
		if errors.Is(err, table.ErrNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		model, _, err := agent.ReadModel(item)
		return model, err
	})
}
