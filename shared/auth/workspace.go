package auth

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// Workspaces stores workspaces, their API keys, members and sessions. It is safe for concurrent use.
type Workspaces struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
}

// An Issued key is a key with its text, which cannot be read again.
type Issued struct {
	Key  Key
	Text string
}

// A KeyState is a key and whether it was revoked.
type KeyState struct {
	Key
	Revoked bool
}

// listed is a key in its workspace's list.
type listed struct {
	AccountID int64  `json:"account_id"`
	Key       Key    `json:"key"`
	Hash      string `json:"hash"`
	Revoked   bool   `json:"revoked"`
	// Warned is set if the workspace was warned of the key's expiry.
	Warned bool `json:"warned,omitempty"`
}

func (l listed) item() (table.Item, error) {
	doc, err := json.Marshal(l)
	item := table.Item{Key: AccountAPIKey(l.AccountID, l.Key.ID), Doc: doc}
	if !l.Revoked && !l.Warned {
		item.Index1 = expiringKey(l.Key.ExpiresAt(), l.Key.ID)
	}
	return item, err
}

func readListed(item table.Item) (listed, error) {
	var l listed
	if err := json.Unmarshal(item.Doc, &l); err != nil {
		return listed{}, fmt.Errorf("auth: key %s: %w", item.SK, err)
	}
	return l, nil
}

// MaxName is the limit of the name of a workspace or a key, in characters.
const MaxName = 100

// Create creates a workspace on a plan, with its first key and owner, in one transaction.
func (w *Workspaces) Create(ctx context.Context, name, plan string) (Account, Issued, error) {
	return w.create(ctx, w.IDs.Next(), name, plan, newKeyText())
}

// EnsureLocal creates the workspace Local on plan enterprise with a key of that text, unless it exists. It
// is for the local process. A key that has expired by the wall clock is renewed; one that has expired only
// by a shifted clock (Now) stays expired, so that expiry can be tested.
func (w *Workspaces) EnsureLocal(ctx context.Context, text string, wall time.Time) (Account, error) {
	var account Account
	err := table.Retry(ctx, func() error { // another process may do the same
		item, err := w.Table.Get(ctx, APIKey(text))
		if errors.Is(err, table.ErrNotFound) {
			account, _, err = w.create(ctx, w.IDs.Next(), "Local", "enterprise", text)
			return err
		}
		if err != nil {
			return err
		}
		r, err := readRecord(item.Doc)
		account = r.Account
		if err != nil || wall.Before(r.Key.ExpiresAt()) {
			return err
		}
		r.Key.CreatedAt = w.Now().UTC().Truncate(time.Millisecond)
		if item.Doc, err = json.Marshal(r); err != nil {
			return err
		}
		entry, err := listed{AccountID: account.ID, Key: r.Key, Hash: HashAPIKey(text),
			Revoked: item.Numbers[revoked] > 0}.item()
		if err != nil {
			return err
		}
		return w.Table.Transact(ctx, table.PutIfVersion(item), table.Put(entry))
	})
	return account, err
}

func (w *Workspaces) create(ctx context.Context, account int64, name, plan, text string) (Account, Issued,
	error) {
	name, err := validName(name)
	if err != nil {
		return Account{}, Issued{}, err
	}
	if _, err := PlanNamed(plan); err != nil {
		return Account{}, Issued{}, err
	}
	a := Account{ID: account, Name: name, Plan: plan, CreatedAt: w.Now().UTC().Truncate(time.Millisecond)}
	item, err := AccountItem(a)
	if err != nil {
		return Account{}, Issued{}, err
	}
	issued, writes, err := w.newKey(a, "default", text)
	if err != nil {
		return Account{}, Issued{}, err
	}
	owner, err := w.firstOwner().item(a.ID, 0)
	if err != nil {
		return Account{}, Issued{}, err
	}
	return a, issued, w.Table.Transact(ctx, append(writes, table.PutIfAbsent(item),
		table.PutIfAbsent(owner))...)
}

// Account reads a workspace. It returns table.ErrNotFound if there is none.
func (w *Workspaces) Account(ctx context.Context, account int64) (Account, error) {
	a, _, err := w.account(ctx, account)
	return a, err
}

// account is Account with the version of the item.
func (w *Workspaces) account(ctx context.Context, account int64) (Account, int64, error) {
	item, err := w.Table.Get(ctx, AccountKey(account))
	if err != nil {
		return Account{}, 0, err
	}
	a, err := ReadAccount(item)
	return a, item.Version, err
}

// Issue creates another key of a workspace. It does not check MaxKeys.
func (w *Workspaces) Issue(ctx context.Context, account int64, name string) (Issued, error) {
	name, err := validName(name)
	if err != nil {
		return Issued{}, err
	}
	var issued Issued
	err = table.Retry(ctx, func() error { // a key contains the plan, which may change concurrently
		a, version, err := w.account(ctx, account)
		if err != nil {
			return err
		}
		var writes []table.Write
		if issued, writes, err = w.newKey(a, name, newKeyText()); err != nil {
			return err
		}
		return w.Table.Transact(ctx, append(writes, table.CheckVersion(AccountKey(account), version))...)
	})
	return issued, err
}

// newKey returns a new key with its writes: the item that requests find by hash, and the one in the
// workspace's list.
func (w *Workspaces) newKey(a Account, name, text string) (Issued, []table.Write, error) {
	key := Key{ID: w.IDs.Next(), Name: name, CreatedAt: w.Now().UTC().Truncate(time.Millisecond)}
	doc, err := json.Marshal(record{key, a})
	if err != nil {
		return Issued{}, nil, err
	}
	entry, err := listed{AccountID: a.ID, Key: key, Hash: HashAPIKey(text)}.item()
	if err != nil {
		return Issued{}, nil, err
	}
	return Issued{key, text}, []table.Write{
		table.PutIfAbsent(table.Item{Key: APIKey(text), Doc: doc}),
		table.PutIfAbsent(entry),
	}, nil
}

// MaxKeys is the limit of API keys of a workspace. Revoked ones do not count.
const MaxKeys = 100

// ReadKey decodes a key of the workspace's list.
func ReadKey(item table.Item) (KeyState, error) {
	l, err := readListed(item)
	return KeyState{l.Key, l.Revoked}, err
}

// Valid returns the keys that are not revoked.
func Valid(keys []KeyState) []KeyState {
	return slices.DeleteFunc(slices.Clone(keys), func(k KeyState) bool { return k.Revoked })
}

// List returns a workspace's keys, revoked ones too, oldest first.
func (w *Workspaces) List(ctx context.Context, account int64) ([]KeyState, error) {
	entries, err := w.entries(ctx, account)
	if err != nil {
		return nil, err
	}
	var keys []KeyState
	for _, e := range entries {
		keys = append(keys, KeyState{e.Key, e.Revoked})
	}
	return keys, nil
}

// Revoke revokes a key at once. It returns table.ErrNotFound if the workspace has no such key. Revoking
// twice is no error.
func (w *Workspaces) Revoke(ctx context.Context, account, key int64) error {
	item, err := w.Table.Get(ctx, AccountAPIKey(account, key))
	if err != nil {
		return err
	}
	e, err := readListed(item)
	if err != nil {
		return err
	}
	e.Revoked = true
	if item, err = e.item(); err != nil {
		return err
	}
	return w.Table.Transact(ctx, table.Put(item), table.Add(APIKeyHash(e.Hash), revoked, 1).Existing())
}

// SetPlan moves a workspace to another plan. The plan is copied into all its keys and sessions. If it fails
// in between, the workspace has the new plan and some keys the old one, until it is called again.
func (w *Workspaces) SetPlan(ctx context.Context, account int64, plan string) (Account, error) {
	if _, err := PlanNamed(plan); err != nil {
		return Account{}, err
	}
	var a Account
	err := table.Retry(ctx, func() error {
		var version int64
		var err error
		if a, version, err = w.account(ctx, account); err != nil {
			return err
		}
		a.Plan = plan
		item, err := AccountItem(a)
		item.Version = version
		if err != nil {
			return err
		}
		return w.Table.Transact(ctx, table.PutIfVersion(item))
	})
	if err != nil {
		return Account{}, err
	}
	entries, err := w.entries(ctx, account) // keys issued from now on have the new plan
	if err != nil {
		return Account{}, err
	}
	var writes []table.Write
	for _, e := range entries {
		doc, err := json.Marshal(record{e.Key, a})
		if err != nil {
			return Account{}, err
		}
		writes = append(writes, table.Put(table.Item{Key: APIKeyHash(e.Hash), Doc: doc}))
	}
	for chunk := range slices.Chunk(writes, table.MaxTransact) {
		if err := w.Table.Transact(ctx, chunk...); err != nil {
			return Account{}, err
		}
	}
	return a, w.rewriteSessions(ctx, account, func(s *signedIn) bool {
		s.Account = a
		return true
	})
}

func (w *Workspaces) entries(ctx context.Context, account int64) ([]listed, error) {
	page, err := w.Table.Query(ctx, table.Query{PK: AccountKey(account).PK, Prefix: keysOfAccount})
	if err != nil {
		return nil, err
	}
	var entries []listed
	for _, item := range page.Items {
		e, err := readListed(item)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// newKeyText returns the text of a key: about 128 random bits after a prefix that secret scanners recognize.
func newKeyText() string { return "fd_" + strings.ToLower(rand.Text()) }

func validName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" || utf8.RuneCountInString(name) > MaxName {
		return "", fmt.Errorf("a name must have 1 to %d characters", MaxName)
	}
	return name, nil
}
