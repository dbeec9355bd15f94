package channel

import (
	"net/mail"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/phone"
	"frontdesk/shared/secret"
)

// A Setting is the name of a part of a channel's config.
type Setting string

// The settings.
const (
	PhoneNumberID Setting = "phone_number_id" // Meta's id of a WhatsApp number
	PageID        Setting = "page_id"         // Meta's id of a page or an Instagram account
	AccessToken   Setting = "access_token"    // secret: what Meta's API is called with
	AppSecret     Setting = "app_secret"      // secret: what Meta signs its calls with
	VerifyToken   Setting = "verify_token"    // secret: what Meta shows when it verifies our address
	AccountSID    Setting = "account_sid"     // Twilio's id of an account
	// secret: what Twilio's API is called with, and what Twilio signs with
	AuthToken      Setting = "auth_token"
	From           Setting = "from"            // the phone number or e-mail address that messages come from
	InboundAddress Setting = "inbound_address" // the e-mail address that messages arrive at

	// by which of Meta's log-ins an Instagram account is reached
	Login               Setting = "login"
	MessagingServiceSID Setting = "messaging_service_sid" // Twilio's id of a messaging service
	InboundSecret       Setting = "inbound_secret"        // secret: the password of posts that bring e-mail
	SigningKey          Setting = "signing_key"           // secret: what Mailgun signs its posts with
)

// ReadID takes an id of Meta's, which stands in the path of calls, as a Field's Read does.
func ReadID(s string) (string, string) {
	if len(s) > 32 || strings.Trim(s, "0123456789") != "" {
		return "", "must be an id of digits, such as 106540352242922"
	}
	return s, ""
}

// ReadPhone takes a phone number, as a Field's Read does.
func ReadPhone(s string) (string, string) {
	number, ok := phone.Normalize(s)
	if !ok {
		return "", "must be a phone number in E.164, such as +14155550123"
	}
	return number, ""
}

// ReadAddress takes an e-mail address, as a Field's Read does.
func ReadAddress(s string) (string, string) {
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s || utf8.RuneCountInString(s) > 254 {
		return "", "must be an e-mail address"
	}
	return s, ""
}

// ReadSecret takes a credential, as a Field's Read does.
func ReadSecret(s string) (string, string) {
	credential, problem := secret.Credential(s)
	return string(credential), problem
}
