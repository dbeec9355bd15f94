package auth

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// LinkAge is how long a sign-in link is valid.
const LinkAge = 15 * time.Minute

// A Link signs a member in once.
type Link struct {
	Token     string
	ExpiresAt time.Time
}

// linkPath is the dashboard's page that reads a link's token. The token is in the fragment, which browsers
// do not send, so it is in no log.
const linkPath = "/app/#token="

// URL returns the link's address on a site, which is given without a slash at its end.
func (l Link) URL(site string) string { return site + linkPath + l.Token }

// storedLink is what is stored for a link.
type storedLink struct {
	Account   int64     `json:"account_id"`
	Member    int64     `json:"member_id"`
	ExpiresAt time.Time `json:"expires_at"`
}

// MakeLink creates a link for a member. It returns table.ErrNotFound if the workspace has no such member.
func (w *Workspaces) MakeLink(ctx context.Context, account, member int64) (Link, error) {
	link := Link{"fdl_" + strings.ToLower(rand.Text()), w.Now().Add(LinkAge).UTC().Truncate(time.Second)}
	doc, err := json.Marshal(storedLink{account, member, link.ExpiresAt})
	if err != nil {
		return Link{}, err
	}
	err = w.Table.Transact(ctx,
		table.Check(MemberKey(account, member)),
		table.PutIfAbsent(table.Item{Key: LinkKey(link.Token), Doc: doc, Expires: link.ExpiresAt}),
	)
	if table.ConditionErrorAt(err, 0) {
		return Link{}, table.ErrNotFound
	}
	return link, err
}

// OwnerLink creates a link for the workspace's first owner, who is created if there is none. It returns
// table.ErrNotFound if there is no such workspace.
func (w *Workspaces) OwnerLink(ctx context.Context, account int64) (Link, error) {
	if _, err := w.Account(ctx, account); err != nil {
		return Link{}, err
	}
	members, err := w.Members(ctx, account)
	if err != nil {
		return Link{}, err
	}
	for _, m := range members {
		if m.Role == Owner {
			return w.MakeLink(ctx, account, m.ID)
		}
	}
	owner := w.firstOwner()
	item, err := owner.item(account, 0)
	if err != nil {
		return Link{}, err
	}
	if err := w.Table.Transact(ctx, table.PutIfAbsent(item)); err != nil {
		return Link{}, err
	}
	return w.MakeLink(ctx, account, owner.ID)
}

// firstOwner returns the first member of a new workspace. Its name can be changed later.
func (w *Workspaces) firstOwner() Member {
	return Member{ID: w.IDs.Next(), Name: "Owner", Role: Owner,
		CreatedAt: w.Now().UTC().Truncate(time.Millisecond)}
}

// SignedIn is a session that has just begun.
type SignedIn struct {
	Account Account
	Member  Member
	Session Session
	cookie  string
}

// Cookie returns the value of Set-Cookie that stores the session in a browser, for the site at base.
func (s SignedIn) Cookie(base string) string { return cookie(base, s.cookie).String() }

// Browser describes who signs in.
type Browser struct{ UserAgent, Address string }

// maxUserAgent is how many bytes of a User-Agent are stored.
const maxUserAgent = 300

// errLinkUsed is the error for a token that is unknown, used or expired. It does not distinguish the cases.
func errLinkUsed() error {
	return fault.New(fault.AuthenticationRequired, "This sign-in link has been used or has expired. Ask "+
		"for a new one.")
}

// SignIn exchanges a link's token for a session, once. For a token that is unknown, used or older than
// LinkAge the error is authentication_required.
func (w *Workspaces) SignIn(ctx context.Context, token string, by Browser) (SignedIn, error) {
	item, err := w.Table.Get(ctx, LinkKey(token))
	if errors.Is(err, table.ErrNotFound) {
		return SignedIn{}, errLinkUsed()
	}
	if err != nil {
		return SignedIn{}, err
	}
	var link storedLink
	if err := json.Unmarshal(item.Doc, &link); err != nil {
		return SignedIn{}, fmt.Errorf("auth: link: %w", err)
	}
	if !w.Now().Before(link.ExpiresAt) {
		return SignedIn{}, errLinkUsed()
	}
	var s SignedIn
	err = table.Retry(ctx, func() error { // a concurrent change of the member or the plan
		var writes []table.Write
		s, writes, err = w.newSession(ctx, link.Account, link.Member, byLink, by)
		if errors.Is(err, table.ErrNotFound) {
			return errLinkUsed()
		}
		if err != nil {
			return err
		}
		// Deleting the link is part of the transaction, so that concurrent requests with a token begin one
		// session.
		err := w.Table.Transact(ctx, append([]table.Write{table.DeleteIfExists(item.Key)}, writes...)...)
		if table.ConditionErrorAt(err, 0) {
			return errLinkUsed()
		}
		return err
	})
	return s, err
}

// means is how a member signs in, for the audit log.
type means struct{ action, path string }

var (
	byLink    = means{"Sign in", "/session/"}
	byPasskey = means{"Sign in with a passkey", "/session/passkey/"}
)

// newSession returns a new session of a member and the writes that begin it. It returns table.ErrNotFound if
// there is no such member.
func (w *Workspaces) newSession(ctx context.Context, accountID, memberID int64, how means, by Browser) (
	SignedIn, []table.Write, error) {
	accountKey, memberKey := AccountKey(accountID), MemberKey(accountID, memberID)
	items, err := w.Table.BatchGet(ctx, accountKey, memberKey)
	if err != nil {
		return SignedIn{}, nil, err
	}
	memberItem, ok := items[memberKey]
	if !ok {
		return SignedIn{}, nil, table.ErrNotFound
	}
	member, err := ReadMember(memberItem)
	if err != nil {
		return SignedIn{}, nil, err
	}
	account, err := ReadAccount(items[accountKey])
	if err != nil {
		return SignedIn{}, nil, err
	}
	now, text := w.Now().UTC().Truncate(time.Second), newSessionText()
	member.SignedInAt = now
	session := Session{
		ID: w.IDs.Next(), MemberID: member.ID, CreatedAt: now, RenewedAt: now,
		UserAgent: strings.ToValidUTF8(by.UserAgent[:min(len(by.UserAgent), maxUserAgent)],
			""), Address: by.Address,
		Hash: HashAPIKey(text),
	}
	found, entry, err := signedIn{session, member, account}.items(0)
	if err != nil {
		return SignedIn{}, nil, err
	}
	signed, err := member.item(account.ID, memberItem.Version)
	if err != nil {
		return SignedIn{}, nil, err
	}
	audit, err := AuditEntry{
		ID: w.IDs.Next(), At: now, Actor: Actor{ActorMember, member.ID, member.Name},
		Action: how.action, Method: "POST", Path: how.path, Address: by.Address,
	}.Write(account.ID)
	return SignedIn{account, member, session, text}, []table.Write{
		table.PutIfVersion(signed),
		table.CheckVersion(accountKey, items[accountKey].Version),
		table.PutIfAbsent(found),
		table.PutIfAbsent(entry),
		audit,
	}, err
}
