package conversation

// Mail is the e-mail that replies of a conversation continue: the last that came in.
type Mail struct {
	Subject    string `json:"subject,omitempty"`
	MessageID  string `json:"message_id,omitempty"` // with its angle brackets
	References string `json:"references,omitempty"` // earlier Message-IDs, the oldest first, parted by spaces
}

// NoSubject is the subject of a mail that has none.
const NoSubject = "(no subject)"
