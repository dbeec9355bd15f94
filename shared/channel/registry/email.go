package registry

import (
	"unicode/utf8"

	"frontdesk/shared/channel"
)

// minInboundSecret is how many characters the password of posts has at least that bring e-mail.
const minInboundSecret = 16

// An email channel can be set up, and neither sends nor receives yet.
type email struct{ channel.Hosted }

// Info implements channel.Provider.
func (email) Info() channel.Info {
	return channel.Info{Type: channel.Email, Fields: []channel.Field{
		{Setting: channel.From, Required: true, Read: channel.ReadAddress},
		{Setting: channel.InboundAddress, Read: channel.ReadAddress},
		{Setting: channel.InboundSecret, Secret: true, Read: readInboundSecret},
		{Setting: channel.SigningKey, Secret: true, Read: channel.ReadSecret},
	}}
}

func readInboundSecret(s string) (string, string) {
	if utf8.RuneCountInString(s) < minInboundSecret {
		return "", "must have at least 16 characters"
	}
	return channel.ReadSecret(s)
}
