package channel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/text"
)

// A Message is a message to send.
type Message struct {
	// Ref is our reference, which some platforms return with each status; see NewRef. It resolves messages
	// whose response was lost.
	Ref string
	To  string // the contact's address on the channel
	// Text is the body; it is empty for a template.
	Text     string
	Template *Template
	// Choices are offered as buttons if the platform has them; there are at most Info.Choices. The text must
	// be complete without them.
	Choices []Choice
	// FromName is the business's name; it may be empty.
	FromName string
	// ByPerson is set if a person wrote the text; some platforms allow people a longer window.
	ByPerson bool
	// AfterWindow is set if Info.Window has passed since the contact last wrote.
	AfterWindow bool
	// Unprompted is set if the message does not answer the contact.
	Unprompted bool
	// Thread is the thread that an e-mail continues; nil elsewhere.
	Thread *Thread
}

// A Template is a message that the platform has approved, with values for its placeholders.
type Template struct {
	Name     string   `json:"name"`
	Language string   `json:"language"` // such as en_US
	Params   []string `json:"params,omitempty"`
}

// A Choice is a quick reply: the label of its button, and the value that comes back as Update.Choice.
// Platforms cut labels that are too long.
type Choice struct{ Label, Value string }

// Labels returns the labels of choices in at most max characters each; longer ones end in an ellipsis. It
// returns nil, so that no buttons are sent, if two would be equal or one is empty.
func Labels(choices []Choice, max int) []string {
	var labels []string
	for _, c := range choices {
		label := c.Label
		if utf8.RuneCountInString(label) > max {
			label = text.Cut(label, max-1) + "…"
		}
		if label == "" || slices.Contains(labels, label) {
			return nil
		}
		labels = append(labels, label)
	}
	return labels
}

// A Receipt is the platform's response when it accepts a message.
type Receipt struct {
	ID string // the platform's message id, which statuses have
	// Address is the recipient's address by the platform, if it differs from Message.To.
	Address string
	// Segments is how many parts the platform bills; 0 if it does not say.
	Segments int
}

// NewRef returns the reference of part n, from 0, of a message.
func NewRef(message int64, part int) string { return fmt.Sprintf("fd-%d-%d", message, part) }

// ReadRef returns the message and part of a reference, and whether it is one of ours.
func ReadRef(ref string) (message int64, part int, ok bool) {
	rest, ours := strings.CutPrefix(ref, "fd-")
	id, n, both := strings.Cut(rest, "-")
	message, err := strconv.ParseInt(id, 10, 64)
	part, errPart := strconv.Atoi(n)
	if !ours || !both || err != nil || errPart != nil || message <= 0 || part < 0 {
		return 0, 0, false
	}
	return message, part, true
}
