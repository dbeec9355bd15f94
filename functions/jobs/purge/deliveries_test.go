package purge_test

import (
	"log/slog"
	"testing"
	"time"

	"frontdesk/functions/jobs/purge"
	"frontdesk/shared/agent"
	"frontdesk/shared/delivery"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/playbook"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/webhook"
	"frontdesk/shared/worktest"
)

// TestDeliveriesGo deletes a webhook, and then the agent with its other webhook and an action, each of which
// has deliveries and their counts, the action notes of its runs and the agent the mark of what it waits for
// too. Those of another agent stay, until its action is deleted.
func TestDeliveriesGo(t *testing.T) {
	store := worktest.Table(t, time.Now)
	const account = 5
	ids, keys := id.NewSource(time.Now), &secret.Keys{Read: secret.Static(secret.NewKey())}
	agents := &agent.Store{Table: store, Now: time.Now, IDs: ids}
	hooks := &webhook.Store{Table: store, Now: time.Now, IDs: ids, Secrets: keys}
	actions := playbook.Store[playbook.Action, *playbook.Action]{Table: store, Now: time.Now, IDs: ids}
	fill := func() (all [3]delivery.Receiver) {
		t.Helper()
		a, err := agents.Create(t.Context(), account, agent.Agent{}, 10)
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			all[i] = delivery.Receiver{AccountID: account, AgentID: a.ID}
			if i < 2 {
				hook, err := hooks.Create(t.Context(), account,
					webhook.Webhook{AgentID: a.ID, URL: "https://example.com/", Active: true},
					webhook.NewSecret())
				if err != nil {
					t.Fatal(err)
				}
				all[i].WebhookID = hook.ID
			} else {
				action, err := actions.Create(t.Context(), account, a.ID, func(a *playbook.Action) error {
					a.ActionType, a.TriggerOn, a.IsActive, a.Configured = playbook.FireWebhook,
						event.OnHandoff, true, true
					a.MaxPerContact, a.MaxPerDay = 1, 1
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				all[i].ActionID = action.ID
				run := playbook.Run{Account: account, Action: action, Contact: 7, At: time.Now(),
					Zone: time.UTC}
				if err := run.Commit(t.Context(), store); err != nil {
					t.Fatal(err)
				}
			}
			var deliveries []delivery.Delivery
			for range 60 {
				deliveries = append(deliveries,
					delivery.New(all[i], ids.Next(), "conversation.resolved", "msg", []byte("{}"),
						time.Now()))
			}
			if err := delivery.Create(t.Context(), store, deliveries); err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
	left := func(r delivery.Receiver) int {
		t.Helper()
		page, err := store.Query(t.Context(), table.Query{PK: r.Partition()})
		if err != nil {
			t.Fatal(err)
		}
		return len(page.Items)
	}
	handle := func(e event.Event) {
		t.Helper()
		service := &purge.Service{Table: store, Log: slog.New(slog.DiscardHandler), Budget: time.Minute}
		if err := service.Handle(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	gone, kept := fill(), fill()

	first := gone[0]
	if err := hooks.Delete(t.Context(), account, first.AgentID, first.WebhookID); err != nil {
		t.Fatal(err)
	}
	handle(event.Event{Kind: event.WebhookDeleted, AccountID: account, AgentID: first.AgentID,
		WebhookID: first.WebhookID})
	if left(first) != 0 || left(gone[1]) < 61 || left(gone[2]) < 61 {
		t.Errorf("of a deleted webhook %d items are left, of others %d and %d", left(first), left(gone[1]),
			left(gone[2]))
	}
	if err := agents.Delete(t.Context(), account, first.AgentID); err != nil {
		t.Fatal(err)
	}
	handle(event.Event{Kind: event.AgentDeleted, AccountID: account, AgentID: first.AgentID})
	for i := range gone {
		if left(gone[i]) != 0 || left(kept[i]) < 61 {
			t.Errorf("of the deleted agent %d items are left, of the other %d", left(gone[i]), left(kept[i]))
		}
	}
	marks, err := agent.ReadMarks(t.Context(), store, account, agent.MarkPrefix)
	if err != nil {
		t.Fatal(err)
	}
	if marks.Subscriptions(gone[2].AgentID) != nil || !marks.Subscriptions(kept[2].AgentID)[event.OnHandoff] {
		t.Errorf("the deleted agent waits for %v, the other for %v", marks.Subscriptions(gone[2].AgentID),
			marks.Subscriptions(kept[2].AgentID))
	}
	handle(event.Event{Kind: event.ActionDeleted, AccountID: account, AgentID: kept[2].AgentID,
		ActionID: kept[2].ActionID})
	if left(kept[2]) != 0 || left(kept[1]) < 61 {
		t.Errorf("of a deleted action %d items are left, of a webhook %d", left(kept[2]), left(kept[1]))
	}
}
