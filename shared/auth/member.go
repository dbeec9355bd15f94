package auth

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/table"
)

// A Role is the set of rights of a member.
type Role string

// The roles. An owner has all rights. An admin has all except changing and inviting owners. An agent answers
// people and maintains the agents' knowledge, without access to members, API keys, billing and channel
// credentials.
const (
	Owner       Role = "owner"
	Admin       Role = "admin"
	AgentMember Role = "agent"
)

// Values implements api.Enum. The role with the most rights comes first.
func (Role) Values() []string { return []string{string(Owner), string(Admin), string(AgentMember)} }

// Administers reports whether the role may use admin endpoints.
func (r Role) Administers() bool { return r == Owner || r == Admin }

// A Member is a person who signs in to a workspace.
type Member struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	Email     string    `json:"email"`
	Role      Role      `json:"role"`
	CreatedAt time.Time `json:"created_at"`
	// SignedInAt is the time of the last sign-in, or zero.
	SignedInAt time.Time `json:"signed_in_at,omitzero"`
}

// item returns the member as it is stored. version is that of the item it was read from, 0 for a new member.
func (m Member) item(account, version int64) (table.Item, error) {
	doc, err := json.Marshal(m)
	return table.Item{Key: MemberKey(account, m.ID), Doc: doc, Version: version}, err
}

// ReadMember decodes an item of a member.
func ReadMember(item table.Item) (Member, error) {
	var m Member
	if err := json.Unmarshal(item.Doc, &m); err != nil {
		return Member{}, fmt.Errorf("auth: member %s: %w", item.SK, err)
	}
	return m, nil
}
