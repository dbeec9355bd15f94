package channel

import "slices"

// A Type is a kind of channel.
type Type string

// The types.
const (
	WhatsApp  Type = "whatsapp"
	Email     Type = "email"
	SMS       Type = "sms"
	Instagram Type = "instagram"
	Messenger Type = "messenger"
	WebChat   Type = "webchat"
	API       Type = "api"
)

// Values implements api.Enum.
func (Type) Values() []string {
	return []string{
		string(WhatsApp), string(Email), string(SMS), string(Instagram), string(Messenger), string(WebChat),
		string(API),
	}
}

// Connectable returns the types with settings: all except those that Frontdesk hosts.
func Connectable() []string {
	return slices.DeleteFunc(Type("").Values(), func(t string) bool {
		return t == string(WebChat) || t == string(API)
	})
}
