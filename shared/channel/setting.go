package channel

import (
	"net/mail"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/phone"
	"frontdesk/shared/secret"
)

// A Type is a kind of channel.
type Type string

// The types.
const (
	WhatsApp  Type = "whatsapp"
	Email     Type = "email"
	SMS       Type = "sms"
	Instagram Type = "instagram"
	Messenger Type = "messenger"
)

// Types are all of them, in the order in which they are listed.
func Types() []Type { return []Type{WhatsApp, Email, SMS, Instagram, Messenger} }

// Values returns all of them.
func (Type) Values() []string {
	var values []string
	for _, t := range Types() {
		values = append(values, string(t))
	}
	return values
}

// A Setting is the name of a part of a channel's config.
type Setting string

// The settings.
const (
	PhoneNumberID  Setting = "phone_number_id" // Meta's id of a WhatsApp number
	PageID         Setting = "page_id"         // Meta's id of a page or an Instagram account
	AccessToken    Setting = "access_token"    // secret: what Meta's API is called with
	AppSecret      Setting = "app_secret"      // secret: what Meta signs its calls with
	VerifyToken    Setting = "verify_token"    // secret: what Meta shows when it verifies our address
	AccountSID     Setting = "account_sid"     // Twilio's id of an account
	AuthToken      Setting = "auth_token"      // secret: what Twilio's API is called with, and what Twilio signs with
	From           Setting = "from"            // the phone number or e-mail address that messages come from
	InboundAddress Setting = "inbound_address" // the e-mail address that messages arrive at
)

// A rule is what holds for a setting of a channel.
type rule struct {
	setting  Setting
	required bool
	secret   bool
	// read returns the value as it is kept, or what is wrong with it.
	read func(string) (text, problem string)
}

// rules are the settings of the channel. What only receiving needs is not required: a channel may be for sending alone.
func (t Type) rules() []rule {
	switch t {
	case WhatsApp:
		return append([]rule{{PhoneNumberID, true, false, readID}}, meta()...)
	case Messenger, Instagram:
		return append([]rule{{PageID, true, false, readID}}, meta()...)
	case SMS:
		return []rule{{AccountSID, true, false, readAccountSID}, {AuthToken, true, true, readSecret}, {From, true, false, readPhone}}
	case Email:
		return []rule{{From, true, false, readAddress}, {InboundAddress, false, false, readAddress}}
	}
	return nil
}

// meta are the rules of what Meta's three channels have in common.
func meta() []rule {
	return []rule{{AccessToken, true, true, readSecret}, {AppSecret, false, true, readSecret}, {VerifyToken, false, true, readSecret}}
}

// readID takes an id of Meta's, which stands in the path of calls.
func readID(s string) (string, string) {
	if len(s) > 32 || strings.Trim(s, "0123456789") != "" {
		return "", "must be an id of digits, such as 106540352242922"
	}
	return s, ""
}

// readAccountSID takes the id of a Twilio account, which stands in the path of calls. Other ids of Twilio's begin
// otherwise, and are easily taken for it.
func readAccountSID(s string) (string, string) {
	rest, ok := strings.CutPrefix(s, "AC")
	if !ok || rest == "" || len(s) > 64 || strings.Trim(rest, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return "", "must be the SID of an account, which begins with AC"
	}
	return s, ""
}

func readPhone(s string) (string, string) {
	number, ok := phone.Normalize(s)
	if !ok {
		return "", "must be a phone number in E.164, such as +14155550123"
	}
	return number, ""
}

func readAddress(s string) (string, string) {
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s || utf8.RuneCountInString(s) > 254 {
		return "", "must be an e-mail address"
	}
	return s, ""
}

func readSecret(s string) (string, string) {
	credential, problem := secret.Credential(s)
	return string(credential), problem
}
