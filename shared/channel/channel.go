// Package channel is the outside channels that an agent is connected to: what it takes to send and receive there, with
// the credentials sealed.
//
// The web chat is no channel of this kind, since it is set up with the widget, nor is the API, which needs no setting up.
package channel

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/wire"
)

// A Channel is one way by which people reach an agent.
type Channel struct {
	Type      Type
	UpdatedAt time.Time

	key     table.Key // of its item
	version int64     // of its item; 0 where the agent is not connected
	texts   map[Setting]string
	secrets map[Setting]secret.Sealed
}

// Connected reports whether anything is stored for the channel.
func (c *Channel) Connected() bool { return c.version > 0 }

// Live reports whether the channel is connected and has all that it needs to send messages.
func (c *Channel) Live() bool { return c.Connected() && c.missing() == "" }

// missing is the first setting that the channel needs and has not, "" when it has all.
func (c *Channel) missing() Setting {
	for _, r := range c.Type.rules() {
		if r.required && c.texts[r.setting] == "" && c.secrets[r.setting] == "" {
			return r.setting
		}
	}
	return ""
}

// Text is the value of a setting that is no secret; "" where it has none.
func (c *Channel) Text(s Setting) string { return c.texts[s] }

// Secret opens the value of a setting that is a secret; "" where it has none.
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

// Shown is the value of a setting as it may be shown to anyone who may see the channel: secret.Set for a secret
// that has one.
func (c *Channel) Shown(s Setting) string {
	if c.secrets[s] != "" {
		return secret.Set
	}
	return c.texts[s]
}

// place is what the secret of a setting is sealed for: its item and its name.
func (c *Channel) place(s Setting) string { return c.key.PK + "/" + c.key.SK + "/" + string(s) }

// stored is the document of a channel's item.
type stored struct {
	Texts     map[Setting]string        `json:"texts"`
	Secrets   map[Setting]secret.Sealed `json:"secrets"`
	UpdatedAt time.Time                 `json:"updated_at"`
}

// Read is the channel that an item under table.ChannelKey holds.
func Read(item table.Item) (Channel, error) {
	var s stored
	if err := json.Unmarshal(item.Doc, &s); err != nil {
		return Channel{}, fmt.Errorf("channel: %s/%s: %w", item.PK, item.SK, err)
	}
	return Channel{
		Type: Type(strings.TrimPrefix(item.SK, table.ChannelPrefix)), UpdatedAt: s.UpdatedAt,
		key: item.Key, version: item.Version, texts: s.Texts, secrets: s.Secrets,
	}, nil
}

// item is the channel's item, as a later version of the one that was read.
func (c *Channel) item() (table.Item, error) {
	doc, err := wire.Marshal(stored{c.texts, c.secrets, c.UpdatedAt})
	return table.Item{Key: c.key, Doc: doc, Version: c.version}, err
}
