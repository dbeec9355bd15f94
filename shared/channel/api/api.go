// Package api is the channel of callers of the REST API, who carry the messages themselves.
package api

import "frontdesk/shared/channel"

// New returns the channel.
func New() channel.Provider { return channel.Hosted{Type: channel.API} }
