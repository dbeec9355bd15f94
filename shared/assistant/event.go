package assistant

import "slices"

// allowed returns the names of the actions that all active procedures allow; nil allows every action.
func (s *state) allowed() []string {
	var names []string
	for _, p := range s.Procedures() {
		switch {
		case len(p.AllowedActions) == 0:
		case names == nil:
			names = slices.Clone(p.AllowedActions)
		default:
			names = slices.DeleteFunc(
				names,
				func(name string) bool { return !slices.Contains(p.AllowedActions, name) },
			)
		}
	}
	return names
}
