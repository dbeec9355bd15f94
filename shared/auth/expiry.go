package auth

import (
	"context"
	"slices"
	"time"

	"frontdesk/shared/event"
	"frontdesk/shared/table"
)

// WarnBefore is how long before an API key expires its workspace is warned: by ExpiryHeader on responses, and
// once by the event api_key.expiring.
const WarnBefore = 14 * 24 * time.Hour

// ExpiryHeader is set on responses to requests with an API key that expires soon. Its value is an RFC 3339
// time.
const ExpiryHeader = "X-API-Key-Expires"

// endsSoon reports whether the key expires within WarnBefore.
func (k Key) endsSoon(now time.Time) bool { return !now.Before(k.ExpiresAt().Add(-WarnBefore)) }

// warnTogether is how many events are published in one transaction.
const warnTogether = 50

// Warn publishes api_key.expiring to the agents of a workspace and removes the key from ExpiringQuery, whose
// item it takes. It publishes nothing for a key that has expired or does not expire soon. An interrupted call
// is repeated, and some agents may then get the event twice.
func (w *Workspaces) Warn(
	ctx context.Context, item table.Item, agentsOf func(account int64) ([]int64, error),
) error {
	entry, err := readListed(item)
	if err != nil {
		return err
	}
	now, key := w.Now(), entry.Key
	var agents []int64
	if key.endsSoon(now) && now.Before(key.ExpiresAt()) {
		if agents, err = agentsOf(entry.AccountID); err != nil {
			return err
		}
	}
	for chunk := range slices.Chunk(agents, warnTogether) {
		var events []event.Event
		for _, agent := range chunk {
			events = append(events, event.Event{
				Kind: event.APIKeyExpiring, At: now.UTC().Truncate(time.Millisecond), AgentID: agent,
				APIKeyID: key.ID, APIKeyName: key.Name, EndsAt: key.ExpiresAt(),
			})
		}
		published, err := event.Publish(w.IDs, entry.AccountID, nil, events...)
		if err != nil {
			return err
		}
		if err := w.Table.Transact(ctx, published...); err != nil {
			return err
		}
	}
	entry.Warned = true
	warned, err := entry.item()
	if err != nil {
		return err
	}
	warned.Version = item.Version
	if err := w.Table.Transact(ctx, table.PutIfVersion(warned)); !table.IsConditionError(err) {
		return err
	}
	return nil // the key was revoked meanwhile
}
