// Package purge deletes what lay below something that was deleted. That was unreadable from the moment of the
// deletion; here its data goes for good, in steps that may be repeated.
package purge

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/shared/agent"
	"frontdesk/shared/appointment"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/delivery"
	"frontdesk/shared/event"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/playbook"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
	"frontdesk/shared/unanswered"
	"frontdesk/shared/webhook"
	"frontdesk/shared/worker"
)

// Service handles the messages of the purge queue.
type Service struct {
	Table table.Table
	Queue queue.Sender // the same queue, for what a message leaves to do
	Log   *slog.Logger
	// Budget is how long one message may be worked on before the rest is put back on the queue.
	Budget time.Duration
}

// Handle takes a batch of messages. Those that fail come again.
func (s *Service) Handle(ctx context.Context, batch events.SQSEvent) (events.SQSEventResponse, error) {
	return worker.Work(ctx, batch, s.Log, s.handle), nil
}

func (s *Service) handle(ctx context.Context, e event.Event) error {
	switch e.Kind {
	case event.DocumentDeleted, event.DocumentIndexed:
		return knowledge.Purge(ctx, s.Table, e.AccountID, e.AgentID, e.DocumentID)
	case event.DocumentIndexing:
		return knowledge.Abandon(ctx, s.Table, e.AccountID, e.AgentID, e.DocumentID, e.Generation)
	case event.WebhookDeleted:
		return s.deliveries(ctx, delivery.Receiver{AccountID: e.AccountID, AgentID: e.AgentID,
			WebhookID: e.WebhookID})
	case event.ActionDeleted:
		return s.deliveries(ctx, delivery.Receiver{AccountID: e.AccountID, AgentID: e.AgentID,
			ActionID: e.ActionID})
	case event.AgentDeleted:
		return s.agent(ctx, e)
	}
	return fmt.Errorf("purge: no event is called %q", e.Kind)
}

// agent deletes step by step until nothing is left or the time is up. What lies below an agent is found
// through the lists of its documents, appointments, conversations and contacts; the agent's own items go
// last, with the mark that keeps what is still there unreadable.
func (s *Service) agent(ctx context.Context, e event.Event) error {
	deadline := time.Now().Add(s.Budget)
	type step func(context.Context, event.Event) (more bool, err error)
	steps := []step{s.documents, s.unanswered, s.contacts, s.optOuts, s.webhooks, s.actions, s.playbook}
	for _, status := range appointment.Status.Values("") {
		steps = append(steps, func(ctx context.Context, e event.Event) (bool,
			error) {
			return s.appointments(ctx, e, status)
		})
	}
	for _, status := range conversation.Status.Values("") {
		steps = append(steps, func(ctx context.Context, e event.Event) (bool,
			error) {
			return s.conversations(ctx, e, status)
		})
	}
	for _, step := range append(steps, s.rest) {
		for more := true; more; {
			var err error
			if more, err = step(ctx, e); err != nil {
				return err
			}
			if time.Now().After(deadline) {
				return s.again(ctx, e)
			}
		}
	}
	s.Log.LogAttrs(ctx, slog.LevelInfo, "agent purged", slog.Int64("account", e.AccountID),
		slog.Int64("agent", e.AgentID))
	return nil
}

// again puts the work back on the queue. It goes on where it stopped, since what is deleted is found no more.
func (s *Service) again(ctx context.Context, e event.Event) error {
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return s.Queue.Send(ctx, queue.Outgoing{Body: string(body)})
}

// stepSize is how many things of a list one step deletes.
const stepSize = 25

func (s *Service) documents(ctx context.Context, e event.Event) (bool, error) {
	page, err := s.Table.Query(ctx, table.Query{
		Index: table.Index1, PK: knowledge.DocumentKeyByAgent(e.AccountID, e.AgentID, 0).PK, Limit: stepSize,
	})
	if err != nil {
		return false, err
	}
	for _, item := range page.Items {
		doc, err := knowledge.Read(item)
		if err != nil {
			return false, err
		}
		if err := knowledge.Erase(ctx, s.Table, e.AccountID, e.AgentID, doc.ID); err != nil {
			return false, err
		}
	}
	return len(page.Items) == stepSize, nil
}

// unanswered deletes the questions that the agent had no answer to.
func (s *Service) unanswered(ctx context.Context, e event.Event) (bool, error) {
	return false, s.partition(ctx, unanswered.Key(e.AccountID, e.AgentID, 0).PK, "")
}

// conversations deletes conversations of one status.
func (s *Service) conversations(ctx context.Context, e event.Event, status string) (bool, error) {
	page, err := s.Table.Query(ctx, table.Query{
		Index: table.Index1, PK: conversation.KeyByAgent(e.AccountID, e.AgentID, status, 0).PK,
		Limit: stepSize,
	})
	if err != nil {
		return false, err
	}
	for _, item := range page.Items {
		c, err := conversation.Read(item)
		if err != nil {
			return false, err
		}
		if err := s.partition(ctx, item.PK, conversation.MessagePrefix); err != nil {
			return false, err
		}
		writes := []table.Write{table.Delete(item.Key)}
		if c.SessionID != "" {
			writes = append(writes, table.Delete(conversation.SessionKey(e.AccountID, e.AgentID,
				c.SessionID)))
		}
		if c.Address != "" {
			writes = append(writes, table.Delete(conversation.AddressKey(e.AccountID, e.AgentID,
				string(c.Channel), c.Address)))
		}
		if err := s.Table.WriteAll(ctx, writes...); err != nil {
			return false, err
		}
	}
	return len(page.Items) == stepSize, nil
}

func (s *Service) contacts(ctx context.Context, e event.Event) (bool, error) {
	page, err := s.Table.Query(ctx, table.Query{
		Index: table.Index1, PK: contact.KeyByAgent(e.AccountID, e.AgentID, 0).PK, Limit: stepSize,
	})
	if err != nil {
		return false, err
	}
	var writes []table.Write
	for _, item := range page.Items {
		c, err := contact.Read(item)
		if err != nil {
			return false, err
		}
		writes = append(writes, table.Delete(item.Key))
		if c.Phone != "" {
			writes = append(writes, table.Delete(contact.KeyByPhone(e.AccountID, e.AgentID, c.Phone)))
		}
		if c.ExternalID != "" {
			external := contact.KeyByExternalID(e.AccountID, e.AgentID, c.ExternalID)
			writes = append(writes, table.Delete(external))
		}
		if c.Email != "" {
			writes = append(writes, table.Delete(contact.KeyByEmail(e.AccountID, e.AgentID, c.Email)))
		}
	}
	return len(page.Items) == stepSize, s.Table.WriteAll(ctx, unique(writes)...)
}

// optOuts deletes what phones without a contact keep of the last one.
func (s *Service) optOuts(ctx context.Context, e event.Event) (bool, error) {
	page, err := s.Table.Query(ctx, table.Query{
		Index: table.Index1, PK: contact.OptOutKey(e.AccountID, e.AgentID, "").PK, Limit: stepSize,
	})
	if err != nil {
		return false, err
	}
	var writes []table.Write
	for _, item := range page.Items {
		writes = append(writes, table.Delete(item.Key))
	}
	return len(page.Items) == stepSize, s.Table.WriteAll(ctx, writes...)
}

// appointments deletes appointments of one status.
func (s *Service) appointments(ctx context.Context, e event.Event, status string) (bool, error) {
	page, err := s.Table.Query(ctx, table.Query{
		Index: table.Index1, PK: appointment.KeyByAgent(e.AccountID, e.AgentID, status, time.Time{}, 0).PK,
		Limit: stepSize,
	})
	if err != nil {
		return false, err
	}
	var writes []table.Write
	for _, item := range page.Items {
		writes = append(writes, table.Delete(item.Key))
	}
	return len(page.Items) == stepSize, s.Table.WriteAll(ctx, writes...)
}

// webhooks deletes the deliveries to the agent's webhooks. The webhooks themselves go with the rest.
func (s *Service) webhooks(ctx context.Context, e event.Event) (bool, error) {
	page, err := s.Table.Query(ctx, webhook.Query(e.AccountID, e.AgentID))
	if err != nil {
		return false, err
	}
	for _, item := range page.Items {
		w, err := webhook.Read(item)
		if err != nil {
			return false, err
		}
		if err := s.deliveries(ctx, delivery.Receiver{AccountID: e.AccountID, AgentID: e.AgentID,
			WebhookID: w.ID}); err != nil {
			return false, err
		}
	}
	return false, nil
}

// actions deletes what the agent's actions delivered. The actions themselves are rows of the playbook.
func (s *Service) actions(ctx context.Context, e event.Event) (bool, error) {
	page, err := s.Table.Query(ctx, playbook.Store[playbook.Action, *playbook.Action]{}.Query(e.AccountID,
		e.AgentID))
	if err != nil {
		return false, err
	}
	for _, item := range page.Items {
		a, err := playbook.Read[playbook.Action](item)
		if err != nil {
			return false, err
		}
		if err := s.deliveries(ctx, delivery.Receiver{AccountID: e.AccountID, AgentID: e.AgentID,
			ActionID: a.ID}); err != nil {
			return false, err
		}
	}
	return false, nil
}

// deliveries deletes all that was delivered to a receiver, and how often it was where an action is one.
func (s *Service) deliveries(ctx context.Context, r delivery.Receiver) error {
	return s.partition(ctx, r.Partition(), "")
}

// playbook deletes a page of the first partition of rows that is not empty.
func (s *Service) playbook(ctx context.Context, e event.Event) (bool, error) {
	for _, pk := range playbook.Partitions(e.AccountID, e.AgentID) {
		page, err := s.Table.Query(ctx, table.Query{PK: pk, Limit: 500})
		if err != nil {
			return false, err
		}
		if len(page.Items) == 0 {
			continue
		}
		var writes []table.Write
		for _, item := range page.Items {
			writes = append(writes, table.Delete(item.Key))
		}
		return true, s.Table.WriteAll(ctx, writes...)
	}
	return false, nil
}

// rest deletes the agent's own items, the times that its appointments took, its counts and what its actions
// waited for, and then the mark of its deletion.
func (s *Service) rest(ctx context.Context, e event.Event) (bool, error) {
	if err := s.partition(ctx, agent.Partition(e.AccountID, e.AgentID), ""); err != nil {
		return false, err
	}
	for _, long := range []bool{false, true} {
		if err := s.partition(ctx, appointment.BusyPartition(e.AccountID, e.AgentID, long), ""); err != nil {
			return false, err
		}
	}
	if err := s.partition(ctx, counter.Key(e.AccountID, e.AgentID, 0).PK,
		counter.KeyPrefix(e.AgentID)); err != nil {
		return false, err
	}
	if err := s.Table.WriteAll(ctx, table.Delete(agent.TriggersKey(e.AccountID, e.AgentID))); err != nil {
		return false, err
	}
	return false, s.Table.WriteAll(ctx, table.Delete(agent.DeletedKey(e.AccountID, e.AgentID)))
}

// partition deletes the items of a partition whose sort keys begin with the prefix.
func (s *Service) partition(ctx context.Context, pk string, prefix table.SortPrefix) error {
	for {
		page, err := s.Table.Query(ctx, table.Query{PK: pk, Prefix: prefix, Limit: 500})
		if err != nil {
			return err
		}
		var writes []table.Write
		for _, item := range page.Items {
			writes = append(writes, table.Delete(item.Key))
		}
		if err := s.Table.WriteAll(ctx, writes...); err != nil || page.Next == "" {
			return err
		}
	}
}

// unique leaves out writes whose key another has: two contacts may have been reached by one e-mail address.
func unique(writes []table.Write) []table.Write {
	seen := map[table.Key]bool{}
	var kept []table.Write
	for _, w := range writes {
		if !seen[w.Item.Key] {
			seen[w.Item.Key] = true
			kept = append(kept, w)
		}
	}
	return kept
}
