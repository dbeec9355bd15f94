package agent

import (
	"encoding/json"
	"fmt"

	"frontdesk/shared/ai/faq"
	"frontdesk/shared/table"
)

// modelPart is the detail with the model of the agent's FAQs. It is read only by processes that have not
// cached its version.
const modelPart = "model"

// Learn makes the model of the agent's FAQs from its own and the given ones, under a new version, and
// returns the write that stores it. If there are no questions, or too many for a model, the agent then has
// no model.
func (a *Agent) Learn(questions []faq.Question, version int64) ([]table.Write, error) {
	a.FAQModel, a.FAQOverflow = 0, false
	questions = questions[:len(questions):len(questions)]
	for _, f := range a.FAQs {
		if f.Answered() {
			examples := []string{f.Question}
			questions = append(questions, faq.Question{ID: faq.ID(examples), Examples: examples})
		}
	}
	questions = faq.Distinct(questions)
	if !faq.Fits(questions) {
		a.FAQOverflow = len(questions) > 0
		return nil, nil
	}
	blob, err := faq.Fit(string(a.Language), questions).MarshalBinary()
	if err != nil {
		return nil, err
	}
	a.FAQModel = version
	doc, err := json.Marshal(version)
	return []table.Write{table.Put(table.Item{Key: ModelKey(a.AccountID, a.ID), Doc: doc, Blob: blob})}, err
}

// ModelKey returns the key of the model of an agent's FAQs.
func ModelKey(account, agent int64) table.Key { return DetailKey(account, agent, modelPart) }

// ReadModel decodes an item under ModelKey, and returns its version.
func ReadModel(item table.Item) (model *faq.Model, version int64, err error) {
	if err := json.Unmarshal(item.Doc, &version); err != nil {
		return nil, 0, fmt.Errorf("agent: model %s: %w", item.PK, err)
	}
	model = new(faq.Model)
	if err := model.UnmarshalBinary(item.Blob); err != nil {
		return nil, 0, fmt.Errorf("agent: model %s: %w", item.PK, err)
	}
	return model, version, nil
}
