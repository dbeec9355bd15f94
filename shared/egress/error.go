package egress

// A Reason is the kind of an Error.
type Reason string

// The reasons.
const (
	Malformed   Reason = "malformed"   // not a URL of a web server
	Plain       Reason = "plain"       // the URL, or a redirect, is not https
	Private     Reason = "private"     // not on the public internet
	Unresolved  Reason = "unresolved"  // the name does not resolve
	Unreachable Reason = "unreachable" // no connection
	Insecure    Reason = "insecure"    // TLS failed
	TimedOut    Reason = "timed_out"   // the response was not complete in time
	Redirected  Reason = "redirected"  // more redirects than the call allows
	Canceled    Reason = "canceled"    // the caller's context ended
	Broken      Reason = "broken"      // the connection broke, or the response is not HTTP
)

// An Error is why a call got no response. Its text may be shown to the user who chose the address: it has no
// internal details such as resolved addresses. The cause, which may have them, is for logs; it is nil if the
// reason is complete.
type Error struct {
	Reason Reason
	cause  error
}

// Unwrap returns the cause for logs, or nil.
func (e *Error) Unwrap() error { return e.cause }

// Error returns a sentence that may be shown to the user who chose the address.
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
