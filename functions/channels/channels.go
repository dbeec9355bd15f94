// Package channels is the endpoints with which a business connects an agent to the outside: the channels that people
// write on, and the services of its online shop.
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
	"frontdesk/shared/opt"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// Service answers the requests.
type Service struct {
	Table   table.Table
	Now     func() time.Time
	Secrets *secret.Keys
	// Channels says which there are.
	Channels *channel.Registry
}

// Routes adds the endpoints to a router.
func (s *Service) Routes(r *api.Router) {
	api.Handle(r, "GET /agents/{agent_id}/channels/", api.Doc{
		Summary: "List the channels of an agent",
		Description: "One entry for every channel, connected or not. Secrets come back as `__set__`. The web chat is not among them: " +
			"it is set up at `/agents/{agent_id}/widget/`.",
	}, s.list)
	api.Handle(r, "POST /agents/{agent_id}/channels/", api.Doc{
		ID:      "connectChannel",
		Admin:   true,
		Summary: "Connect or update a channel",
		Description: "Answers 201 when the channel was not connected before. Of a connected channel it changes what is sent and nothing " +
			"else: a secret that is left out or sent back as `__set__` stays as it is, and null or an empty text takes a value away.\n\n" +
			"A channel has these settings, those in bold are required: whatsapp **`phone_number_id`**, **`access_token`**, `app_secret`, " +
			"`verify_token`; messenger and instagram **`page_id`**, **`access_token`**, `app_secret`, `verify_token`; sms " +
			"**`account_sid`**, **`auth_token`**, **`from`**; email **`from`**, `inbound_address`. Other keys are ignored.",
	}, s.connect)
	api.Handle(r, "DELETE /agents/{agent_id}/channels/{channel_type}/", api.Doc{
		ID:          "disconnectChannel",
		Admin:       true,
		Summary:     "Disconnect a channel",
		Description: "Everything stored for it is deleted. A channel that is not connected answers 404.",
		Status:      http.StatusNoContent,
	}, s.disconnect)
	api.Handle(r, "GET /agents/{agent_id}/ecommerce/", api.Doc{Summary: "Read the configuration of an agent's store"}, s.readShop)
	api.Handle(r, "PATCH /agents/{agent_id}/ecommerce/", api.Doc{
		Admin:   true,
		Summary: "Change the configuration of an agent's store",
		Description: "Changes what is sent and nothing else, inside the objects too; null takes a value away. The keys of services are " +
			"never returned. When the store becomes enabled, the agent's `ecommerce_enabled`, `capability_quote_prices`, " +
			"`capability_recommend_products`, `capability_take_orders` and `capability_share_links` become true with it; when it becomes " +
			"disabled they stay.",
	}, s.updateShop)
}

// A connectable is the type of a channel that has settings.
type connectable channel.Type

// Values implements api.Enum.
func (connectable) Values() []string { return channel.WhatsApp.Values()[:5] }

// A Channel is what the API shows of a channel.
type Channel struct {
	ChannelType connectable   `json:"channel_type" example:"whatsapp"`
	Live        bool          `json:"live" doc:"It is connected and has all that it needs to send." example:"true"`
	Config      ChannelConfig `json:"config"`
	UpdatedAt   *time.Time    `json:"updated_at" doc:"Null while it is not connected." example:"2026-03-02T09:30:00Z"`
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
}

func show(c *channel.Channel) Channel {
	shown := Channel{ChannelType: connectable(c.Type), Live: c.Live(), Config: ChannelConfig{
		PhoneNumberID:  c.Shown(channel.PhoneNumberID),
		PageID:         c.Shown(channel.PageID),
		AccessToken:    c.Shown(channel.AccessToken),
		AppSecret:      c.Shown(channel.AppSecret),
		VerifyToken:    c.Shown(channel.VerifyToken),
		AccountSID:     c.Shown(channel.AccountSID),
		AuthToken:      c.Shown(channel.AuthToken),
		From:           c.Shown(channel.From),
		InboundAddress: c.Shown(channel.InboundAddress),
	}}
	if c.Connected() {
		shown.UpdatedAt = &c.UpdatedAt
	}
	return shown
}

func (s *Service) store() *channel.Store {
	return &channel.Store{Table: s.Table, Now: s.Now, Secrets: s.Secrets, Channels: s.Channels}
}

type agentIn struct {
	AgentID int64 `path:"agent_id"`
}

func (s *Service) list(ctx context.Context, in agentIn) (api.List[Channel], error) {
	all, err := s.store().List(ctx, auth.CallerOf(ctx).Account.ID, in.AgentID)
	if err != nil {
		return api.List[Channel]{}, err
	}
	list := api.List[Channel]{Count: int64(len(all))}
	for i := range all {
		list.Results = append(list.Results, show(&all[i]))
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
}

// change is the settings that were sent.
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
	made bool
}

// HTTPStatus implements api.Statuser.
func (c Connected) HTTPStatus() int {
	if c.made {
		return http.StatusCreated
	}
	return http.StatusOK
}

// HTTPStatuses implements api.Statuser.
func (Connected) HTTPStatuses() []int { return []int{http.StatusOK, http.StatusCreated} }

func (s *Service) connect(ctx context.Context, in connectIn) (Connected, error) {
	c, made, err := s.store().Connect(ctx, auth.CallerOf(ctx).Account.ID, in.AgentID, channel.Type(in.ChannelType), in.Config.change())
	return Connected{show(&c), made}, err
}

type disconnectIn struct {
	agentIn
	ChannelType string `path:"channel_type" doc:"As in the list." example:"whatsapp"`
}

func (s *Service) disconnect(ctx context.Context, in disconnectIn) (api.None, error) {
	err := s.store().Disconnect(ctx, auth.CallerOf(ctx).Account.ID, in.AgentID, channel.Type(in.ChannelType))
	if errors.Is(err, channel.ErrNotConnected) {
		return api.None{}, fault.NotFound()
	}
	return api.None{}, err
}
