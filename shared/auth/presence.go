package auth

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"frontdesk/shared/table"
)

const (
	// presence is how many minutes after a dashboard's last request its member counts as online. A dashboard
	// sends one at least every minute, even in a hidden tab.
	presence = 2
	// maxPresent is how many of the latest sessions Online looks at.
	maxPresent = table.MaxTransact
)

// Online returns the members whose dashboard is open, each once, in the order of signing in. It takes two
// round trips, or one if nobody is signed in.
func Online(ctx context.Context, t table.Table, account int64, now time.Time) ([]Member, error) {
	page, err := t.Query(ctx, SessionsQuery(account))
	if err != nil {
		return nil, err
	}
	var keys []table.Key
	for _, item := range page.Items[max(0, len(page.Items)-maxPresent):] {
		s, err := ReadSession(item)
		if err != nil {
			return nil, err
		}
		keys = append(keys, signedInKey(s.Hash))
	}
	if len(keys) == 0 {
		return nil, nil
	}
	items, err := t.BatchGet(ctx, keys...)
	if err != nil {
		return nil, err
	}
	var members []Member
	for _, key := range keys {
		item, ok := items[key]
		if !ok || !requestedLately(item, now) {
			continue
		}
		var s signedIn
		if err := json.Unmarshal(item.Doc, &s); err != nil {
			return nil, fmt.Errorf("auth: session: %w", err)
		}
		known := slices.ContainsFunc(members, func(m Member) bool { return m.ID == s.Member.ID })
		if !known && now.Before(s.Session.ExpiresAt()) {
			members = append(members, s.Member)
		}
	}
	return members, nil
}

// requestedLately reports whether a session's item has counted a request in the last minutes.
func requestedLately(item table.Item, now time.Time) bool {
	minute := now.Unix() / 60
	for at := minute; at >= minute-presence; at-- {
		if item.Numbers[seenName(at)] > 0 {
			return true
		}
	}
	return false
}
