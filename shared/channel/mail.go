package channel

import "strings"

// Mail is the part of an update that only e-mail has.
type Mail struct {
	Subject string   `json:"subject,omitempty"`
	Parents []string `json:"parents,omitempty"` // Message-IDs of earlier mails, most likely first
	Refs    []string `json:"refs,omitempty"`    // our references that it answers, latest first
}

// A Thread is the e-mail thread that a message continues.
type Thread struct {
	Conversation int64    // its id; the reply address has its token
	Subject      string   // of the mail that is answered
	InReplyTo    string   // its Message-ID, with the angle brackets
	References   []string // earlier Message-IDs, oldest first
}

// claimed begins the address of an unauthenticated e-mail sender. It differs from the address of the
// mailbox's owner, to whose contact it must not lead.
const claimed = "claimed:"

// ClaimedMail returns the address of an unauthenticated sender.
func ClaimedMail(address string) string { return claimed + address }

// ClaimedIn returns ClaimedMail for one conversation, so that different senders who claim one address are
// kept apart. Other addresses are unchanged.
func ClaimedIn(key, address string) string {
	plain, ok := strings.CutPrefix(address, claimed)
	if !ok {
		return address
	}
	return claimed + key + ":" + plain
}

// MailAddress returns the e-mail address in an address of the channel.
func MailAddress(address string) string {
	plain, ok := strings.CutPrefix(address, claimed)
	if !ok {
		return address
	}
	return plain[strings.IndexByte(plain, ':')+1:]
}
