package purge_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"frontdesk/functions/jobs/purge"
	"frontdesk/shared/agent"
	"frontdesk/shared/appointment"
	"frontdesk/shared/contact"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/worktest"
)

// TestAppointmentsGo deletes an agent with appointments of every status, more than are deleted in a step.
// Those of another agent stay.
func TestAppointmentsGo(t *testing.T) {
	store := worktest.Table(t, time.Now)
	const account = 5
	ids := id.NewSource(time.Now)
	agents := &agent.Store{Table: store, Now: time.Now, IDs: ids}
	contacts := &contact.Store{Table: store, Now: time.Now, IDs: ids}
	appointments := &appointment.Store{Table: store, Now: time.Now, IDs: ids}
	fill := func() (agentID int64) {
		t.Helper()
		a, err := agents.Create(t.Context(), account, agent.Agent{}, 10)
		if err != nil {
			t.Fatal(err)
		}
		with := contact.New(0, a.ID, time.Now())
		with.Phone = "+14155550123"
		if with, _, err = contacts.Upsert(t.Context(), account, with); err != nil {
			t.Fatal(err)
		}
		for _, status := range appointment.Status.Values("") {
			for range 27 {
				start := time.Date(2026, 3, 5, 9, 30, 0, 0, time.UTC)
				if _, err := appointments.Create(t.Context(), account, appointment.Appointment{
					AgentID: a.ID, ContactID: with.ID, StartTime: start, EndTime: start.Add(time.Hour),
					Status: appointment.Status(status),
				}); err != nil {
					t.Fatal(err)
				}
			}
		}
		return a.ID
	}
	gone, kept := fill(), fill()
	if err := agents.Delete(t.Context(), account, gone); err != nil {
		t.Fatal(err)
	}
	service := &purge.Service{Table: store, Log: slog.New(slog.DiscardHandler), Budget: time.Minute}
	deleted := event.Event{Kind: event.AgentDeleted, AccountID: account, AgentID: gone}
	if err := service.Handle(t.Context(), deleted); err != nil {
		t.Fatal(err)
	}

	changes, err := store.Changes(t.Context(), "", 10_000)
	if err != nil {
		t.Fatal(err)
	}
	left := map[table.Key]int64{}
	for _, change := range changes {
		switch {
		case change.New == nil:
			delete(left, change.Old.Key)
		case strings.HasPrefix(change.New.PK, "appointment/"):
			a, err := appointment.Read(*change.New)
			if err != nil {
				t.Fatal(err)
			}
			left[change.New.Key] = a.AgentID
		}
	}
	of := map[int64]int{}
	for _, agentID := range left {
		of[agentID]++
	}
	if of[gone] != 0 || of[kept] != 4*27 {
		t.Errorf("%d appointments are left of the deleted agent, %d of the other", of[gone], of[kept])
	}
	for agentID, want := range map[int64]int{gone: 0, kept: 2 * 27} { // those that are pending or confirmed
		page, err := store.Query(t.Context(),
			table.Query{PK: appointment.BusyPartition(account, agentID, false)})
		if err != nil || len(page.Items) != want {
			t.Errorf("agent %d: %d times are taken, want %d: %v", agentID, len(page.Items), want, err)
		}
	}
}
