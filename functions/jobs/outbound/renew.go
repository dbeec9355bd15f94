package outbound

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"frontdesk/shared/channel"
	"frontdesk/shared/event"
	"frontdesk/shared/queue"
	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// renewAll puts a message on the queue for each channel with credentials that must be renewed. The daily
// schedule calls it.
func (s *Service) renewAll(ctx context.Context) error {
	return resource.Each(ctx, s.Sender.Table, channel.RenewalQuery(), func(item table.Item) error {
		of, err := channel.ReadRenewal(item)
		if err != nil {
			return err
		}
		body, err := json.Marshal(of.Event(s.Sender.Now()))
		if err != nil {
			return err
		}
		return s.Queue.Send(ctx, queue.Outgoing{Body: string(body)})
	})
}

// renew renews the credentials of a channel that are due. If the platform refuses, the channel is marked as
// to be connected again and an event tells the business; any other failure is retried on the next day. A
// channel that is no longer connected is removed from the list.
func (s *Service) renew(ctx context.Context, e event.Event) error {
	of := channel.Renewal{AccountID: e.AccountID, AgentID: e.AgentID, Type: channel.Type(e.Channel)}
	c, err := channel.Load(ctx, s.Sender.Table, of.AccountID, of.AgentID, of.Type)
	if errors.Is(err, channel.ErrNotConnected) {
		return s.Sender.Table.Transact(ctx, of.Unlist())
	}
	if err != nil || !c.Live() {
		return err
	}
	provider, ok := s.Sender.Channels.Provider(of.Type)
	refresher, renews := provider.(channel.Refresher)
	if !ok || !renews {
		return nil
	}
	open, err := c.Open(ctx, s.Sender.Secrets, of.AccountID, of.AgentID, "")
	if err != nil {
		return err
	}
	now := s.Sender.Now()
	var writes []table.Write
	fresh, err := refresher.Refresh(ctx, open, now.Sub(c.CredentialsAt))
	var refusal *channel.Error
	switch {
	case errors.As(err, &refusal):
		s.Sender.Log.LogAttrs(ctx, slog.LevelWarn, "credentials not exchanged",
			slog.Int64("account", of.AccountID), slog.Int64("agent", of.AgentID),
			slog.String("channel", e.Channel), slog.String("error", err.Error()))
		if refusal.Class != channel.Reconnect {
			return nil
		}
		writes, err = c.Refused(s.Sender.IDs, of.AccountID, of.AgentID, now, refusal.Detail)
	case err == nil && len(fresh) > 0:
		writes = make([]table.Write, 1)
		writes[0], err = c.Renewed(ctx, s.Sender.Secrets, now, fresh)
	}
	if err != nil || len(writes) == 0 {
		return err
	}
	err = s.Sender.Table.Transact(ctx, writes...)
	if table.IsConditionError(err) {
		return nil // it was reconnected meanwhile
	}
	return err
}
