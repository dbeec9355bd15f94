package playbook

// A Role is a part that an agent plays, such as sales.
type Role struct {
	Row
	RoleKey      string `json:"role_key" doc:"What guidance knows the role by." example:"sales"`
	Name         string `json:"name" example:"Sales adviser"`
	Description  string `json:"description" doc:"When the agent plays it." example:"Somebody asks what to buy."`
	Instructions string `json:"instructions" doc:"How the agent behaves in it." example:"Ask about the use before you recommend anything."`
}

func (*Role) kind() Kind { return Roles }

func (r *Role) key() (string, string) { return "role_key", r.RoleKey }
