package agent_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/agent"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestPrompt compares the prompts of two agents, one that says nothing of itself and one that says all, with
// those in testdata.
func TestPrompt(t *testing.T) {
	s := newStore(t)
	for name, a := range map[string]agent.Agent{
		"least": {Summary: agent.Summary{
			Name: "Mia", Industry: agent.General, Tone: agent.Friendly, Language: agent.English,
			ConversionMode: agent.ConvertNothing, MaxResponseLength: 1000,
		}},
		"most": {
			Summary: agent.Summary{
				Name: "Front desk", BusinessName: "Bici", PhoneNumber: "+34910123456",
				Timezone: "Europe/Madrid",
				Industry: agent.HomeServices, PersonaName: "Leonor", Tone: agent.Empathetic, Language: "es",
				BookingEnabled: true, LeadCaptureEnabled: true, EcommerceEnabled: true, HandoffEnabled: true,
				MemoryEnabled:         true,
				CapabilityQuotePrices: true, CapabilityRecommendProducts: true, CapabilityTakeOrders: true,
				CapabilityShareLinks: true, CapabilitySmallTalk: true,
				ConversionMode: agent.ConvertBooking, MaxResponseLength: 300,
			},
			Profile: agent.Profile{
				BusinessDescription: "We mend bikes.", BusinessHours: "Monday to Friday 9:00-18:00",
				BusinessAddress: "Calle Mayor 1",
				BusinessEmail:   "hola@bici.example", WebsiteURL: "https://bici.example",
				AvailableServices:  []string{"Repairs, 40 EUR", "100% new tyres"},
				PersonaDescription: "You love bikes.",
				Instructions:       "Be brief.\nAsk for the model.", RestrictedTopics: "Cars",
				CallToAction:  "Come by",
				CurrentOffers: "Free oil", QualifyingQuestions: "Which bike?",
			},
			FAQs: []agent.FAQ{{Question: "Parking?", Answer: "Yes."}},
		},
	} {
		created, err := s.Create(t.Context(), account, a, 10)
		if err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", "prompt_"+name+".txt")
		if *update {
			if err := os.WriteFile(golden, []byte(created.Prompt+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), created.Prompt+"\n"); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
