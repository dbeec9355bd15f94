package email

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first needed: those of this package would take
// longer than all other work at the start of the functions that link it.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
