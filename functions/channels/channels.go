// Package channels is the endpoints with which a business connects an agent to the outside: the channels that
// people write on, and the services of its online shop.
package channels

import (
	"context"
	"errors"
	"net/http"
	"time"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/channel"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/opt"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// Service answers the requests.
type Service struct {
	Table   table.Table
	Now     func() time.Time
	IDs     *id.Source
	Secrets *secret.Keys
	// Channels says which there are.
	Channels *channel.Registry
}

// Routes adds the endpoints to a router.
func (s *Service) Routes(r *api.Router) {
	api.Handle(r, "GET /agents/{agent_id}/channels/", api.Doc{
		Summary: "List the channels of an agent",
		Description: "One entry for every channel, connected or not. Secrets come back as `__set__`. The " +
			"web chat is not among them: it is set up at `/agents/{agent_id}/widget/`.",
	}, s.list)
	api.Handle(r, "POST /agents/{agent_id}/channels/", api.Doc{
		ID:      "connectChannel",
		Admin:   true,
		Summary: "Connect or update a channel",
		Description: "Answers 201 when the channel was not connected before. Of a connected channel it " +
			"changes what is sent and nothing else: a secret that is left out or sent back as `__set__` " +
			"stays as it is, and null or an empty text takes a value away.\n\n" +
			"A channel has these settings, those in bold are required: whatsapp **`phone_number_id`**, " +
			"**`access_token`**, `app_secret`, `verify_token`; messenger **`page_id`**, " +
			"**`access_token`**, `app_secret`, `verify_token`; instagram the same and `login`; sms " +
			"**`account_sid`**, **`auth_token`** and one of `from` and `messaging_service_sid`; email " +
			"**`from`**, `inbound_address`, `inbound_secret`, `signing_key`. Other keys are ignored.\n\n" +
			"New settings make a channel `connected` whose `status` was `reconnect`.",
	}, s.connect)
	api.Handle(r, "DELETE /agents/{agent_id}/channels/{channel_type}/", api.Doc{
		ID:          "disconnectChannel",
		Admin:       true,
		Summary:     "Disconnect a channel",
		Description: "Everything stored for it is deleted. A channel that is not connected answers 404.",
		Status:      http.StatusNoContent,
	}, s.disconnect)
	api.Handle(r, "POST /agents/{agent_id}/channels/{channel_type}/check/", api.Doc{
		ID:      "checkChannel",
		Admin:   true,
		Summary: "Ask a channel's platform whether the connection works",
		Description: "The platform is called with the stored credentials. The findings say whether it " +
			"accepts them, whether it posts messages to `inbound_url`, and what is missing. A channel " +
			"whose credentials are refused becomes `reconnect`, and one that was `reconnect` and whose " +
			"credentials are accepted becomes `connected`. A channel that is not connected answers 404.",
		Status: http.StatusOK,
	}, s.check)
	api.Handle(r, "GET /agents/{agent_id}/channels/{channel_type}/templates/", api.Doc{
		ID:      "listChannelTemplates",
		Summary: "List the message templates of the agent's WhatsApp account",
		Description: "As WhatsApp has them now, in its order, at most 1,000. Those of the status APPROVED " +
			"can be sent at any time. Other channels than whatsapp have no templates and answer 404.",
		Errors: []fault.Code{fault.Unprocessable, fault.ServerError},
	}, s.templates)
	api.Handle(r, "GET /agents/{agent_id}/ecommerce/",
		api.Doc{Summary: "Read the configuration of an agent's store"}, s.readShop)
	api.Handle(r, "PATCH /agents/{agent_id}/ecommerce/", api.Doc{
		Admin:   true,
		Summary: "Change the configuration of an agent's store",
		Description: "Changes what is sent and nothing else, inside the objects too; null takes a value " +
			"away. The keys of services are never returned. When the store becomes enabled, the agent's " +
			"`ecommerce_enabled`, `capability_quote_prices`, `capability_recommend_products`, " +
			"`capability_take_orders` and `capability_share_links` become true with it; when it becomes " +
			"disabled they stay.",
	}, s.updateShop)
}

// A connectable is the type of a channel that has settings.
type connectable channel.Type

// Values implements api.Enum.
func (connectable) Values() []string { return channel.Connectable() }

// A Channel is what the API shows of a channel.
type Channel struct {
	ChannelType  connectable              `json:"channel_type" example:"whatsapp"`
	Live         bool                     `json:"live" doc:"It can send now." example:"true"`
	Status       channel.ConnectionStatus `json:"status" doc:"off while it is not connected; reconnect where the platform refused the credentials." example:"connected"`
	StatusDetail string                   `json:"status_detail" doc:"Of reconnect: since when, and the platform's own words. Where the service itself cannot send by the channel: why. Else empty." example:""`
	InboundURL   string                   `json:"inbound_url" doc:"The address to give to the platform." example:"https://api.example.com/api/v1/inbound/219482113000001/whatsapp/"`
	Config       ChannelConfig            `json:"config"`
	UpdatedAt    *time.Time               `json:"updated_at" doc:"Null while it is not connected." example:"2026-03-02T09:30:00Z"`
}

// A ChannelConfig is the settings that a channel has; those without a value are left out.
type ChannelConfig struct {
	PhoneNumberID  string `json:"phone_number_id,omitempty" doc:"Of whatsapp: Meta's id of the number." example:"106540352242922"`
	PageID         string `json:"page_id,omitempty" doc:"Of messenger and instagram: Meta's id of the page or account."`
	AccessToken    string `json:"access_token,omitempty" doc:"Of whatsapp, messenger and instagram: __set__." example:"__set__"`
	AppSecret      string `json:"app_secret,omitempty" doc:"Of whatsapp, messenger and instagram: __set__." example:"__set__"`
	VerifyToken    string `json:"verify_token,omitempty" doc:"Of whatsapp, messenger and instagram: __set__." example:"__set__"`
	AccountSID     string `json:"account_sid,omitempty" doc:"Of sms: Twilio's SID of the account."`
	AuthToken      string `json:"auth_token,omitempty" doc:"Of sms: __set__."`
	From           string `json:"from,omitempty" doc:"Of sms the phone number, of email the address that messages come from."`
	InboundAddress string `json:"inbound_address,omitempty" doc:"Of email: the address that messages arrive at."`

	Login               string `json:"login,omitempty" doc:"Of instagram: page or instagram."`
	MessagingServiceSID string `json:"messaging_service_sid,omitempty" doc:"Of sms: Twilio's SID of the messaging service that sends."`
	InboundSecret       string `json:"inbound_secret,omitempty" doc:"Of email: __set__."`
	SigningKey          string `json:"signing_key,omitempty" doc:"Of email: __set__."`
}

// show returns a channel as callers see it. Secrets are replaced by a placeholder, so what was read can be
// sent back unchanged. A connected channel that this deployment cannot serve is not live, and the detail says
// why.
func (s *Service) show(ctx context.Context, agent int64, c *channel.Channel) Channel {
	shown := Channel{ChannelType: connectable(c.Type), Live: c.Live(), Status: c.Status,
		Config: ChannelConfig{
			PhoneNumberID:  c.Shown(channel.PhoneNumberID),
			PageID:         c.Shown(channel.PageID),
			AccessToken:    c.Shown(channel.AccessToken),
			AppSecret:      c.Shown(channel.AppSecret),
			VerifyToken:    c.Shown(channel.VerifyToken),
			AccountSID:     c.Shown(channel.AccountSID),
			AuthToken:      c.Shown(channel.AuthToken),
			From:           c.Shown(channel.From),
			InboundAddress: c.Shown(channel.InboundAddress),

			Login:               c.Shown(channel.Login),
			MessagingServiceSID: c.Shown(channel.MessagingServiceSID),
			InboundSecret:       c.Shown(channel.InboundSecret),
			SigningKey:          c.Shown(channel.SigningKey),
		}}
	shown.InboundURL = channel.Address(api.PublicBaseURL(ctx), agent, c.Type)
	if why := s.Channels.Unavailable(c.Type); why != "" && c.Connected() {
		shown.Live, shown.StatusDetail = false, why
	}
	if c.Status == channel.NeedsRenewal {
		shown.StatusDetail = c.StatusAt.Format(time.RFC3339) + ": " + c.Detail
	}
	if c.Connected() {
		shown.UpdatedAt = &c.UpdatedAt
	}
	return shown
}

func (s *Service) store(ctx context.Context) *channel.Store {
	return &channel.Store{
		Base: api.PublicBaseURL(ctx), Table: s.Table, Now: s.Now, Secrets: s.Secrets, Channels: s.Channels,
	}
}

type agentIn struct {
	AgentID int64 `path:"agent_id"`
}

// list answers all channels, connected or not, so that the dashboard shows what can be connected. There are
// few, so it has no pages.
func (s *Service) list(ctx context.Context, in agentIn) (api.List[Channel], error) {
	all, err := s.store(ctx).List(ctx, auth.CallerOf(ctx).Account.ID, in.AgentID)
	if err != nil {
		return api.List[Channel]{}, err
	}
	list := api.List[Channel]{Count: int64(len(all))}
	for i := range all {
		list.Results = append(list.Results, s.show(ctx, in.AgentID, &all[i]))
	}
	return list, nil
}

type connectIn struct {
	agentIn
	ChannelType connectable `json:"channel_type" check:"required" example:"whatsapp"`
	Config      configIn    `json:"config" check:"required"`
}

// configIn is the settings of all channels; what a channel does not have is ignored.
type configIn struct {
	PhoneNumberID  opt.Value[string] `json:"phone_number_id" check:"null" doc:"Of whatsapp: Meta's id of the number." example:"106540352242922"`
	PageID         opt.Value[string] `json:"page_id" check:"null" doc:"Of messenger and instagram: Meta's id of the page or account."`
	AccessToken    opt.Value[string] `json:"access_token" check:"null,max=2000" doc:"Of whatsapp, messenger and instagram. Secret." example:"EAAG0bXk"`
	AppSecret      opt.Value[string] `json:"app_secret" check:"null,max=2000" doc:"Of whatsapp, messenger and instagram: what Meta signs its calls with. Without it no messages are taken. Secret." example:"7d6f5e4c3b2a19081716151413121110"`
	VerifyToken    opt.Value[string] `json:"verify_token" check:"null,max=2000" doc:"Of whatsapp, messenger and instagram: what Meta shows when it verifies the address of this service. Secret." example:"a word of your own"`
	AccountSID     opt.Value[string] `json:"account_sid" check:"null" doc:"Of sms: Twilio's SID of the account."`
	AuthToken      opt.Value[string] `json:"auth_token" check:"null,max=2000" doc:"Of sms. Secret."`
	From           opt.Value[string] `json:"from" check:"null" doc:"Of sms the phone number in E.164, of email the address that messages come from."`
	InboundAddress opt.Value[string] `json:"inbound_address" check:"null" doc:"Of email: the address that messages arrive at."`

	Login               opt.Value[string] `json:"login" check:"null" doc:"Of instagram: how the account is connected, page (the default) or instagram."`
	MessagingServiceSID opt.Value[string] `json:"messaging_service_sid" check:"null" doc:"Of sms: Twilio's SID of a messaging service, in place of from."`
	InboundSecret       opt.Value[string] `json:"inbound_secret" check:"null,max=2000" doc:"Of email: the password of posts that bring messages, at least 16 characters. Secret."`
	SigningKey          opt.Value[string] `json:"signing_key" check:"null,max=2000" doc:"Of email: what Mailgun signs its posts with. Secret."`
}

// change returns the settings that were sent.
func (in *configIn) change() channel.Change {
	change := channel.Change{}
	for _, sent := range []struct {
		setting channel.Setting
		value   opt.Value[string]
	}{
		{channel.PhoneNumberID, in.PhoneNumberID},
		{channel.PageID, in.PageID},
		{channel.AccessToken, in.AccessToken},
		{channel.AppSecret, in.AppSecret},
		{channel.VerifyToken, in.VerifyToken},
		{channel.AccountSID, in.AccountSID},
		{channel.AuthToken, in.AuthToken},
		{channel.From, in.From},
		{channel.InboundAddress, in.InboundAddress},
		{channel.Login, in.Login},
		{channel.MessagingServiceSID, in.MessagingServiceSID},
		{channel.InboundSecret, in.InboundSecret},
		{channel.SigningKey, in.SigningKey},
	} {
		if sent.value.Set {
			change[sent.setting] = sent.value.Value
		}
	}
	return change
}

// A Connected is a channel after it was connected or updated.
type Connected struct {
	Channel
	api.Upserted
}

func (s *Service) connect(ctx context.Context, in connectIn) (Connected, error) {
	store := s.store(ctx)
	c, made, err := store.Connect(ctx, auth.CallerOf(ctx).Account.ID, in.AgentID,
		channel.Type(in.ChannelType), in.Config.change())
	return Connected{s.show(ctx, in.AgentID, &c), api.Created(made)}, err
}

type disconnectIn struct {
	agentIn
	ChannelType string `path:"channel_type" doc:"As in the list." example:"whatsapp"`
}

func (s *Service) disconnect(ctx context.Context, in disconnectIn) (api.None, error) {
	err := s.store(ctx).Disconnect(ctx, auth.CallerOf(ctx).Account.ID, in.AgentID,
		channel.Type(in.ChannelType))
	if errors.Is(err, channel.ErrNotConnected) {
		return api.None{}, fault.NotFound()
	}
	return api.None{}, err
}
