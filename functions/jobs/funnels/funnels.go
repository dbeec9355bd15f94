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
	return table.Retry(ctx, func() error { return s.advance(ctx, e) })
}

// advance continues the funnel that waits for the event. The agent's messages and the contact's new step are
// stored in one transaction. So a duplicate event, or one after the contact has moved on or left the funnel,
// finds nothing that waits for it. It returns a *table.ConditionError if something has changed since it was
// read.
func (s *Service) advance(ctx context.Context, e event.Event) error {
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
	of, segment, err := s.next(ctx, e, at)
	if errors.Is(err, agent.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if !u.MayWrite() {
		segment = funnel.Segment{}
	}
	text := segment.Text
	if segment.HandsOver {
		text = cmp.Or(text, of.HandoffMessage)
	}
	if text != "" {
		d := message.Draft{
			Text: text, SentByAI: true, Action: ai.Respond, Intent: funnel.Intent, Retry: message.RetryTime,
			Choices: segment.Offered(),
		}
		if segment.HandsOver {
			d.Action = ai.Handoff
		}
		u.Say(d)
	}
	waits, err := segment.Enter(s.IDs, e.AccountID, &u.Conversation, at.Funnel, u.Now())
	if err != nil {
		return err
	}
	u.Subscriptions = of.Subscriptions
	u.Add(waits...)
	return u.Commit(ctx)
}

// next returns what follows the wait, and the agent that says it. The funnel ends if the agent no longer
// replies, or the funnel or the contact's step was deleted. It returns agent.ErrNotFound if the agent was
// deleted.
func (s *Service) next(ctx context.Context, e event.Event,
	at frame.InFunnel) (agent.Summary, funnel.Segment, error) {
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
		return agent.Summary{}, funnel.Segment{}, err
	}
	item, ok := items[agentKey]
	if !ok {
		return agent.Summary{}, funnel.Segment{}, agent.ErrNotFound
	}
	of, err := agent.ReadSummary(item)
	if err != nil {
		return agent.Summary{}, funnel.Segment{}, err
	}
	item, ok = items[funnelKey]
	place := funnel.StepIndex(steps, at.Step)
	if !ok || place < 0 || of.Status == agent.Paused || !of.AIEnabled {
		return of, funnel.Segment{}, nil
	}
	f, err := playbook.Read[playbook.Funnel](item)
	if err != nil || !f.IsActive {
		return of, funnel.Segment{}, err
	}
	return of, funnel.From(steps, place, true), nil
}
