package channel

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/fault"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// ErrNotConnected says that the agent is not connected to the channel, or that there is no such agent.
var ErrNotConnected = errors.New("channel: not connected")

// A Store keeps the channels of agents.
type Store struct {
	Table   table.Table
	Now     func() time.Time
	Secrets *secret.Keys // for Connect
}

// Load reads one channel, in one trip. ErrNotConnected where nothing is stored for it. It does not ask whether the agent
// still exists: that stands in the agent's summary, which whoever acts for an agent reads anyway.
func Load(ctx context.Context, t table.Table, account, agent int64, channel Type) (Channel, error) {
	item, err := t.Get(ctx, table.ChannelKey(account, agent, string(channel)))
	if errors.Is(err, table.ErrNotFound) {
		return Channel{}, ErrNotConnected
	}
	if err != nil {
		return Channel{}, err
	}
	return Read(item)
}

// List reads all channels of an agent in the order of Types, those too that it is not connected to, in one trip.
// agent.ErrNotFound where the workspace has no such agent.
func (s *Store) List(ctx context.Context, account, agentID int64) ([]Channel, error) {
	var found table.Page
	err := table.Together(ctx, func(ctx context.Context) error {
		_, err := (&agent.Store{Table: s.Table}).LoadSummary(ctx, account, agentID)
		return err
	}, func(ctx context.Context) (err error) {
		found, err = s.Table.Query(ctx, table.Query{PK: table.AgentPartition(account, agentID), Prefix: table.ChannelPrefix})
		return err
	})
	if err != nil {
		return nil, err
	}
	connected := map[Type]Channel{}
	for _, item := range found.Items {
		c, err := Read(item)
		if err != nil {
			return nil, err
		}
		connected[c.Type] = c
	}
	var all []Channel
	for _, t := range Types() {
		c, ok := connected[t]
		if !ok {
			c.Type = t
		}
		all = append(all, c)
	}
	return all, nil
}

// A Change is the settings that were sent for a channel. An empty value takes the setting away, and secret.Set
// leaves a secret as it is. Settings that the channel does not have are ignored.
type Change map[Setting]string

// Connect connects an agent to a channel, or changes the settings of one that it is connected to; made says which. It
// keeps what the change does not name. An *api.Error names the setting that breaks a rule or is missing;
// agent.ErrNotFound where the workspace has no such agent.
func (s *Store) Connect(ctx context.Context, account, agentID int64, channel Type, change Change) (c Channel, made bool, err error) {
	agentKey, key := table.AgentKey(account, agentID), table.ChannelKey(account, agentID, string(channel))
	err = table.Retry(ctx, func() error {
		items, err := s.Table.BatchGet(ctx, agentKey, key)
		if err != nil {
			return err
		}
		if _, ok := items[agentKey]; !ok {
			return agent.ErrNotFound
		}
		c = Channel{Type: channel, key: key}
		item, connected := items[key]
		if connected {
			if c, err = Read(item); err != nil {
				return err
			}
		}
		if err := s.apply(ctx, &c, change); err != nil {
			return err
		}
		c.UpdatedAt = s.Now().UTC().Truncate(time.Millisecond)
		if item, err = c.item(); err != nil {
			return err
		}
		c.version++
		made = !connected
		return s.Table.Transact(ctx, table.PutAsRead(item), table.Check(agentKey))
	})
	return c, made, err
}

// apply puts a change into a channel.
func (s *Store) apply(ctx context.Context, c *Channel, change Change) error {
	texts, secrets := map[Setting]string{}, map[Setting]secret.Sealed{}
	maps.Copy(texts, c.texts)
	maps.Copy(secrets, c.secrets)
	c.texts, c.secrets = texts, secrets
	for _, r := range c.Type.rules() {
		value, sent := change[r.setting]
		value = strings.TrimSpace(value)
		switch {
		case !sent:
			continue
		case value == "":
			delete(texts, r.setting)
			delete(secrets, r.setting)
			continue
		case value == secret.Set && r.secret:
			if secrets[r.setting] == "" {
				return invalid(r.setting, "is %s, but no value is stored", secret.Set)
			}
			continue
		}
		value, problem := r.read(value)
		if problem != "" {
			return invalid(r.setting, "%s", problem)
		}
		if !r.secret {
			texts[r.setting] = value
			continue
		}
		sealed, err := s.Secrets.Seal(ctx, c.place(r.setting), secret.Plain(value))
		if err != nil {
			return err
		}
		secrets[r.setting] = sealed
	}
	if missing := c.missing(); missing != "" {
		return invalid(missing, "is required for %s", c.Type)
	}
	return nil
}

// invalid says what is wrong with a setting.
func invalid(s Setting, format string, args ...any) error {
	return fault.Invalid("config."+string(s), "The field config."+string(s)+" "+format+".", args...)
}

// Disconnect forgets all that is stored for a channel. agent.ErrNotFound where the workspace has no such agent,
// ErrNotConnected where nothing is stored, as for a type that there is not.
func (s *Store) Disconnect(ctx context.Context, account, agentID int64, channel Type) error {
	if !slices.Contains(Types(), channel) {
		return ErrNotConnected
	}
	err := s.Table.Transact(ctx,
		table.Check(table.AgentKey(account, agentID)),
		table.DeleteIfExists(table.ChannelKey(account, agentID, string(channel))),
	)
	switch {
	case table.FailedAt(err, 0):
		return agent.ErrNotFound
	case table.FailedAt(err, 1):
		return ErrNotConnected
	}
	return err
}
