package outbound_test

import (
	"fmt"
	"testing"
	"time"

	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/message"
	"frontdesk/shared/playbook"
	"frontdesk/shared/table"
)

// TestProactive has an agent write to a contact by itself over WhatsApp, as an action has it and as a funnel
// does. The former triggers no actions.
func TestProactive(t *testing.T) {
	for _, byAction := range []bool{true, false} {
		for _, times := range []int{1, 3} { // that the queue brings it
			t.Run(fmt.Sprint(byAction, times), func(t *testing.T) {
				d := open(t)
				actions := playbook.Store[playbook.Action, *playbook.Action]{Table: d.table, Now: d.clock.Now,
					IDs: d.sender.IDs}
				if _, err := actions.Create(t.Context(), account, d.agent, func(a *playbook.Action) error {
					a.ActionType, a.TriggerOn = playbook.Handoff, event.OnMessageSent
					a.IsActive, a.Configured = true, true
					return nil
				}); err != nil {
					t.Fatal(err)
				}
				begun := d.send(t)
				identity := conversation.Address{ContactID: d.contact, ConversationID: begun.ConversationID,
					LastInboundAt: d.clock.Now()}
				item, err := identity.Item(conversation.AddressKey(account, d.agent, "whatsapp", ada), 0)
				if err != nil {
					t.Fatal(err)
				}
				if err := d.table.Transact(t.Context(), table.Put(item)); err != nil {
					t.Fatal(err)
				}
				d.dispatch(t, 0)
				d.graph.Calls()

				u, err := d.sender.LoadWithContact(t.Context(), account, begun.ConversationID)
				if err != nil || !u.MayWrite() {
					t.Fatalf("%+v, %v", u, err)
				}
				u.Subscriptions = event.Subscriptions{event.OnMessageSent: true}
				u.Say(message.Draft{
					Text: "A moment, please.", SentByAI: true, Action: "respond", ByAction: byAction,
					Retry: message.RetryTime,
				})
				if err := u.Commit(t.Context()); err != nil {
					t.Fatal(err)
				}
				d.dispatch(t, times)
				d.clock.Pass(conversation.FirstRetry)
				for d.work(t) > 0 {
					d.clock.Pass(time.Minute)
				}
				if calls := d.graph.Calls(); len(calls) != 1 {
					t.Errorf("%d calls", len(calls))
				}
				page, err := conversation.Messages{Table: d.table}.Query(t.Context(),
					conversation.Latest(account, begun.ConversationID, 1, false))
				if err != nil || len(page.Items) != 1 {
					t.Fatalf("%d messages, %v", len(page.Items), err)
				}
				if m, err := conversation.ReadMessage(page.Items[0]); err != nil ||
					m.Status != conversation.Sent || m.Content != "A moment, please." {
					t.Errorf("%+v, %v", m, err)
				}
				changes, err := d.table.Changes(t.Context(), d.read, 100)
				if err != nil {
					t.Fatal(err)
				}
				told := 0
				for _, change := range changes {
					if change.New == nil || change.New.SK != event.Key(account, 1).SK {
						continue
					}
					if e, err := event.Read(*change.New); err == nil && len(e.Triggers) > 0 {
						told++
					}
				}
				if want := map[bool]int{true: 0, false: 1}[byAction]; told != want {
					t.Errorf("actions heard %d times, want %d", told, want)
				}
			})
		}
	}
}
