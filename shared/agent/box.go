package agent

import "frontdesk/shared/opt"

// Box is the behaviour of an agent's chat box. Branding is its appearance.
type Box struct {
	Size         BoxSize   `json:"size" doc:"How large the open chat box is." example:"standard"`
	OffsetSide   int       `json:"offset_side" doc:"Its distance from the side of the page, in pixels." example:"20"`
	OffsetBottom int       `json:"offset_bottom" doc:"Its distance from the bottom of the page, in pixels." example:"20"`
	PoweredBy    bool      `json:"powered_by" doc:"Whether the box says whose product it is." example:"true"`
	ShowTeam     bool      `json:"show_team" doc:"Whether it says who of the team is online, and how soon a person usually replies." example:"true"`
	ShowSources  Shown     `json:"show_sources" doc:"Which documents it names, on request, under an answer that draws on them: none, those of public web pages with their links, or all by their titles." example:"none"`
	AskRating    bool      `json:"ask_rating" doc:"Whether it asks for a rating once a conversation is resolved." example:"true"`
	AcceptFiles  bool      `json:"accept_files" doc:"Whether visitors may send pictures and PDF files." example:"false"`
	Sound        bool      `json:"sound" doc:"Whether a message that comes while nobody looks is heard." example:"false"`
	FormName     FormField `json:"form_name" doc:"Whether the form before the chat asks for a name." example:"off"`
	FormEmail    FormField `json:"form_email" doc:"Whether it asks for an e-mail address." example:"optional"`
	FormPhone    FormField `json:"form_phone" doc:"Whether it asks for a phone number." example:"off"`
}

// DefaultBox returns the chat box of a new agent.
func DefaultBox() Box {
	return Box{
		Size: StandardBox, OffsetSide: 20, OffsetBottom: 20, PoweredBy: true, ShowTeam: true,
		ShowSources: ShowNone, AskRating: true, FormName: FieldOff, FormEmail: FieldOff, FormPhone: FieldOff,
	}
}

// Box returns the behaviour of the agent's chat box.
func (s *Summary) Box() Box {
	if s.OwnBox == nil {
		return DefaultBox()
	}
	return *s.OwnBox
}

// A BoxSize is how large an open chat box is on a screen that has the room.
type BoxSize string

// The sizes.
const (
	CompactBox  BoxSize = "compact"
	StandardBox BoxSize = "standard"
	LargeBox    BoxSize = "large"
)

// Values lists the sizes.
func (BoxSize) Values() []string {
	return []string{string(CompactBox), string(StandardBox), string(LargeBox)}
}

// Shown is which sources of an answer a visitor may see.
type Shown string

// What may be seen.
const (
	ShowNone  Shown = "none"
	ShowPages Shown = "pages" // documents that were read from a public web page, with their links
	ShowAll   Shown = "all"   // the titles of all documents, with the links of those
)

// Values lists them.
func (Shown) Values() []string { return []string{string(ShowNone), string(ShowPages), string(ShowAll)} }

// A FormField says whether the form before a chat asks for something.
type FormField string

// The ways to ask.
const (
	FieldOff      FormField = "off"
	FieldOptional FormField = "optional"
	FieldRequired FormField = "required"
)

// Values lists them.
func (FormField) Values() []string {
	return []string{string(FieldOff), string(FieldOptional), string(FieldRequired)}
}

// A BoxIn is the fields of a body that change a Box.
type BoxIn struct {
	Size         opt.Value[BoxSize]   `json:"size" doc:"How large the open chat box is." example:"standard"`
	OffsetSide   opt.Value[int]       `json:"offset_side" check:"range=0..200" doc:"Its distance from the side of the page, in pixels." example:"20"`
	OffsetBottom opt.Value[int]       `json:"offset_bottom" check:"range=0..200" doc:"Its distance from the bottom of the page, in pixels." example:"20"`
	PoweredBy    opt.Value[bool]      `json:"powered_by" doc:"Whether the box says whose product it is. The plans widget and free cannot switch it off: 403 plan_limit." example:"true"`
	ShowTeam     opt.Value[bool]      `json:"show_team" doc:"Whether it says who of the team is online, and how soon a person usually replies." example:"true"`
	ShowSources  opt.Value[Shown]     `json:"show_sources" doc:"Which documents it names, on request, under an answer that draws on them: none, those of public web pages with their links, or all by their titles." example:"pages"`
	AskRating    opt.Value[bool]      `json:"ask_rating" doc:"Whether it asks for a rating once a conversation is resolved." example:"true"`
	AcceptFiles  opt.Value[bool]      `json:"accept_files" doc:"Whether visitors may send pictures and PDF files." example:"true"`
	Sound        opt.Value[bool]      `json:"sound" doc:"Whether a message that comes while nobody looks is heard." example:"true"`
	FormName     opt.Value[FormField] `json:"form_name" doc:"Whether the form before the chat asks for a name." example:"required"`
	FormEmail    opt.Value[FormField] `json:"form_email" doc:"Whether it asks for an e-mail address." example:"optional"`
	FormPhone    opt.Value[FormField] `json:"form_phone" doc:"Whether it asks for a phone number." example:"off"`
}

// Apply puts what was sent into the agent's box.
func (in *BoxIn) Apply(s *Summary) {
	b := s.Box()
	in.Size.To(&b.Size)
	in.OffsetSide.To(&b.OffsetSide)
	in.OffsetBottom.To(&b.OffsetBottom)
	in.PoweredBy.To(&b.PoweredBy)
	in.ShowTeam.To(&b.ShowTeam)
	in.ShowSources.To(&b.ShowSources)
	in.AskRating.To(&b.AskRating)
	in.AcceptFiles.To(&b.AcceptFiles)
	in.Sound.To(&b.Sound)
	in.FormName.To(&b.FormName)
	in.FormEmail.To(&b.FormEmail)
	in.FormPhone.To(&b.FormPhone)
	if s.OwnBox = &b; b == DefaultBox() {
		s.OwnBox = nil
	}
}
