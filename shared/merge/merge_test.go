package merge_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/agent"
	"frontdesk/shared/appointment"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/id"
	"frontdesk/shared/merge"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

const account = 7

// A crashing table ends the process, as far as its caller can tell, at one of its transactions.
type crashing struct {
	table.Table
	left int // transactions until then
}

var errCrash = errors.New("the process ended")

func (c *crashing) Transact(ctx context.Context, writes ...table.Write) error {
	if c.left == 0 {
		return errCrash
	}
	c.left--
	return c.Table.Transact(ctx, writes...)
}

// A fixture is two contacts of one agent, with conversations on channels and in sessions, and an appointment.
type fixture struct {
	table      *crashing
	ids        *id.Source
	agent      int64
	into, from contact.Contact
}

func open(t *testing.T, talks int) *fixture {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	w := &fixture{table: &crashing{store, -1}, ids: id.NewSource(time.Now)}
	agents := &agent.Store{Table: store, Now: time.Now, IDs: w.ids}
	of, err := agents.Create(t.Context(), account, agent.Agent{Summary: agent.Summary{Name: "Mia"}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	w.agent = of.ID
	w.into = w.contact(t, "+14155550123", "Ada", "", "vip")
	w.from = w.contact(t, "+14155550124", "Ada L.", "ada@example.com", "new", "vip")
	for n := range talks {
		w.talk(t, &w.from, fmt.Sprint(n))
	}
	w.talk(t, &w.into, "own")
	start := time.Date(2031, 12, 1, 9, 30, 0, 0, time.UTC)
	appointments := &appointment.Store{Table: store, Now: time.Now, IDs: w.ids}
	_, err = appointments.Create(t.Context(), account, appointment.Appointment{
		AgentID: w.agent, ContactID: w.from.ID, StartTime: start, EndTime: start.Add(time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *fixture) contacts() *contact.Store {
	return &contact.Store{Table: w.table.Table, Now: time.Now, IDs: w.ids}
}

func (w *fixture) contact(t *testing.T, phone, name, email string, tags ...string) contact.Contact {
	t.Helper()
	c := contact.New(0, w.agent, time.Now().UTC().Truncate(time.Millisecond))
	c.Phone, c.Name, c.Email = phone, name, email
	made, _, err := w.contacts().Upsert(t.Context(), account, c)
	if err != nil {
		t.Fatal(err)
	}
	made, err = w.contacts().Change(t.Context(), account, made.ID, func(c *contact.Contact) error {
		c.Tag(tags...)
		c.Notes, c.OptedIn = "Notes of "+name, name == "Ada"
		c.Facts = map[string]string{"size": name, name: "yes"}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// talk begins a conversation with a contact, on WhatsApp and, to be sure, in a session.
func (w *fixture) talk(t *testing.T, c *contact.Contact, name string) {
	t.Helper()
	talk := conversation.New(w.ids.Next(), w.agent, conversation.WhatsApp, c.Partner())
	talk.Address, talk.SessionID = "US."+name, "session-"+name
	after, err := w.contacts().Change(t.Context(), account, c.ID, func(c *contact.Contact) error {
		c.Join(talk.ID)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	*c = after
	item, err := talk.Item(account, 0)
	if err != nil {
		t.Fatal(err)
	}
	address, err := conversation.Address{ContactID: c.ID, ConversationID: talk.ID}.Item(
		conversation.AddressKey(account, w.agent, "whatsapp", talk.Address), 0)
	if err != nil {
		t.Fatal(err)
	}
	session, err := conversation.Session{ContactID: c.ID, ConversationID: talk.ID}.Item(
		conversation.SessionKey(account, w.agent, talk.SessionID))
	if err != nil {
		t.Fatal(err)
	}
	writes := append(counter.Add(account, w.agent, talk.ID, conversation.Recount(nil, &talk)),
		table.PutIfAbsent(item), table.Put(address), table.Put(session))
	if err := w.table.Table.Transact(t.Context(), writes...); err != nil {
		t.Fatal(err)
	}
}

// check holds that everything is one contact's.
func (w *fixture) check(t *testing.T, talks int) {
	t.Helper()
	got, err := w.contacts().Load(t.Context(), account, w.into.ID)
	if err != nil {
		t.Fatal(err)
	}
	notes := fmt.Sprintf("Notes of Ada\nNotes of Ada L.\nFrom contact %d, joined with this one:\n"+
		"Name: Ada L.\nsize: Ada L.", w.from.ID)
	want := w.into
	want.Email, want.OwnsEmail, want.OptedIn = "ada@example.com", true, false
	want.Tags, want.Notes = []string{"vip", "new"}, notes
	want.OtherPhones, want.Merged = []string{"+14155550124"}, []int64{w.from.ID}
	want.Facts = map[string]string{"size": "Ada", "Ada": "yes", "Ada L.": "yes"}
	want.LastSeenAt, want.Conversations, want.LeadScore = w.from.LastSeenAt, got.Conversations, got.LeadScore
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := w.contacts().Load(t.Context(), account, w.from.ID); !errors.Is(err, contact.ErrNotFound) {
		t.Errorf("the other contact: %v", err)
	}
	q, also := conversation.Filter{}.OfAgent(account, w.agent)
	n := 0
	for _, q.PK = range append([]string{q.PK}, also...) {
		page, err := w.table.Query(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		items, err := table.Whole(t.Context(), w.table, q.Index, page.Items)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			c, err := conversation.Read(item)
			if err != nil || c.Partner != got.Partner() {
				t.Errorf("%v: %+v", err, c.Partner)
			}
			n++
		}
	}
	if n != talks+1 || len(got.Conversations) != min(talks+1, 50) {
		t.Errorf("%d conversations, %d of them with the contact, want %d", n, len(got.Conversations), talks+1)
	}
	for name := range talks {
		address := conversation.AddressKey(account, w.agent, "whatsapp", fmt.Sprint("US.", name))
		item, err := w.table.Get(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		if known, err := conversation.ReadAddress(item); err != nil || known.ContactID != w.into.ID {
			t.Errorf("address %d leads to %d, %v", name, known.ContactID, err)
		}
		session := conversation.SessionKey(account, w.agent, fmt.Sprint("session-", name))
		item, err = w.table.Get(t.Context(), session)
		if err != nil {
			t.Fatal(err)
		}
		if known, err := conversation.ReadSession(item); err != nil || known.ContactID != w.into.ID {
			t.Errorf("session %d leads to %d, %v", name, known.ContactID, err)
		}
	}
	for _, key := range []table.Key{
		contact.KeyByPhone(account, w.agent, w.from.Phone),
		contact.KeyByPhone(account, w.agent, w.into.Phone),
		contact.KeyByEmail(account, w.agent, w.from.Email),
	} {
		item, err := w.table.Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		if to, err := contact.ReadPointer(item); err != nil || to.ContactID != w.into.ID {
			t.Errorf("%v leads to %d, %v", key, to.ContactID, err)
		}
	}
	appointments, _ := appointment.OfAgent(account, w.agent, appointment.Pending)
	page, err := w.table.Query(t.Context(), appointments)
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%d appointments, %v", len(page.Items), err)
	}
	if a, err := appointment.Read(page.Items[0]); err != nil || a.ContactID != w.into.ID {
		t.Errorf("%+v, %v", a, err)
	}
	counts, err := counter.OfAgent(t.Context(), w.table, account, w.agent)
	if err != nil || contact.Count(counts) != 1 {
		t.Errorf("%d contacts are counted, %v", contact.Count(counts), err)
	}
}

func (w *fixture) rest(t *testing.T, s *merge.Store) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	if done, err := s.MoveRest(t.Context(), account, w.agent, w.into.ID, deadline); err != nil || !done {
		t.Fatalf("%v, %v", done, err)
	}
}

// TestContacts joins two contacts, twice, one of which has more conversations than change with a contact.
func TestContacts(t *testing.T) {
	for _, talks := range []int{3, 60} {
		w := open(t, talks)
		s := &merge.Store{Table: w.table, Now: time.Now, IDs: w.ids}
		for range 2 {
			if _, err := s.Contacts(t.Context(), account, w.into.ID, w.from.ID); err != nil {
				t.Fatal(err)
			}
			w.rest(t, s)
			w.check(t, talks)
		}
	}
}

// TestCrash ends the process at every transaction. Who asks again has the contacts joined, and until the
// contact is gone it has all that was its own.
func TestCrash(t *testing.T) {
	const talks = 3
	for n := 0; ; n++ {
		w := open(t, talks)
		s := &merge.Store{Table: w.table, Now: time.Now, IDs: w.ids}
		w.table.left = n
		_, err := s.Contacts(t.Context(), account, w.into.ID, w.from.ID)
		if err == nil {
			_, err = s.MoveRest(t.Context(), account, w.agent, w.into.ID, time.Now().Add(time.Minute))
		}
		if err == nil {
			if n < talks+2 {
				t.Errorf("only %d transactions", n)
			}
			return
		}
		if !errors.Is(err, errCrash) {
			t.Fatal(err)
		}
		w.table.left = -1
		if _, err := s.Contacts(t.Context(), account, w.into.ID, w.from.ID); err != nil {
			t.Fatal(err)
		}
		w.rest(t, s)
		w.check(t, talks)
	}
}
