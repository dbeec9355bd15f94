package costs

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/table/sqlite"
)

// What requests may cost in round trips, the authentication included.
const (
	readGoal  = 2 // a list too
	writeGoal = 3
	turnGoal  = 5 // of a chat, beside the model
)

// goal is what a request may cost.
func (r Row) goal() int64 {
	method, path, _ := strings.Cut(r.Request, " ")
	path, _, _ = strings.Cut(path, " ")
	switch {
	case method == "GET":
		return readGoal
	case strings.HasSuffix(path, "/chat/") || strings.HasSuffix(path, "/chat/dry-run/") ||
		path == "/widget/{embed_key}/send/":
		return turnGoal
	}
	return writeGoal
}

// exceptions are the requests that cost more than their goal, with what they cost and why.
var exceptions = map[string]struct {
	trips int64
	why   string
}{
	"GET /agents/{agent_id}/chat/history/ (of a session of the caller's naming)": {3,
		"the session's id names no conversation to read beside it"},
	"POST /widget/{embed_key}/send/ (with an Idempotency-Key)": {7,
		"that the request is under way, and its answer, are written before and after"},
	"POST /widget/{embed_key}/files/": {7,
		"a message of a visitor, before which the agent is asked whether it takes files, the bytes of the " +
			"day are counted, and the file is stored"},
	"POST /widget/{embed_key}/visitor/": {4,
		"the embed key leads to the agent, the session to the contact, and the contact is written"},
	"PATCH /members/{id}/":   {4, "a member's session leads to the member, who must be an owner's equal"},
	"DELETE /members/{id}/":  {5, "the same, and the member's passkeys go before the sessions"},
	"POST /passkeys/":        {4, "the challenge is read, and the member's passkeys are counted"},
	"POST /session/passkey/": {4, "the challenge and the passkey are verified before a session is made"},
	"POST /api-keys/":        {4, "the workspace's keys are counted before another is made"},
	"POST /agents/{agent_id}/messages/ (first)": {5,
		"the phone leads to the contact, and the message is written before WhatsApp is called and after"},
	"POST /agents/{agent_id}/messages/ (next)": {5, "the same"},
	"POST /messages/send/":                     {5, "the same"},
	"GET /contacts/{id}/export/": {13,
		"it looks through the agent's conversations of each status, and is asked for once in a " +
			"contact's life"},
	"GET /conversations/": {3,
		"lists of conversations are of keys, so that no turn writes to them; what a page shows is read next"},
	"GET /conversations/ (of a status)":                   {3, "the same"},
	"GET /agents/{agent_id}/conversations/":               {3, "the same"},
	"GET /agents/{agent_id}/conversations/ (of a status)": {3, "the same"},
	"GET /agents/{agent_id}/conversations/ (since)":       {3, "the same"},
	"GET /conversations/ (q)": {4,
		"the same, and the messages of the conversations are looked through, of 50 in a trip"},
	"POST /conversations/{id}/reply/ (over WhatsApp)": {5,
		"the conversation leads to the contact, and the message is written before WhatsApp is called and " +
			"after"},
	"PATCH /contacts/{id}/ (name, with a conversation)": {4,
		"the contact leads to its conversations, which have its name and score, by which lists find them"},
	"GET /messages/{id}/attachments/{n}/": {4,
		"the message leads to its conversation, and that to the channel whose platform is asked"},
	"POST /contacts/{id}/merge/": {21,
		"conversations and appointments are no list of a contact's: all of the agent's are looked " +
			"through, by status"},
	"PATCH /appointments/{id}/ (only if free)": {5,
		"the appointment leads to its agent, whose reservation is read before the times that are taken"},
	"DELETE /contacts/{id}/": {4,
		"the contact leads to what leads to it, which is deleted only where it still does"},
	"DELETE /contacts/{id}/ (opted out)": {4, "the same"},
	"POST /contacts/ (found and filled)": {4,
		"the phone leads to the contact's id, that to the contact, and the contact is written: each needs " +
			"the one before"},
	"POST /agents/{agent_id}/train/": {4,
		"it learns from the FAQs of the knowledge, which are read first"},
	"POST /agents/{agent_id}/train/ (with an Idempotency-Key)": {6,
		"that the request is under way, and its answer, are written before and after"},
	"PATCH /knowledge/{id}/ (content)": {4,
		"the document leads to its agent, whose language decides how its words are indexed"},
	"POST /knowledge/{id}/reindex/":        {4, "as a new content"},
	"POST /knowledge/{id}/reindex/ (long)": {4, "as a new content"},
}

// TestGoals holds every request of the story to the goal of its kind.
func TestGoals(t *testing.T) {
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	met := map[string]bool{}
	for _, r := range rows(t, store) {
		want, except := exceptions[r.Request]
		switch {
		case except && r.RoundTrips != want.trips:
			t.Errorf("%s takes %d trips; as an exception it has %d, since %s", r.Request, r.RoundTrips,
				want.trips, want.why)
		case !except && r.RoundTrips > r.goal():
			t.Errorf("%s takes %d trips, and may take %d", r.Request, r.RoundTrips, r.goal())
		case except && r.RoundTrips <= r.goal():
			t.Errorf("%s is no exception", r.Request)
		}
		met[r.Request] = true
	}
	for request := range exceptions {
		if !met[request] {
			t.Errorf("nobody makes the request %s", request)
		}
	}
}
