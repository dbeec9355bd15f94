package skill

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/playbook"
)

// maxGuidance is the maximum length of the playbook in a prompt, in characters: some 15,000 tokens, which
// cost with each message. A model refuses a prompt that is too long.
const maxGuidance = 60_000

// guidance returns the parts of the playbook for this message: the procedures that it triggers, the
// contact's stage, the roles of the agent, and the rules for these, by priority. Parts that do not fit are
// left out whole.
func (s *State) guidance() string {
	var b strings.Builder
	left := maxGuidance
	section := func(title, format string, values ...string) {
		if values[len(values)-1] == "" {
			return
		}
		args := make([]any, len(values))
		for i, v := range values {
			args[i] = v
		}
		written := fmt.Sprintf("\n## %s\n"+format+"\n", append([]any{title}, args...)...)
		if length := utf8.RuneCountInString(written); length <= left {
			b.WriteString(written)
			left -= length
		}
	}
	for _, p := range s.Procedures() {
		criteria := p.Criteria
		if criteria != "" {
			criteria = "It applies when: " + criteria + "\n"
		}
		section("Procedure: "+p.Name, "%s%s", criteria, p.Instructions)
	}
	stages, stage := s.journey()
	for _, j := range stages {
		section("Stage of the person: "+cmp.Or(j.Name, j.StageKey), "%s", j.Instructions)
	}
	for _, r := range s.Book.Roles {
		when := r.Description
		if when != "" {
			when = "You play it when: " + when + "\n"
		}
		section("Role: "+cmp.Or(r.Name, r.RoleKey), "%s%s", when, r.Instructions)
	}
	for _, g := range s.Book.Guidance {
		if stage != "" && len(g.Stages) > 0 && !slices.Contains(g.Stages, stage) {
			continue
		}
		scope := ""
		if len(g.Roles) > 0 {
			scope = "In these roles alone: " + strings.Join(g.Roles, ", ") + "\n"
		}
		if stage == "" && len(g.Stages) > 0 {
			scope += "In these stages alone: " + strings.Join(g.Stages, ", ") + "\n"
		}
		title := "Rule: " + g.Title
		if g.Category != "" {
			title = "Rule on " + g.Category + ": " + g.Title
		}
		section(title, "%s%s", scope, g.Content)
	}
	return strings.TrimSpace(b.String())
}

// Procedures returns the procedures that the message triggers.
func (s *State) Procedures() []playbook.Procedure {
	var called []playbook.Procedure
	for _, p := range s.Book.Procedures {
		if s.Says(strings.Join(p.Triggers, "\n")) {
			called = append(called, p)
		}
	}
	return called
}

// journey returns the contact's stage with its key, if the business has defined it, or else all stages for
// the model to choose from.
func (s *State) journey() (stages []playbook.JourneyStage, key string) {
	for i, j := range s.Book.JourneyStages {
		if j.StageKey == string(s.Contact.Stage) {
			return s.Book.JourneyStages[i : i+1], j.StageKey
		}
	}
	return s.Book.JourneyStages, ""
}
