package playbook

import (
	"context"

	"frontdesk/shared/api"
	"frontdesk/shared/opt"
	"frontdesk/shared/playbook"
)

func (s *Service) quickAnswers(r *api.Router) {
	c := newCollection[playbook.QuickAnswer, itemIn](s, playbook.QuickAnswers, "item_id", "a quick answer",
		"quick answers")
	c.handleRows(r)
	handleCreate[createQuickAnswer](r, c, "At most 1000 to an agent.")
	handleUpdate[updateQuickAnswer](r, c, "")
}

type createQuickAnswer struct {
	agentIn
	Shortcut string `json:"shortcut" check:"required,cut=50" doc:"What people type for it. Two may have the same." example:"/hours"`
	Title    string `json:"title" check:"required,cut=200" example:"Opening hours"`
	Content  string `json:"content" check:"required,cut=4000" example:"We are open Monday to Friday from 9:00 to 18:00."`
}

func (in createQuickAnswer) apply(_ context.Context, _ *Service, a *playbook.QuickAnswer) error {
	a.Shortcut, a.Title, a.Content = in.Shortcut, in.Title, in.Content
	return nil
}

type updateQuickAnswer struct {
	itemIn
	Shortcut opt.Value[string] `json:"shortcut" check:"cut=50,filled" example:"/hours"`
	Title    opt.Value[string] `json:"title" check:"cut=200,filled" example:"Opening hours"`
	Content  opt.Value[string] `json:"content" check:"cut=4000,filled" example:"We are open every day from 9:00 to 18:00."`
}

func (in updateQuickAnswer) apply(_ context.Context, _ *Service, a *playbook.QuickAnswer) error {
	in.Shortcut.To(&a.Shortcut)
	in.Title.To(&a.Title)
	in.Content.To(&a.Content)
	return nil
}
