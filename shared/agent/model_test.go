package agent

import (
	"testing"

	"frontdesk/shared/ai/faq"
)

func TestLearn(t *testing.T) {
	examples := []string{"Is there wifi?", "wifi"}
	a := Agent{Summary: Summary{Language: English},
		FAQs: []FAQ{{"Do you deliver?", "Yes."}, {"Where are you?", ""}}}
	writes, err := a.Learn([]faq.Question{{ID: faq.ID(examples), Examples: examples}}, 7)
	if err != nil || len(writes) != 1 || a.FAQModel != 7 {
		t.Fatalf("%d writes, version %d, %v", len(writes), a.FAQModel, err)
	}
	model, version, err := ReadModel(writes[0].Item)
	if err != nil || version != 7 {
		t.Fatalf("version %d, %v", version, err)
	}
	for _, test := range []struct {
		examples []string
		want     bool
	}{{examples, true}, {[]string{"Do you deliver?"}, true}, {[]string{"Where are you?"}, false}} {
		if got := model.Knows(faq.ID(test.examples)); got != test.want {
			t.Errorf("the model knows %q: %v", test.examples, got)
		}
	}
	a.FAQs = nil
	if writes, err := a.Learn(nil, 8); err != nil || writes != nil || a.FAQModel != 0 {
		t.Errorf("with nothing to learn: %d writes, version %d, %v", len(writes), a.FAQModel, err)
	}
}
