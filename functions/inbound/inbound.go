// Package inbound receives what the platforms of channels post: it verifies and stores it, and responds
// before it is processed. The worker in functions/inbox is notified through the table's change feed and needs
// only what is stored, so a crash in between loses nothing.
package inbound

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/attachment"
	"frontdesk/shared/channel"
	"frontdesk/shared/fault"
	"frontdesk/shared/inbox"
	"frontdesk/shared/logline"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// Service answers the requests.
type Service struct {
	Table    table.Table
	Secrets  *secret.Keys
	Channels *channel.Registry
	Inbox    *inbox.Store
}

// Routes adds the endpoints to a router. A GET verifies the address, on platforms that do so. A POST has
// messages, statuses and other updates in the platform's own form, signed by it.
func (s *Service) Routes(r *api.Router) {
	api.HandleRaw(r, "GET /inbound/{agent_id}/{channel_type}/", api.Doc{
		ID:      "verifyInboundAddress",
		Summary: "Prove to Meta that the address is the channel's",
		Description: "Meta calls it with `hub.mode`, `hub.verify_token` and `hub.challenge` in the query, " +
			"when the address is entered. The answer is the challenge, where the token is the channel's " +
			"`verify_token`, and 403 otherwise.",
		Errors:  []fault.Code{fault.Forbidden, fault.Unavailable},
		Answers: []string{"text/plain"},
	}, s.handshake)
	api.HandleRaw(r, "POST /inbound/{agent_id}/{channel_type}/", api.Doc{
		ID:      "receiveFromPlatform",
		Summary: "Take what a channel's platform posts",
		Description: "For platforms alone, each in its own form and signed in its own way. What is not " +
			"signed rightly is 403 and leaves nothing behind. The answer comes once all of it is stored, " +
			"and never waits for a reply to be made. What could not be stored is 503, and is to be posted " +
			"again: what was stored is not taken twice.",
		Errors: []fault.Code{fault.Forbidden, fault.Unavailable},
		Accepts: []string{
			"application/json", "application/x-www-form-urlencoded", "message/rfc822", "multipart/form-data",
		},
		Answers: []string{"text/plain", "text/xml"},
	}, s.take)
}

type addressIn struct {
	AgentID     int64  `path:"agent_id"`
	ChannelType string `path:"channel_type" doc:"The type of the channel." example:"whatsapp"`
}

// A caller is the channel that a request claims to be for.
type caller struct {
	provider   channel.Provider
	info       channel.Info
	connection channel.Connection
	pause      time.Duration // in which messages that follow one another are gathered
}

// forbidden is the same error for a wrong signature, a channel that is not connected and an unknown agent, so
// that it does not reveal which agents exist.
func forbidden() error {
	return fault.New(fault.Forbidden, "The request is not signed by the channel's platform.")
}

// find reads the channel of an agent, in two round trips.
func (s *Service) find(ctx context.Context, in addressIn) (caller, error) {
	provider, ok := s.Channels.Provider(channel.Type(in.ChannelType))
	if !ok || provider.Info().MaxBody == 0 {
		return caller{}, fault.NotFound()
	}
	item, err := s.Table.Get(ctx, agent.OwnerKey(in.AgentID))
	if errors.Is(err, table.ErrNotFound) {
		return caller{}, forbidden()
	}
	if err != nil {
		return caller{}, err
	}
	owner, err := agent.ReadRef(item)
	if err != nil {
		return caller{}, err
	}
	agentKey := agent.Key(owner.AccountID, in.AgentID)
	channelKey := channel.Key(owner.AccountID, in.AgentID, in.ChannelType)
	items, err := s.Table.BatchGet(ctx, agentKey, channelKey)
	if err != nil {
		return caller{}, err
	}
	if len(items) < 2 {
		return caller{}, forbidden()
	}
	summary, err := agent.ReadSummary(items[agentKey])
	if err != nil {
		return caller{}, err
	}
	connected, err := channel.Read(items[channelKey])
	if err != nil {
		return caller{}, err
	}
	address := channel.Address(api.PublicBaseURL(ctx), in.AgentID, provider.Info().Type)
	open, err := connected.Open(ctx, s.Secrets, owner.AccountID, in.AgentID, address)
	logline.Add(ctx, slog.Int64("agent", in.AgentID), slog.String("channel", in.ChannelType))
	pause := time.Duration(summary.ChannelPauseSeconds) * time.Second
	return caller{provider, provider.Info(), open, pause}, err
}

func requestOf(req api.RawRequest, body []byte) channel.Request {
	return channel.Request{Method: req.Method, RawQuery: req.URL.RawQuery, Header: req.Header, Body: body}
}

// handshake answers the request with which a platform verifies the address.
func (s *Service) handshake(ctx context.Context, in addressIn, req api.RawRequest) (api.RawAnswer, error) {
	from, err := s.find(ctx, in)
	if err != nil {
		return api.RawAnswer{}, err
	}
	shaker, ok := from.provider.(channel.Handshaker)
	if !ok {
		return api.RawAnswer{}, forbidden()
	}
	body, err := shaker.Handshake(from.connection, requestOf(req, nil))
	if errors.Is(err, channel.ErrForbidden) {
		err = forbidden()
	}
	return api.RawAnswer{Body: body}, err
}

// take verifies, parses and stores what a platform posts. Nothing is stored of a post with a wrong signature.
// If a part cannot be stored the answer is 503, and the platform posts all of it again: what is stored
// already has the same id and is not stored twice.
func (s *Service) take(ctx context.Context, in addressIn, req api.RawRequest) (api.RawAnswer, error) {
	from, err := s.find(ctx, in)
	if err != nil {
		return api.RawAnswer{}, err
	}
	body, err := req.ReadBody(from.info.MaxBody)
	if err != nil {
		return api.RawAnswer{}, err
	}
	r := requestOf(req, body)
	if err := from.provider.Verify(from.connection, r); errors.Is(err, channel.ErrForbidden) {
		return api.RawAnswer{}, forbidden()
	} else if err != nil {
		return api.RawAnswer{}, err
	}
	updates, err := from.provider.Parse(from.connection, r)
	if errors.Is(err, channel.ErrMalformed) {
		return api.RawAnswer{}, fault.New(fault.BadRequest,
			"The body is not what the channel's platform posts.")
	}
	if err != nil {
		return api.RawAnswer{}, err
	}
	logline.Add(ctx, slog.Int("updates", len(updates)))
	if err := s.store(ctx, from, updates); err != nil {
		return api.RawAnswer{}, &fault.Error{
			Code: fault.Unavailable, Detail: "Not all of it could be stored. Post it again.",
			RetryAfter: time.Second, Err: err,
		}
	}
	var answer api.RawAnswer
	if a, ok := from.provider.(channel.Acknowledger); ok {
		answer.Type, answer.Body = a.Acknowledge()
	}
	return answer, nil
}

// parallel is how many updates are stored at the same time.
const parallel = 16

// store stores all updates, as far as they are new. The change feed has package dispatch queue their lanes.
func (s *Service) store(ctx context.Context, from caller, updates []channel.Update) error {
	var wait sync.WaitGroup
	failures := make([]error, len(updates))
	work := make(chan int)
	for range min(parallel, len(updates)) {
		wait.Go(func() {
			for i := range work {
				lane := inbox.Lane{
					AccountID: from.connection.AccountID, AgentID: from.connection.AgentID,
					Channel: from.info.Type,
					Person:  updates[i].From.Lane(),
				}
				err := s.keep(ctx, from, &updates[i])
				if err == nil {
					_, err = s.Inbox.Add(ctx, lane, updates[i], from.pause)
				}
				if err != nil {
					failures[i] = fmt.Errorf("update %d: %w", i, err)
				}
			}
		})
	}
	for i := range updates {
		work <- i
	}
	close(work)
	wait.Wait()
	return errors.Join(failures...)
}

// keep stores the files of an update and sets their ids in it. A repeated post stores them under the same
// ids.
func (s *Service) keep(ctx context.Context, from caller, u *channel.Update) error {
	files := attachment.Store{Table: s.Table, Now: s.Inbox.Now}
	sum := sha256.Sum256([]byte(u.ID))
	for i := range u.Attachments {
		a := &u.Attachments[i]
		content := a.Content
		if a.Content = nil; len(content) == 0 || len(content) > attachment.MaxSize {
			continue
		}
		a.ID = fmt.Sprintf("%x-%d", sum[:16], i)
		c := from.connection
		if err := files.Put(ctx, c.AccountID, c.AgentID, a.ID, content); err != nil {
			return err
		}
	}
	return nil
}
