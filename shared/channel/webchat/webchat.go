// Package webchat is the chat box of websites. It is set up with the widget, and its messages are fetched by
// the visitor's browser.
package webchat

import "frontdesk/shared/channel"

// New returns the channel.
func New() channel.Provider { return channel.Hosted{Type: channel.WebChat} }
