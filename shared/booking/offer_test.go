package booking

import (
	"testing"
	"time"
	"unicode/utf8"

	"frontdesk/shared/appointment"
	"frontdesk/shared/frame"
	"frontdesk/shared/language"
	"frontdesk/shared/when"
)

// maxButton is how many characters the buttons of most platforms have.
const maxButton = 20

// TestTimeChoices has each time that is offered chosen by what its button brings back, in every language.
func TestTimeChoices(t *testing.T) {
	zones := []string{"Europe/Madrid", "America/New_York"}
	for _, tag := range language.Tags() {
		for _, name := range zones {
			zone, err := time.LoadLocation(name)
			if err != nil {
				t.Fatal(err)
			}
			at := func(day, hour, minute int) time.Time {
				return time.Date(2026, 11, day, hour, minute, 0, 0, zone)
			}
			for _, offers := range [][]time.Time{
				{at(26, 9, 0), at(26, 15, 0), at(27, 9, 0)},
				{at(27, 10, 30), at(34, 10, 30), at(41, 10, 30)}, // the same day of three weeks
				{at(26, 1, 0), at(26, 13, 0), at(31, 12, 0)},
			} {
				chooseEach(t, tag, zone, offers)
			}
		}
	}
}

func chooseEach(t *testing.T, tag string, zone *time.Location, offers []time.Time) {
	t.Helper()
	in := Input{
		Language: tag, Zone: zone, Now: time.Date(2026, 11, 25, 10, 7, 0, 0, zone), ContactID: 1,
		Named: true, Reachable: true,
	}
	state := State{Step: frame.Offered, Proposal: frame.Proposal{Offers: offers, At: in.Now}}
	d, _ := Begin(in, state)
	seen := map[string]bool{}
	for i, c := range d.choices() {
		if seen[c.Label] || utf8.RuneCountInString(c.Label) > maxButton {
			t.Errorf("%s: the label %q", tag, c.Label)
		}
		seen[c.Label] = true
		in.Message = c.Value
		d, ok := Begin(in, state)
		if !ok {
			t.Errorf("%s: %q is nothing of a booking", tag, c.Value)
			continue
		}
		o := d.Decide(nil)
		if o.Book == nil || !o.Book.StartTime.Equal(offers[i]) {
			t.Errorf("%s: %q gives %q, %+v", tag, c.Value, o.Reply, o.Book)
		}
	}
}

// TestChoices are the answers that each question of a booking offers.
func TestChoices(t *testing.T) {
	zone := madrid(t)
	now := time.Date(2026, 11, 25, 10, 7, 0, 0, zone)
	start := time.Date(2026, 11, 27, 15, 0, 0, 0, zone)
	in := Input{Language: "en", Zone: zone, Now: now, ContactID: 1,
		Services: []string{"Hair cut", "Colour, 2 h"}}
	for _, test := range []struct {
		state State
		want  []string
	}{
		{State{Step: frame.AskedService}, []string{"Hair cut", "Colour"}},
		{State{Step: frame.AskedTime}, nil},
		{State{Step: frame.AskedDetails}, nil},
		{State{Step: frame.AskedConfirm}, []string{"Yes", "No"}},
		{State{Step: frame.AskedCancel}, []string{"Yes", "No"}},
		{State{Step: frame.Offered, Proposal: frame.Proposal{Offers: []time.Time{start}}},
			[]string{"Friday 15:00"}},
		{State{Step: frame.AskedWhich, Proposal: frame.Proposal{Own: []int64{5, 6}}},
			[]string{"Friday 15:00, Hair cut", "Friday 16:00, Colour"}},
	} {
		test.state.At = now
		d, _ := Begin(in, test.state)
		d.agenda.Busy = []appointment.Busy{
			{ID: 5, Title: "Hair cut", Start: start}, {ID: 6, Title: "Colour", Start: start.Add(time.Hour)},
		}
		var got []string
		for _, c := range d.choices() {
			got = append(got, c.Label)
		}
		if len(got) != len(test.want) {
			t.Errorf("%s: %q", test.state.Step, got)
			continue
		}
		for i := range got {
			if got[i] != test.want[i] {
				t.Errorf("%s: %q", test.state.Step, got)
			}
		}
	}
	if day := when.WriteNumbers("en", start); day != "27/11" {
		t.Error(day)
	}
}
