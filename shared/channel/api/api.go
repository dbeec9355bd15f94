// Package api implements the channel of the REST API, whose callers deliver messages themselves.
package api

import "frontdesk/shared/channel"

// New returns the channel.
func New() channel.Provider { return channel.Hosted{Type: channel.API} }
