package email

import (
	"regexp"
	"sync"
)

// pattern returns a regular expression that is compiled when it is first used. Compiling those of this
// package at startup would take longer than the rest of the start of a function that links it.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
