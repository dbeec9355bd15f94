package channel

import "strings"

// Mail is what only an e-mail that came in has.
type Mail struct {
	Subject string   `json:"subject,omitempty"`
	Parents []string `json:"parents,omitempty"` // Message-IDs of earlier mails, the likeliest first
	Refs    []string `json:"refs,omitempty"`    // references of ours that it answers, the latest first
}

// A Thread is the e-mail conversation that a message belongs to.
type Thread struct {
	Conversation int64    // its id, of which the reply address has a token
	Subject      string   // of the mail that is answered
	InReplyTo    string   // its Message-ID, with the angle brackets
	References   []string // earlier Message-IDs, the oldest first
}

// claimed begins the address by which a channel knows a sender of e-mail whom nobody vouches for. It is
// another than that of the person who has the mailbox, whose contact it must not lead to.
const claimed = "claimed:"

// ClaimedMail is the address of a sender who is not vouched for.
func ClaimedMail(address string) string { return claimed + address }

// ClaimedIn is ClaimedMail for one conversation: what others claim who give the same address is apart from
// it. An address of another kind stays as it is.
func ClaimedIn(key, address string) string {
	plain, ok := strings.CutPrefix(address, claimed)
	if !ok {
		return address
	}
	return claimed + key + ":" + plain
}

// MailAddress is the e-mail address in an address of the channel.
func MailAddress(address string) string {
	plain, ok := strings.CutPrefix(address, claimed)
	if !ok {
		return address
	}
	return plain[strings.IndexByte(plain, ':')+1:]
}
