package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// MaxMembers is the limit of members of a workspace.
const MaxMembers = 200

// Members returns a workspace's members, oldest first.
func (w *Workspaces) Members(ctx context.Context, account int64) ([]Member, error) {
	page, err := w.Table.Query(ctx, MembersQuery(account))
	if err != nil {
		return nil, err
	}
	members := make([]Member, 0, len(page.Items))
	for _, item := range page.Items {
		m, err := ReadMember(item)
		if err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	return members, nil
}

// errOwnersOnly is the error for callers who may not create or change an owner.
func errOwnersOnly() error {
	return fault.New(fault.Forbidden, "Only an owner can add, change, invite or remove an owner.")
}

// AddMember adds a member. Only an owner may add an owner. E-mail addresses are unique in a workspace.
func (w *Workspaces) AddMember(ctx context.Context, by Caller, m Member) (Member, error) {
	if m.Role == Owner && by.Role() != Owner {
		return Member{}, errOwnersOnly()
	}
	account := by.Account.ID
	members, err := w.Members(ctx, account)
	if err != nil {
		return Member{}, err
	}
	if len(members) >= MaxMembers {
		return Member{}, fault.New(fault.PlanLimit, "A workspace may have at most %d members.", MaxMembers)
	}
	m.ID, m.CreatedAt = w.IDs.Next(), w.Now().UTC().Truncate(time.Millisecond)
	item, err := m.item(account, 0)
	if err != nil {
		return Member{}, err
	}
	writes := append(emailWrites(account, "", m.Email), table.PutIfAbsent(item),
		table.Check(AccountKey(account)))
	return m, emailTaken(w.Table.Transact(ctx, writes...), writes)
}

// emailWrites returns the writes that reserve a member's new e-mail address and release the old one. The
// condition of the first fails if another member has the new address.
func emailWrites(account int64, before, after string) []table.Write {
	from, to := memberEmailKey(account, before), memberEmailKey(account, after)
	if from == to {
		return nil
	}
	var writes []table.Write
	if after != "" {
		writes = append(writes, table.PutIfAbsent(table.Item{Key: to, Doc: []byte("{}")}))
	}
	if before != "" {
		writes = append(writes, table.Delete(from))
	}
	return writes
}

// emailTaken converts the error of a transaction that begins with emailWrites: if the new address is taken,
// it returns an error about the field email.
func emailTaken(err error, writes []table.Write) error {
	if strings.HasPrefix(writes[0].Item.SK, string(emailsOfAccount)) && table.ConditionErrorAt(err, 0) {
		return fault.Invalid("email", "Another member has this e-mail address.")
	}
	return err
}

// ChangeMember changes a member, in the member's sessions too. edit is called again after a conflict with
// another change. Only an owner may change or create an owner, and the last owner stays one. The caller
// checks who may change names and addresses. It returns table.ErrNotFound if the workspace has no such
// member.
func (w *Workspaces) ChangeMember(ctx context.Context, by Caller, member int64, edit func(*Member)) (Member,
	error) {
	account := by.Account.ID
	var after Member
	err := table.Retry(ctx, func() error {
		members, item, err := w.member(ctx, account, member)
		if err != nil {
			return err
		}
		before, err := ReadMember(item)
		if err != nil {
			return err
		}
		after = before
		edit(&after)
		if err := mayChange(by, members, before, after); err != nil {
			return err
		}
		if after == before {
			return nil
		}
		changed, err := after.item(account, item.Version)
		if err != nil {
			return err
		}
		writes := append(emailWrites(account, before.Email, after.Email), table.PutIfVersion(changed))
		writes = append(writes, otherOwner(account, members, before, after.Role == Owner)...)
		return emailTaken(w.Table.Transact(ctx, writes...), writes)
	})
	if err != nil {
		return Member{}, err
	}
	return after, w.rewriteSessions(ctx, account, func(s *signedIn) bool {
		if s.Session.MemberID == member {
			s.Member = after
		}
		return s.Session.MemberID == member
	})
}

// mayChange returns an error if the caller may not make the change.
func mayChange(by Caller, members []Member, before, after Member) error {
	if before.Role == Owner || after.Role == Owner {
		if by.Role() != Owner {
			return errOwnersOnly()
		}
	}
	if before.Role == Owner && after.Role != Owner && owners(members) == 1 {
		return fault.Invalid("role", "The workspace's last owner must stay one. Make another member an "+
			"owner first.")
	}
	return nil
}

func owners(members []Member) int {
	n := 0
	for _, m := range members {
		if m.Role == Owner {
			n++
		}
	}
	return n
}

// otherOwner returns a condition that another owner exists when an owner goes, for the case that two owners
// remove each other concurrently.
func otherOwner(account int64, members []Member, before Member, stays bool) []table.Write {
	if before.Role != Owner || stays {
		return nil
	}
	for _, m := range members {
		if m.Role == Owner && m.ID != before.ID {
			return []table.Write{table.Check(MemberKey(account, m.ID))}
		}
	}
	return nil
}

// member reads all members, and the item of one. It returns table.ErrNotFound if there is no such member.
func (w *Workspaces) member(ctx context.Context, account, member int64) ([]Member, table.Item, error) {
	page, err := w.Table.Query(ctx, MembersQuery(account))
	if err != nil {
		return nil, table.Item{}, err
	}
	var members []Member
	var found table.Item
	for _, item := range page.Items {
		m, err := ReadMember(item)
		if err != nil {
			return nil, table.Item{}, err
		}
		if members = append(members, m); m.ID == member {
			found = item
		}
	}
	if found.PK == "" {
		return nil, table.Item{}, table.ErrNotFound
	}
	return members, found, nil
}

// Invite creates a sign-in link for a member. Only an owner may invite an owner. It returns
// table.ErrNotFound if the workspace has no such member.
func (w *Workspaces) Invite(ctx context.Context, by Caller, member int64) (Link, error) {
	item, err := w.Table.Get(ctx, MemberKey(by.Account.ID, member))
	if err != nil {
		return Link{}, err
	}
	m, err := ReadMember(item)
	if err != nil {
		return Link{}, err
	}
	if m.Role == Owner && by.Role() != Owner {
		return Link{}, errOwnersOnly()
	}
	return w.MakeLink(ctx, by.Account.ID, member)
}

// RemoveMember removes a member with all passkeys and sessions. Only an owner may remove an owner, and the
// last owner stays. It returns table.ErrNotFound if the workspace has no such member.
func (w *Workspaces) RemoveMember(ctx context.Context, by Caller, member int64) error {
	account := by.Account.ID
	err := table.Retry(ctx, func() error {
		members, item, err := w.member(ctx, account, member)
		if err != nil {
			return err
		}
		before, err := ReadMember(item)
		if err != nil {
			return err
		}
		if err := mayChange(by, members, before, Member{}); err != nil {
			return err
		}
		writes := append(emailWrites(account, before.Email, ""),
			otherOwner(account, members, before, false)...)
		writes = append(writes, table.DeleteIfVersion(item.Key, item.Version))
		return w.Table.Transact(ctx, writes...)
	})
	if err != nil {
		return err
	}
	if err := w.removePasskeys(ctx, account, member); err != nil {
		return err
	}
	sessions, err := w.Sessions(ctx, account)
	if err != nil {
		return err
	}
	for _, s := range sessions {
		if s.MemberID == member {
			if err := w.EndSession(ctx, account, s.ID); err != nil && !errors.Is(err, table.ErrNotFound) {
				return err
			}
		}
	}
	return nil
}

// Sessions returns the unexpired sessions of a workspace's members, oldest first.
func (w *Workspaces) Sessions(ctx context.Context, account int64) ([]Session, error) {
	page, err := w.Table.Query(ctx, SessionsQuery(account))
	if err != nil {
		return nil, err
	}
	var sessions []Session
	for _, item := range page.Items {
		s, err := ReadSession(item)
		if err != nil {
			return nil, err
		}
		if w.Now().Before(s.ExpiresAt()) {
			sessions = append(sessions, s)
		}
	}
	return sessions, nil
}

// EndSession ends a session at once. It returns table.ErrNotFound if the workspace has no such session.
func (w *Workspaces) EndSession(ctx context.Context, account, session int64) error {
	item, err := w.Table.Get(ctx, SessionKey(account, session))
	if err != nil {
		return err
	}
	s, err := ReadSession(item)
	if err != nil {
		return err
	}
	return w.Table.Transact(ctx, table.Delete(item.Key), table.Delete(signedInKey(s.Hash)))
}

// SignOut ends the session of a cookie. It returns the value of Set-Cookie that removes the cookie from a
// browser at that base address. A missing session is no error.
func (w *Workspaces) SignOut(ctx context.Context, text, base string) (removed string, err error) {
	removed = cookie(base, "").String()
	if text == "" {
		return removed, nil
	}
	item, err := w.Table.Get(ctx, signedInKey(HashAPIKey(text)))
	if errors.Is(err, table.ErrNotFound) {
		return removed, nil
	}
	if err != nil {
		return removed, err
	}
	var s signedIn
	if err := json.Unmarshal(item.Doc, &s); err != nil {
		return removed, fmt.Errorf("auth: session: %w", err)
	}
	return removed, w.Table.Transact(ctx, table.Delete(item.Key),
		table.Delete(SessionKey(s.Account.ID, s.Session.ID)))
}

// rewriteSessions edits what is stored with the sessions of a workspace. edit reports whether it changed one.
// A session that ends in the meantime stays ended.
func (w *Workspaces) rewriteSessions(ctx context.Context, account int64, edit func(*signedIn) bool) error {
	sessions, err := w.Sessions(ctx, account)
	if err != nil {
		return err
	}
	var keys []table.Key
	for _, s := range sessions {
		keys = append(keys, signedInKey(s.Hash))
	}
	for chunk := range slices.Chunk(keys, table.MaxTransact) {
		err := table.Retry(ctx, func() error {
			items, err := w.Table.BatchGet(ctx, chunk...)
			if err != nil {
				return err
			}
			var writes []table.Write
			for _, item := range items {
				var s signedIn
				if err := json.Unmarshal(item.Doc, &s); err != nil {
					return fmt.Errorf("auth: session: %w", err)
				}
				if !edit(&s) {
					continue
				}
				found, _, err := s.items(item.Version)
				if err != nil {
					return err
				}
				writes = append(writes, table.PutIfVersion(found))
			}
			if len(writes) == 0 {
				return nil
			}
			return w.Table.Transact(ctx, writes...)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
