package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// keyInUse is how long functions may go on sealing with a key that was replaced: they keep what they read
// from Systems Manager for five minutes. A service on one machine reads the key each time.
const keyInUse = 6 * time.Minute

// rotateKey replaces the key that secrets are sealed with. The new key is put before the old one, everything
// that is stored is sealed anew, and the old key is removed once a look through the whole table finds nothing
// under it. Interrupted, it goes on where it was, since the old key is there until the end.
func rotateKey(ctx context.Context, s *store, o options, out *json.Encoder) error {
	if _, err := s.whole(); err != nil {
		return err
	}
	text, err := s.keys.Read(ctx)
	if err != nil {
		return err
	}
	keys := strings.Fields(text)
	if len(keys) == 1 {
		keys = append([]string{secret.NewKey()}, keys...)
		if err := s.setKeys(ctx, strings.Join(keys, "\n")); err != nil {
			return err
		}
	}
	wait := keyInUse
	if o.stack == "" {
		wait = 0
	}
	if o.wait != nil {
		wait = *o.wait
	}
	if wait > 0 {
		fmt.Fprintf(os.Stderr, "Waiting %s until every function seals with the new key\n", wait)
	}
	if err := sleep(ctx, wait); err != nil {
		return err
	}
	r := rotation{store: s}
	for again := true; again; {
		before := r.line.Resealed
		if err := s.scan(ctx, "", func(item table.Item) error { return r.reseal(ctx, item) }); err != nil {
			return fmt.Errorf("%w (the old key is still there; run the command again)", err)
		}
		again = r.line.Resealed > before
	}
	if err := s.setKeys(ctx, keys[0]); err != nil {
		return err
	}
	return out.Encode(r.line)
}

// A rotation is the sealing anew of all that is stored.
type rotation struct {
	*store
	line struct {
		Resealed int `json:"resealed_secrets"`
		// Lost is how many are sealed with a key that was gone before.
		Lost int `json:"lost_secrets,omitempty"`
	}
	lost map[table.Key]bool // items with such secrets
}

// reseal encrypts the secrets of an item with the new key, on condition that the item has not changed.
func (r *rotation) reseal(ctx context.Context, item table.Item) error {
	for {
		doc, resealed, lost, err := secret.Reseal(ctx, r.keys, r.keys, item.PK, item.SK, item.Doc)
		if err != nil {
			return err
		}
		if lost > 0 && !r.lost[item.Key] {
			if r.lost == nil {
				r.lost = map[table.Key]bool{}
			}
			r.lost[item.Key] = true
			r.line.Lost += lost
		}
		if resealed == 0 {
			return nil
		}
		item.Doc = doc
		err = r.table.Transact(ctx, table.PutIfVersion(item))
		if err == nil {
			r.line.Resealed += resealed
			return nil
		}
		if !table.IsConditionError(err) {
			return err
		}
		if item, err = r.table.Get(ctx, item.Key); errors.Is(err, table.ErrNotFound) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
