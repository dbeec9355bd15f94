package agent

import (
	"encoding/json"
	"fmt"

	"frontdesk/shared/table"
)

// A Ref names an agent and its workspace. The item under EmbedKey has it for a widget's embed key, and the
// one under OwnerKey for an agent's id.
type Ref struct {
	AccountID int64 `json:"account_id"`
	AgentID   int64 `json:"agent_id"`
}

// ReadRef decodes such an item.
func ReadRef(item table.Item) (Ref, error) {
	var r Ref
	if err := json.Unmarshal(item.Doc, &r); err != nil {
		return Ref{}, fmt.Errorf("agent: reference %s: %w", item.PK, err)
	}
	return r, nil
}

func (s *Summary) refItem(key table.Key) (table.Item, error) {
	doc, err := json.Marshal(Ref{s.AccountID, s.ID})
	return table.Item{Key: key, Doc: doc}, err
}
