package playbook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"frontdesk/shared/event"
	"frontdesk/shared/table"
	"frontdesk/shared/wire"
)

// Triggered reports whether an event triggers the action: it is active, configured and subscribed, the
// applicable procedures allow it, and all conditions hold. Run checks its limits.
func (a *Action) Triggered(e event.Event) bool {
	if !a.runs() || !slices.Contains(e.Triggers, a.TriggerOn) {
		return false
	}
	if e.Allowed != nil && !slices.Contains(e.Allowed, a.Name) {
		return false
	}
	return !slices.ContainsFunc(a.Conditions, func(c Condition) bool { return !c.holds(e) })
}

// A Run is an action to run for a contact because of an event at time At. Limits are applied at that time,
// not at the time of processing, so that a repeated decision is the same.
type Run struct {
	Account int64
	Action  Action
	Contact int64
	At      time.Time
	Zone    *time.Location // of the agent, for the limit per day
}

// ErrLimited says that a limit or the cooldown of the action forbids the run.
var ErrLimited = errors.New("playbook: the limits of the action do not let it run")

// Limited reports whether the action has limits. Runs without limits are not counted.
func (r Run) Limited() bool { return r.perContact() || r.Action.MaxPerDay > 0 }

func (r Run) perContact() bool { return r.Action.CooldownSeconds > 0 || r.Action.MaxPerContact > 0 }

// runs counts the runs of an action for a contact.
type runs struct {
	Count  int       `json:"count"`
	LastAt time.Time `json:"last_at"`
}

// slack is how much longer counts of runs are kept than they matter, since events may be processed late:
// longer than the change feed keeps them.
const slack = 48 * time.Hour

// runAge is how long it is recorded that an action ran for an event: as long as deliveries are kept, and
// much longer than the change feed keeps the event.
const runAge = 30 * 24 * time.Hour

// dayRuns is the number that counts the runs of a day.
const dayRuns = "runs"

// Commit stores the writes of a run and counts the run in one transaction, or returns ErrLimited. A
// *table.ConditionError has the indexes of the failed writes; if it has none of the given ones, the action
// ran for the contact concurrently, and the caller calls Commit again.
func (r Run) Commit(ctx context.Context, t table.Table, writes ...table.Write) error {
	a := r.Action
	writes = slices.Clip(writes)
	if r.perContact() {
		put, err := r.contactWrite(ctx, t)
		if err != nil {
			return err
		}
		writes = append(writes, put)
	}
	day := -1
	if a.MaxPerDay > 0 {
		day = len(writes)
		date := r.At.In(r.Zone).Format(time.DateOnly)
		count := table.AddAtMost(ActionDayKey(r.Account, a.AgentID, a.ID, date), dayRuns, 1,
			int64(a.MaxPerDay))
		count.Item.Expires = r.At.Add(24*time.Hour + slack).Truncate(time.Second)
		writes = append(writes, count)
	}
	err := t.Transact(ctx, writes...)
	if day >= 0 && table.ConditionErrorAt(err, day) {
		return fmt.Errorf("%w: %w", ErrLimited, err)
	}
	return err
}

// contactWrite returns the write that counts the run for the contact.
func (r Run) contactWrite(ctx context.Context, t table.Table) (table.Write, error) {
	a, key := r.Action, ActionRunKey(r.Account, r.Action.AgentID, r.Action.ID, r.Contact)
	cooldown := time.Duration(a.CooldownSeconds) * time.Second
	var before runs
	item, err := t.Get(ctx, key)
	switch {
	case errors.Is(err, table.ErrNotFound):
		item = table.Item{Key: key}
	case err != nil:
		return table.Write{}, err
	default:
		if err := json.Unmarshal(item.Doc, &before); err != nil {
			return table.Write{}, fmt.Errorf("playbook: %s %s: %w", key.PK, key.SK, err)
		}
		if a.MaxPerContact > 0 && before.Count >= a.MaxPerContact || cooldown > 0 &&
			r.At.Before(before.LastAt.Add(cooldown)) {
			return table.Write{}, ErrLimited
		}
	}
	after := runs{before.Count + 1, before.LastAt}
	if r.At.After(after.LastAt) {
		after.LastAt = r.At
	}
	item.Expires = time.Time{}
	if a.MaxPerContact == 0 {
		item.Expires = after.LastAt.Add(cooldown + slack).Truncate(time.Second)
	}
	if item.Doc, err = wire.Marshal(after); err != nil {
		return table.Write{}, err
	}
	return table.PutAsRead(item), nil
}
