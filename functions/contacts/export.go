package contacts

import (
	"cmp"
	"context"
	"slices"
	"time"

	"frontdesk/shared/api"
	"frontdesk/shared/appointment"
	"frontdesk/shared/auth"
	"frontdesk/shared/conversation"
	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// exportSize is the size in bytes of the messages after which a part of an export ends. A part may
// exceed it by one conversation.
const exportSize = 2 << 20

type exportIn struct {
	contactIn
	After int64 `query:"after" check:"range=0..9007199254740991" doc:"Go on behind this conversation, as next_after of the last part says." example:"0"`
}

// An Export is one part of everything stored about a contact.
type Export struct {
	Contact       Contact                `json:"contact"`
	Conversations []ExportedConversation `json:"conversations" doc:"Oldest first, with their messages."`
	Appointments  []ExportedAppointment  `json:"appointments" doc:"In the first part."`
	NextAfter     *int64                 `json:"next_after" doc:"Where there is more, the after of the next part; null where this is all." example:"null"`
}

// An ExportedConversation is a conversation with all of its messages and notes.
type ExportedConversation struct {
	ID        int64                  `json:"id" example:"219482113060865"`
	Channel   conversation.Channel   `json:"channel" example:"webchat"`
	Status    conversation.Status    `json:"status" example:"open"`
	Labels    []string               `json:"labels" example:"[\"refund\"]"`
	CreatedAt time.Time              `json:"created_at"`
	Messages  []conversation.Message `json:"messages"`
	Notes     []ExportedNote         `json:"notes"`
}

// An ExportedNote is a note that a member of the workspace added to a conversation.
type ExportedNote struct {
	Content   string    `json:"content" example:"She asked for the blue one before."`
	Author    string    `json:"author" example:"Grace"`
	CreatedAt time.Time `json:"created_at"`
}

// An ExportedAppointment is an appointment of the contact.
type ExportedAppointment struct {
	ID        int64              `json:"id" example:"219482113061111"`
	Title     string             `json:"title" example:"Haircut"`
	Notes     string             `json:"notes" example:""`
	StartTime time.Time          `json:"start_time"`
	EndTime   time.Time          `json:"end_time"`
	Status    appointment.Status `json:"status" example:"confirmed"`
	CreatedAt time.Time          `json:"created_at"`
}

// export answers one part of a contact's data. Parts are divided between conversations, never within one. The
// appointments are in the first part only.
func (s *Service) export(ctx context.Context, in exportIn) (Export, error) {
	account := auth.CallerOf(ctx).Account.ID
	c, err := s.store().Load(ctx, account, in.ID)
	if err != nil {
		return Export{}, err
	}
	out := Export{
		Contact: show(c), Conversations: []ExportedConversation{}, Appointments: []ExportedAppointment{},
	}
	var talks []conversation.Conversation
	err = table.Parallel(ctx, func(ctx context.Context) (err error) {
		talks, err = conversation.OfContact(ctx, s.Table, account, c.AgentID, c.ID)
		return err
	}, func(ctx context.Context) (err error) {
		if in.After == 0 {
			out.Appointments, err = s.exportAppointments(ctx, account, c.AgentID, c.ID)
		}
		return err
	})
	if err != nil {
		return Export{}, err
	}
	// Ids grow with time, so the order by id is oldest first, and the last id is where the next part begins.
	slices.SortFunc(talks, func(a, b conversation.Conversation) int { return cmp.Compare(a.ID, b.ID) })
	size := 0
	for _, talk := range talks {
		if talk.ID <= in.After {
			continue
		}
		if size >= exportSize {
			out.NextAfter = &out.Conversations[len(out.Conversations)-1].ID
			break
		}
		one, n, err := s.exportConversation(ctx, account, talk)
		if err != nil {
			return Export{}, err
		}
		out.Conversations, size = append(out.Conversations, one), size+n
	}
	return out, nil
}

// exportConversation reads a conversation's messages and notes, and the messages' size in bytes.
func (s *Service) exportConversation(
	ctx context.Context, account int64, c conversation.Conversation,
) (ExportedConversation, int, error) {
	out := ExportedConversation{
		ID: c.ID, Channel: c.Channel, Status: c.Status, Labels: append([]string{}, c.Labels...),
		CreatedAt: c.CreatedAt, Messages: []conversation.Message{}, Notes: []ExportedNote{},
	}
	size := 0
	messages := conversation.Messages{Table: s.Table}
	err := table.Parallel(ctx, func(ctx context.Context) error {
		return resource.Each(ctx, messages, conversation.All(account, c.ID), func(item table.Item) error {
			m, err := conversation.ReadMessage(item)
			out.Messages, size = append(out.Messages, m), size+len(item.Doc)
			return err
		})
	}, func(ctx context.Context) error {
		return resource.Each(ctx, s.Table, conversation.Notes(account, c.ID), func(item table.Item) error {
			n, err := conversation.ReadNote(item)
			out.Notes = append(out.Notes, ExportedNote{n.Content, n.Author, n.CreatedAt})
			return err
		})
	})
	return out, size, err
}

func (s *Service) exportAppointments(
	ctx context.Context, account, agent, contact int64,
) ([]ExportedAppointment, error) {
	all, err := appointment.OfContact(ctx, s.Table, account, agent, contact)
	out := []ExportedAppointment{}
	for _, a := range all {
		out = append(out, ExportedAppointment{
			a.ID, a.Title, a.Notes, a.StartTime, a.EndTime, a.Status, a.CreatedAt,
		})
	}
	return out, err
}

// exportRoutes registers the export endpoint.
func (s *Service) exportRoutes(r *api.Router) {
	api.Handle(r, "GET /contacts/{id}/export/", api.Doc{
		ID:      "exportContact",
		Summary: "Export what is stored of a contact",
		Description: "The contact with all conversations, their messages and notes, and the appointments. " +
			"What is longer than some 2 MB comes in parts: ask again with `after` until `next_after` is " +
			"null.",
	}, s.export)
}
