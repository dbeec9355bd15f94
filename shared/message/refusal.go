package message

import (
	"fmt"
	"time"

	"frontdesk/shared/channel"
	"frontdesk/shared/conversation"
	"frontdesk/shared/fault"
)

// The errors for messages that may not be sent.

func optedOut() error {
	return fault.New(fault.ContactOptedOut, "The contact has opted out of messages.")
}

func notConnected(on conversation.Channel) error {
	return fault.New(fault.Unprocessable, "The agent is not connected to %s.", name(on))
}

// usable returns nil if a channel can send, and otherwise an error that says why it cannot.
func (s *Sender) usable(ch channel.Channel, on conversation.Channel) error {
	if !ch.Connected() {
		return notConnected(on)
	}
	if why := s.Channels.Unavailable(ch.Type); why != "" {
		return fault.New(fault.Unprocessable, "%s", why)
	}
	if ch.Live() {
		return nil
	}
	return fault.New(fault.Unprocessable, "%s refused the agent's credentials. Connect the channel again.",
		name(on))
}

func contactDeleted() error {
	return fault.New(fault.Unprocessable, "The contact of the conversation was deleted.")
}

// windowClosed returns the error for a text outside the platform's window. wrote is when the contact last
// wrote, zero for never; templates is set if the channel has templates, which may still be sent.
func windowClosed(on conversation.Channel, templates bool, wrote time.Time, window time.Duration) error {
	detail := "The contact has not written on " + name(on) + " yet, where a business may only answer."
	if !wrote.IsZero() {
		detail = fmt.Sprintf("The contact last wrote on %s at %s, and could be answered until %s.", name(on),
			wrote.UTC().Format(time.RFC3339), wrote.Add(window).UTC().Format(time.RFC3339))
	}
	if templates {
		detail += " Send a template."
	}
	return fault.New(fault.Unprocessable, "%s", detail)
}

// name returns the brand name of a channel, for errors and details.
func name(c conversation.Channel) string {
	if shown, ok := names[c]; ok {
		return shown
	}
	return string(c)
}

var names = map[conversation.Channel]string{
	conversation.WhatsApp: "WhatsApp", conversation.Email: "e-mail", conversation.SMS: "SMS",
	conversation.Instagram: "Instagram", conversation.Messenger: "Messenger",
}
