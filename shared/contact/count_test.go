package contact_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/contact"
	"frontdesk/shared/tally"
)

func TestScore(t *testing.T) {
	all := contact.Contact{Name: "Ada", Phone: "+14155550123", Email: "ada@example.com", Budget: "500", Location: "London"}
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
		{contact.Contact{Stage: contact.Lead, Phone: "+14155550123", Email: "ada@example.com"}, 35, contact.Cold},
		{contact.Contact{Stage: contact.Lead, Phone: "+14155550123", Email: "ada@example.com", Location: "London"}, 40, contact.Warm},
		{contact.Contact{Stage: contact.Prospect, Phone: "+14155550123", Name: "Ada", Budget: "500", Location: "London"}, 65, contact.Warm},
		{contact.Contact{Stage: contact.Prospect, Phone: "+14155550123", Email: "ada@example.com", Budget: "500"}, 70, contact.Hot},
		{staged(all, contact.Prospect), 80, contact.Hot},
		{staged(all, contact.Customer), 100, contact.Hot},
		{staged(all, contact.Churned), 0, contact.Cold},
	} {
		c := test.contact
		c.LeadScore = c.Score()
		if c.LeadScore != test.score || c.Band() != test.band {
			t.Errorf("%+v has the score %d, %s, want %d, %s", test.contact, c.LeadScore, c.Band(), test.score, test.band)
		}
	}
}

func TestRecount(t *testing.T) {
	lead := &contact.Contact{Stage: contact.Lead, LeadScore: 39}
	prospect := &contact.Contact{Stage: contact.Prospect, LeadScore: 70}
	counts := tally.Counts{}
	for _, change := range []struct{ before, after *contact.Contact }{{nil, lead}, {nil, lead}, {lead, prospect}, {nil, prospect}, {prospect, nil}, {lead, lead}} {
		for name, n := range contact.Recount(change.before, change.after) {
			counts[name] += n
		}
	}
	got := map[string]int64{
		"all": contact.Count(counts), "leads": contact.CountOfStage(counts, contact.Lead), "prospects": contact.CountOfStage(counts, contact.Prospect),
		"customers": contact.CountOfStage(counts, contact.Customer), "hot": contact.CountOfBand(counts, contact.Hot),
		"warm": contact.CountOfBand(counts, contact.Warm), "cold": contact.CountOfBand(counts, contact.Cold),
	}
	want := map[string]int64{"all": 2, "leads": 1, "prospects": 1, "customers": 0, "hot": 1, "warm": 0, "cold": 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
