package conversations

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/change"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/fault"
	"frontdesk/shared/message"
	"frontdesk/shared/opt"
	"frontdesk/shared/table"
)

// deskRoutes registers the endpoints for the members who work with conversations.
func (s *Service) deskRoutes(r *api.Router) {
	api.Handle(r, "PATCH /conversations/{id}/", api.Doc{
		Summary:     "Assign, label or prioritise a conversation, or mark it as read",
		Description: "What is not sent stays.",
	}, s.update)
	api.Handle(r, "GET /conversations/{id}/notes/", api.Doc{
		ID:          "listConversationNotes",
		Summary:     "List the notes of a conversation",
		Description: "Oldest first.",
	}, s.notes)
	api.Handle(r, "POST /conversations/{id}/notes/", api.Doc{
		ID:          "addConversationNote",
		Summary:     "Add a note to a conversation",
		Description: "Notes are for the people of the business. The contact never sees them.",
		Unaudited:   true,
		Status:      http.StatusCreated,
	}, s.addNote)
	api.Handle(r, "POST /conversations/{id}/presence/", api.Doc{
		ID:      "reportPresence",
		Summary: "Report that one views a conversation or writes in it",
		Description: "The other members see it in `/changes/` and in the answer to their own report. The " +
			"visitor of a chat box sees who writes while a person has the conversation. Report viewing " +
			"every 30 seconds, and writing every 8 while somebody types: it ends by itself.",
		Unaudited: true,
	}, s.present)
	api.Handle(r, "GET /changes/", api.Doc{
		ID:      "listChanges",
		Summary: "Tell what changed since a moment",
		Description: "Ask without `after` first, and then each time with the `cursor` of the last " +
			"answer. It is cheap enough to be asked every few seconds.",
		Errors: []fault.Code{fault.NotFoundCode},
	}, s.changes)
}

type updateIn struct {
	conversationIn
	Assignee opt.Value[int64]                 `json:"assignee" check:"null" doc:"The id of a member, null for nobody." example:"null"`
	Labels   opt.Value[[]string]              `json:"labels" check:"filled,cut=50,items=20" doc:"All labels, instead of those that it has." example:"[\"refund\"]"`
	Priority opt.Value[conversation.Priority] `json:"priority" example:"high"`
	Read     opt.Value[bool]                  `json:"read" doc:"True makes unread 0, false at least 1." example:"true"`
}

// update changes the fields that were sent. It stores the conversation under the version that was read, and
// retries after a conflict with another change.
func (s *Service) update(ctx context.Context, in updateIn) (Conversation, error) {
	account := auth.CallerOf(ctx).Account.ID
	var after conversation.Conversation
	err := table.Retry(ctx, func() error {
		var u *message.Unit
		err := table.Parallel(ctx, func(ctx context.Context) (err error) {
			u, err = s.Sender.Load(ctx, account, in.ID)
			return err
		}, func(ctx context.Context) error { return s.checkMember(ctx, account, in.Assignee.Value) })
		if err != nil {
			return err
		}
		c := &u.Conversation
		in.Assignee.To(&c.Assignee)
		in.Priority.To(&c.Priority)
		if in.Labels.Set {
			c.Labels = distinct(in.Labels.Value)
		}
		if in.Read.Set {
			c.MarkRead(in.Read.Value)
		}
		after = *c
		return u.Commit(ctx)
	})
	return show(after), err
}

// checkMember refuses an assignee who is not a member of the workspace. 0 is no assignee.
func (s *Service) checkMember(ctx context.Context, account, member int64) error {
	if member == 0 {
		return nil
	}
	_, err := s.Table.Get(ctx, auth.MemberKey(account, member))
	if errors.Is(err, table.ErrNotFound) {
		return fault.Invalid("assignee", "The workspace has no member with this id.")
	}
	return err
}

// distinct returns the labels in their order without duplicates; case does not count.
func distinct(sent []string) []string {
	var labels []string
	known := map[string]bool{}
	for _, label := range sent {
		if key := strings.ToLower(label); !known[key] {
			known[key], labels = true, append(labels, label)
		}
	}
	return labels
}

// author returns the name of the calling member, "" for an API key.
func author(ctx context.Context) string { return auth.CallerOf(ctx).Member.Name }

// A Note is an internal note on a conversation, which the contact never sees.
type Note struct {
	ID             int64     `json:"id" example:"219482113064999"`
	ConversationID int64     `json:"conversation_id" example:"219482113060865"`
	Content        string    `json:"content" example:"She asked for the blue one before."`
	Author         string    `json:"author" doc:"The member's name; empty for an API key." example:"Grace"`
	CreatedAt      time.Time `json:"created_at"`
}

func showNote(item table.Item) (Note, error) {
	n, err := conversation.ReadNote(item)
	return Note(n), err
}

type addNoteIn struct {
	conversationIn
	Content string `json:"content" check:"required,cut=4000" example:"She asked for the blue one before."`
}

// addNote stores the note and the conversation's count of notes in one transaction.
func (s *Service) addNote(ctx context.Context, in addNoteIn) (Note, error) {
	var n conversation.Note
	_, err := s.Sender.Change(ctx, auth.CallerOf(ctx).Account.ID, in.ID, func(u *message.Unit) (err error) {
		n, err = u.Note(in.Content, author(ctx))
		return err
	})
	return Note(n), err
}

type notesIn struct {
	conversationIn
	api.PageIn
}

func (s *Service) notes(ctx context.Context, in notesIn) (api.List[Note], error) {
	account := auth.CallerOf(ctx).Account.ID
	return api.Paginate(ctx, s.Table, in.PageIn, api.Listing[Note]{
		Query: conversation.Notes(account, in.ID),
		Count: func(ctx context.Context) (int64, error) {
			c, err := s.store().Load(ctx, account, in.ID)
			return c.Notes, err
		},
		Item: showNote,
	})
}

type changesIn struct {
	After string `query:"after" check:"place" doc:"The cursor of the last answer. Without it the answer tells where now is."`
}

// Changes is what changed in a workspace since a cursor.
type Changes struct {
	Cursor        string    `json:"cursor" doc:"Where the next call goes on." example:"gICA"`
	Conversations []int64   `json:"conversations" doc:"The ids of the conversations in which something was said or that were changed." example:"[219482113060865]"`
	Appointments  []int64   `json:"appointments" doc:"The ids of the appointments that were made, changed or deleted." example:"[]"`
	Presence      []Present `json:"presence" doc:"Who lately began or went on to view a conversation or to write in it, or left it: what they do now, so the same may come again. Conversations and people that are missing are as they were, until their seconds are over."`
	Unread        int64     `json:"unread" doc:"How many conversations have messages that no person has read." example:"1"`
}

// changes answers the ids of what changed since the cursor, for dashboards that poll every few seconds.
func (s *Service) changes(ctx context.Context, in changesIn) (Changes, error) {
	account := auth.CallerOf(ctx).Account.ID
	now := s.Sender.Now()
	// Without a cursor nothing is listed; the answer has only the cursor for the next call.
	if in.After == "" {
		var cursor change.Cursor
		var unread int64
		err := table.Parallel(ctx, func(ctx context.Context) (err error) {
			cursor, err = change.Begin(ctx, s.Table, account, now)
			return err
		}, func(ctx context.Context) (err error) {
			unread, err = s.unread(ctx, account)
			return err
		})
		cursor.Unread = unread
		return Changes{cursor.String(), []int64{}, []int64{}, []Present{}, unread}, err
	}
	from, err := change.ReadCursor(in.After)
	if err != nil {
		return Changes{}, fault.NotFound()
	}
	found, err := change.Since(ctx, s.Table, account, from, now)
	if err != nil {
		return Changes{}, err
	}
	// The cursor carries the last unread count, so an answer without changes costs no read of the counters.
	if len(found.Conversations) > 0 {
		if found.Next.Unread, err = s.unread(ctx, account); err != nil {
			return Changes{}, err
		}
	}
	present := showAllPresent(found.Present, caller(ctx), now)
	return Changes{
		found.Next.String(), found.Conversations, found.Appointments, present, found.Next.Unread,
	}, nil
}

// unread counts the workspace's conversations that have messages no person has read.
func (s *Service) unread(ctx context.Context, account int64) (int64, error) {
	counts, _, err := counter.OfAccount(ctx, s.Table, account)
	return conversation.CountUnread(counts), err
}
