package playbook

import (
	"context"

	"frontdesk/shared/api"
	"frontdesk/shared/opt"
	"frontdesk/shared/playbook"
)

func (s *Service) roles(r *api.Router) {
	c := newCollection[playbook.Role, itemIn](s, playbook.Roles, "item_id", "a role", "roles")
	c.handleRows(r)
	handleUpsert[upsertRole](r, c,
		"Where a role has that `role_key` it is changed, and answered with 200: what is not sent of it "+
			"stays. Else it is new, and answered with 201. At most 1000 to an agent.",
		func(row playbook.Role, created bool) UpsertedRole { return UpsertedRole{row, api.Created(created)} })
	handleUpdate[updateRole](r, c, "A `role_key` that another role has is refused.")
}

// UpsertedRole is a role that was created or changed.
type UpsertedRole struct {
	playbook.Role
	api.Upserted
}

type roleFields struct {
	Name         opt.Value[string] `json:"name" check:"cut=100" example:"Sales adviser"`
	Description  opt.Value[string] `json:"description" check:"cut=2000" doc:"When the agent plays it." example:"Somebody asks what to buy."`
	Instructions opt.Value[string] `json:"instructions" check:"cut=8000" doc:"How the agent behaves in it. For language models." example:"Ask about the use before you recommend anything."`
}

func (in roleFields) apply(role *playbook.Role) {
	in.Name.To(&role.Name)
	in.Description.To(&role.Description)
	in.Instructions.To(&role.Instructions)
}

type upsertRole struct {
	agentIn
	RoleKey string `json:"role_key" check:"trim,required,format=key" doc:"What guidance knows the role by: letters, digits, and the signs _ . -" example:"sales"`
	roleFields
}

func (in upsertRole) key() string { return in.RoleKey }

func (in upsertRole) apply(_ context.Context, _ *Service, role *playbook.Role) error {
	role.RoleKey = in.RoleKey
	in.roleFields.apply(role)
	return nil
}

type updateRole struct {
	itemIn
	RoleKey opt.Value[string] `json:"role_key" check:"trim,filled,format=key" example:"sales"`
	roleFields
}

func (in updateRole) apply(_ context.Context, _ *Service, role *playbook.Role) error {
	in.RoleKey.To(&role.RoleKey)
	in.roleFields.apply(role)
	return nil
}
