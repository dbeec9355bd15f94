package assistant

import (
	"context"
	"errors"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai/faq"
	"frontdesk/shared/table"
)

// trained returns the model of the agent's FAQs, or nil if the agent has none or does not use the built-in
// engine. It costs a read unless the process has cached the model.
func (a *Assistant) trained(ctx context.Context, of *agent.Agent) (*faq.Model, error) {
	if of.FAQModel == 0 || !byBuiltIn(of) {
		return nil, nil
	}
	return a.models.Get(of.ID, of.FAQModel, func() (*faq.Model, error) {
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
