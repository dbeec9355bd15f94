package booking

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/appointment"
	"frontdesk/shared/frame"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/when"
)

var update = flag.Bool("update", false, "write the golden files anew")

func madrid(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Madrid")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// A desk is an agent of which a contact asks for appointments. What it answers becomes true.
type desk struct {
	Input
	state State
	busy  []appointment.Busy
	next  int64
}

// answers are how people agree, refuse and give up in the scripts.
var answers = map[string][3]string{
	"en": {"yes,yes please,ok,yes that works", "no,no thanks", "never mind,forget it"},
	"de": {"ja,ja bitte,gern", "nein", "vergiss es"},
	"es": {"sí,vale", "no", "déjalo"},
	"fr": {"oui,d'accord", "non", "laissez tomber"},
}

func (d *desk) say(message string) string {
	in := d.Input
	in.Message = message
	d.Done = ""
	for i, list := range answers[in.Language] {
		is := slices.ContainsFunc(strings.Split(list, ","), func(a string) bool {
			return strings.HasPrefix(strings.ToLower(message), a)
		})
		switch i {
		case 0:
			in.Agrees = is
		case 1:
			in.Refuses = is
		case 2:
			in.Drops = is
		}
	}
	in.Asks = strings.HasSuffix(message, "?")
	of := language.Of(in.Language)
	found := func(list string, tokens []text.Token) bool {
		_, n := text.Find(text.Phrases(in.Language, list), tokens)
		return n > 0
	}
	in.Comes = found(of.Speech().Come, text.Tokens(in.Language, message))
	in.Negates = func(tokens []text.Token) bool { return found(of.Talk().Not, tokens) }
	in.AsksWhen = in.Asks && strings.HasPrefix(strings.ToLower(message), "when")
	for _, noun := range []string{"appointment", "book", "table", "Termin", "cita", "rendez-vous"} {
		in.Wants = in.Wants || strings.Contains(message, noun)
	}
	in.Tells = !in.Asks && (d.state.Step == frame.AskedDetails || strings.Contains(message, "@"))
	in.Named = in.Named || in.Tells
	in.Reachable = in.Reachable || strings.ContainsAny(message, "@+")
	dialog, ok := Begin(in, d.state)
	if !ok {
		return "= not about a booking"
	}
	from, to := dialog.Window()
	var seen []appointment.Busy
	for _, b := range d.busy {
		if b.End.After(from) && !b.Start.After(to) {
			seen = append(seen, b)
		}
	}
	o := dialog.Decide(seen)
	var f frame.Frame
	o.State.Fill(&f)
	d.state = Of(f)
	d.Named, d.Reachable = in.Named, in.Reachable
	if o.Passed {
		return "= passed"
	}
	if o.Book != nil || o.Change != 0 {
		d.Done = o.Reply
	}
	said := "< " + strings.ReplaceAll(o.Reply, "\n", "\n< ")
	if o.Book != nil {
		d.next++
		d.busy = append(d.busy, appointment.Busy{ID: d.next, ContactID: d.ContactID, Title: o.Book.Title,
			Start: o.Book.StartTime, End: o.Book.EndTime})
		said += fmt.Sprintf("\n= %s %s: %s to %s", o.Book.Status, o.Book.Title,
			o.Book.StartTime.Format(time.RFC3339), o.Book.EndTime.Format("15:04"))
	}
	if o.Change != 0 {
		i := slices.IndexFunc(d.busy, func(b appointment.Busy) bool { return b.ID == o.Change })
		if o.Start.IsZero() {
			d.busy = slices.Delete(d.busy, i, i+1)
			said += "\n= cancelled"
		} else {
			d.busy[i].Start, d.busy[i].End = o.Start, o.End
			said += "\n= moved to " + o.Start.In(d.Zone).Format(time.RFC3339)
		}
	}
	return said
}

// TestScripts plays conversations. Lines that begin with # set them up, those with > are the contact's; what
// follows them is the agent's answer and what came of it.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			script, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			zone := madrid(t)
			d := &desk{Input: Input{Language: "en", Zone: zone, ContactID: 1,
				Now: time.Date(2026, 11, 25, 10, 7, 0, 0, zone)}, next: 100}
			var got []string
			for _, line := range strings.Split(strings.TrimSpace(string(script)), "\n") {
				switch {
				case strings.HasPrefix(line, "#"):
					d.set(t, line)
					got = append(got, line)
				case strings.HasPrefix(line, ">"):
					got = append(got, line, d.say(strings.TrimSpace(line[1:])))
				case line == "":
					d.state = State{}
					got = append(got, line)
				}
			}
			text := strings.Join(got, "\n") + "\n"
			if *update {
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(script), text); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func (d *desk) set(t *testing.T, line string) {
	t.Helper()
	name, value, _ := strings.Cut(strings.TrimSpace(line[1:]), ":")
	value = strings.TrimSpace(value)
	switch name {
	case "language":
		d.Language = value
	case "hours":
		d.Hours = value
	case "services":
		d.Services = strings.Split(value, "; ")
	case "known":
		d.Named, d.Reachable = true, true
	case "busy": // contact, from, to
		parts := strings.Split(value, ", ")
		from, err := time.ParseInLocation("2006-01-02 15:04", parts[1], d.Zone)
		if err != nil {
			t.Fatal(err)
		}
		to, err := time.ParseInLocation("2006-01-02 15:04", parts[2], d.Zone)
		if err != nil {
			t.Fatal(err)
		}
		d.next++
		d.busy = append(d.busy, appointment.Busy{ID: d.next, ContactID: int64(parts[0][0] - '0'),
			Title: "Cut", Start: from, End: to})
	}
}

// TestFree tries times around what is taken, opening hours, now and the change of clocks.
func TestFree(t *testing.T) {
	zone := madrid(t)
	now := time.Date(2026, 11, 25, 10, 7, 0, 0, zone)
	at := func(s string) time.Time {
		parsed, err := time.ParseInLocation("2006-01-02 15:04", s, zone)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	a := Agenda{
		Hours: when.ParseHours("en", "Mon-Fri 9-13, 14-18. Sat 20-2. Closed on 8 December"), Zone: zone,
		Now: now, Length: time.Hour, Moving: 2,
		Busy: []appointment.Busy{
			{ID: 1, Start: at("2026-11-26 10:00"), End: at("2026-11-26 11:00")},
			{ID: 2, Start: at("2026-11-26 15:00"), End: at("2026-11-26 16:00")},
			{ID: 3, Start: at("2026-12-01 00:00"), End: at("2026-12-03 00:00")},
		},
	}
	for start, want := range map[string]bool{
		"2026-11-26 09:00": true, "2026-11-26 09:30": false, "2026-11-26 10:00": false,
		"2026-11-26 10:59": false, "2026-11-26 11:00": true,
		"2026-11-26 12:00": true, "2026-11-26 12:30": false, "2026-11-26 15:00": true,
		"2026-11-26 17:00": true, "2026-11-26 17:30": false,
		"2026-11-25 10:30": false, "2026-11-25 10:40": true, "2026-11-24 10:00": false,
		"2027-11-24 10:00": false,
		"2026-11-28 23:30": true, "2026-11-29 01:00": true, "2026-11-29 01:30": false,
		"2026-11-29 20:00": false,
		"2026-12-02 10:00": false, "2026-12-08 10:00": false,
	} {
		if got := a.Free(at(start)); got != want {
			t.Errorf("%s: free %t", start, got)
		}
	}
}

// TestReadServices reads services as businesses write them.
func TestReadServices(t *testing.T) {
	type read struct {
		Name   string
		Length time.Duration
	}
	var got []read
	for _, s := range readServices("en", []string{"Hair cut, 45 min, 30 €", "Colour (2 hours) – from $80",
		"Massage 1 h 30: 90", "Check-up", "Table for up to 8", ""}) {
		got = append(got, read{s.name, s.length})
	}
	want := []read{{"Hair cut", 45 * time.Minute}, {"Colour", 2 * time.Hour}, {"Massage", 90 * time.Minute},
		{"Check-up", usual}, {"Table for up to", usual}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzDialog expects that no message makes a booking of a time that is not free, or breaks off a
// conversation.
func FuzzDialog(f *testing.F) {
	zone := madrid(f)
	for _, s := range []string{"I need an appointment", "tomorrow at 3", "the second one", "yes please",
		"cancel my appointment", "move it to Friday at 10", "2"} {
		f.Add("en", s, "tomorrow", s)
	}
	f.Fuzz(func(t *testing.T, language, first, second, third string) {
		d := &desk{Input: Input{Language: language, Zone: zone, ContactID: 1,
			Now: time.Date(2026, 11, 25, 10, 7, 0, 0, zone), Hours: "Mon-Fri 9-18"}, next: 1}
		d.busy = []appointment.Busy{{ID: 1, ContactID: 1, Title: "Cut", Start: d.Now.Add(24 * time.Hour),
			End: d.Now.Add(25 * time.Hour)}}
		for _, message := range []string{"I want an appointment", first, second, third, "yes"} {
			d.say(message)
			for i, b := range d.busy {
				for _, c := range d.busy[i+1:] {
					if b.Start.Before(c.End) && c.Start.Before(b.End) {
						t.Fatalf("%q, %q, %q: %v and %v", first, second, third, b, c)
					}
				}
			}
		}
	})
}
