package assistant

import (
	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// agentKeys sets the agent's details if they are cached for a version of its summary, and otherwise returns
// the keys of the items for readAgent. Details change only together with the summary.
func (s *state) agentKeys(version int64) []table.Key {
	if cached, ok := s.assistant.details.Cached(s.Agent.ID, version); ok {
		s.Agent.Profile, s.Agent.FAQs, s.Agent.Prompt = cached.Profile, cached.FAQs, cached.Prompt
		return nil
	}
	return agent.DetailKeys(s.Account, s.Agent.ID)
}

// readAgent reads the items of agentKeys, if there are any. They were read after the summary.
func (s *state) readAgent(version int64, keys []table.Key, linked map[table.Key]table.Item) error {
	if len(keys) == 0 {
		return nil
	}
	if err := s.Agent.ReadDetails(linked, s.Account, s.Agent.ID); err != nil {
		return err
	}
	s.assistant.details.Set(s.Agent.ID, version, s.Agent)
	return nil
}
