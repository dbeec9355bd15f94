package account

import (
	"context"
	"net/http"
	"time"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/opt"
	"frontdesk/shared/table"
)

// memberRoutes registers the endpoints for the members of a workspace.
func (s *Service) memberRoutes(r *api.Router) {
	api.Handle(r, "GET /members/", api.Doc{
		Summary: "List the members of the workspace",
		Description: "Oldest first. A member is a person who signs in to the dashboard. An `owner` may do " +
			"everything; an `admin` everything but change owners; an `agent` has no access to members, API " +
			"keys, billing and channel credentials.",
	}, s.members)
	api.Handle(r, "POST /members/", api.Doc{
		Summary: "Add a member", Description: "`POST /members/{id}/invite/` makes the link by which the " +
			"member signs in.",
		Status: http.StatusCreated, Admin: true, Errors: []fault.Code{fault.PlanLimit},
	}, s.addMember)
	api.Handle(r, "PATCH /members/{id}/", api.Doc{
		Summary: "Change a member", Description: "A change of the role holds at once in the member's " +
			"sessions. The last owner stays one.",
		Admin: true,
	}, s.changeMember)
	api.Handle(r, "DELETE /members/{id}/", api.Doc{
		Summary: "Remove a member", Description: "The member's sessions, links and passkeys end at once. " +
			"The last owner cannot be removed.",
		Status: http.StatusNoContent, Admin: true, Errors: []fault.Code{fault.ValidationError},
	}, s.removeMember)
	api.Handle(r, "POST /members/{id}/invite/", api.Doc{
		ID:      "inviteMember",
		Summary: "Make a sign-in link for a member", Description: "It works once, for 15 minutes. Whoever " +
			"has it can sign in as the member.",
		Status: http.StatusCreated, Admin: true, Sealed: true,
	}, s.invite)
}

// A Member is a person who signs in to the dashboard.
type Member struct {
	ID         int64      `json:"id" example:"219482112000003"`
	Name       string     `json:"name" example:"Ada Lovelace"`
	Email      string     `json:"email" doc:"Empty where none is known." example:"ada@example.com"`
	Role       auth.Role  `json:"role" example:"agent"`
	CreatedAt  time.Time  `json:"created_at"`
	SignedInAt *time.Time `json:"signed_in_at" doc:"When the member last signed in; null where that has not happened."`
}

func showMember(m auth.Member) Member {
	shown := Member{ID: m.ID, Name: m.Name, Email: m.Email, Role: m.Role, CreatedAt: m.CreatedAt}
	if !m.SignedInAt.IsZero() {
		shown.SignedInAt = &m.SignedInAt
	}
	return shown
}

// members answers a page of the workspace's members. There are at most auth.MaxMembers, so they are counted
// by reading them.
func (s *Service) members(ctx context.Context, in api.PageIn) (api.List[Member], error) {
	account := auth.CallerOf(ctx).Account.ID
	return api.Paginate(ctx, s.Table, in, api.Listing[Member]{
		Query: auth.MembersQuery(account),
		Count: func(ctx context.Context) (int64, error) {
			all, err := s.workspaces().Members(ctx, account)
			return int64(len(all)), err
		},
		Item: func(item table.Item) (Member, error) {
			m, err := auth.ReadMember(item)
			return showMember(m), err
		},
	})
}

type addMemberIn struct {
	Name  string    `json:"name" check:"required,trim,max=100" example:"Grace Hopper"`
	Email string    `json:"email" check:"max=254,format=email" example:"grace@example.com"`
	Role  auth.Role `json:"role" check:"required" example:"agent"`
}

func (s *Service) addMember(ctx context.Context, in addMemberIn) (Member, error) {
	m, err := s.workspaces().AddMember(ctx, auth.CallerOf(ctx),
		auth.Member{Name: in.Name, Email: in.Email, Role: in.Role})
	return showMember(m), err
}

type changeMemberIn struct {
	idIn
	Name  opt.Value[string]    `json:"name" check:"filled,trim,max=100" example:"Grace Hopper"`
	Email opt.Value[string]    `json:"email" check:"max=254,format=email" example:"grace@example.com"`
	Role  opt.Value[auth.Role] `json:"role" example:"admin"`
}

// changeMember edits a member under its version. The store checks that the caller's role allows the change
// and that an owner remains.
func (s *Service) changeMember(ctx context.Context, in changeMemberIn) (Member, error) {
	m, err := s.workspaces().ChangeMember(ctx, auth.CallerOf(ctx), in.ID, func(m *auth.Member) {
		in.Name.To(&m.Name)
		in.Email.To(&m.Email)
		in.Role.To(&m.Role)
	})
	return showMember(m), notFound(err)
}

func (s *Service) removeMember(ctx context.Context, in idIn) (api.None, error) {
	return api.None{}, notFound(s.workspaces().RemoveMember(ctx, auth.CallerOf(ctx), in.ID))
}

// An Invitation is a link with which a member signs in once.
type Invitation struct {
	URL       string    `json:"url" check:"format=url" example:"https://api.example.com/app/#token=fdl_4jxq2v7m5n3c6k8s1t9w0y2z4a"`
	ExpiresAt time.Time `json:"expires_at"`
}

func (s *Service) invite(ctx context.Context, in idIn) (Invitation, error) {
	link, err := s.workspaces().Invite(ctx, auth.CallerOf(ctx), in.ID)
	return Invitation{link.URL(api.PublicURL(ctx)), link.ExpiresAt}, notFound(err)
}
