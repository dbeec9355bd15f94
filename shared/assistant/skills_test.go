package assistant

import (
	"encoding/json"
	"regexp"
	"testing"

	"frontdesk/shared/agent"
	"frontdesk/shared/assistant/skill"
)

// TestSkills tests that the skills' specifications are valid: names, settings, slots, schemas and includes.
func TestSkills(t *testing.T) {
	written, err := json.Marshal(agent.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	var settings map[string]any
	if err := json.Unmarshal(written, &settings); err != nil {
		t.Fatal(err)
	}
	settings["faqs"] = nil // stored in items of their own
	word := regexp.MustCompile("^[a-z_]{1,40}$")
	names := map[string]bool{}
	for _, k := range skills {
		spec := k.Spec()
		if !word.MatchString(spec.Name) || names[spec.Name] {
			t.Errorf("%T is called %q", k, spec.Name)
		}
		names[spec.Name] = true
		for _, setting := range spec.Settings {
			if _, ok := settings[setting]; !ok {
				t.Errorf("%s is governed by %s, which agents do not have", spec.Name, setting)
			}
		}
		if _, tool := k.(skill.Tool); tool != (spec.Does != "") || !tool && len(spec.Slots) > 0 {
			t.Errorf("%s: models are told of a skill that they cannot call, or not told of one that they can",
				spec.Name)
		}
		for _, slot := range spec.Slots {
			if !word.MatchString(slot.Name) || slot.About == "" || slot.Choices != nil &&
				slot.Type != skill.Text {
				t.Errorf("%s: slot %+v", spec.Name, slot)
			}
		}
		if !json.Valid(spec.Schema()) {
			t.Errorf("%s: %s", spec.Name, spec.Schema())
		}
	}
	for _, k := range skills {
		for _, other := range k.Spec().Includes {
			if !names[other] {
				t.Errorf("%s includes %s, which there is not", k.Spec().Name, other)
			}
		}
	}
}
