package channel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/text"
)

// A Message is one to send.
type Message struct {
	// Ref is our own reference, which platforms that can echo it return with every status; see NewRef. It
	// settles what became of a message whose answer was lost.
	Ref string
	To  string // the address by which the channel knows the contact
	// Text is the body; of a template the empty text.
	Text     string
	Template *Template
	// Choices are offered as buttons where the platform has them, and there are no more than Info.Choices.
	// The text must be complete without them.
	Choices []Choice
	// FromName is what the business calls itself; it may be empty.
	FromName string
	// ByPerson says that a person wrote the text, for whom some platforms have a longer window.
	ByPerson bool
	// AfterWindow says that Info.Window has passed since the contact last wrote.
	AfterWindow bool
	// Unprompted says that the message answers nothing that the contact wrote.
	Unprompted bool
	// Thread is what an e-mail continues; nil elsewhere.
	Thread *Thread
}

// A Template is a message that the platform approved beforehand, with the values of the placeholders in its
// body.
type Template struct {
	Name     string   `json:"name"`
	Language string   `json:"language"` // such as en_US
	Params   []string `json:"params,omitempty"`
}

// A Choice is a quick reply: what its button says, and what comes back as Update.Choice when it is pressed.
// Platforms cut a Label that is too long for them.
type Choice struct{ Label, Value string }

// Labels are the labels of choices in at most max characters each, those that are longer with an ellipsis at
// their end. It is nil where two would be alike or one is empty: no buttons are sent then.
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

// A Receipt is what a platform answers when it accepts a message.
type Receipt struct {
	ID string // the platform's id of the message, which its statuses name
	// Address is the address under which the platform knows the recipient, where it names another than
	// Message.To.
	Address string
	// Segments is how many parts the platform bills; 0 where it does not say.
	Segments int
}

// NewRef is the reference of part n, from 0, of a message.
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
