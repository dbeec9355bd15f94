package appointment_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/agent"
	"frontdesk/shared/appointment"
	"frontdesk/shared/contact"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

const account = 5

// A shop is an agent with a contact, and the store of its appointments.
type shop struct {
	*appointment.Store
	agent, contact int64
}

func newShop(t *testing.T) *shop {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	ids := id.NewSource(time.Now)
	a, err := (&agent.Store{Table: store, Now: time.Now, IDs: ids}).Create(t.Context(), account,
		agent.Agent{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	ada := contact.New(0, a.ID, time.Now())
	ada.Phone = "+14155550123"
	if ada, _, err = (&contact.Store{Table: store, Now: time.Now, IDs: ids}).Upsert(t.Context(), account,
		ada); err != nil {
		t.Fatal(err)
	}
	return &shop{&appointment.Store{Table: store, Now: time.Now, IDs: ids}, a.ID, ada.ID}
}

// at is a time of March 2026, in UTC.
func at(day, hour int) time.Time { return time.Date(2026, 3, day, hour, 0, 0, 0, time.UTC) }

func (s *shop) make(t *testing.T, title string, start, end time.Time) appointment.Appointment {
	t.Helper()
	a, err := s.Create(t.Context(), account, appointment.Appointment{
		AgentID: s.agent, ContactID: s.contact, Title: title, StartTime: start, EndTime: end,
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// wantBusy expects the times taken of a period, as their titles and when they start and end.
func (s *shop) wantBusy(t *testing.T, from, to time.Time, want ...string) {
	t.Helper()
	busy, err := s.Busy(t.Context(), account, s.agent, from, to)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range busy {
		if b.ContactID != s.contact || b.ID == 0 {
			t.Errorf("%+v is of contact %d", b, s.contact)
		}
		got = append(got, b.Title+b.Start.UTC().Format(" 2/15")+b.End.UTC().Format("-2/15"))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("busy (-want +got):\n%s", diff)
	}
}

// TestBusy follows an appointment from its making to its end, with others around it.
func TestBusy(t *testing.T) {
	s := newShop(t)
	s.make(t, "before", at(5, 7), at(5, 9))
	s.make(t, "after", at(5, 18), at(5, 19))
	s.make(t, "month", at(1, 0), at(28, 0))
	a := s.make(t, "cut", at(5, 10), at(5, 11))
	s.wantBusy(t, at(5, 9), at(5, 18).Add(-time.Second), "month 1/00-28/00", "cut 5/10-5/11")
	s.wantBusy(t, at(5, 10).Add(30*time.Minute), at(5, 12), "month 1/00-28/00", "cut 5/10-5/11")

	change := func(edit func(*appointment.Appointment)) {
		t.Helper()
		if _, err := s.Change(t.Context(), account, a.ID,
			func(a *appointment.Appointment) error { edit(a); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	change(func(a *appointment.Appointment) { a.Status = appointment.Confirmed })
	s.wantBusy(t, at(5, 9), at(5, 17), "month 1/00-28/00", "cut 5/10-5/11")
	change(func(a *appointment.Appointment) { a.Title, a.EndTime = "colour", at(5, 13) })
	s.wantBusy(t, at(5, 12), at(5, 17), "month 1/00-28/00", "colour 5/10-5/13")
	change(func(a *appointment.Appointment) { a.Move(at(6, 9)) })
	s.wantBusy(t, at(5, 9), at(5, 17), "month 1/00-28/00")
	s.wantBusy(t, at(6, 9), at(6, 17), "month 1/00-28/00", "colour 6/09-6/12")
	change(func(a *appointment.Appointment) { a.EndTime = at(9, 9) }) // among the long ones now
	s.wantBusy(t, at(8, 9), at(8, 17), "month 1/00-28/00", "colour 6/09-9/09")
	change(func(a *appointment.Appointment) { a.Status = appointment.Cancelled })
	s.wantBusy(t, at(8, 9), at(8, 17), "month 1/00-28/00")

	b := s.make(t, "brief", at(8, 10), at(8, 11))
	s.wantBusy(t, at(8, 9), at(8, 17), "month 1/00-28/00", "brief 8/10-8/11")
	if err := s.Delete(t.Context(), account, b.ID); err != nil {
		t.Fatal(err)
	}
	s.wantBusy(t, at(8, 9), at(8, 17), "month 1/00-28/00")
}

// TestReserve has two reserve a time after both saw that it was free, for the first time and later.
func TestReserve(t *testing.T) {
	s := newShop(t)
	for range 2 {
		read, err := s.Table.Get(t.Context(), appointment.ReservedKey(account, s.agent))
		if err != nil && !errors.Is(err, table.ErrNotFound) {
			t.Fatal(err)
		}
		if err := s.Table.Transact(t.Context(), appointment.Reserve(account, s.agent, read)); err != nil {
			t.Fatal(err)
		}
		if err := s.Table.Transact(t.Context(),
			appointment.Reserve(account, s.agent, read)); !table.IsConditionError(err) {
			t.Errorf("the second: %v", err)
		}
	}
}
