// Package contacts implements the REST endpoints for contacts, the people who write to agents.
package contacts

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/contact"
	"frontdesk/shared/counter"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/identity"
	"frontdesk/shared/logline"
	"frontdesk/shared/merge"
	"frontdesk/shared/opt"
	"frontdesk/shared/search"
	"frontdesk/shared/table"
)

// Service implements the contact endpoints. It holds no state of its own and is safe for concurrent use.
type Service struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
}

// Routes registers the endpoints.
func (s *Service) Routes(r *api.Router) {
	api.Handle(r, "GET /contacts/", api.Doc{
		Summary:     "List contacts",
		Description: "Newest first, of all agents or of one.",
	}, s.list)
	api.Handle(r, "POST /contacts/", api.Doc{
		Summary: "Add a contact, or find the one with this phone",
		Description: "A new contact answers 201. Where the agent has a contact with this phone it is that " +
			"one, with 200: its name and " +
			"e-mail address are filled from the request where they are empty, and the rest of it stays.",
		Status: http.StatusCreated,
		Errors: []fault.Code{fault.NotFoundCode},
	}, s.create)
	api.Handle(r, "GET /contacts/{id}/", api.Doc{
		Summary: "Read a contact",
	}, s.read)
	api.Handle(r, "PATCH /contacts/{id}/", api.Doc{
		Summary: "Change a contact",
		Description: "What is not sent stays. The phone is what a contact is known by, and cannot be " +
			"changed.",
	}, s.update)
	api.Handle(r, "DELETE /contacts/{id}/", api.Doc{
		Summary: "Delete a contact",
		Description: "Its conversations and appointments stay, unless erase is asked for. Where it had " +
			"opted out, its phone is kept for that alone: the next contact " +
			"with this phone begins opted out.",
		Status: http.StatusNoContent,
	}, s.delete)
	api.Handle(r, "POST /contacts/{id}/tags/", api.Doc{
		ID:      "addContactTags",
		Summary: "Add tags to a contact",
		Description: "Tags are a set: one that the contact has already stays as it is. A contact has at " +
			"most 100.",
	}, s.tag)
	api.Handle(r, "DELETE /contacts/{id}/tags/{tag_name...}/", api.Doc{
		ID:          "removeContactTag",
		Summary:     "Remove a tag from a contact",
		Description: "Removing a tag that the contact does not have changes nothing.",
	}, s.untag)
	api.Handle(r, "POST /contacts/{id}/opt-out/", api.Doc{
		ID:          "optOutContact",
		Summary:     "Note that a contact wants no messages",
		Description: "Sends to the contact are refused with `contact_opted_out` from then on.",
	}, s.optOut)
	api.Handle(r, "POST /contacts/{id}/merge/", api.Doc{
		ID:      "mergeContacts",
		Summary: "Join another contact into one",
		Description: "Both are one person: conversations, appointments, tags, facts, notes and addresses " +
			"of the other become this contact's, and the other is gone. Where both have a value, this " +
			"contact's stays, and the other's is kept in `other_phones`, `other_emails` and the notes. Who " +
			"wants no messages on either side wants none. Sending it again changes nothing. Of an agent " +
			"with many thousand conversations or appointments, older ones may follow within a minute.",
		Status: http.StatusOK,
	}, s.merge)
	s.exportRoutes(r)
}

// A Contact is the JSON form of a contact.
type Contact struct {
	ID          int64             `json:"id" example:"219482113060864"`
	AgentID     int64             `json:"agent_id" example:"219482113000001"`
	Name        string            `json:"name" example:"Ada Lovelace"`
	Phone       string            `json:"phone" doc:"E.164; empty where it is not known." example:"+14155550123"`
	Email       string            `json:"email" doc:"Empty where it is not known." example:"ada@example.com"`
	Stage       contact.Stage     `json:"stage" example:"lead"`
	LeadScore   int               `json:"lead_score" check:"range=0..100" doc:"How well the contact is known and how far it has come. Hot from 70, warm from 40, else cold." example:"40"`
	OptedIn     bool              `json:"opted_in" doc:"False once the contact wants no messages." example:"true"`
	Tags        []string          `json:"tags" doc:"In the order in which they were added." example:"[\"vip\"]"`
	Notes       string            `json:"notes" example:"Prefers mornings"`
	Budget      string            `json:"budget" example:"500 to 800 EUR"`
	Location    string            `json:"location" example:"London"`
	Facts       map[string]string `json:"facts" doc:"What the contact told the agent, by name: what the questions of funnels save, and preferences." example:"{\"purpose\": \"commuting\"}"`
	Identity    identity.State    `json:"identity" doc:"verified where the phone, the e-mail address or the external id is proved: by the API's key, a signature of the business, or the channel. claimed where what is known was only stated, else anonymous." example:"verified"`
	Claimed     identity.Claims   `json:"claimed" doc:"What the contact only stated. It opens nothing."`
	OtherPhones []string          `json:"other_phones,omitempty" doc:"Of contacts that were joined into this one. They lead to it too."`
	OtherEmails []string          `json:"other_emails,omitempty" doc:"The same of e-mail addresses."`
	Source      *contact.Referral `json:"source" doc:"What first led the contact here, as its platform tells; null where none does."`
	CreatedAt   time.Time         `json:"created_at"`
	LastSeenAt  time.Time         `json:"last_seen_at" doc:"When the contact last wrote, to within ten minutes; before it ever did, when it was created."`
}

// show converts a stored contact to its JSON form. Maps are never null there.
func show(c contact.Contact) Contact {
	facts := c.Facts
	if facts == nil {
		facts = map[string]string{}
	}
	shown := Contact{
		ID: c.ID, AgentID: c.AgentID, Name: c.Name, Phone: c.Phone, Email: c.Email, Stage: c.Stage,
		LeadScore: c.LeadScore,
		OptedIn:   c.OptedIn, Tags: c.Tags, Notes: c.Notes, Budget: c.Budget, Location: c.Location,
		Facts: facts, Identity: identity.Of(c.Verified(), c.Claimed), Claimed: c.Claimed,
		OtherPhones: c.OtherPhones, OtherEmails: c.OtherEmails,
		CreatedAt: c.CreatedAt, LastSeenAt: c.LastSeenAt,
	}
	if c.Source != (contact.Referral{}) {
		shown.Source = &c.Source
	}
	return shown
}

func (s *Service) store() *contact.Store {
	return &contact.Store{Table: s.Table, Now: s.Now, IDs: s.IDs}
}

type listIn struct {
	AgentID opt.Value[int64] `query:"agent_id" doc:"Only contacts of this agent." example:"219482113000001"`
	Search  string           `query:"q" check:"max=200" doc:"Only contacts in whose name, phone, e-mail address or tags words begin with each of these. Of the latest 10,000 of the list." example:""`
	api.PageIn
}

// list answers a page of contacts. A search has no index: it filters the latest contacts in memory, so its
// pages have numbers only, no cursors.
func (s *Service) list(ctx context.Context, in listIn) (api.List[Contact], error) {
	q := search.Parse(in.Search)
	if q.Empty() {
		return api.Paginate(ctx, s.Table, in.PageIn,
			listing(ctx, s.Table, in, func(item table.Item) (Contact, error) {
				c, err := contact.Read(item)
				return show(c), err
			}))
	}
	all, err := api.First(ctx, s.Table, searched, listing(ctx, s.Table, in, contact.Read))
	if err != nil {
		return api.List[Contact]{}, err
	}
	var found []Contact
	for _, c := range all {
		if q.Match(textsOf(c)...) {
			found = append(found, show(c))
		}
	}
	return api.PaginateAll(ctx, in.PageIn, found)
}

// searched is how many of the latest contacts of the list a search reads.
const searched = 10_000

// textsOf returns the texts of a contact that a search matches against.
func textsOf(c contact.Contact) []string {
	return append([]string{
		c.Name, c.Phone, c.Email, c.ExternalID, c.Claimed.Name, c.Claimed.Phone, c.Claimed.Email,
	}, c.Tags...)
}

// listing returns the listing of the workspace's contacts, or of one agent's. Item converts each stored item.
func listing[T any](
	ctx context.Context, t table.Table, in listIn, item func(table.Item) (T, error),
) api.Listing[T] {
	account := auth.CallerOf(ctx).Account.ID
	l := api.Listing[T]{
		Query: table.Query{Index: table.Index2, PK: contact.KeyByAccount(account, 0).PK, Descending: true},
		Item:  item,
	}
	// The agent's own index and counter serve its list. OfOneAgent refuses an agent that does not exist.
	if in.AgentID.Set {
		l.Query.Index, l.Query.PK = table.Index1, contact.KeyByAgent(account, in.AgentID.Value, 0).PK
		l.Count = counter.OfOneAgent(t, account, in.AgentID.Value, contact.Count)
		return l
	}
	// Contacts of deleted agents stay in the index until they are removed; Keep leaves them out.
	l.Count, l.Keep = counter.OfAllAgents(t, account, contact.Count, func(item table.Item) (int64, error) {
		c, err := contact.Read(item)
		return c.AgentID, err
	})
	return l
}

type createIn struct {
	AgentID     int64         `json:"agent_id" check:"required" example:"219482113000001"`
	Phone       string        `json:"phone" check:"null,format=e164" doc:"Required, here or as phone_number." example:"+14155550123"`
	PhoneNumber string        `json:"phone_number" check:"null,format=e164" doc:"Another name of phone." example:"+14155550123"`
	Name        string        `json:"name" check:"null,cut=200" example:"Ada Lovelace"`
	Email       string        `json:"email" check:"null,format=email" example:"ada@example.com"`
	Stage       contact.Stage `json:"stage" doc:"Default lead. Of a contact that is there it stays." example:"lead"`
}

// Created is the answer to a create: a new contact, or the existing one with the same phone.
type Created struct {
	Contact
	api.Upserted
}

// create adds a contact. Upsert writes on the condition that the phone is still free, so two concurrent
// requests with one phone make one contact.
func (s *Service) create(ctx context.Context, in createIn) (Created, error) {
	if in.Phone == "" {
		in.Phone = in.PhoneNumber
	}
	if in.Phone == "" {
		return Created{}, fault.Invalid("phone", "The field phone is required.")
	}
	// Times are stored in whole milliseconds, like those in ids.
	c := contact.New(0, in.AgentID, s.Now().UTC().Truncate(time.Millisecond))
	c.Name, c.Phone, c.Email = in.Name, in.Phone, in.Email
	if in.Stage != "" {
		c.Stage = in.Stage
	}
	c, isNew, err := s.store().Upsert(ctx, auth.CallerOf(ctx).Account.ID, c)
	return Created{show(c), api.Created(isNew)}, err
}

type contactIn struct {
	ID int64 `path:"id"`
}

func (s *Service) read(ctx context.Context, in contactIn) (Contact, error) {
	c, err := s.store().Load(ctx, auth.CallerOf(ctx).Account.ID, in.ID)
	return show(c), err
}

type updateIn struct {
	contactIn
	Name     opt.Value[string]        `json:"name" check:"cut=200" example:"Ada Lovelace"`
	Email    opt.Value[string]        `json:"email" check:"format=email" doc:"An empty text removes it." example:"ada@example.com"`
	Stage    opt.Value[contact.Stage] `json:"stage" example:"customer"`
	Notes    opt.Value[string]        `json:"notes" check:"cut=5000" example:"Prefers mornings"`
	Budget   opt.Value[string]        `json:"budget" check:"cut=200" example:"500 to 800 EUR"`
	Location opt.Value[string]        `json:"location" check:"cut=300" example:"London"`
}

func (s *Service) update(ctx context.Context, in updateIn) (Contact, error) {
	return s.change(ctx, in.ID, func(c *contact.Contact) error {
		in.Name.To(&c.Name)
		in.Email.To(&c.Email)
		in.Stage.To(&c.Stage)
		in.Notes.To(&c.Notes)
		in.Budget.To(&c.Budget)
		in.Location.To(&c.Location)
		return nil
	})
}

// change loads a contact, edits it and stores it under its version; edit may run again after a conflict.
func (s *Service) change(ctx context.Context, id int64, edit func(*contact.Contact) error) (Contact, error) {
	c, err := s.store().Change(ctx, auth.CallerOf(ctx).Account.ID, id, edit)
	return show(c), err
}

type deleteIn struct {
	contactIn
	Erase bool `query:"erase" doc:"True also erases, within minutes, what the contact wrote and what came of it: conversations, appointments, questions without an answer, and what webhooks were told. The audit log has an entry of the service's once that is done." example:"false"`
}

func (s *Service) delete(ctx context.Context, in deleteIn) (api.None, error) {
	if in.Erase {
		return api.None{}, s.store().Erase(ctx, auth.CallerOf(ctx).Account.ID, in.ID)
	}
	return api.None{}, s.store().Delete(ctx, auth.CallerOf(ctx).Account.ID, in.ID)
}

type tagIn struct {
	contactIn
	Tags []string `json:"tags" check:"required,items=100,trim,filled,max=50" doc:"Names of any characters." example:"[\"vip\"]"`
}

func (s *Service) tag(ctx context.Context, in tagIn) (Contact, error) {
	return s.change(ctx, in.ID, func(c *contact.Contact) error {
		if !c.Tag(in.Tags...) {
			return fault.Invalid("tags", "A contact may have at most %d tags.", contact.MaxTags)
		}
		return nil
	})
}

type untagIn struct {
	contactIn
	Tag string `path:"tag_name"`
}

func (s *Service) untag(ctx context.Context, in untagIn) (Contact, error) {
	return s.change(ctx, in.ID, func(c *contact.Contact) error {
		c.Untag(strings.TrimSpace(in.Tag))
		return nil
	})
}

func (s *Service) optOut(ctx context.Context, in contactIn) (Contact, error) {
	return s.change(ctx, in.ID, func(c *contact.Contact) error {
		c.OptedIn = false
		return nil
	})
}

type mergeIn struct {
	contactIn
	ContactID int64 `json:"contact_id" check:"required" doc:"The contact to join into this one, of the same agent." example:"219482113060871"`
}

// mergeTime limits how long a request moves older conversations and appointments. The background worker moves
// the rest. API Gateway ends a request after 29 s.
const mergeTime = 10 * time.Second

// merge joins another contact into one. Once Contacts has returned, the merge holds; a failure to move older
// conversations and appointments within mergeTime is only logged.
func (s *Service) merge(ctx context.Context, in mergeIn) (Contact, error) {
	account := auth.CallerOf(ctx).Account.ID
	store := &merge.Store{Table: s.Table, Now: s.Now, IDs: s.IDs}
	joined, err := store.Contacts(ctx, account, in.ID, in.ContactID)
	if err != nil {
		return Contact{}, err
	}
	// The merge has published an event, from which the background worker moves what is left here.
	if _, err := store.MoveRest(ctx, account, joined.AgentID, joined.ID, s.Now().Add(mergeTime)); err != nil {
		logline.Add(ctx, slog.String("merge", err.Error()))
	}
	return show(joined), nil
}
