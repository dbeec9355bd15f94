package assistant

import (
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// agentKeys takes in what of the agent is beside its summary, where the process has it for that version of
// the summary, or else returns the items for readAgent. They change only together with the summary.
func (s *state) agentKeys(version int64) []table.Key {
	if kept, ok := s.assistant.details.kept(s.Agent.ID); ok && kept.version == version {
		s.Agent.Profile, s.Agent.FAQs, s.Agent.Prompt = kept.value.Profile, kept.value.FAQs, kept.value.Prompt
		return nil
	}
	return agent.DetailKeys(s.Account, s.Agent.ID)
}

// readAgent takes in the items of agentKeys, if there are any. They were read after the summary.
func (s *state) readAgent(version int64, keys []table.Key, linked map[table.Key]table.Item) error {
	if len(keys) == 0 {
		return nil
	}
	if err := s.Agent.ReadDetails(linked, s.Account, s.Agent.ID); err != nil {
		return err
	}
	s.assistant.details.keep(s.Agent.ID, version, s.Agent)
	return nil
}

// fitFor is for how long a process takes for granted that a workspace has no more agents than its plan.
const fitFor = 10 * time.Minute

// A fit is a plan's number of agents, and the time of which it is known that the workspace has no more.
type fit struct{ agents, period int64 }

// fits is whether the workspace has no more agents than its plan, as far as the process knows.
func (s *state) fits() bool {
	kept, ok := s.assistant.fits.kept(s.Account)
	return ok && kept.version == s.fit()
}

func (s *state) fit() fit { return fit{s.plan.Agents, s.Now.UnixNano() / int64(fitFor)} }
