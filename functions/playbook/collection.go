package playbook

import (
	"context"
	"net/http"

	"frontdesk/shared/api"
	"frontdesk/shared/playbook"
	"frontdesk/shared/table"
)

// fields are the fields of a request's body for a row.
type fields[T any] interface {
	// apply sets the fields that were sent on a stored or new row. Its error is the response.
	apply(ctx context.Context, s *Service, row *T) error
}

// A creation is the In of a POST that creates a row.
type creation[T any] interface {
	fields[T]
	agent() int64
}

// An upsertion is the In of a POST that creates a row, or changes the one with the same key.
type upsertion[T any] interface {
	creation[T]
	key() string
}

// A change is the In of a PATCH.
type change[T any] interface {
	fields[T]
	place
}

// A place is an In that identifies a row.
type place interface {
	item() (agent, id int64)
}

// A collection implements the endpoints of one kind of rows. T is the row, In the path of one.
type collection[T any, In place, P playbook.RowOf[T]] struct {
	service *Service
	store   playbook.Store[T, P]
	path    string // of the collection
	row     string // the path of a row
	one     string // a row as users call it, with its article
	many    string // the same in the plural
	show    func(T) T
	delete  func(ctx context.Context, account, agent, id int64) error
}

// newCollection returns the collection of a kind whose rows are shown as they are stored.
func newCollection[T any, In place, P playbook.RowOf[T]](s *Service, kind playbook.Kind, item, one,
	many string) *collection[T, In, P] {
	store := playbook.Store[T, P]{Table: s.Table, Now: s.Now, IDs: s.IDs}
	path := "/agents/{agent_id}/" + string(kind) + "/"
	return &collection[T, In, P]{
		service: s, store: store, path: path, row: path + "{" + item + "}/", one: one, many: many,
		show: func(row T) T { return row }, delete: store.Delete,
	}
}

// handleRows registers the endpoints that all collections have: list, read and delete.
func (c *collection[T, In, P]) handleRows(r *api.Router) {
	api.Handle(r, "GET "+c.path, api.Doc{
		Summary: "List the " + c.many + " of an agent", Description: "Newest first.",
	}, c.list)
	api.Handle(r, "GET "+c.row, api.Doc{Summary: "Read " + c.one}, c.read)
	api.Handle(r, "DELETE "+c.row, api.Doc{Summary: "Delete " + c.one, Status: http.StatusNoContent},
		c.remove)
}

// handleCreate registers the POST of a kind without keys.
func handleCreate[C creation[T], T any, In place, P playbook.RowOf[T]](r *api.Router, c *collection[T, In, P],
	description string) {
	api.Handle(r, "POST "+c.path, api.Doc{
		Summary: "Add " + c.one, Description: description, Status: http.StatusCreated,
	}, func(ctx context.Context, in C) (T, error) {
		row, err := c.store.Create(ctx, accountOf(ctx), in.agent(),
			func(row *T) error { return in.apply(ctx, c.service, row) })
		return c.show(row), err
	})
}

// handleUpsert registers the POST of a kind with keys. Out is T with the status of the response.
func handleUpsert[C upsertion[T], Out, T any, In place, P playbook.RowOf[T]](r *api.Router,
	c *collection[T, In, P], description string, out func(row T, created bool) Out) {
	api.Handle(r, "POST "+c.path, api.Doc{
		Summary: "Add or change " + c.one, Description: description, Status: http.StatusCreated,
	}, func(ctx context.Context, in C) (Out, error) {
		row, created, err := c.store.Upsert(ctx, accountOf(ctx), in.agent(), in.key(), func(row *T) error {
			return in.apply(ctx, c.service, row)
		})
		return out(c.show(row), created), err
	})
}

// handleUpdate registers the PATCH of a row. apply may run again after a conflict with another change.
func handleUpdate[U change[T], T any, In place, P playbook.RowOf[T]](r *api.Router, c *collection[T, In, P],
	description string) {
	api.Handle(r, "PATCH "+c.row, api.Doc{
		Summary: "Change " + c.one, Description: "What is not sent stays. " + description,
	}, func(ctx context.Context, in U) (T, error) {
		agent, id := in.item()
		row, err := c.store.Update(ctx, accountOf(ctx), agent, id,
			func(row *T) error { return in.apply(ctx, c.service, row) })
		return c.show(row), err
	})
}

type listIn struct {
	agentIn
	api.PageIn
}

// list answers a page of an agent's rows, newest first. Their number is in the agent's summary.
func (c *collection[T, In, P]) list(ctx context.Context, in listIn) (api.List[T], error) {
	account := accountOf(ctx)
	return api.Paginate(ctx, c.service.Table, in.PageIn, api.Listing[T]{
		Query: c.store.Query(account, in.AgentID),
		Count: func(ctx context.Context) (int64, error) { return c.store.Count(ctx, account, in.AgentID) },
		Item: func(item table.Item) (T, error) {
			row, err := playbook.Read[T](item)
			return c.show(row), err
		},
	})
}

func (c *collection[T, In, P]) read(ctx context.Context, in In) (T, error) {
	agent, id := in.item()
	row, err := c.store.Load(ctx, accountOf(ctx), agent, id)
	return c.show(row), err
}

func (c *collection[T, In, P]) remove(ctx context.Context, in In) (api.None, error) {
	agent, id := in.item()
	return api.None{}, c.delete(ctx, accountOf(ctx), agent, id)
}
