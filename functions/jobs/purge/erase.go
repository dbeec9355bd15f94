package purge

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"frontdesk/shared/appointment"
	"frontdesk/shared/attachment"
	"frontdesk/shared/auth"
	"frontdesk/shared/conversation"
	"frontdesk/shared/delivery"
	"frontdesk/shared/event"
	"frontdesk/shared/playbook"
	"frontdesk/shared/resource"
	"frontdesk/shared/table"
	"frontdesk/shared/unanswered"
	"frontdesk/shared/webhook"
)

// contact erases what a contact wrote and what is derived from it: conversations, appointments, unanswered
// questions, and payloads of webhooks. The rest is found by the ids of the conversations, so they are deleted
// last and the work may be repeated. The audit log records the erasure by ids alone.
func (s *Service) contact(ctx context.Context, e event.Event) error {
	conversations, err := conversation.OfContact(ctx, s.Table, e.AccountID, e.AgentID, e.ContactID)
	if err != nil {
		return err
	}
	appointments, err := appointment.OfContact(ctx, s.Table, e.AccountID, e.AgentID, e.ContactID)
	if err != nil {
		return err
	}
	talks, all, messages := map[int64]bool{}, map[int64]bool{e.ContactID: true}, int64(0)
	for _, c := range conversations {
		talks[c.ID], all[c.ID] = true, true
		messages += c.Messages
	}
	for _, a := range appointments {
		all[a.ID] = true
	}
	err = errors.Join(
		s.eraseDeliveries(ctx, e, all),
		unanswered.Erase(ctx, s.Table, e.AccountID, e.AgentID, talks),
		s.eraseAppointments(ctx, e, appointments),
	)
	if err != nil {
		return err
	}
	for _, c := range conversations {
		if err := s.eraseFiles(ctx, e.AccountID, c); err != nil {
			return err
		}
		if err := conversation.Erase(ctx, s.Table, s.IDs, e.AccountID, c); err != nil {
			return err
		}
	}
	const done = "Erased a contact with %d conversations of %d messages and %d appointments"
	return s.record(ctx, e, fmt.Sprintf(done, len(conversations), messages, len(appointments)))
}

// eraseAppointments deletes appointments. Those that are deleted already, as when the work is repeated, are
// ignored.
func (s *Service) eraseAppointments(ctx context.Context, e event.Event, all []appointment.Appointment) error {
	store := &appointment.Store{Table: s.Table, Now: s.Now, IDs: s.IDs}
	for _, a := range all {
		err := store.Delete(ctx, e.AccountID, a.ID)
		if err != nil && !errors.Is(err, appointment.ErrNotFound) {
			return err
		}
	}
	return nil
}

// eraseFiles deletes the files that came with the e-mails of a conversation.
func (s *Service) eraseFiles(ctx context.Context, account int64, c conversation.Conversation) error {
	files := attachment.Store{Table: s.Table, Now: s.Now}
	messages := conversation.Messages{Table: s.Table}
	return resource.Each(ctx, messages, conversation.All(account, c.ID), func(item table.Item) error {
		m, err := conversation.ReadMessage(item)
		if err != nil {
			return err
		}
		for _, file := range m.Files {
			if file.ID == "" {
				continue
			}
			if err := files.Delete(ctx, account, c.AgentID, file.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// eraseDeliveries empties the bodies of deliveries to the agent's webhooks and actions that name one of the
// ids.
func (s *Service) eraseDeliveries(ctx context.Context, e event.Event, ids map[int64]bool) error {
	to := delivery.Receiver{AccountID: e.AccountID, AgentID: e.AgentID}
	hooks := webhook.Query(e.AccountID, e.AgentID)
	err := resource.Each(ctx, s.Table, hooks, func(item table.Item) error {
		w, err := webhook.Read(item)
		if err != nil {
			return err
		}
		to := to
		to.WebhookID = w.ID
		return to.Erase(ctx, s.Table, ids)
	})
	if err != nil {
		return err
	}
	actions := playbook.Store[playbook.Action, *playbook.Action]{}.Query(e.AccountID, e.AgentID)
	return resource.Each(ctx, s.Table, actions, func(item table.Item) error {
		a, err := playbook.Read[playbook.Action](item)
		if err != nil {
			return err
		}
		to := to
		to.ActionID = a.ID
		return to.Erase(ctx, s.Table, ids)
	})
}

// record writes an entry of the service itself to the audit log.
func (s *Service) record(ctx context.Context, e event.Event, what string) error {
	entry := auth.AuditOfService(e.ID, s.Now(), what, fmt.Sprintf("/contacts/%d/", e.ContactID))
	write, err := entry.Write(e.AccountID)
	if err != nil {
		return err
	}
	s.Log.LogAttrs(ctx, slog.LevelInfo, "contact erased", slog.Int64("account", e.AccountID),
		slog.Int64("contact", e.ContactID))
	return s.Table.Transact(ctx, write)
}
