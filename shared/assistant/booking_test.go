package assistant_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	_ "time/tzdata"

	"frontdesk/shared/agent"
	"frontdesk/shared/appointment"
	"frontdesk/shared/assistant"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/event"
	"frontdesk/shared/table"
)

// newSalon returns a fixture whose agent books appointments in Madrid. Its clock stands at 10:07 on
// Wednesday, 25 November 2026.
func newSalon(t *testing.T) *fixture {
	t.Helper()
	w := newFixture(t, "pro")
	zone, err := time.LoadLocation("Europe/Madrid")
	if err != nil {
		t.Fatal(err)
	}
	w.Now = func() time.Time { return time.Date(2026, 11, 25, 10, 7, 0, 0, zone) }
	agents := agent.Store{Table: w.Table, Now: time.Now, IDs: w.IDs}
	if _, err := agents.Update(t.Context(), w.account.ID, w.agent, func(a *agent.Agent) error {
		a.BookingEnabled, a.Timezone, a.BusinessHours = true, "Europe/Madrid", "Mon-Fri 9-18"
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return w
}

// sayIn sends a message in the session with the given number and returns the reply, or "" if there is none.
func (w *fixture) sayIn(ctx context.Context, session int, text string) (string, error) {
	answer, err := w.Turn(ctx, assistant.Message{
		AccountID: w.account.ID, AgentID: w.agent, Channel: conversation.API, Proved: true,
		SessionID: fmt.Sprintf("11111111-2222-4333-8444-%012d", session), Text: text,
	})
	if err != nil || answer.Reply == nil {
		return "", err
	}
	return *answer.Reply, nil
}

func (w *fixture) wantReply(t *testing.T, session int, text, want string) {
	t.Helper()
	if got, err := w.sayIn(t.Context(), session, text); err != nil || !strings.Contains(got, want) {
		t.Errorf("%q: %q, %v, want %q", text, got, err, want)
	}
}

// appointments returns the agent's appointments of a status, ordered by start.
func (w *fixture) appointments(t *testing.T, status appointment.Status) []appointment.Appointment {
	t.Helper()
	q, _ := appointment.OfAgent(w.account.ID, w.agent, status)
	page, err := w.Table.Query(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var all []appointment.Appointment
	for _, item := range slices.Backward(page.Items) {
		a, err := appointment.Read(item)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	return all
}

// TestBooking tests the replies, the stored appointment, the events and the counters while an appointment is
// made, moved and cancelled.
func TestBooking(t *testing.T) {
	w := newSalon(t)
	w.wantReply(t, 1, "I'd like to book an appointment", "Which day and time")
	w.wantReply(t, 1, "Are dogs welcome?", "Dogs are welcome")
	w.wantReply(t, 1, "tomorrow at 3", "What name shall I put it under")
	w.wantReply(t, 1, "Ada Lovelace, ada@example.com", "Booked: Appointment, Thursday, 26 November at 15:00")
	made := w.appointments(t, appointment.Confirmed)
	if len(made) != 1 || made[0].StartTime.Format(time.RFC3339) != "2026-11-26T15:00:00+01:00" ||
		made[0].ContactName != "Ada Lovelace" ||
		made[0].EndTime.Sub(made[0].StartTime) != 30*time.Minute ||
		made[0].Notes != "I'd like to book an appointment" {
		t.Fatalf("%+v", made)
	}

	w.wantReply(t, 1, "Can I move my appointment to Friday at 10?",
		"Moved: Appointment, now Friday, 27 November at 10:00")
	w.wantReply(t, 1, "yes please", "all set")
	if moved := w.appointments(t, appointment.Confirmed); len(moved) != 1 || moved[0].ID != made[0].ID ||
		moved[0].StartTime.Format(time.RFC3339) != "2026-11-27T10:00:00+01:00" {
		t.Errorf("%+v", moved)
	}

	w.wantReply(t, 1, "Can I cancel my appointment?", "shall I cancel it?")
	w.wantReply(t, 1, "yes", "Cancelled: Appointment, Friday, 27 November at 10:00")
	if left := w.appointments(t, appointment.Confirmed); len(left) != 0 {
		t.Errorf("%+v", left)
	}
	counts, err := counter.OfAgent(t.Context(), w.Table, w.account.ID, w.agent)
	if err != nil || appointment.Count(counts, appointment.Cancelled) != 1 ||
		appointment.Count(counts, "") != 1 {
		t.Errorf("%v, %v", counts, err)
	}
	var events []event.Kind
	changes, err := w.Table.(table.Feed).Changes(t.Context(), "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range changes {
		if change.New == nil || !strings.HasPrefix(change.New.PK, event.KeyPrefix) {
			continue
		}
		e, err := event.Read(*change.New)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e.Kind)
	}
	if want := []event.Kind{event.AppointmentCreated, event.AppointmentUpdated}; !slices.Equal(events, want) {
		t.Errorf("events %q, want %q", events, want)
	}
	w.wantReply(t, 2, "cancel my appointment please", "I find no coming appointment here")
}

// TestBookingWithoutHours tests that a person must confirm an appointment if the agent knows no hours.
func TestBookingWithoutHours(t *testing.T) {
	w := newSalon(t)
	agents := agent.Store{Table: w.Table, Now: time.Now, IDs: w.IDs}
	if _, err := agents.Update(t.Context(), w.account.ID, w.agent, func(a *agent.Agent) error {
		a.BusinessHours = "by appointment only"
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	w.wantReply(t, 1, "I want to book an appointment tomorrow at 15:00", "What name")
	w.wantReply(t, 1, "Ada Lovelace, ada@example.com", "A colleague will confirm it")
	if made := w.appointments(t, appointment.Pending); len(made) != 1 {
		t.Errorf("%+v", made)
	}
}

// TestBookingDisabled tests that an agent without booking leaves such a request to the model.
func TestBookingDisabled(t *testing.T) {
	w := newFixture(t, "pro")
	w.wantReply(t, 1, "I want to book an appointment tomorrow at 15:00", "")
	if made := w.appointments(t, appointment.Confirmed); len(made) != 0 {
		t.Errorf("%+v", made)
	}
}

// TestOneSlot tests that of eight visitors who take one time at once, one gets it and the others are offered
// other times.
func TestOneSlot(t *testing.T) {
	w := newSalon(t)
	const visitors = 8
	for i := range visitors {
		w.wantReply(t, i, fmt.Sprintf("My name is Ada, ada%d@example.com", i), "")
		w.wantReply(t, i, "Can I have an appointment tomorrow at 3?", "Shall I book it?")
	}
	replies := make([]string, visitors)
	var wg sync.WaitGroup
	for i := range visitors {
		wg.Go(func() {
			reply, err := w.sayIn(t.Context(), i, "yes")
			if err != nil {
				t.Error(err)
			}
			replies[i] = reply
		})
	}
	wg.Wait()
	booked, offered := 0, 0
	for _, reply := range replies {
		if strings.HasPrefix(reply, "Booked: Appointment, Thursday, 26 November at 15:00") {
			booked++
		}
		if strings.HasPrefix(reply, "Thursday, 26 November at 15:00 is not free. These times are free:") {
			offered++
		}
	}
	if made := w.appointments(t, appointment.Confirmed); booked != 1 || offered != visitors-1 ||
		len(made) != 1 {
		t.Errorf("%d booked, %d offered others, %d appointments: %q", booked, offered, len(made), replies)
	}
}

// TestSlotOfTheAPI tests that the time of an appointment made over the API is not free until that appointment
// is deleted.
func TestSlotOfTheAPI(t *testing.T) {
	w := newSalon(t)
	w.wantReply(t, 1, "My name is Ada, ada@example.com", "")
	ada := w.contactIn(t, 1)
	store := appointment.Store{Table: w.Table, Now: w.Now, IDs: w.IDs}
	start := w.Now().Truncate(24 * time.Hour).Add(24*time.Hour + 14*time.Hour) // 15:00 there
	a, err := store.Create(t.Context(), w.account.ID, appointment.Appointment{
		AgentID: w.agent, ContactID: ada, Title: "By hand", StartTime: start, EndTime: start.Add(time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.wantReply(t, 2, "My name is Grace, grace@example.com", "")
	w.wantReply(t, 2, "Book me an appointment tomorrow at 3", "is not free")
	if err := store.Delete(t.Context(), w.account.ID, a.ID); err != nil {
		t.Fatal(err)
	}
	w.wantReply(t, 2, "tomorrow at 3", "Booked: Appointment, Thursday, 26 November at 15:00")
}

func (w *fixture) contactIn(t *testing.T, session int) int64 {
	t.Helper()
	item, err := w.Table.Get(t.Context(),
		conversation.SessionKey(w.account.ID, w.agent, fmt.Sprintf("11111111-2222-4333-8444-%012d", session)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := conversation.ReadSession(item)
	if err != nil {
		t.Fatal(err)
	}
	return s.ContactID
}

// TestMoveWithoutHours tests that an agent without known hours moves an appointment without asking for
// confirmation, since a person confirms it in any case.
func TestMoveWithoutHours(t *testing.T) {
	w := newSalon(t)
	w.edit(t, func(a *agent.Agent) { a.BusinessHours = "" })
	w.wantReply(t, 1, "I'd like to book an appointment tomorrow at 15:00", "What name shall I put it under")
	w.wantReply(t, 1, "Ada Lovelace, ada@example.com", "Thursday, 26 November at 15:00")
	w.wantReply(t, 1, "Can I move my appointment to Friday at 10:00?", "Friday, 27 November at 10:00")
	moved := w.appointments(t, appointment.Pending)
	if len(moved) != 1 || moved[0].StartTime.Format(time.RFC3339) != "2026-11-27T10:00:00+01:00" {
		t.Errorf("%+v", moved)
	}
}
