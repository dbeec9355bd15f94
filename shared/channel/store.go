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

// ErrNotConnected says that the agent is not connected to the channel, or that there is no such agent.
var ErrNotConnected = errors.New("channel: not connected")

// A Store keeps the channels of agents.
type Store struct {
	Table   table.Table
	Now     func() time.Time
	Secrets *secret.Keys // for Connect
	// Channels says which there are, for Connect, Disconnect and List.
	Channels *Registry
	// Base is the address of the API as platforms reach it, with the slash at its end, for Connect.
	Base string
}

// Load reads one channel, in one trip. ErrNotConnected where nothing is stored for it. It does not ask
// whether the agent still exists: that stands in the agent's summary, which whoever acts for an agent reads
// anyway.
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

// Find reads a channel that an agent is connected to, in one trip. agent.ErrNotFound where the workspace has
// no such agent, ErrNotConnected where nothing is stored for it.
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

// List reads all channels of an agent that can be connected, those too that are not, in the registry's order,
// in one trip. agent.ErrNotFound where the workspace has no such agent.
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

// A Change is the settings that were sent for a channel. An empty value takes the setting away, and
// secret.Set leaves a secret as it is. Settings that the channel does not have are ignored.
type Change map[Setting]string

// Connect connects an agent to a channel, or changes the settings of one that it is connected to; made says
// which. It keeps what the change does not name. An *api.Error names the setting that breaks a rule or is
// missing; agent.ErrNotFound where the workspace has no such agent.
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
		if c.Status != Connected { // a change of the settings is how a channel is connected anew
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

// apply puts a change into a channel.
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

// set puts one value into a channel; "" takes it away.
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

// invalid says what is wrong with a setting.
func invalid(s Setting, format string, args ...any) error {
	return fault.Invalid("config."+string(s), "The field config."+string(s)+" "+format+".", args...)
}

// Disconnect forgets all that is stored for a channel. agent.ErrNotFound where the workspace has no such
// agent, ErrNotConnected where nothing is stored, as for a type that there is not.
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

// Accepted is the writes, for a transaction of the caller, that note that the platform accepts the channel's
// credentials again; none where it did before. They fail as those of Refused do.
func (c *Channel) Accepted(now time.Time) ([]table.Write, error) {
	if !c.Connected() || c.Live() {
		return nil, nil
	}
	after := *c
	after.Status, after.StatusAt, after.Detail = Connected, now.UTC().Truncate(time.Millisecond), ""
	item, err := after.item()
	return []table.Write{table.PutIfVersion(item)}, err
}

// Refused is the writes, for a transaction of the caller, that note that the platform refused the channel's
// credentials and publish channel.disconnected; none where that was noted before. A channel that was
// connected anew since it was read makes them fail.
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

// Renewed is the write, for a transaction of the caller, that stores credentials which the platform
// exchanged. It fails where the channel was changed since it was read.
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
