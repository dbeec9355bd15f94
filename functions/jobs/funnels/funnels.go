// Package funnels continues the funnels of contacts whose wait is over.
package funnels

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/channel"
	"frontdesk/shared/event"
	"frontdesk/shared/frame"
	"frontdesk/shared/funnel"
	"frontdesk/shared/id"
	"frontdesk/shared/message"
	"frontdesk/shared/playbook"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
)

// Service handles the jobs that end a contact's wait in a funnel.
type Service struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
	// Channels says how long after a contact's message an agent may write.
	Channels *channel.Registry
	Queue    queue.Sender // the same queue, for waits longer than a message may wait
}

// Handle does the work that an event asks for. After an error the event is to come again.
func (s *Service) Handle(ctx context.Context, e event.Event) error {
	if e.Kind != event.FunnelWaiting {
		return fmt.Errorf("funnels: no event is called %q", e.Kind)
	}
	if wait := queue.DelayUntil(e.Due, s.Now()); wait > 0 {
		body, err := json.Marshal(e)
		if err != nil {
			return err
		}
		return s.Queue.Send(ctx, queue.Outgoing{Body: string(body), Delay: wait})
	}
	return table.Retry(ctx, func() error { return s.leadOn(ctx, e) })
}

// leadOn continues the funnel that waits for the event. What the agent says and the contact's new place are
// stored in one transaction: an event that comes twice, or after the contact went on or left, finds that
// nobody waits for it. A *table.ConditionError says that something changed since it was read.
func (s *Service) leadOn(ctx context.Context, e event.Event) error {
	units := message.Store{Table: s.Table, Now: s.Now, IDs: s.IDs, Channels: s.Channels}
	u, err := units.LoadWithContact(ctx, e.AccountID, e.ConversationID)
	if errors.Is(err, table.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	at := u.Conversation.Frame.Asked.Funnel
	if at.Wait != e.ID {
		return nil
	}
	of, stretch, err := s.next(ctx, e, at)
	if errors.Is(err, agent.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if !u.MayWrite() {
		stretch = funnel.Stretch{}
	}
	text := stretch.Text
	if stretch.HandsOver {
		text = cmp.Or(text, of.HandoffMessage)
	}
	if text != "" {
		d := message.Draft{
			Text: text, SentByAI: true, Action: ai.Respond, Intent: funnel.Intent, Retry: message.RetryTime,
			Choices: stretch.Offered(),
		}
		if stretch.HandsOver {
			d.Action = ai.Handoff
		}
		u.Say(d)
	}
	waits, err := stretch.Enter(s.IDs, e.AccountID, &u.Conversation, at.Funnel, u.Now())
	if err != nil {
		return err
	}
	u.Subscriptions = of.Subscriptions
	u.Add(waits...)
	return u.Commit(ctx)
}

// next is what comes after the wait, and the agent that says it. It is the end of the funnel where the agent
// does not reply any more, or the funnel or the step that the contact is at is gone. agent.ErrNotFound where
// the agent is.
func (s *Service) next(ctx context.Context, e event.Event,
	at frame.InFunnel) (agent.Summary, funnel.Stretch, error) {
	agentKey := agent.Key(e.AccountID, e.AgentID)
	funnelKey := playbook.Key(e.AccountID, e.AgentID, string(playbook.Funnels), at.Funnel)
	var items map[table.Key]table.Item
	var steps []playbook.FunnelStep
	err := table.Parallel(ctx, func(ctx context.Context) (err error) {
		items, err = s.Table.BatchGet(ctx, agentKey, funnelKey)
		return err
	}, func(ctx context.Context) (err error) {
		steps, err = playbook.StepStore{Table: s.Table}.Read(ctx, e.AccountID, e.AgentID, at.Funnel)
		return err
	})
	if err != nil {
		return agent.Summary{}, funnel.Stretch{}, err
	}
	item, ok := items[agentKey]
	if !ok {
		return agent.Summary{}, funnel.Stretch{}, agent.ErrNotFound
	}
	of, err := agent.ReadSummary(item)
	if err != nil {
		return agent.Summary{}, funnel.Stretch{}, err
	}
	item, ok = items[funnelKey]
	place := funnel.Place(steps, at.Step)
	if !ok || place < 0 || of.Status == agent.Paused || !of.AIEnabled {
		return of, funnel.Stretch{}, nil
	}
	f, err := playbook.Read[playbook.Funnel](item)
	if err != nil || !f.IsActive {
		return of, funnel.Stretch{}, err
	}
	return of, funnel.From(steps, place, true), nil
}
