package channels

import (
	"context"
	"errors"
	"slices"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/channel"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

type checkIn struct {
	agentIn
	ChannelType string `path:"channel_type" doc:"As in the list." example:"whatsapp"`
}

// A Check is what the check of a channel found.
type Check struct {
	OK       bool              `json:"ok" doc:"All findings are ok." example:"true"`
	Findings []channel.Finding `json:"findings"`
}

// check asks the platform whether a connected channel works, and stores the result for the credentials. A
// finding that is not ok is part of an answer with 200 and not an error.
func (s *Service) check(ctx context.Context, in checkIn) (Check, error) {
	account := auth.CallerOf(ctx).Account.ID
	provider, ok := s.Channels.Provider(channel.Type(in.ChannelType))
	if !ok {
		return Check{}, fault.NotFound()
	}
	c, err := s.store(ctx).Find(ctx, account, in.AgentID, channel.Type(in.ChannelType))
	if errors.Is(err, channel.ErrNotConnected) {
		return Check{}, fault.NotFound()
	}
	if err != nil {
		return Check{}, err
	}
	address := channel.Address(api.PublicBaseURL(ctx), in.AgentID, c.Type)
	open, err := c.Open(ctx, s.Secrets, account, in.AgentID, address)
	if err != nil {
		return Check{}, err
	}
	checked := Check{OK: true, Findings: append([]channel.Finding{}, provider.Check(ctx, open)...)}
	for _, f := range checked.Findings {
		checked.OK = checked.OK && f.OK
	}
	return checked, s.note(ctx, account, in.AgentID, c, checked.Findings)
}

// note stores whether the platform accepts the credentials, if that has changed. A channel that was changed
// since it was read is left unchanged: its credentials may be new.
func (s *Service) note(
	ctx context.Context, account, agent int64, c channel.Channel, findings []channel.Finding,
) error {
	i := slices.IndexFunc(findings,
		func(f channel.Finding) bool { return f.Name == channel.CredentialsCheck })
	if i < 0 {
		return nil
	}
	var writes []table.Write
	var err error
	switch f := findings[i]; {
	case f.OK:
		writes, err = c.Accepted(s.Now())
	case f.Refused:
		writes, err = c.Refused(s.IDs, account, agent, s.Now(), f.Detail)
	}
	if err != nil || len(writes) == 0 {
		return err
	}
	if err = s.Table.Transact(ctx, writes...); table.IsConditionError(err) {
		return nil
	}
	return err
}

type templatesIn struct {
	agentIn
	ChannelType string `path:"channel_type" doc:"whatsapp." example:"whatsapp"`
	api.PageIn
}

// templates lists the templates that the platform has approved for the connected account. They are read from
// the platform at each call and stored nowhere. A refusal is an error with the platform's own reason.
func (s *Service) templates(ctx context.Context, in templatesIn) (api.List[channel.TemplateInfo], error) {
	var none api.List[channel.TemplateInfo]
	provider, _ := s.Channels.Provider(channel.Type(in.ChannelType))
	templater, ok := provider.(channel.Templater)
	if !ok {
		return none, fault.NotFound()
	}
	account := auth.CallerOf(ctx).Account.ID
	c, err := s.store(ctx).Find(ctx, account, in.AgentID, provider.Info().Type)
	if errors.Is(err, channel.ErrNotConnected) {
		return none, fault.New(fault.Unprocessable, "The agent is not connected to %s.", in.ChannelType)
	}
	if err != nil {
		return none, err
	}
	open, err := c.Open(ctx, s.Secrets, account, in.AgentID, "")
	if err != nil {
		return none, err
	}
	all, err := templater.ListTemplates(ctx, open)
	var refused *channel.Error
	if errors.As(err, &refused) {
		answer := fault.New(fault.ServerError, "%s", refused.Detail)
		answer.Err = refused
		return none, answer
	}
	if err != nil {
		return none, err
	}
	return api.PaginateAll(ctx, in.PageIn, all)
}
