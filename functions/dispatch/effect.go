package dispatch

import (
	"context"
	"errors"

	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/message"
	"frontdesk/shared/playbook"
	"frontdesk/shared/table"
)

// carryOut runs an action that changes stored data, once for each event: one transaction stores the effect
// and the record of the run. The effect triggers no other actions. Nothing is stored if a limit forbids the
// run or the target was deleted.
func (s *Service) carryOut(ctx context.Context, run playbook.Run, e event.Event) error {
	return table.Retry(ctx, func() error {
		writes, err := s.effect(ctx, run, e)
		if err != nil {
			return err
		}
		outcome := playbook.Done
		if len(writes) == 0 {
			outcome = playbook.Unchanged
		}
		note, err := run.Once(e, outcome)
		if err != nil {
			return err
		}
		err = run.Commit(ctx, s.Table, append([]table.Write{note}, writes...)...)
		// it ran on an earlier read of the event, or a limit forbids it
		if table.ConditionErrorAt(err, 0) || errors.Is(err, playbook.ErrLimited) {
			return nil
		}
		return err
	})
}

// effect returns the writes of an action's effect.
func (s *Service) effect(ctx context.Context, run playbook.Run, e event.Event) ([]table.Write, error) {
	switch run.Action.ActionType {
	case playbook.AddTag, playbook.RemoveTag, playbook.SetStage:
		return s.effectOnContact(ctx, run)
	}
	return s.effectOnConversation(ctx, run, e)
}

func (s *Service) effectOnContact(ctx context.Context, run playbook.Run) ([]table.Write, error) {
	item, err := s.Table.Get(ctx, contact.Key(run.Account, run.Contact))
	if errors.Is(err, table.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	before, err := contact.Read(item)
	if err != nil {
		return nil, err
	}
	after := before
	switch config := run.Action.Config; run.Action.ActionType {
	case playbook.AddTag:
		if after.Tags = append([]string{}, before.Tags...); !after.Tag(config.Tag) {
			return nil, nil
		}
	case playbook.RemoveTag:
		after.Tags = append([]string{}, before.Tags...)
		after.Untag(config.Tag)
	case playbook.SetStage:
		after.Stage = config.Stage
	}
	if len(after.Tags) == len(before.Tags) && after.Stage == before.Stage {
		return nil, nil
	}
	contacts := &contact.Store{Table: s.Table, Now: s.Now, IDs: s.IDs}
	return contacts.Revise(ctx, run.Account, nil, item.Version, before, &after)
}

func (s *Service) effectOnConversation(ctx context.Context, run playbook.Run, e event.Event) ([]table.Write,
	error) {
	id, err := s.conversationOf(ctx, run, e)
	if err != nil || id == 0 {
		return nil, err
	}
	units := message.Store{Table: s.Table, Now: s.Now, IDs: s.IDs, Channels: s.Channels}
	u, err := units.LoadWithContact(ctx, run.Account, id)
	if errors.Is(err, table.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	switch config := run.Action.Config; run.Action.ActionType {
	case playbook.SetPriority:
		u.Conversation.Priority = config.Priority
	case playbook.Handoff:
		u.Conversation.HandOver(conversation.HandoffAction)
	case playbook.Resolve:
		u.Resolve()
	case playbook.SendMessage:
		if !u.MayWrite() {
			return nil, nil
		}
		u.Say(message.Draft{
			Text: config.Message, SentByAI: true, Action: string(playbook.SendMessage), ByAction: true,
			Retry: message.RetryTime,
		})
	}
	return u.Writes(ctx)
}

// conversationOf returns the conversation of the event. For events without one, such as an appointment that
// a person made, it is the contact's latest, or 0 if there is none.
func (s *Service) conversationOf(ctx context.Context, run playbook.Run, e event.Event) (int64, error) {
	if e.ConversationID != 0 {
		return e.ConversationID, nil
	}
	item, err := s.Table.Get(ctx, contact.Key(run.Account, run.Contact))
	if errors.Is(err, table.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	of, err := contact.Read(item)
	if err != nil || len(of.Conversations) == 0 {
		return 0, err
	}
	return of.Conversations[len(of.Conversations)-1], nil
}
