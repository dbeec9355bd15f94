package email

import (
	"bufio"
	"strings"

	"github.com/emersion/go-message/textproto"

	"frontdesk/shared/channel"
)

// A report says what became of a mail of ours: that it could not be delivered (RFC 3464), or that its
// recipient complained of it (RFC 5965).
type report struct {
	complaint bool
	recipient textproto.Header // of delivery reports: the fields of the first recipient
	original  string           // what it repeats of the mail: at least the header
}

// fieldGroups returns the groups of fields of a machine-readable part, such as one for each recipient.
func fieldGroups(text string) []textproto.Header {
	var groups []textproto.Header
	r := bufio.NewReader(strings.NewReader(strings.TrimSpace(text) + "\r\n\r\n"))
	for range 20 {
		h, err := textproto.ReadHeader(r)
		if err != nil {
			break
		}
		if h.Len() > 0 {
			groups = append(groups, h)
		}
	}
	return groups
}

// read reads a part of the report.
func (r *report) read(mediaType, text string) {
	switch mediaType {
	case "message/delivery-status":
		for _, group := range fieldGroups(text) {
			if group.Has("Final-Recipient") || group.Has("Action") {
				r.recipient = group
				return
			}
		}
	case "message/feedback-report":
		for _, group := range fieldGroups(text) {
			kind := strings.ToLower(group.Get("Feedback-Type"))
			r.complaint = kind != "" && kind != "not-spam"
		}
	case "message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers":
		r.original = text
	}
}

// updates returns the status of the message that the report quotes. Only a recipient can quote its signed
// Message-ID; a report without one is ignored.
func (r *report) updates(c channel.Connection, id string) []channel.Update {
	refs := refsIn(c, r.original)
	if len(refs) == 0 {
		return nil
	}
	ref := refs[0]
	if r.complaint {
		return []channel.Update{{Kind: channel.ConsentUpdate, ID: id + ":complaint", Ref: ref}}
	}
	status := strings.TrimSpace(r.recipient.Get("Status"))
	action := strings.ToLower(strings.TrimSpace(r.recipient.Get("Action")))
	if action != "failed" && !(action == "" && strings.HasPrefix(status, "5")) {
		return nil // delayed, delivered, relayed or expanded
	}
	e := &channel.Error{Class: channel.Rejected, Detail: "The message could not be delivered."}
	_, words, ok := strings.Cut(r.recipient.Get("Diagnostic-Code"), ";")
	if words = channel.CleanText(decodeWords(words)); ok && words != "" {
		e.Detail = "The mail server of the contact answered: " + words
	}
	// The address does not exist, or takes no mail any more.
	for _, gone := range []string{"5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"} {
		if status == gone {
			e.Class = channel.OptedOut
		}
	}
	return []channel.Update{{
		Kind: channel.StatusUpdate, ID: id + ":failed", Ref: ref, Status: channel.Failed, Error: e,
	}}
}
