package channel

import (
	"net/mail"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/phone"
	"frontdesk/shared/secret"
)

// A Setting is the name of a setting of a channel.
type Setting string

// The settings.
const (
	PhoneNumberID Setting = "phone_number_id" // Meta's id of a WhatsApp number
	PageID        Setting = "page_id"         // Meta's id of a page or an Instagram account
	AccessToken   Setting = "access_token"    // secret for calls of Meta's API
	AppSecret     Setting = "app_secret"      // secret with which Meta signs its calls
	VerifyToken   Setting = "verify_token"    // secret that Meta sends when it verifies the address
	AccountSID    Setting = "account_sid"     // Twilio's id of an account
	// secret: what Twilio's API is called with, and what Twilio signs with
	AuthToken      Setting = "auth_token"
	From           Setting = "from"            // phone number or e-mail address of the sender
	InboundAddress Setting = "inbound_address" // e-mail address that receives mail

	// by which of Meta's log-ins an Instagram account is reached
	Login               Setting = "login"
	MessagingServiceSID Setting = "messaging_service_sid" // Twilio's id of a messaging service
	InboundSecret       Setting = "inbound_secret"        // secret: the password of inbound e-mail posts
	SigningKey          Setting = "signing_key"           // secret with which Mailgun signs its posts
)

// ReadID implements Field.Read for an id of Meta, which becomes part of a path.
func ReadID(s string) (string, string) {
	if len(s) > 32 || strings.Trim(s, "0123456789") != "" {
		return "", "must be an id of digits, such as 106540352242922"
	}
	return s, ""
}

// ReadPhone implements Field.Read for a phone number.
func ReadPhone(s string) (string, string) {
	number, ok := phone.Normalize(s)
	if !ok {
		return "", "must be a phone number in E.164, such as +14155550123"
	}
	return number, ""
}

// ReadAddress implements Field.Read for an e-mail address.
func ReadAddress(s string) (string, string) {
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s || utf8.RuneCountInString(s) > 254 {
		return "", "must be an e-mail address"
	}
	return s, ""
}

// ReadSecret implements Field.Read for a credential.
func ReadSecret(s string) (string, string) {
	credential, problem := secret.Credential(s)
	return string(credential), problem
}
