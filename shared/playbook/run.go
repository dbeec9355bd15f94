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

// Triggered reports whether an event triggers the action: the action is active and configured and subscribes
// to it, the procedures that apply allow it, and all its conditions hold. Whether the limits of the action
// let it run is up to Run.
func (a *Action) Triggered(e event.Event) bool {
	if !a.runs() || !slices.Contains(e.Triggers, a.TriggerOn) {
		return false
	}
	if e.Allowed != nil && !slices.Contains(e.Allowed, a.Name) {
		return false
	}
	return !slices.ContainsFunc(a.Conditions, func(c Condition) bool { return !c.holds(e) })
}

// A Run is an action that is to run for a contact since something happened at that time. By this time it
// counts, however late it is dealt with, so that whoever has to decide again decides the same.
type Run struct {
	Account int64
	Action  Action
	Contact int64
	At      time.Time
	Zone    *time.Location // of the agent: when its days begin
}

// ErrLimited says that an action has run as often as it may, or too short a time ago.
var ErrLimited = errors.New("playbook: the limits of the action do not let it run")

// Limited reports whether the action has limits at all. A run of one that has none is not noted.
func (r Run) Limited() bool { return r.perContact() || r.Action.MaxPerDay > 0 }

func (r Run) perContact() bool { return r.Action.CooldownSeconds > 0 || r.Action.MaxPerContact > 0 }

// runs is how often an action has run for a contact, since it has a limit that asks for it.
type runs struct {
	Count  int       `json:"count"`
	LastAt time.Time `json:"last_at"`
}

// slack is how long a note of runs is kept beyond the time that it matters for, since what happened may be
// dealt with late: longer than the table's feed keeps it.
const slack = 48 * time.Hour

// keepOnce is how long it is kept that an action ran for an event: as long as deliveries are, and much longer
// than the table's feed keeps the event.
const keepOnce = 30 * 24 * time.Hour

// dayRuns is the name of the number that counts the runs of a day.
const dayRuns = "runs"

// Commit carries out the writes of a run together with those that note it, if the limits let the action run,
// and ErrLimited otherwise. A *table.ConditionError names the writes that it was given by their places; one
// that names none of them says that the action ran for the contact in between, and Commit is to be called
// again.
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

// contactWrite is the write that notes the run for the contact.
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
