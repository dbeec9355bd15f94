package contact_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/contact"
	"frontdesk/shared/counter"
	"frontdesk/shared/table"
)

func TestScore(t *testing.T) {
	all := contact.Contact{Name: "Ada", Phone: "+14155550123", Email: "ada@example.com", Budget: "500",
		Location: "London"}
	staged := func(c contact.Contact, stage contact.Stage) contact.Contact {
		c.Stage = stage
		return c
	}
	for _, test := range []struct {
		contact contact.Contact
		score   int
		band    contact.Band
	}{
		{contact.Contact{Stage: contact.Lead}, 0, contact.Cold},
		{contact.Contact{Stage: contact.Lead, Phone: "+14155550123", Email: "ada@example.com"}, 35,
			contact.Cold},
		{contact.Contact{Stage: contact.Lead, Phone: "+14155550123", Email: "ada@example.com",
			Location: "London"}, 40, contact.Warm},
		{contact.Contact{Stage: contact.Prospect}, 40, contact.Warm},
		{contact.Contact{Stage: contact.Prospect, Email: "ada@example.com"}, 40, contact.Warm},
		{contact.Contact{Stage: contact.Prospect, Phone: "+14155550123", Name: "Ada", Budget: "500",
			Location: "London"}, 65, contact.Warm},
		{contact.Contact{Stage: contact.Prospect, Phone: "+14155550123", Email: "ada@example.com",
			Budget: "500"}, 70, contact.Hot},
		{staged(all, contact.Prospect), 80, contact.Hot},
		{staged(all, contact.Customer), 100, contact.Hot},
		{staged(all, contact.Churned), 0, contact.Cold},
	} {
		c := test.contact
		c.LeadScore = c.Score()
		if c.LeadScore != test.score || c.Band() != test.band {
			t.Errorf("%+v has the score %d, %s, want %d, %s", test.contact, c.LeadScore, c.Band(), test.score,
				test.band)
		}
	}
}

// TestRecount changes contacts of two days. Each counts on the day of its creation as what it is now.
func TestRecount(t *testing.T) {
	const account, agent = 7, 1
	monday := time.Date(2026, 3, 2, 23, 59, 59, 0, time.FixedZone("", -3600)) // in UTC it is Tuesday
	lead := &contact.Contact{Stage: contact.Lead, LeadScore: 39, CreatedAt: monday}
	prospect := &contact.Contact{Stage: contact.Prospect, LeadScore: 70, CreatedAt: monday}
	later := &contact.Contact{Stage: contact.Lead, LeadScore: 40, CreatedAt: monday.Add(24 * time.Hour)}
	var changes []counter.Change
	for _, change := range []struct{ before, after *contact.Contact }{
		{nil, lead}, {nil, lead}, {lead, prospect}, {nil, prospect}, {prospect, nil}, {lead, lead},
		{nil, later},
	} {
		changes = append(changes, contact.Recount(change.before, change.after))
	}
	counts := map[table.Key]counter.Counts{}
	for _, w := range counter.Add(account, agent, 0, changes...) {
		counts[w.Item.Key] = w.Add
	}
	of := func(key table.Key) map[string]int64 {
		c := counts[key]
		return map[string]int64{
			"all": contact.Count(c), "leads": contact.CountOfStage(c, contact.Lead),
			"prospects": contact.CountOfStage(c, contact.Prospect),
			"hot":       contact.CountOfBand(c, contact.Hot), "warm": contact.CountOfBand(c, contact.Warm),
			"cold": contact.CountOfBand(c, contact.Cold),
		}
	}
	for key, want := range map[table.Key]map[string]int64{
		counter.Key(account, agent, 0): {"all": 3, "leads": 0, "prospects": 0, "hot": 0,
			"warm": 0, "cold": 0},
		counter.DayKey(account, agent, "2026-03-02", 0): {"all": 0, "leads": 0, "prospects": 0, "hot": 0,
			"warm": 0, "cold": 0},
		counter.DayKey(account, agent, "2026-03-03", 0): {"all": 0, "leads": 1, "prospects": 1, "hot": 1,
			"warm": 0, "cold": 1},
		counter.DayKey(account, agent, "2026-03-04", 0): {"all": 0, "leads": 1, "prospects": 0, "hot": 0,
			"warm": 1, "cold": 0},
	} {
		if diff := cmp.Diff(want, of(key)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", key, diff)
		}
	}
}
