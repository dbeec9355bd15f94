package dispatch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
	_ "time/tzdata" // Lambda has no time zone database

	"frontdesk/shared/agent"
	"frontdesk/shared/contact"
	"frontdesk/shared/delivery"
	"frontdesk/shared/event"
	"frontdesk/shared/playbook"
	"frontdesk/shared/table"
	"frontdesk/shared/webhook"
)

// runActions runs the actions of an agent that events trigger. For actions that call webhooks it stores a
// delivery each and then adds its first attempt to the batch, like notifyWebhooks. Others take effect here,
// in the order of the events. The actions of a paused agent do not run.
func (s *Service) runActions(ctx context.Context, of agentDay, events []placed, attempts *outgoing) error {
	actions, zone, err := s.actions(ctx, of)
	if err != nil || len(actions) == 0 {
		return err
	}
	if err := s.addContacts(ctx, of, events); err != nil {
		return err
	}
	var due []dueDelivery
	for _, a := range actions {
		if a.ActionType != playbook.FireWebhook {
			continue
		}
		calls, err := s.calls(ctx, a, zone, events)
		if err != nil {
			return err
		}
		due = append(due, calls...)
	}
	if err := s.deliver(ctx, due, attempts); err != nil {
		return err
	}
	for _, e := range events {
		for _, a := range actions {
			if a.ActionType == playbook.FireWebhook || !a.Triggered(e.Event) {
				continue
			}
			if err := s.carryOut(ctx, runOf(e.Event, a, zone), e.Event); err != nil {
				return err
			}
		}
	}
	return nil
}

// runOf returns the run of an action that an event triggers.
func runOf(e event.Event, a playbook.Action, zone *time.Location) playbook.Run {
	return playbook.Run{Account: e.AccountID, Action: a, Contact: e.ContactID, At: e.At, Zone: zone}
}

// calls returns the deliveries of events to the webhook of an action. Those of an action with limits are
// already stored, together with the record of the run.
func (s *Service) calls(
	ctx context.Context, a playbook.Action, zone *time.Location, events []placed,
) ([]dueDelivery, error) {
	var due []dueDelivery
	for _, e := range events {
		if !a.Triggered(e.Event) {
			continue
		}
		d, err := actionDelivery(e.Event, a)
		if err != nil {
			return nil, err
		}
		run := runOf(e.Event, a, zone)
		if run.Limited() {
			err := s.createLimited(ctx, run, d)
			if errors.Is(err, playbook.ErrLimited) {
				continue
			}
			if err != nil {
				return nil, err
			}
		}
		due = append(due, dueDelivery{d, e.place, run.Limited()})
	}
	return due, nil
}

// actions returns the actions of an agent, oldest first, and its time zone, which defines days. It returns
// none if the agent is paused or deleted.
func (s *Service) actions(ctx context.Context, of agentDay) ([]playbook.Action, *time.Location, error) {
	var items map[table.Key]table.Item
	var page table.Page
	key := agent.Key(of.account, of.agent)
	err := table.Parallel(ctx, func(ctx context.Context) (err error) {
		items, err = s.Table.BatchGet(ctx, key)
		return err
	}, func(ctx context.Context) (err error) {
		page, err = s.Table.Query(ctx,
			playbook.Store[playbook.Action, *playbook.Action]{}.Query(of.account, of.agent))
		return err
	})
	item, ok := items[key]
	if err != nil || !ok {
		return nil, nil, err
	}
	summary, err := agent.ReadSummary(item)
	if err != nil || summary.Status == agent.Paused {
		return nil, nil, err
	}
	zone, err := time.LoadLocation(summary.Timezone)
	if err != nil {
		zone = time.UTC
	}
	var actions []playbook.Action
	for _, item := range slices.Backward(page.Items) {
		a, err := playbook.Read[playbook.Action](item)
		if err != nil {
			return nil, nil, err
		}
		actions = append(actions, a)
	}
	return actions, zone, nil
}

// addContacts adds the current contacts to events whose publishers had not read them.
func (s *Service) addContacts(ctx context.Context, of agentDay, events []placed) error {
	keys := map[table.Key]bool{}
	for _, e := range events {
		if e.Contact == nil {
			keys[contact.Key(of.account, e.ContactID)] = true
		}
	}
	if len(keys) == 0 {
		return nil
	}
	items, err := s.Table.BatchGet(ctx, slices.Collect(maps.Keys(keys))...)
	if err != nil {
		return err
	}
	for i, e := range events {
		item, ok := items[contact.Key(of.account, e.ContactID)]
		if e.Contact != nil || !ok {
			continue
		}
		c, err := contact.Read(item)
		if err != nil {
			return err
		}
		events[i].Contact = c.ForConditions()
	}
	return nil
}

// actionDelivery returns the delivery of an event to the webhook of an action. Like all deliveries, it has
// the id of the event.
func actionDelivery(e event.Event, a playbook.Action) (delivery.Delivery, error) {
	body, err := webhook.ActionBody(a.Name, a.TriggerOn, e)
	to := delivery.Receiver{AccountID: e.AccountID, AgentID: e.AgentID, ActionID: a.ID}
	// Bodies differ between actions, so one receiver gets a message for each.
	id := fmt.Sprintf("%s_%d", messageID(e), a.ID)
	return delivery.New(to, e.ID, webhook.ActionFired, id, body, e.At), err
}

// createLimited stores the delivery of an action with limits, together with the record of its run. If the
// delivery exists, the event was read before and nothing is stored, so that an action is not limited by its
// own run. It returns playbook.ErrLimited if a limit forbids the run.
func (s *Service) createLimited(ctx context.Context, run playbook.Run, d delivery.Delivery) error {
	writes, err := delivery.CreateWrites(d)
	if err != nil {
		return err
	}
	var limited error
	err = table.Retry(ctx, func() error {
		if _, err := delivery.Load(ctx, s.Table, d.Receiver, d.ID); err != delivery.ErrNotFound {
			return err
		}
		err := run.Commit(ctx, s.Table, writes...)
		switch {
		case table.ConditionErrorAt(err, 0): // it was stored in between
			return nil
		case errors.Is(err, playbook.ErrLimited):
			limited = err
			return nil
		}
		return err
	})
	if err == nil {
		err = limited
	}
	return err
}
