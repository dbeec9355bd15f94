package egress

// A Reason says in one word why a call got no answer.
type Reason string

// The reasons of an Error.
const (
	Malformed   Reason = "malformed"   // the address is no URL of a web server
	Plain       Reason = "plain"       // the address, or one that it redirects to, is not https
	Private     Reason = "private"     // the address is not on the public internet
	Unresolved  Reason = "unresolved"  // the name does not resolve
	Unreachable Reason = "unreachable" // no connection was made
	Insecure    Reason = "insecure"    // TLS failed
	TimedOut    Reason = "timed_out"   // the answer was not complete in time
	Redirected  Reason = "redirected"  // there were more redirects than the call allows
	Canceled    Reason = "canceled"    // the caller gave up
	Broken      Reason = "broken"      // the connection broke off, or what came is no HTTP
)

// An Error says why a call got no answer. Error is a sentence that may be shown to whoever named the address:
// it holds nothing that they did not name, such as the addresses that a name resolves to. The cause, which
// may, is what Unwrap returns; it is for logs, and nil where the reason says all.
type Error struct {
	Reason Reason
	cause  error
}

// Unwrap returns the cause, for logs; nil where the reason says all.
func (e *Error) Unwrap() error { return e.cause }

// Error returns a sentence that whoever named the address may see.
func (e *Error) Error() string {
	switch e.Reason {
	case Malformed:
		return "The address is not a valid web address."
	case Plain:
		return "The address, or one it redirects to, does not use https."
	case Private:
		return "The address points to a private network."
	case Unresolved:
		return "The name in the address does not resolve."
	case Unreachable:
		return "The address refused the connection or cannot be reached."
	case Insecure:
		return "The address has no valid certificate, or does not speak TLS 1.2 or later."
	case TimedOut:
		return "The address did not answer in time."
	case Redirected:
		return "The address redirects too many times."
	case Canceled:
		return "The call was canceled."
	default:
		return "The address did not answer as a web server does."
	}
}
