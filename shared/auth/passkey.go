package auth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

const (
	// MaxPasskeys is the limit of passkeys of a member.
	MaxPasskeys = 20
	// ChallengeAge is how long a challenge is valid.
	ChallengeAge = 5 * time.Minute
)

// A Passkey is the public key of a credential that a member signs in with. The private key stays in the
// member's device or password manager.
type Passkey struct {
	ID        int64     `json:"id"`
	MemberID  int64     `json:"member_id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at"`
	// UsedAt is the time of the last sign-in with the passkey, or zero.
	UsedAt time.Time `json:"used_at,omitzero"`
	// RelyingParty is the host name that the passkey was made for. It works on no other.
	RelyingParty string `json:"relying_party"`
	CredentialID []byte `json:"credential_id"`
	PublicKey    []byte `json:"public_key"` // COSE key (RFC 9052)
	// SignCount is the authenticator's last signature counter; 0 if it has none.
	SignCount uint32 `json:"sign_count"`
	// BackupEligible is set if the credential may be synchronized to other devices. It never changes.
	BackupEligible bool `json:"backup_eligible"`
	// Version is that of the item that was read.
	Version int64 `json:"-"`
}

// ReadPasskey decodes an item of a passkey.
func ReadPasskey(item table.Item) (Passkey, error) {
	p := Passkey{Version: item.Version}
	if err := json.Unmarshal(item.Doc, &p); err != nil {
		return Passkey{}, fmt.Errorf("auth: passkey %s: %w", item.SK, err)
	}
	return p, nil
}

func (p Passkey) item(account int64) (table.Item, error) {
	doc, err := json.Marshal(p)
	return table.Item{Key: passkeyKey(account, p.MemberID, p.ID), Doc: doc, Version: p.Version}, err
}

// Passkeys returns the passkeys of a member, oldest first, or of all members where member is 0.
func (w *Workspaces) Passkeys(ctx context.Context, account, member int64) ([]Passkey, error) {
	page, err := w.Table.Query(ctx, PasskeysQuery(account, member))
	if err != nil {
		return nil, err
	}
	passkeys := make([]Passkey, 0, len(page.Items))
	for _, item := range page.Items {
		p, err := ReadPasskey(item)
		if err != nil {
			return nil, err
		}
		passkeys = append(passkeys, p)
	}
	return passkeys, nil
}

// A Challenge is what is stored for a WebAuthn challenge.
type Challenge struct {
	// Account and Member are the member who creates a passkey; 0 for signing in.
	Account      int64     `json:"account,omitempty"`
	Member       int64     `json:"member,omitempty"`
	RelyingParty string    `json:"relying_party"`
	ExpiresAt    time.Time `json:"expires_at"`
}

// StoreChallenge stores a challenge for ChallengeAge and returns it with its expiry.
func (w *Workspaces) StoreChallenge(ctx context.Context, text string, c Challenge) (Challenge, error) {
	c.ExpiresAt = w.Now().Add(ChallengeAge).UTC().Truncate(time.Second)
	doc, err := json.Marshal(c)
	if err != nil {
		return Challenge{}, err
	}
	return c, w.Table.Transact(ctx,
		table.PutIfAbsent(table.Item{Key: challengeKey(text), Doc: doc, Expires: c.ExpiresAt}))
}

// ReadChallenge reads a challenge. It returns table.ErrNotFound if the challenge was answered, has expired
// or never existed.
func (w *Workspaces) ReadChallenge(ctx context.Context, text string) (Challenge, error) {
	item, err := w.Table.Get(ctx, challengeKey(text))
	if err != nil {
		return Challenge{}, err
	}
	var c Challenge
	if err := json.Unmarshal(item.Doc, &c); err != nil {
		return Challenge{}, fmt.Errorf("auth: challenge: %w", err)
	}
	if !w.Now().Before(c.ExpiresAt) {
		return Challenge{}, table.ErrNotFound
	}
	return c, nil
}

// ErrPasskeyRefused is the error for a passkey that cannot sign in. It does not distinguish the causes.
func ErrPasskeyRefused() error {
	return fault.New(fault.AuthenticationRequired, "This passkey signs nobody in. Try again, or ask for a "+
		"sign-in link.")
}

// AddPasskey stores a passkey of the calling member and spends its challenge in one transaction. It returns
// table.ErrNotFound if the challenge was answered in the meantime or the member was removed.
func (w *Workspaces) AddPasskey(ctx context.Context, challenge string, by Caller, p Passkey) (Passkey,
	error) {
	account := by.Account.ID
	passkeys, err := w.Passkeys(ctx, account, by.Member.ID)
	if err != nil {
		return Passkey{}, err
	}
	if len(passkeys) >= MaxPasskeys {
		return Passkey{}, fault.New(fault.PlanLimit, "A member may have at most %d passkeys. Remove one "+
			"first.", MaxPasskeys)
	}
	for _, known := range passkeys {
		if bytes.Equal(known.CredentialID, p.CredentialID) {
			return Passkey{}, fault.Invalid("attestation_object", "This passkey is known already.")
		}
	}
	p.ID, p.MemberID = w.IDs.Next(), by.Member.ID
	p.CreatedAt = w.Now().UTC().Truncate(time.Millisecond)
	item, err := p.item(account)
	if err != nil {
		return Passkey{}, err
	}
	err = w.Table.Transact(ctx,
		table.DeleteIfExists(challengeKey(challenge)),
		table.Check(MemberKey(account, p.MemberID)),
		table.PutIfAbsent(item),
	)
	if table.ConditionErrorAt(err, 0) || table.ConditionErrorAt(err, 1) {
		return Passkey{}, table.ErrNotFound
	}
	return p, err
}

// SignInByPasskey begins a session of the member whose passkey answered a challenge. p is the passkey with
// its new sign count. Each challenge works once. It returns ErrPasskeyRefused if the challenge was used, the
// passkey or the member was removed, or the passkey was used concurrently.
func (w *Workspaces) SignInByPasskey(ctx context.Context, challenge string, account int64, p Passkey,
	by Browser) (SignedIn, error) {
	p.UsedAt = w.Now().UTC().Truncate(time.Second)
	used, err := p.item(account)
	if err != nil {
		return SignedIn{}, err
	}
	var s SignedIn
	err = table.Retry(ctx, func() error { // a concurrent change of the member or the plan
		var writes []table.Write
		s, writes, err = w.newSession(ctx, account, p.MemberID, byPasskey, by)
		if errors.Is(err, table.ErrNotFound) {
			return ErrPasskeyRefused()
		}
		if err != nil {
			return err
		}
		err := w.Table.Transact(ctx, append([]table.Write{
			table.DeleteIfExists(challengeKey(challenge)), table.PutIfVersion(used),
		}, writes...)...)
		if table.ConditionErrorAt(err, 0) || table.ConditionErrorAt(err, 1) {
			return ErrPasskeyRefused()
		}
		return err
	})
	return s, err
}

// RemovePasskey removes a passkey: any of the workspace for an administrator, otherwise one of the caller's
// own. It returns table.ErrNotFound if there is no such passkey.
func (w *Workspaces) RemovePasskey(ctx context.Context, by Caller, passkey int64) error {
	passkeys, err := w.Passkeys(ctx, by.Account.ID, by.seesPasskeysOf())
	if err != nil {
		return err
	}
	for _, p := range passkeys {
		if p.ID == passkey {
			return w.Table.Transact(ctx, table.Delete(passkeyKey(by.Account.ID, p.MemberID, p.ID)))
		}
	}
	return table.ErrNotFound
}

// seesPasskeysOf returns the member whose passkeys the caller may see and remove; 0 means all members.
func (c Caller) seesPasskeysOf() int64 {
	if c.Role().Administers() {
		return 0
	}
	return c.Member.ID
}

// VisiblePasskeys returns the query of the passkeys that the caller may see.
func (c Caller) VisiblePasskeys() table.Query { return PasskeysQuery(c.Account.ID, c.seesPasskeysOf()) }

// removePasskeys removes all passkeys of a member.
func (w *Workspaces) removePasskeys(ctx context.Context, account, member int64) error {
	passkeys, err := w.Passkeys(ctx, account, member)
	if err != nil || len(passkeys) == 0 {
		return err
	}
	var writes []table.Write
	for _, p := range passkeys {
		writes = append(writes, table.Delete(passkeyKey(account, member, p.ID)))
	}
	return w.Table.WriteAll(ctx, writes...)
}
