package registry

import (
	"strings"

	"frontdesk/shared/channel"
)

// An unsent channel can be set up, and neither sends nor receives yet.
type unsent struct {
	channel.Kept
	fields []channel.Field
}

// Info implements channel.Provider.
func (u unsent) Info() channel.Info { return channel.Info{Type: u.Type, Fields: u.fields} }

func meta(t channel.Type) unsent {
	return unsent{channel.Kept{Type: t}, []channel.Field{
		{Setting: channel.PageID, Required: true, Read: channel.ReadID},
		{Setting: channel.AccessToken, Required: true, Secret: true, Read: channel.ReadSecret},
		{Setting: channel.AppSecret, Secret: true, Read: channel.ReadSecret},
		{Setting: channel.VerifyToken, Secret: true, Read: channel.ReadSecret},
	}}
}

func email() unsent {
	return unsent{channel.Kept{Type: channel.Email}, []channel.Field{
		{Setting: channel.From, Required: true, Read: channel.ReadAddress},
		{Setting: channel.InboundAddress, Read: channel.ReadAddress},
	}}
}

func sms() unsent {
	return unsent{channel.Kept{Type: channel.SMS}, []channel.Field{
		{Setting: channel.AccountSID, Required: true, Read: readAccountSID},
		{Setting: channel.AuthToken, Required: true, Secret: true, Read: channel.ReadSecret},
		{Setting: channel.From, Required: true, Read: channel.ReadPhone},
	}}
}

// readAccountSID takes the id of a Twilio account. Other ids of Twilio's begin otherwise, and are easily taken for it.
func readAccountSID(s string) (string, string) {
	rest, ok := strings.CutPrefix(s, "AC")
	letters := "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if !ok || rest == "" || len(s) > 64 || strings.Trim(rest, letters) != "" {
		return "", "must be the SID of an account, which begins with AC"
	}
	return s, ""
}
