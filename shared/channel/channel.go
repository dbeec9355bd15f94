// Package channel defines the channels by which people reach an agent, the agents' connections to them with
// sealed credentials, and the interface that each channel implements in its own package. Package registry
// lists all channels.
package channel

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/wire"
)

// A ConnectionStatus is the state of an agent's connection to a channel.
type ConnectionStatus string

// The statuses.
const (
	Off          ConnectionStatus = "off"       // nothing is stored for it
	Connected    ConnectionStatus = "connected" // it can send, as far as is known
	NeedsRenewal ConnectionStatus = "reconnect" // the platform refused the credentials
)

// Values implements api.Enum.
func (ConnectionStatus) Values() []string {
	return []string{string(Off), string(Connected), string(NeedsRenewal)}
}

// A Channel is an agent's connection to one channel.
type Channel struct {
	Type      Type
	Status    ConnectionStatus
	StatusAt  time.Time // when Status last changed; zero while it is off
	Detail    string    // why it must be connected again, in whole sentences; usually ""
	UpdatedAt time.Time // when its settings last changed
	// CredentialsAt is when a secret was last set or exchanged.
	CredentialsAt time.Time
	// Address is the inbound address when the settings last changed; see the function Address.
	Address string

	key     table.Key // of its item
	version int64     // of its item; 0 if the agent is not connected
	texts   map[Setting]string
	secrets map[Setting]secret.Sealed
}

// Connected reports whether anything is stored for the channel.
func (c *Channel) Connected() bool { return c.version > 0 }

// Live reports whether the channel can send now. Stored channels have all settings that sending needs.
func (c *Channel) Live() bool { return c.Connected() && c.Status == Connected }

// Open returns the settings with opened secrets, for an agent of that workspace. url is the channel's
// address, as in Connection; "" means Address.
func (c *Channel) Open(ctx context.Context, keys *secret.Keys, account, agent int64,
	url string) (Connection, error) {
	open := Connection{AccountID: account, AgentID: agent, URL: cmp.Or(url, c.Address), Texts: c.texts,
		Secrets: map[Setting]secret.Plain{}}
	for s := range c.secrets {
		plain, err := c.Secret(ctx, keys, s)
		if err != nil {
			return Connection{}, err
		}
		open.Secrets[s] = plain
	}
	return open, nil
}

// Text returns the value of a setting that is not secret, or "".
func (c *Channel) Text(s Setting) string { return c.texts[s] }

// Secret opens the value of a secret setting, "" if it has none.
func (c *Channel) Secret(ctx context.Context, keys *secret.Keys, s Setting) (secret.Plain, error) {
	sealed, ok := c.secrets[s]
	if !ok {
		return "", nil
	}
	plain, err := keys.Open(ctx, c.place(s), sealed)
	if err != nil {
		return "", fmt.Errorf("channel: %s: %w", c.place(s), err)
	}
	return plain, nil
}

// Shown returns the value of a setting as the API shows it: secret.Set for a secret with a value.
func (c *Channel) Shown(s Setting) string {
	if c.secrets[s] != "" {
		return secret.Set
	}
	return c.texts[s]
}

// place returns the place that a secret setting is sealed for: its item and name.
func (c *Channel) place(s Setting) string {
	return secret.Place(c.key.PK, c.key.SK, "secrets."+string(s))
}

// stored is the document of a channel's item.
type stored struct {
	Texts     map[Setting]string        `json:"texts"`
	Secrets   map[Setting]secret.Sealed `json:"secrets"`
	Status    ConnectionStatus          `json:"status"`
	StatusAt  time.Time                 `json:"status_at"`
	Detail    string                    `json:"detail,omitempty"`
	UpdatedAt time.Time                 `json:"updated_at"`
	Address   string                    `json:"address,omitempty"`
	// CredentialsAt is as in Channel.
	CredentialsAt time.Time `json:"credentials_at,omitzero"`
}

// Read decodes an item under Key.
func Read(item table.Item) (Channel, error) {
	var s stored
	if err := json.Unmarshal(item.Doc, &s); err != nil {
		return Channel{}, fmt.Errorf("channel: %s/%s: %w", item.PK, item.SK, err)
	}
	return Channel{
		Type: Type(strings.TrimPrefix(item.SK, string(KeyPrefix))), Status: s.Status, StatusAt: s.StatusAt,
		Detail:    s.Detail,
		UpdatedAt: s.UpdatedAt, Address: s.Address, CredentialsAt: s.CredentialsAt, key: item.Key,
		version: item.Version, texts: s.Texts, secrets: s.Secrets,
	}, nil
}

// item returns the channel's item with the version that was read.
func (c *Channel) item() (table.Item, error) {
	doc, err := wire.Marshal(stored{c.texts, c.secrets, c.Status, c.StatusAt, c.Detail, c.UpdatedAt,
		c.Address, c.CredentialsAt})
	return table.Item{Key: c.key, Doc: doc, Version: c.version}, err
}
