package widget

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/assistant"
	"frontdesk/shared/conversation"
	"frontdesk/shared/fault"
	"frontdesk/shared/language"
	"frontdesk/shared/logline"
	"frontdesk/shared/rate"
	"frontdesk/shared/table"
)

// configAge is how long browsers cache a chat box's configuration, so that visitors who go through pages cost
// one call together.
const configAge = 5 * time.Minute

// publicRoutes registers the endpoints that visitors of a website call.
func (s *Service) publicRoutes(r *api.Router) {
	public := func(id, summary, description string) api.Doc {
		return api.Doc{
			ID: id, Summary: summary, Description: description, Public: true, CrossOrigin: true,
			Errors: []fault.Code{fault.Forbidden},
		}
	}
	config := public("getWidgetConfig", "Read how a chat box looks",
		"A widget that is switched off, or that may not run on the website of the Origin header, answers "+
			"403 to this and "+
			"the calls below, an embed key that leads nowhere 404. "+
			"Browsers keep the answer for five minutes, so a changed setting may show on a website that "+
			"much later.")
	config.MaxAge = configAge
	api.Handle(r, "GET /widget/{embed_key}/config/", config, s.config)
	api.Handle(r, "POST /widget/{embed_key}/send/",
		public("sendWidgetMessage", "Send a visitor's message and get the reply",
			"Where nobody replies by themselves `reply` is null and `action` says why: `human_handling`, "+
				"`agent_paused`, `ai_disabled`, "+
				"or `ai_unavailable` when the AI failed or the plan's replies are used up. The message is "+
				"stored all the same, and what "+
				"a person answers comes through the history."), s.send)
	file := public("sendWidgetFile", "Send a visitor's file and get the reply",
		"A picture or a PDF becomes a message, which the business fetches at /messages/{id}/attachments/0/ "+
			"for 90 days. What is "+
			"said about it is answered as in a message; without words the reply asks for some. 403 where "+
			"the widget's "+
			"accept_files is off; 429 past 15 MiB of a session or 60 MiB of an address in a day.")
	file.MaxBody, file.Errors = maxFileBody, append(file.Errors, fault.PayloadTooLarge)
	api.Handle(r, "POST /widget/{embed_key}/files/", file, s.file)
	team := public("getWidgetTeam", "Read who of the team is there",
		"Who has the dashboard open, and how soon a person usually answered in the last seven days. 403 "+
			"where the "+
			"widget's show_team is off.")
	team.MaxAge = teamAge
	api.Handle(r, "GET /widget/{embed_key}/team/", team, s.team)
	api.Handle(r, "GET /widget/{embed_key}/history/", public("getWidgetHistory", "Read a visitor's session",
		"The last 50 messages, the last 50 before one of them, or the first 50 after one; oldest first. A "+
			"session that the agent never saw answers 404."), s.history)
	api.Handle(r, "POST /widget/{embed_key}/typing/", public("reportWidgetTyping",
		"Report that a visitor types",
		"The business sees it for some seconds, if a person has the conversation; otherwise nothing is "+
			"stored. Report it every 8 seconds while the visitor types."), s.typing)
	api.Handle(r, "POST /widget/{embed_key}/visitor/", public("identifyWidgetVisitor", "Say who a visitor is",
		"What a visitor states is a claim: it is kept with the session's own contact for the business to "+
			"see, and opens nothing. "+
			"With a signature of the business it is proved: the session joins the contact who has that "+
			"external id, that phone, or "+
			"else that e-mail address; otherwise its own contact gets them. What is known of a "+
			"contact stays."), s.visitor)
	api.Handle(r, "POST /widget/{embed_key}/feedback/",
		public("sendWidgetFeedback", "Rate a message of the agent",
			"Rating it again replaces the rating."), s.feedback)
}

type embedIn struct {
	EmbedKey string `path:"embed_key" example:"mfrggzdfmztwq2lknnwg23tpob"`
}

// maxEmbedKey is longer than any embed key, in characters. Longer ones are not looked up.
const maxEmbedKey = 64

// owner finds the agent of an embed key and counts the call, in one round trip.
func (s *Service) owner(ctx context.Context, embed, session, kind string) (agent.Ref, error) {
	if len(embed) > maxEmbedKey {
		return agent.Ref{}, fault.NotFound()
	}
	var ref agent.Ref
	err := table.Parallel(ctx, func(ctx context.Context) error {
		item, err := s.Table.Get(ctx, agent.EmbedKey(embed))
		if errors.Is(err, table.ErrNotFound) {
			return fault.NotFound()
		}
		if err != nil {
			return err
		}
		ref, err = agent.ReadRef(item)
		return err
	}, func(ctx context.Context) error {
		return s.count(ctx, embed, session, kind)
	})
	return ref, err
}

// take is owner for calls that store something, counted as kind. The returned context carries the request's
// Idempotency-Key, so calls with an unknown embed key or above the limit write nothing.
func (s *Service) take(ctx context.Context, embed, session, kind string) (
	context.Context, agent.Ref, error,
) {
	ref, err := s.owner(ctx, embed, session, kind)
	if err != nil {
		return ctx, agent.Ref{}, err
	}
	ctx, err = api.Once(ctx)
	return ctx, ref, err
}

// admit returns a check that refuses the call if the widget is switched off or may not run on the calling
// website. It also compares the embed key, which may have been rotated since it was looked up.
func (in embedIn) admit(ctx context.Context) func(agent.Summary) error {
	return func(a agent.Summary) error {
		switch {
		case a.EmbedKey != in.EmbedKey:
			return fault.NotFound()
		case !a.WidgetEnabled:
			return fault.New(fault.Forbidden, "The chat is switched off.")
		}
		return admitOrigin(a.AllowedDomains, api.RequestOf(ctx).Header.Get("Origin"), api.SiteURL(ctx))
	}
}

// admitOrigin refuses pages of websites other than the domains and their subdomains. Without domains every
// page may call. Requests without Origin, which are not from other sites' pages, and pages of the service
// itself may too.
func admitOrigin(domains []string, origin, site string) error {
	if len(domains) == 0 || origin == "" {
		return nil
	}
	host := hostname(origin)
	if host != "" && (host == hostname(site) || slices.ContainsFunc(domains, func(domain string) bool {
		return host == domain || strings.HasSuffix(host, "."+domain)
	})) {
		return nil
	}
	return fault.New(fault.Forbidden, "The chat box may not run on %s: its allowed_domains lack it.",
		cmp.Or(host, origin))
}

// hostname returns the host name of a URL in lower case, or "".
func hostname(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// A WidgetConfig is the configuration of the chat box.
type WidgetConfig struct {
	Enabled        bool           `json:"enabled" example:"true"`
	BrandName      string         `json:"brand_name" doc:"Never empty: the business's or the agent's name where there is no brand name." example:"Acme"`
	LogoURL        string         `json:"logo_url" example:"https://acme.example/logo.png"`
	AvatarURL      string         `json:"avatar_url" example:"https://acme.example/mia.png"`
	ButtonText     string         `json:"button_text" example:"Chat with us"`
	Tagline        string         `json:"tagline" example:"We reply at once"`
	WelcomeMessage string         `json:"welcome_message" example:"Hello! How can we help you?"`
	PrimaryColor   string         `json:"primary_color" check:"format=color" example:"#2563eb"`
	SecondaryColor string         `json:"secondary_color" check:"format=color" example:"#ffffff"`
	Position       agent.Position `json:"position" example:"right"`
	agent.Box
	Language agent.Language `json:"language" doc:"That of the texts." example:"en"`
	AgentID  int64          `json:"agent_id" doc:"The same for all embed keys that the agent ever has." example:"219482112000001"`
	Texts    WidgetTexts    `json:"texts" doc:"The chat box's own words, in the agent's language."`
}

// WidgetTexts are the texts of the chat box; see language.Box.
type WidgetTexts struct {
	Input      string `json:"input" example:"Type your message"`
	Send       string `json:"send" example:"Send"`
	Close      string `json:"close" example:"Close the chat"`
	Typing     string `json:"typing" example:"Writing"`
	Arrived    string `json:"arrived" example:"Your message has arrived. The answer will appear here."`
	Failed     string `json:"failed" example:"The message could not be sent. Please try again."`
	Hurried    string `json:"hurried" example:"That was a lot at once. Please wait a moment and try again."`
	Closed     string `json:"closed" example:"This chat is closed at the moment."`
	Positive   string `json:"positive" example:"Helpful"`
	Negative   string `json:"negative" example:"Not helpful"`
	You        string `json:"you" example:"You"`
	Person     string `json:"person" example:"Our team"`
	Earlier    string `json:"earlier" example:"Earlier messages"`
	NewMessage string `json:"new_message" example:"New message"`
	Form       string `json:"form" example:"Tell us how we can reach you."`
	Name       string `json:"name" example:"Name"`
	Email      string `json:"email" example:"Email address"`
	Phone      string `json:"phone" example:"Phone number"`
	Optional   string `json:"optional" example:"optional"`
	Begin      string `json:"begin" example:"Start the chat"`
	Attach     string `json:"attach" example:"Send a file"`
	TooLarge   string `json:"too_large" example:"A file may have 3 MB at most."`
	WrongType  string `json:"wrong_type" example:"Only pictures and PDF files can be sent."`
	Sources    string `json:"sources" example:"Sources"`
	View       string `json:"view" example:"View"`
	Rate       string `json:"rate" example:"How was this chat?"`
	Thanks     string `json:"thanks" example:"Thank you for your rating."`
	Online     string `json:"online" example:"Online now"`
	Minutes    string `json:"minutes" example:"Usually replies within a few minutes"`
	Hour       string `json:"hour" example:"Usually replies within an hour"`
	Hours      string `json:"hours" example:"Usually replies within a few hours"`
	Day        string `json:"day" example:"Usually replies within a day"`
	Powered    string `json:"powered" example:"Powered by Frontdesk"`
}

type configIn struct {
	embedIn
	Language string `query:"language" check:"cut=35" doc:"The language of the texts, a BCP 47 tag; the agent's where it is left out or not supported. What the business has not worded itself, such as the welcome, is in it too." example:"de"`
}

// config answers what the chat box needs to show itself. Browsers cache it for configAge, so visitors see a
// change of the widget after that time at the latest.
func (s *Service) config(ctx context.Context, in configIn) (WidgetConfig, error) {
	ref, err := s.owner(ctx, in.EmbedKey, "", reads)
	if err != nil {
		return WidgetConfig{}, err
	}
	a, err := s.agents().LoadSummary(ctx, ref.AccountID, ref.AgentID)
	if err != nil {
		return WidgetConfig{}, err
	}
	err = in.admit(ctx)(a)
	if len(a.AllowedDomains) > 0 {
		api.AddHeader(ctx, "Vary", "Origin") // caches must not give one site's answer to another
	}
	spoken := spokenIn(in.Language, a.Language)
	b := a.Branding.In(spoken, a.Language)
	return WidgetConfig{
		Enabled:        a.WidgetEnabled,
		BrandName:      cmp.Or(b.BrandName, a.BusinessName, a.Name),
		LogoURL:        b.LogoURL,
		AvatarURL:      b.AvatarURL,
		ButtonText:     b.ButtonText,
		Tagline:        b.Tagline,
		WelcomeMessage: b.WelcomeMessage,
		PrimaryColor:   b.PrimaryColor,
		SecondaryColor: b.SecondaryColor,
		Position:       b.Position,
		Box:            a.Box(),
		Language:       spoken,
		AgentID:        a.ID,
		Texts:          WidgetTexts(*language.Of(string(spoken)).Box()),
	}, err
}

// spokenIn returns the language of a tag such as "pt-BR", or the agent's language if it is not supported.
func spokenIn(tag string, agents agent.Language) agent.Language {
	primary := language.Primary(tag)
	if language.Find(primary) == nil {
		return agents
	}
	return agent.Language(primary)
}

type sendIn struct {
	embedIn
	Message   string `json:"message" check:"required,max=4000" doc:"What the visitor says." example:"Are you open on Sundays?"`
	SessionID string `json:"session_id" check:"null,format=uuid" doc:"Continues a session. Left out, a new one is begun."`
	PageURL   string `json:"page_url" check:"null,cut=2000" doc:"The page that the visitor is on; the AI gets to know it." example:"https://acme.example/prices"`
}

// A VisitorReply is the outcome of a visitor's message.
type VisitorReply struct {
	Reply            *string               `json:"reply" doc:"Null where nobody replied by themselves; action says why." example:"Yes, on Sundays we are open from 10 to 16."`
	Choices          []conversation.Choice `json:"choices" doc:"The answers that the reply offers, for buttons; empty where it offers none. To choose one send its label or its value as the next message; its number, from 1, is understood too."`
	Cards            []conversation.Card   `json:"cards" doc:"The products that the reply offers and that have a picture or a page."`
	Sources          []conversation.Source `json:"sources" doc:"The documents that the reply draws on, as far as the widget's show_sources allows. Those that visitors see have no document_id."`
	Action           string                `json:"action" doc:"respond, fallback (the agent says that it does not know), handoff, human_handling, agent_paused, ai_disabled or ai_unavailable." example:"respond"`
	SessionID        string                `json:"session_id" check:"format=uuid" example:"063cf14b-1180-808b-9d1f-0c7a5b9e2d41"`
	ConversationID   int64                 `json:"conversation_id" example:"219482113060865"`
	MessageID        *int64                `json:"message_id" doc:"The reply's message; null without one." example:"219482113064962"`
	InboundMessageID int64                 `json:"inbound_message_id" example:"219482113064961"`
	DelaySeconds     int                   `json:"delay_seconds" doc:"How long to wait before the reply is shown." example:"0"`
}

// aiUnavailable is the action if the AI could not reply. Visitors do not learn the reason, such as the plan's
// limit: their message is stored, and a person may answer it.
const aiUnavailable = "ai_unavailable"

func (s *Service) send(ctx context.Context, in sendIn) (VisitorReply, error) {
	ctx, ref, err := s.take(ctx, in.EmbedKey, in.SessionID, writes)
	if err != nil {
		return VisitorReply{}, err
	}
	return s.turn(ctx, ref, assistant.Message{
		Admit: in.admit(ctx), SessionID: in.SessionID, Text: in.Message, Context: in.PageURL,
	})
}

// turn lets the assistant answer a visitor's message.
func (s *Service) turn(ctx context.Context, ref agent.Ref, m assistant.Message) (VisitorReply, error) {
	var shown agent.Shown
	admit := m.Admit
	m.AccountID, m.AgentID = ref.AccountID, ref.AgentID
	m.Channel, m.Network = conversation.WebChat, rate.Network(api.CallerAddress(ctx))
	// Turn reads the agent for admit, so the setting of sources needs no read of its own.
	m.Admit = func(of agent.Summary) error {
		shown = of.Box().ShowSources
		return admit(of)
	}
	answer, err := s.Assistant.Turn(ctx, m)
	var refusal *fault.Error
	if errors.As(err, &refusal) &&
		(refusal.Code == fault.QuotaExceeded || refusal.Code == fault.ServerError) {
		logline.Add(ctx, slog.String("refusal", refusal.Error()))
		answer.Action, err = aiUnavailable, nil
	}
	return VisitorReply{
		Reply: answer.Reply, Choices: answer.Choices, Cards: answer.Cards,
		Sources: append([]conversation.Source{}, visible(answer.Sources, shown)...),
		Action:  answer.Action, SessionID: answer.SessionID, ConversationID: answer.ConversationID,
		MessageID: answer.MessageID, InboundMessageID: answer.InboundMessageID,
		DelaySeconds: int(answer.Delay / time.Second),
	}, err
}
