package channel

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// ErrNotConnected says that the agent is not connected to the channel, or does not exist.
var ErrNotConnected = errors.New("channel: not connected")

// A Store stores the channels of agents. It is safe for concurrent use.
type Store struct {
	Table   table.Table
	Now     func() time.Time
	Secrets *secret.Keys // for Connect
	// Channels are all channels, for Connect, Disconnect and List.
	Channels *Registry
	// Base is the address of the API as platforms reach it, with a slash at the end, for Connect.
	Base string
}

// Load reads a channel in one round trip. It returns ErrNotConnected if nothing is stored. It does not check
// that the agent exists: callers that act for an agent read its summary anyway.
func Load(ctx context.Context, t table.Table, account, agent int64, channel Type) (Channel, error) {
	item, err := t.Get(ctx, Key(account, agent, string(channel)))
	if errors.Is(err, table.ErrNotFound) {
		return Channel{}, ErrNotConnected
	}
	if err != nil {
		return Channel{}, err
	}
	return Read(item)
}

// Find reads a channel in one round trip. It returns agent.ErrNotFound if the workspace has no such agent,
// and ErrNotConnected if nothing is stored.
func (s *Store) Find(ctx context.Context, account, agentID int64, channel Type) (Channel, error) {
	agentKey, key := agent.Key(account, agentID), Key(account, agentID, string(channel))
	items, err := s.Table.BatchGet(ctx, agentKey, key)
	if err != nil {
		return Channel{}, err
	}
	if _, ok := items[agentKey]; !ok {
		return Channel{}, agent.ErrNotFound
	}
	item, ok := items[key]
	if !ok {
		return Channel{}, ErrNotConnected
	}
	return Read(item)
}

// List returns all connectable channels of an agent, connected or not, in the registry's order, in one round
// trip. It returns agent.ErrNotFound if the workspace has no such agent.
func (s *Store) List(ctx context.Context, account, agentID int64) ([]Channel, error) {
	var found table.Page
	err := table.Parallel(ctx, func(ctx context.Context) error {
		_, err := (&agent.Store{Table: s.Table}).LoadSummary(ctx, account, agentID)
		return err
	}, func(ctx context.Context) (err error) {
		found, err = s.Table.Query(ctx, table.Query{PK: agent.Partition(account, agentID), Prefix: KeyPrefix})
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
	for _, t := range s.Channels.Connectable() {
		c, ok := connected[t]
		if !ok {
			c.Type, c.Status = t, Off
		}
		all = append(all, c)
	}
	return all, nil
}

// A Change is the settings to change. "" removes a setting, and secret.Set keeps a secret. Unknown settings
// are ignored.
type Change map[Setting]string

// Connect connects an agent to a channel, or changes the settings of a connected one; made is set for a new
// one. Settings that are not in the change stay. It returns a *fault.Error for an invalid or missing
// setting, and agent.ErrNotFound if the workspace has no such agent.
func (s *Store) Connect(ctx context.Context, account, agentID int64, channel Type,
	change Change) (c Channel, made bool, err error) {
	agentKey, key := agent.Key(account, agentID), Key(account, agentID, string(channel))
	err = table.Retry(ctx, func() error {
		items, err := s.Table.BatchGet(ctx, agentKey, key)
		if err != nil {
			return err
		}
		if _, ok := items[agentKey]; !ok {
			return agent.ErrNotFound
		}
		c = Channel{Type: channel, Status: Off, key: key}
		item, connected := items[key]
		if connected {
			if c, err = Read(item); err != nil {
				return err
			}
		}
		if err := s.apply(ctx, &c, change); err != nil {
			return err
		}
		c.Address = Address(s.Base, agentID, channel)
		c.UpdatedAt = s.Now().UTC().Truncate(time.Millisecond)
		if c.Status != Connected { // a change of settings reconnects the channel
			c.Status, c.StatusAt, c.Detail = Connected, c.UpdatedAt, ""
		}
		if item, err = c.item(); err != nil {
			return err
		}
		write, version := table.PutKnown(item, s.Now())
		c.version, made = version, !connected
		writes := []table.Write{write, table.Check(agentKey)}
		if s.renews(channel) {
			listed, err := Renewal{account, agentID, channel}.List()
			if err != nil {
				return err
			}
			writes = append(writes, listed)
		}
		return s.Table.Transact(ctx, writes...)
	})
	return c, made, err
}

// apply applies a change to a channel.
func (s *Store) apply(ctx context.Context, c *Channel, change Change) error {
	texts, secrets := map[Setting]string{}, map[Setting]secret.Sealed{}
	maps.Copy(texts, c.texts)
	maps.Copy(secrets, c.secrets)
	c.texts, c.secrets = texts, secrets
	info := s.Channels.Info(c.Type)
	for _, f := range info.Fields {
		if value, sent := change[f.Setting]; sent {
			if err := s.set(ctx, c, f, strings.TrimSpace(value)); err != nil {
				return err
			}
		}
	}
	for _, f := range info.Fields {
		if f.Required && c.Shown(f.Setting) == "" {
			return invalid(f.Setting, "is required for %s", c.Type)
		}
	}
	given := func(s Setting) bool { return c.Shown(s) != "" }
	if len(info.OneOf) > 0 && !slices.ContainsFunc(info.OneOf, given) {
		others := make([]string, len(info.OneOf)-1)
		for i, s := range info.OneOf[1:] {
			others[i] = "config." + string(s)
		}
		return invalid(info.OneOf[0], "or %s is required for %s", strings.Join(others, " or "), c.Type)
	}
	return nil
}

// set sets one value of a channel; "" removes it.
func (s *Store) set(ctx context.Context, c *Channel, f Field, value string) error {
	switch {
	case value == "":
		delete(c.texts, f.Setting)
		delete(c.secrets, f.Setting)
		return nil
	case value == secret.Set && f.Secret:
		if c.secrets[f.Setting] == "" {
			return invalid(f.Setting, "is %s, but no value is stored", secret.Set)
		}
		return nil
	}
	value, problem := f.Read(value)
	if problem != "" {
		return invalid(f.Setting, "%s", problem)
	}
	if !f.Secret {
		c.texts[f.Setting] = value
		return nil
	}
	sealed, err := s.Secrets.Seal(ctx, c.place(f.Setting), secret.Plain(value))
	if err != nil {
		return err
	}
	c.secrets[f.Setting] = sealed
	c.CredentialsAt = s.Now().UTC().Truncate(time.Millisecond)
	return nil
}

// invalid returns the error of an invalid setting.
func invalid(s Setting, format string, args ...any) error {
	return fault.Invalid("config."+string(s), "The field config."+string(s)+" "+format+".", args...)
}

// Disconnect deletes all that is stored for a channel. It returns agent.ErrNotFound if the workspace has
// no such agent, and ErrNotConnected if nothing is stored or the type is unknown.
func (s *Store) Disconnect(ctx context.Context, account, agentID int64, channel Type) error {
	if !slices.Contains(channel.Values(), string(channel)) {
		return ErrNotConnected
	}
	writes := []table.Write{
		table.Check(agent.Key(account, agentID)),
		table.DeleteIfExists(Key(account, agentID, string(channel))),
	}
	if s.renews(channel) {
		writes = append(writes, Renewal{account, agentID, channel}.Unlist())
	}
	err := s.Table.Transact(ctx, writes...)
	switch {
	case table.ConditionErrorAt(err, 0):
		return agent.ErrNotFound
	case table.ConditionErrorAt(err, 1):
		return ErrNotConnected
	}
	return err
}

// Accepted returns the writes, for a transaction of the caller, that record that the platform accepts the
// credentials again; none if it did before. Their condition is that of Refused.
func (c *Channel) Accepted(now time.Time) ([]table.Write, error) {
	if !c.Connected() || c.Live() {
		return nil, nil
	}
	after := *c
	after.Status, after.StatusAt, after.Detail = Connected, now.UTC().Truncate(time.Millisecond), ""
	item, err := after.item()
	return []table.Write{table.PutIfVersion(item)}, err
}

// Refused returns the writes, for a transaction of the caller, that record that the platform refused the
// credentials and publish channel.disconnected; none if that is recorded. Their condition fails if the
// channel was changed since the read.
func (c *Channel) Refused(ids *id.Source, account, agentID int64, now time.Time,
	detail string) ([]table.Write, error) {
	if !c.Live() {
		return nil, nil
	}
	after := *c
	after.Status, after.StatusAt, after.Detail = NeedsRenewal, now.UTC().Truncate(time.Millisecond), detail
	item, err := after.item()
	if err != nil {
		return nil, err
	}
	published, err := event.Publish(ids, account, nil, event.Event{
		Kind: event.ChannelDisconnected, At: after.StatusAt, AgentID: agentID, Channel: string(c.Type),
		Detail: detail,
	})
	return append([]table.Write{table.PutIfVersion(item)}, published...), err
}

// Renewed returns the write, for a transaction of the caller, that stores exchanged credentials. Its
// condition fails if the channel was changed since the read.
func (c *Channel) Renewed(
	ctx context.Context, keys *secret.Keys, now time.Time, fresh map[Setting]secret.Plain,
) (table.Write, error) {
	after := *c
	after.secrets = maps.Clone(c.secrets)
	for setting, value := range fresh {
		sealed, err := keys.Seal(ctx, c.place(setting), value)
		if err != nil {
			return table.Write{}, err
		}
		after.secrets[setting] = sealed
	}
	after.CredentialsAt = now.UTC().Truncate(time.Millisecond)
	item, err := after.item()
	return table.PutIfVersion(item), err
}
