package playbook

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/delivery"
	"frontdesk/shared/event"
	"frontdesk/shared/table"
	"frontdesk/shared/wire"
)

// An Outcome is the outcome of a run.
type Outcome string

// The outcomes. Actions that call a webhook have Pending, Delivered and Failed.
const (
	Done      Outcome = "done"
	Unchanged Outcome = "unchanged" // nothing to change, or the contact may not be written to
	Pending   Outcome = "pending"
	Delivered Outcome = "delivered"
	Failed    Outcome = "failed"
)

// Values implements api.Enum.
func (Outcome) Values() []string {
	return []string{string(Done), string(Unchanged), string(Pending), string(Delivered), string(Failed)}
}

// An ActionRun is a run in the log of an action.
type ActionRun struct {
	ID             int64         `json:"id" doc:"That of what happened." example:"219482113060864"`
	At             time.Time     `json:"at" doc:"When it happened."`
	Trigger        event.Trigger `json:"trigger" example:"message_received"`
	ContactID      int64         `json:"contact_id" example:"219482113060864"`
	ConversationID int64         `json:"conversation_id" doc:"0 for what happened in no conversation." example:"219482113060865"`
	Outcome        Outcome       `json:"outcome" doc:"done, or unchanged where there was nothing to change or the contact may not be written to; for a fire_webhook action whether the call is pending, delivered or failed." example:"done"`
	Detail         string        `json:"detail" doc:"Why a call failed, or the HTTP status that answered it; else empty." example:"HTTP 200"`
}

// MaxLog is the limit of runs in the log of an action.
const MaxLog = 100

// Log returns the latest stored runs of an action, newest first, at most MaxLog, in one round trip. It
// returns ErrNotFound if the workspace has no such agent, or the agent no such action.
func Log(ctx context.Context, t table.Table, account, agentID, action int64) ([]ActionRun, error) {
	of := delivery.Receiver{AccountID: account, AgentID: agentID, ActionID: action}
	notes := table.Query{PK: of.Partition(), Prefix: actionEvents, Descending: true}
	var done, called []ActionRun
	err := table.Parallel(ctx, func(ctx context.Context) error {
		_, err := find(ctx, t, account, agentID, Key(account, agentID, string(Actions), action))
		return err
	}, readRuns(t, notes, readRun, &done), readRuns(t, delivery.Query(of), readCall, &called))
	log := append(done, called...) // both if the action's type has changed
	slices.SortFunc(log, func(a, b ActionRun) int { return cmp.Compare(b.ID, a.ID) })
	return log[:min(len(log), MaxLog)], err
}

func readRuns(t table.Table, q table.Query, read func(table.Item) (ActionRun, error),
	to *[]ActionRun) func(context.Context) error {
	q.Limit = MaxLog
	*to = []ActionRun{}
	return func(ctx context.Context) error {
		page, err := t.Query(ctx, q)
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			ran, err := read(item)
			if err != nil {
				return fmt.Errorf("playbook: %s %s: %w", item.PK, item.SK, err)
			}
			*to = append(*to, ran)
		}
		return nil
	}
}

func readRun(item table.Item) (ran ActionRun, err error) {
	return ran, json.Unmarshal(item.Doc, &ran)
}

// readCall converts a delivery to an action's webhook to a run.
func readCall(item table.Item) (ActionRun, error) {
	d, err := delivery.Read(item)
	if err != nil {
		return ActionRun{}, err
	}
	var body struct {
		ContactID      int64 `json:"contact_id"`
		ConversationID int64 `json:"conversation_id"`
		Data           struct {
			Trigger event.Trigger `json:"trigger"`
		} `json:"data"`
	}
	if err := json.Unmarshal(d.Body, &body); err != nil {
		return ActionRun{}, err
	}
	ran := ActionRun{
		ID: d.ID, At: d.CreatedAt, Trigger: body.Data.Trigger, ContactID: body.ContactID,
		ConversationID: body.ConversationID, Outcome: Outcome(d.Status), Detail: d.Reason,
	}
	if n := len(d.Attempts); n > 0 && ran.Detail == "" {
		last := d.Attempts[n-1]
		if ran.Detail = last.Error; last.HTTPStatus != 0 {
			ran.Detail = strings.TrimSpace(fmt.Sprintf("HTTP %d %s", last.HTTPStatus, last.Error))
		}
	}
	return ran, nil
}

// Once returns the write that records in the log that the action ran for an event. Its condition fails if
// that was recorded before.
func (r Run) Once(e event.Event, outcome Outcome) (table.Write, error) {
	doc, err := wire.Marshal(ActionRun{
		ID: e.ID, At: r.At, Trigger: r.Action.TriggerOn, ContactID: r.Contact,
		ConversationID: e.ConversationID, Outcome: outcome,
	})
	return table.PutIfAbsent(table.Item{
		Key: ActionEventKey(r.Account, r.Action.AgentID, r.Action.ID, e.ID), Doc: doc,
		Expires: r.At.Add(runAge).Truncate(time.Second),
	}), err
}
