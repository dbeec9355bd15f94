package auth

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/table"
)

// A Role is what a member of a workspace may do.
type Role string

// The roles. An owner may do everything. An admin may do everything but change or invite owners. An agent
// answers people and keeps the agents' knowledge, and has no access to members, API keys, billing and channel
// credentials.
const (
	Owner       Role = "owner"
	Admin       Role = "admin"
	AgentMember Role = "agent"
)

// Values lists the roles, the one with the most rights first.
func (Role) Values() []string { return []string{string(Owner), string(Admin), string(AgentMember)} }

// Administers reports whether the role may use endpoints that are for administrators.
func (r Role) Administers() bool { return r == Owner || r == Admin }

// A Member is a person who works in a workspace.
type Member struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	Email     string    `json:"email"`
	Role      Role      `json:"role"`
	CreatedAt time.Time `json:"created_at"`
	// SignedInAt is when the member last signed in, zero while that has not happened.
	SignedInAt time.Time `json:"signed_in_at,omitzero"`
}

// item is the member as it is stored. Version is that of the item it was read from, 0 for a new one.
func (m Member) item(account, version int64) (table.Item, error) {
	doc, err := json.Marshal(m)
	return table.Item{Key: MemberKey(account, m.ID), Doc: doc, Version: version}, err
}

// ReadMember is the member that an item holds.
func ReadMember(item table.Item) (Member, error) {
	var m Member
	if err := json.Unmarshal(item.Doc, &m); err != nil {
		return Member{}, fmt.Errorf("auth: member %s: %w", item.SK, err)
	}
	return m, nil
}
