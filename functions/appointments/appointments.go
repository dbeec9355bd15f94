// Package appointments implements the REST endpoints for appointments and free times.
package appointments

import (
	"context"
	"net/http"
	"time"

	"frontdesk/shared/api"
	"frontdesk/shared/appointment"
	"frontdesk/shared/auth"
	"frontdesk/shared/contact"
	"frontdesk/shared/counter"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/opt"
	"frontdesk/shared/table"
)

// Service implements the appointment endpoints. It is safe for concurrent use.
type Service struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
}

// Routes registers the endpoints.
func (s *Service) Routes(r *api.Router) {
	const times = "`start_time` and `end_time` are whole seconds in the years 1970 to 2999 and are shown " +
		"with the offset that they were " +
		"sent with; the end is later than the start, by at most 366 days. "
	api.Handle(r, "GET /appointments/", api.Doc{
		Summary: "List appointments",
		Description: "By start time, newest first, of all agents or of one. With `from`, `to` or " +
			"`contact_id` the count is made by reading.",
	}, s.list)
	api.Handle(r, "POST /appointments/", api.Doc{
		Summary: "Make an appointment",
		Description: "The contact is one of the agent's; its name is kept as it is now. " + times +
			"Whether there is another appointment at that time is up to the caller, unless `only_if_free` " +
			"is sent: then it is refused with 422. The event `appointment.created` tells of it.",
		Status: http.StatusCreated,
		Errors: []fault.Code{fault.NotFoundCode, fault.Unprocessable},
	}, s.create)
	api.Handle(r, "GET /appointments/{id}/", api.Doc{
		Summary: "Read an appointment",
	}, s.read)
	api.Handle(r, "PATCH /appointments/{id}/", api.Doc{
		Summary: "Change an appointment",
		Description: "What is not sent stays; only, an end that is not sent moves along with the start. " +
			times +
			"A pending or confirmed appointment may become any; one that is cancelled or completed stays " +
			"so and keeps its time. " +
			"With `only_if_free` another time that is taken is refused with 422. " +
			"The event `appointment.updated` tells of another time, and of nothing else.",
		Errors: []fault.Code{fault.Unprocessable},
	}, s.update)
	api.Handle(r, "DELETE /appointments/{id}/", api.Doc{
		Summary: "Delete an appointment",
		Description: "No event tells of it. To have it seen that an appointment does not take place, set " +
			"its status to `cancelled`.",
		Status: http.StatusNoContent,
	}, s.delete)
	api.Handle(r, "GET /agents/{agent_id}/free-times/", api.Doc{
		ID:      "listFreeTimes",
		Summary: "List the times at which an appointment can begin",
		Description: "Those in the opening hours, all at once and in order, a quarter or half an hour " +
			"apart, up to 90 days from now. Where the hours are not understood there are none.",
	}, s.freeTimes)
}

// An Appointment is the JSON form of an appointment.
type Appointment struct {
	ID          int64              `json:"id" example:"219482113060866"`
	AgentID     int64              `json:"agent_id" example:"219482113000001"`
	ContactID   int64              `json:"contact_id" doc:"It may be that of a contact who was deleted since." example:"219482113060864"`
	ContactName string             `json:"contact_name" doc:"As it was when the appointment was made; empty where it was not known." example:"Ada Lovelace"`
	Title       string             `json:"title" example:"Hair cut"`
	Notes       string             `json:"notes" example:"Wants it short"`
	StartTime   time.Time          `json:"start_time" example:"2026-03-02T09:30:00+01:00"`
	EndTime     time.Time          `json:"end_time" example:"2026-03-02T10:00:00+01:00"`
	Status      appointment.Status `json:"status" example:"pending"`
	CreatedAt   time.Time          `json:"created_at"`
	UpdatedAt   time.Time          `json:"updated_at" doc:"When something of it last changed."`
}

func show(a appointment.Appointment) Appointment {
	return Appointment{
		ID: a.ID, AgentID: a.AgentID, ContactID: a.ContactID, ContactName: a.ContactName, Title: a.Title,
		Notes:     a.Notes,
		StartTime: a.StartTime, EndTime: a.EndTime, Status: a.Status, CreatedAt: a.CreatedAt,
		UpdatedAt: a.UpdatedAt,
	}
}

func showItem(item table.Item) (Appointment, error) {
	a, err := appointment.Read(item)
	return show(a), err
}

func (s *Service) store() *appointment.Store {
	return &appointment.Store{Table: s.Table, Now: s.Now, IDs: s.IDs}
}

type listIn struct {
	AgentID opt.Value[int64]   `query:"agent_id" doc:"Only appointments of this agent." example:"219482113000001"`
	Status  appointment.Status `query:"status" doc:"Only appointments of this status." example:"pending"`
	From    string             `query:"from" check:"format=since" doc:"Only appointments that start at this time or later; of a date, from the beginning of the day in UTC. ISO 8601." example:"2026-03-02T00:00:00Z"`
	To      string             `query:"to" check:"format=since" doc:"Only appointments that start before this time; of a date, before the day in UTC. ISO 8601." example:"2099-03-09T00:00:00Z"`
	Contact opt.Value[int64]   `query:"contact_id" doc:"Only appointments of this contact." example:"219482113060864"`
	api.PageIn
}

// filter returns the filter of the query's parameters. Zero fields do not filter.
func (in listIn) filter() (appointment.Filter, error) {
	f := appointment.Filter{Status: in.Status, Contact: in.Contact.Value}
	for text, to := range map[string]*time.Time{in.From: &f.From, in.To: &f.To} {
		if text == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return f, err
		}
		*to = at
	}
	return f, nil
}

// list returns a page of appointments. Each status has its own counters and partitions; the other filters
// are counted by reading.
func (s *Service) list(ctx context.Context, in listIn) (api.List[Appointment], error) {
	filter, err := in.filter()
	if err != nil {
		return api.List[Appointment]{}, err
	}
	account := auth.CallerOf(ctx).Account.ID
	count := func(counts counter.Counts) int64 { return appointment.Count(counts, in.Status) }
	listing := api.Listing[Appointment]{Item: showItem}
	var query table.Query
	if in.AgentID.Set {
		query, listing.Also = appointment.OfAgent(account, in.AgentID.Value, in.Status)
		listing.Count = counter.OfOneAgent(s.Table, account, in.AgentID.Value, count)
	} else {
		query, listing.Also = appointment.OfAccount(account, in.Status)
		listing.Count, listing.Keep = counter.OfAllAgents(s.Table, account, count,
			func(item table.Item) (int64, error) {
				a, err := appointment.Read(item)
				return a.AgentID, err
			})
	}
	listing.Query = filter.Bound(query)
	if !filter.Counted() {
		s.narrow(account, filter, &listing)
	}
	return api.Paginate(ctx, s.Table, in.PageIn, listing)
}

// narrow restricts a listing to what passes the filter. The listing's own Count still runs: it refuses an
// unknown agent and learns which agents were deleted.
func (s *Service) narrow(account int64, filter appointment.Filter, l *api.Listing[Appointment]) {
	known, keep := l.Count, l.Keep
	kept := func(item table.Item) (bool, error) {
		if keep == nil {
			return true, nil
		}
		return keep(item)
	}
	l.Count = func(ctx context.Context) (count int64, err error) {
		refused := func(ctx context.Context) error {
			_, err := known(ctx)
			return err
		}
		counted := func(ctx context.Context) (err error) {
			count, err = filter.Count(ctx, s.Table, l.Query, l.Also, kept)
			return err
		}
		contacts := func(ctx context.Context) error {
			if filter.Contact == 0 {
				return nil
			}
			_, err := (&contact.Store{Table: s.Table}).Load(ctx, account, filter.Contact)
			return err
		}
		// Without Keep the counting does not depend on the checks, so all run at once.
		if keep == nil {
			err = table.Parallel(ctx, refused, contacts, counted)
			return count, err
		}
		// keep needs the deleted agents, which the listing's own Count reads.
		if err := table.Parallel(ctx, refused, contacts); err != nil {
			return 0, err
		}
		err = counted(ctx)
		return count, err
	}
	l.Keep = func(item table.Item) (bool, error) {
		a, err := appointment.Read(item)
		if err != nil || !filter.Keeps(a) {
			return false, err
		}
		return kept(item)
	}
}

// openStatus is a status that a new appointment may have.
type openStatus appointment.Status

// Values implements api.Enum.
func (openStatus) Values() []string {
	return []string{string(appointment.Pending), string(appointment.Confirmed)}
}

type createIn struct {
	AgentID   int64      `json:"agent_id" check:"required" example:"219482113000001"`
	ContactID int64      `json:"contact_id" check:"required" doc:"A contact of the agent." example:"219482113060864"`
	Title     string     `json:"title" check:"required,cut=200" example:"Hair cut"`
	StartTime string     `json:"start_time" check:"required,format=time" example:"2026-03-02T09:30:00+01:00"`
	EndTime   string     `json:"end_time" check:"null,format=time" doc:"Default 30 minutes after the start." example:"2026-03-02T10:00:00+01:00"`
	Notes     string     `json:"notes" check:"null,cut=5000" example:"Wants it short"`
	Status    openStatus `json:"status" doc:"Default pending." example:"confirmed"`
	Free      bool       `json:"only_if_free" doc:"Whether to refuse a time that another appointment of the agent takes." example:"false"`
}

// create makes an appointment. With only_if_free, the store writes it on the condition that the agent's
// calendar is unchanged since it was checked.
func (s *Service) create(ctx context.Context, in createIn) (Appointment, error) {
	start, err := time.Parse(time.RFC3339, in.StartTime)
	if err != nil {
		return Appointment{}, err
	}
	a := appointment.New(start)
	if in.EndTime != "" {
		if a.EndTime, err = time.Parse(time.RFC3339, in.EndTime); err != nil {
			return Appointment{}, err
		}
	}
	a.AgentID, a.ContactID, a.Title, a.Notes, a.Status = in.AgentID, in.ContactID, in.Title, in.Notes,
		appointment.Status(in.Status)
	a.OnlyIfFree = in.Free
	a, err = s.store().Create(ctx, auth.CallerOf(ctx).Account.ID, a)
	return show(a), err
}

type appointmentIn struct {
	ID int64 `path:"id"`
}

func (s *Service) read(ctx context.Context, in appointmentIn) (Appointment, error) {
	a, err := s.store().Load(ctx, auth.CallerOf(ctx).Account.ID, in.ID)
	return show(a), err
}

type updateIn struct {
	appointmentIn
	Title     opt.Value[string]             `json:"title" check:"cut=200,filled" example:"Hair cut"`
	StartTime opt.Value[string]             `json:"start_time" check:"filled,format=time" example:"2026-03-02T09:30:00+01:00"`
	EndTime   opt.Value[string]             `json:"end_time" check:"filled,format=time" example:"2026-03-02T10:00:00+01:00"`
	Notes     opt.Value[string]             `json:"notes" check:"cut=5000" example:"Wants it short"`
	Status    opt.Value[appointment.Status] `json:"status" example:"confirmed"`
	Free      bool                          `json:"only_if_free" doc:"Whether to refuse a time that another appointment of the agent takes." example:"false"`
}

func (s *Service) update(ctx context.Context, in updateIn) (Appointment, error) {
	a, err := s.store().Change(ctx, auth.CallerOf(ctx).Account.ID, in.ID, in.apply)
	return show(a), err
}

// apply sets the fields that were sent. The start comes first, since it moves the end along; an end that was
// sent then replaces it.
func (in updateIn) apply(a *appointment.Appointment) error {
	in.Title.To(&a.Title)
	in.Notes.To(&a.Notes)
	in.Status.To(&a.Status)
	a.OnlyIfFree = in.Free
	if in.StartTime.Set {
		start, err := time.Parse(time.RFC3339, in.StartTime.Value)
		if err != nil {
			return err
		}
		a.Move(start)
	}
	if in.EndTime.Set {
		end, err := time.Parse(time.RFC3339, in.EndTime.Value)
		if err != nil {
			return err
		}
		a.EndTime = end
	}
	return nil
}

func (s *Service) delete(ctx context.Context, in appointmentIn) (api.None, error) {
	return api.None{}, s.store().Delete(ctx, auth.CallerOf(ctx).Account.ID, in.ID)
}
