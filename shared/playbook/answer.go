package playbook

// A QuickAnswer is a text that people insert by its shortcut.
type QuickAnswer struct {
	Row
	Shortcut string `json:"shortcut" example:"/hours"`
	Title    string `json:"title" example:"Opening hours"`
	Content  string `json:"content" example:"We are open Monday to Friday from 9:00 to 18:00."`
}

func (*QuickAnswer) kind() Kind { return QuickAnswers }
