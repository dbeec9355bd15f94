// Package costs measures what requests cost in round trips to the table and in capacity units.
// docs/data-model.md has the figures, and a test holds them.
package costs

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	"frontdesk/infra/platforms"
	"frontdesk/shared/api"
	"frontdesk/shared/table"
)

// A Row is the cost of one kind of request.
type Row struct {
	Request    string // method and path without the prefix, and what is special about it in brackets
	RoundTrips int64
	ReadUnits  float64
	WriteUnits float64
}

// A Recorder is a slog.Handler that records the line which the HTTP kit logs for each request.
type Recorder struct {
	mu   sync.Mutex
	last map[string]slog.Value
}

// Enabled implements slog.Handler.
func (r *Recorder) Enabled(context.Context, slog.Level) bool { return true }

// WithAttrs implements slog.Handler.
func (r *Recorder) WithAttrs([]slog.Attr) slog.Handler { return r }

// WithGroup implements slog.Handler.
func (r *Recorder) WithGroup(string) slog.Handler { return r }

// Handle implements slog.Handler.
func (r *Recorder) Handle(_ context.Context, record slog.Record) error {
	if record.Message != "request" {
		return nil
	}
	attrs := map[string]slog.Value{}
	record.Attrs(func(a slog.Attr) bool {
		attrs[a.Key] = a.Value
		return true
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = attrs
	return nil
}

// Last returns the cost of the last logged request, without its name.
func (r *Recorder) Last() Row {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Row{
		RoundTrips: r.last["round_trips"].Int64(),
		ReadUnits:  r.last["read_units"].Float64(),
		WriteUnits: r.last["write_units"].Float64(),
	}
}

// A step is a request of the measured story. In paths and bodies, {name} is a value that an earlier step
// kept.
type step struct {
	request      string // as in Row
	method, path string
	body         string
	once         string            // the Idempotency-Key, "" for none
	keep         map[string]string // names of values to keep, by their keys in the answer
	silent       bool              // only prepares a later step; not measured
	session      bool              // sent with the latest session instead of the API key
	signed       string            // the app secret that Meta signs the body with, "" for none
	// prepare, if not nil, replaces the request and prepares what no request can.
	prepare func(context.Context, play) error
}

const document = `Our shop is open from Monday to Friday from 9 am to 6 pm and on Saturdays from 10 am to 2 pm. ` +
	`We are closed on Sundays. Parking is free behind the house. Dogs are welcome. ` +
	`Orders over 50 euros are delivered free of charge within two days.`

// longDocument has more distinct words than fit into one transaction.
func longDocument() string {
	var b strings.Builder
	for n := range 150 {
		fmt.Fprintf(&b, "Shelf%d holds lamps. ", n)
	}
	return b.String()
}

// orderReady is a WhatsApp template, which may be sent at any time.
const orderReady = `{"to": "+14155550123", "type": "template", "template_name": "order_ready", "template_params": ["Ada", "4711"]}`

// ownSession is a session id that a caller invented. It names no conversation.
const ownSession = "6f1c2e0a-9d4b-4c57-8a3e-2b7f5d901c46"

// noAnswer is a question that the agent cannot answer.
const noAnswer = "Who won the football world cup in 1974?"

// story lists the requests, in an order in which each finds what it needs.
var story = []step{
	{request: "GET /me/", method: "GET", path: "/me/"},
	{prepare: invited},
	{request: "POST /session/", method: "POST", path: "/session/", body: `{"token": "{token}"}`,
		keep: map[string]string{"session": "id"}},
	{request: "GET /session/", method: "GET", path: "/session/"},
	{request: "POST /session/passkey-creation/", method: "POST", path: "/session/passkey-creation/",
		session: true,
		keep:    map[string]string{"challenge": "challenge", "user": "user_id"}},
	{prepare: passkeyMade},
	{request: "POST /passkeys/", method: "POST", path: "/passkeys/", session: true, body: `{made}`,
		keep: map[string]string{"passkey": "id"}},
	{request: "GET /passkeys/", method: "GET", path: "/passkeys/"},
	{request: "POST /session/passkey-request/", method: "POST", path: "/session/passkey-request/",
		keep: map[string]string{"challenge": "challenge"}},
	{prepare: passkeyUsed},
	{request: "POST /session/passkey/", method: "POST", path: "/session/passkey/", body: `{used}`,
		keep: map[string]string{"signed": "id"}},
	{method: "DELETE", path: "/sessions/{signed}/", silent: true},
	{request: "DELETE /passkeys/{id}/", method: "DELETE", path: "/passkeys/{passkey}/"},
	{request: "GET /sessions/", method: "GET", path: "/sessions/"},
	{request: "DELETE /sessions/{id}/", method: "DELETE", path: "/sessions/{session}/"},
	{request: "DELETE /session/", method: "DELETE", path: "/session/"},
	{request: "POST /members/", method: "POST", path: "/members/", body: `{"name": "Grace", "role": "agent"}`,
		keep: map[string]string{"member": "id"}},
	{request: "GET /members/", method: "GET", path: "/members/"},
	{request: "PATCH /members/{id}/", method: "PATCH", path: "/members/{member}/", body: `{"role": "admin"}`},
	{request: "POST /members/{id}/invite/", method: "POST", path: "/members/{member}/invite/"},
	{request: "DELETE /members/{id}/", method: "DELETE", path: "/members/{member}/"},
	{request: "POST /api-keys/", method: "POST", path: "/api-keys/", body: `{"name": "Shop"}`,
		keep: map[string]string{"key": "id"}},
	{request: "GET /api-keys/", method: "GET", path: "/api-keys/"},
	{request: "DELETE /api-keys/{id}/", method: "DELETE", path: "/api-keys/{key}/"},
	{request: "GET /audit/", method: "GET", path: "/audit/"},
	{request: "GET /openapi.json", method: "GET", path: "/openapi.json"},
	{request: "POST /agents/", method: "POST", path: "/agents/",
		body: `{"name": "Ada", "industry": "retail"}`, keep: map[string]string{"agent": "id"}},
	{request: "GET /agents/", method: "GET", path: "/agents/"},
	{request: "GET /agents/{agent_id}/", method: "GET", path: "/agents/{agent}/"},
	{request: "PATCH /agents/{agent_id}/", method: "PATCH", path: "/agents/{agent}/",
		body: `{"business_name": "Ada's"}`},
	{request: "POST /agents/{agent_id}/train/", method: "POST", path: "/agents/{agent}/train/"},
	{request: "POST /agents/{agent_id}/train/ (with an Idempotency-Key)", method: "POST",
		path: "/agents/{agent}/train/", once: "k"},
	{request: "POST /agents/{agent_id}/train/ (sent again with it)", method: "POST",
		path: "/agents/{agent}/train/", once: "k"},
	{request: "POST /agents/{agent_id}/activate/", method: "POST", path: "/agents/{agent}/activate/"},
	{request: "POST /agents/{agent_id}/pause/", method: "POST", path: "/agents/{agent}/pause/"},
	{method: "POST", path: "/agents/{agent}/activate/", silent: true},
	{request: "GET /agents/{agent_id}/widget/", method: "GET", path: "/agents/{agent}/widget/"},
	{request: "PATCH /agents/{agent_id}/widget/", method: "PATCH", path: "/agents/{agent}/widget/",
		body: `{"tagline": "Ask us"}`},
	{request: "POST /agents/{agent_id}/widget/rotate-key/", method: "POST",
		path: "/agents/{agent}/widget/rotate-key/",
		keep: map[string]string{"embed": "embed_key"}},
	{request: "POST /agents/{agent_id}/widget/identity-secret/", method: "POST",
		path: "/agents/{agent}/widget/identity-secret/"},
	{request: "POST /agents/{agent_id}/channels/ (connect)", method: "POST",
		path: "/agents/{agent}/channels/",
		body: `{"channel_type": "whatsapp", "config": {"phone_number_id": "106540352242922", "access_token": "EAAG0bXk"}}`},
	{request: "POST /agents/{agent_id}/channels/ (update)", method: "POST", path: "/agents/{agent}/channels/",
		body: `{"channel_type": "whatsapp", "config": {"access_token": "EAAG1cYl"}}`},
	{request: "GET /agents/{agent_id}/channels/", method: "GET", path: "/agents/{agent}/channels/"},
	{request: "POST /agents/{agent_id}/channels/{channel_type}/check/", method: "POST",
		path: "/agents/{agent}/channels/whatsapp/check/"},
	{request: "GET /agents/{agent_id}/channels/{channel_type}/templates/", method: "GET",
		path: "/agents/{agent}/channels/whatsapp/templates/"},
	{method: "POST", path: "/agents/{agent}/channels/", silent: true,
		body: `{"channel_type": "whatsapp", "config": {"app_secret": "hunter2", "verify_token": "sesame"}}`},
	{request: "GET /inbound/{agent_id}/{channel_type}/", method: "GET",
		path: "/inbound/{agent}/whatsapp/?hub.mode=subscribe&hub.challenge=5&hub.verify_token=sesame"},
	{request: "POST /inbound/{agent_id}/{channel_type}/ (a message)", method: "POST",
		path: "/inbound/{agent}/whatsapp/", signed: "hunter2",
		body: string(platforms.WhatsAppText("106540352242922", "16505551234", "wamid.1",
			"Are you open on Saturdays?", 1749416383))},
	{request: "POST /inbound/{agent_id}/{channel_type}/ (the message again)", method: "POST",
		path: "/inbound/{agent}/whatsapp/", signed: "hunter2",
		body: string(platforms.WhatsAppText("106540352242922", "16505551234", "wamid.1",
			"Are you open on Saturdays?", 1749416383))},
	{request: "DELETE /agents/{agent_id}/channels/{channel_type}/", method: "DELETE",
		path: "/agents/{agent}/channels/whatsapp/"},
	{request: "GET /agents/{agent_id}/ecommerce/", method: "GET", path: "/agents/{agent}/ecommerce/"},
	{request: "PATCH /agents/{agent_id}/ecommerce/", method: "PATCH", path: "/agents/{agent}/ecommerce/",
		body: `{"enabled": true, "payment": {"provider": "stripe", "api_key": "sk_live_51H8x"}}`},
	{request: "POST /agents/{agent_id}/knowledge/", method: "POST", path: "/agents/{agent}/knowledge/",
		body: fmt.Sprintf(`{"title": "About us", "content": %q}`, document),
		keep: map[string]string{"document": "id"}},
	{request: "POST /agents/{agent_id}/knowledge/upload/", method: "POST",
		path: "/agents/{agent}/knowledge/upload/",
		body: `{"name": "prices.txt", "data": "QSBoYWlyY3V0IGNvc3RzIDQ1IGV1cm9zLg=="}`, keep: map[string]string{"uploaded": "id"}},
	{method: "DELETE", path: "/knowledge/{uploaded}/", silent: true},
	{request: "GET /agents/{agent_id}/knowledge/", method: "GET", path: "/agents/{agent}/knowledge/"},
	{request: "GET /knowledge/{id}/", method: "GET", path: "/knowledge/{document}/"},
	{request: "PATCH /knowledge/{id}/ (title)", method: "PATCH", path: "/knowledge/{document}/",
		body: `{"title": "About the shop"}`},
	{request: "PATCH /knowledge/{id}/ (content)", method: "PATCH", path: "/knowledge/{document}/",
		body: fmt.Sprintf(`{"content": %q}`, document+" Cash is taken too.")},
	{request: "POST /knowledge/{id}/reindex/", method: "POST", path: "/knowledge/{document}/reindex/"},
	{request: "POST /agents/{agent_id}/knowledge/ (long)", method: "POST", path: "/agents/{agent}/knowledge/",
		body: fmt.Sprintf(`{"title": "Shelves", "content": %q}`, longDocument()),
		keep: map[string]string{"long": "id"}},
	{request: "PATCH /knowledge/{id}/ (title, long)", method: "PATCH", path: "/knowledge/{long}/",
		body: `{"title": "The shelves"}`},
	{request: "POST /knowledge/{id}/reindex/ (long)", method: "POST", path: "/knowledge/{long}/reindex/"},
	{method: "DELETE", path: "/knowledge/{long}/", silent: true},
	{request: "POST /agents/{agent_id}/chat/dry-run/", method: "POST", path: "/agents/{agent}/chat/dry-run/",
		body: `{"message": "When do you open?"}`},
	{request: "POST /agents/{agent_id}/chat/ (first)", method: "POST", path: "/agents/{agent}/chat/",
		body: `{"message": "Are you open on Saturdays?"}`, keep: map[string]string{"session": "session_id"}},
	{request: "POST /agents/{agent_id}/chat/ (next)", method: "POST", path: "/agents/{agent}/chat/",
		body: `{"message": "Is parking free?", "session_id": "{session}"}`},
	{request: "POST /agents/{agent_id}/chat/ (no answer)", method: "POST", path: "/agents/{agent}/chat/",
		body: `{"message": "` + noAnswer + `"}`},
	{request: "POST /agents/{agent_id}/websites/", method: "POST", path: "/agents/{agent}/websites/",
		body: `{"url": "https://example.com/"}`, keep: map[string]string{"website": "id"}},
	{request: "GET /agents/{agent_id}/websites/", method: "GET", path: "/agents/{agent}/websites/"},
	{request: "GET /agents/{agent_id}/websites/{website_id}/", method: "GET",
		path: "/agents/{agent}/websites/{website}/"},
	{request: "POST /agents/{agent_id}/websites/{website_id}/stop/", method: "POST",
		path: "/agents/{agent}/websites/{website}/stop/"},
	{request: "POST /agents/{agent_id}/websites/{website_id}/crawl/", method: "POST",
		path: "/agents/{agent}/websites/{website}/crawl/"},
	{request: "DELETE /agents/{agent_id}/websites/{website_id}/", method: "DELETE",
		path: "/agents/{agent}/websites/{website}/"},
	{request: "GET /agents/{agent_id}/knowledge/unanswered/", method: "GET",
		path: "/agents/{agent}/knowledge/unanswered/"},
	{prepare: askedInVain},
	{request: "DELETE /agents/{agent_id}/knowledge/unanswered/{question_id}/", method: "DELETE",
		path: "/agents/{agent}/knowledge/unanswered/{unanswered}/"},
	{request: "GET /agents/{agent_id}/chat/history/", method: "GET",
		path: "/agents/{agent}/chat/history/?session_id={session}"},
	{method: "POST", path: "/agents/{agent}/chat/",
		body: `{"message": "Hello", "session_id": "` + ownSession + `"}`, silent: true},
	{request: "POST /agents/{agent_id}/chat/ (in a session of the caller's naming)", method: "POST",
		path: "/agents/{agent}/chat/",
		body: `{"message": "Is parking free?", "session_id": "` + ownSession + `"}`},
	{request: "GET /agents/{agent_id}/chat/history/ (of a session of the caller's naming)", method: "GET",
		path: "/agents/{agent}/chat/history/?session_id=" + ownSession},
	{request: "GET /widget/{embed_key}/config/", method: "GET", path: "/widget/{embed}/config/"},
	{request: "POST /widget/{embed_key}/send/ (first)", method: "POST", path: "/widget/{embed}/send/",
		body: `{"message": "Are you open on Saturdays?"}`, keep: map[string]string{"visit": "session_id", "visited": "conversation_id"}},
	{request: "POST /widget/{embed_key}/send/ (next)", method: "POST", path: "/widget/{embed}/send/",
		body: `{"message": "Is parking free?", "session_id": "{visit}"}`,
		keep: map[string]string{"reply": "message_id"}},
	{request: "POST /widget/{embed_key}/send/ (with an Idempotency-Key)", method: "POST",
		path: "/widget/{embed}/send/",
		body: `{"message": "Is parking free?", "session_id": "{visit}"}`, once: "k"},
	{request: "POST /widget/{embed_key}/send/ (sent again with it)", method: "POST",
		path: "/widget/{embed}/send/",
		body: `{"message": "Is parking free?", "session_id": "{visit}"}`, once: "k"},
	{request: "GET /widget/{embed_key}/history/", method: "GET",
		path: "/widget/{embed}/history/?session_id={visit}"},
	{request: "GET /widget/{embed_key}/history/ (after the last)", method: "GET",
		path: "/widget/{embed}/history/?session_id={visit}&after={reply}"},
	{request: "POST /widget/{embed_key}/visitor/", method: "POST", path: "/widget/{embed}/visitor/",
		body: `{"session_id": "{visit}", "name": "Ada", "email": "ada@example.com"}`},
	{request: "POST /widget/{embed_key}/feedback/", method: "POST", path: "/widget/{embed}/feedback/",
		body: `{"session_id": "{visit}", "message_id": {reply}, "rating": "positive"}`},
	{method: "PATCH", path: "/agents/{agent}/widget/", body: `{"accept_files": true}`, silent: true},
	{request: "POST /widget/{embed_key}/files/", method: "POST", path: "/widget/{embed}/files/",
		body: `{"name": "receipt.pdf", "data": "JVBERi0xLjcK", "session_id": "{visit}"}`},
	{method: "PATCH", path: "/agents/{agent}/widget/", body: `{"accept_files": false}`, silent: true},
	{request: "GET /widget/{embed_key}/team/", method: "GET", path: "/widget/{embed}/team/"},
	{request: "POST /widget/{embed_key}/typing/", method: "POST", path: "/widget/{embed}/typing/",
		body: `{"session_id": "{visit}"}`},
	{method: "POST", path: "/conversations/{visited}/handoff/", silent: true},
	{request: "POST /widget/{embed_key}/typing/ (to a person)", method: "POST",
		path: "/widget/{embed}/typing/", body: `{"session_id": "{visit}"}`},
	{request: "POST /conversations/{id}/presence/", method: "POST",
		path: "/conversations/{visited}/presence/", body: `{"activity": "writing"}`},
	{request: "GET /widget/{embed_key}/history/ (while a person writes)", method: "GET",
		path: "/widget/{embed}/history/?session_id={visit}&after={reply}"},
	{method: "POST", path: "/conversations/{visited}/resume-ai/", silent: true},
	{method: "POST", path: "/agents/{agent}/chat/",
		body: `{"message": "Is parking free?", "session_id": "{session}"}`,
		keep: map[string]string{"conversation": "conversation_id"}, silent: true},
	{request: "GET /conversations/", method: "GET", path: "/conversations/"},
	{request: "GET /conversations/ (of a status)", method: "GET", path: "/conversations/?status=open"},
	{request: "GET /agents/{agent_id}/conversations/", method: "GET", path: "/agents/{agent}/conversations/"},
	{request: "GET /agents/{agent_id}/conversations/ (of a status)", method: "GET",
		path: "/agents/{agent}/conversations/?status=open"},
	{request: "GET /agents/{agent_id}/conversations/ (since)", method: "GET",
		path: "/agents/{agent}/conversations/?since=2026-03-01T00:00:00Z"},
	{request: "GET /conversations/{id}/", method: "GET", path: "/conversations/{conversation}/"},
	{request: "GET /conversations/{id}/messages/", method: "GET",
		path: "/conversations/{conversation}/messages/"},
	{request: "GET /conversations/ (q)", method: "GET", path: "/conversations/?q=nothing"},
	{request: "PATCH /conversations/{id}/", method: "PATCH", path: "/conversations/{conversation}/",
		body: `{"read": true}`},
	{request: "POST /conversations/{id}/notes/", method: "POST", path: "/conversations/{conversation}/notes/",
		body: `{"content": "She comes back on Friday."}`},
	{request: "GET /conversations/{id}/notes/", method: "GET", path: "/conversations/{conversation}/notes/"},
	{request: "GET /changes/", method: "GET", path: "/changes/", keep: map[string]string{"cursor": "cursor"}},
	{request: "GET /changes/ (after)", method: "GET", path: "/changes/?after={cursor}"},
	{method: "POST", path: "/conversations/{visited}/presence/", body: `{"activity": "viewing"}`,
		silent: true},
	{request: "GET /changes/ (somebody writes)", method: "GET", path: "/changes/?after={cursor}"},
	{request: "GET /messages/", method: "GET", path: "/messages/?conversation_id={conversation}"},
	{request: "GET /messages/{id}/", method: "GET", path: "/messages/{reply}/"},
	{request: "POST /conversations/{id}/handoff/", method: "POST",
		path: "/conversations/{conversation}/handoff/"},
	{request: "POST /conversations/{id}/resume-ai/", method: "POST",
		path: "/conversations/{conversation}/resume-ai/"},
	{request: "POST /conversations/{id}/reply/", method: "POST", path: "/conversations/{conversation}/reply/",
		body: `{"message": "We kept it."}`},
	{request: "POST /conversations/{id}/resolve/", method: "POST",
		path: "/conversations/{conversation}/resolve/"},
	{request: "POST /contacts/ (new)", method: "POST", path: "/contacts/",
		body: `{"agent_id": {agent}, "phone": "+14155550123", "name": "Ada"}`, keep: map[string]string{"contact": "id"}},
	{request: "POST /contacts/ (found)", method: "POST", path: "/contacts/",
		body: `{"agent_id": {agent}, "phone": "+14155550123"}`},
	{request: "POST /contacts/ (found and filled)", method: "POST", path: "/contacts/",
		body: `{"agent_id": {agent}, "phone": "+14155550123", "email": "ada@example.com"}`},
	{request: "GET /contacts/", method: "GET", path: "/contacts/"},
	{request: "GET /contacts/ (q)", method: "GET", path: "/contacts/?q=nothing"},
	{request: "GET /contacts/ (of an agent)", method: "GET", path: "/contacts/?agent_id={agent}"},
	{request: "GET /contacts/{id}/", method: "GET", path: "/contacts/{contact}/"},
	{request: "GET /contacts/{id}/export/", method: "GET", path: "/contacts/{contact}/export/"},
	{request: "PATCH /contacts/{id}/", method: "PATCH", path: "/contacts/{contact}/",
		body: `{"notes": "Mornings"}`},
	{request: "PATCH /contacts/{id}/ (e-mail address)", method: "PATCH", path: "/contacts/{contact}/",
		body: `{"email": "a@example.com"}`},
	{request: "POST /contacts/{id}/tags/", method: "POST", path: "/contacts/{contact}/tags/",
		body: `{"tags": ["vip"]}`},
	{request: "DELETE /contacts/{id}/tags/{tag_name}/", method: "DELETE",
		path: "/contacts/{contact}/tags/vip/"},
	{method: "POST", path: "/agents/{agent}/channels/", silent: true,
		body: `{"channel_type": "whatsapp", "config": {"phone_number_id": "106540352242922", "access_token": "EAAG0bXk"}}`},
	{request: "POST /agents/{agent_id}/messages/ (first)", method: "POST", path: "/agents/{agent}/messages/",
		body: orderReady},
	{request: "POST /agents/{agent_id}/messages/ (next)", method: "POST", path: "/agents/{agent}/messages/",
		body: orderReady},
	{prepare: theyWrote},
	{request: "POST /messages/send/", method: "POST", path: "/messages/send/",
		body: `{"agent_id": {agent}, "phone_number": "+14155550123", "message": "Your bicycle is ready."}`},
	{request: "POST /conversations/{id}/reply/ (over WhatsApp)", method: "POST",
		path: "/conversations/{whatsapp}/reply/",
		body: `{"message": "We kept it."}`},
	{prepare: pictured},
	{request: "GET /messages/{id}/attachments/{n}/", method: "GET",
		path: "/messages/{picture}/attachments/0/"},
	{request: "PATCH /contacts/{id}/ (name, with a conversation)", method: "PATCH",
		path: "/contacts/{contact}/", body: `{"name": "Ada L."}`},
	{request: "POST /contacts/{id}/opt-out/", method: "POST", path: "/contacts/{contact}/opt-out/"},
	{request: "POST /appointments/", method: "POST", path: "/appointments/",
		body: `{"agent_id": {agent}, "contact_id": {contact}, "title": "Hair cut", "start_time": "2026-03-02T09:30:00+01:00"}`,
		keep: map[string]string{"appointment": "id"}},
	{request: "GET /appointments/", method: "GET", path: "/appointments/"},
	{request: "GET /appointments/ (of a status)", method: "GET", path: "/appointments/?status=pending"},
	{request: "GET /appointments/ (of an agent)", method: "GET", path: "/appointments/?agent_id={agent}"},
	{request: "GET /appointments/ (of a time)", method: "GET",
		path: "/appointments/?agent_id={agent}&from=2026-03-01&to=2026-03-08"},
	{request: "GET /appointments/ (of a contact)", method: "GET",
		path: "/appointments/?agent_id={agent}&contact_id={contact}"},
	{request: "GET /agents/{agent_id}/free-times/", method: "GET",
		path: "/agents/{agent}/free-times/?day=2026-03-02"},
	{request: "PATCH /appointments/{id}/ (only if free)", method: "PATCH", path: "/appointments/{appointment}/", body: `{"start_time": "2026-03-02T12:30:00+01:00", "only_if_free": true}`},
	{request: "GET /appointments/{id}/", method: "GET", path: "/appointments/{appointment}/"},
	{request: "PATCH /appointments/{id}/ (notes)", method: "PATCH", path: "/appointments/{appointment}/",
		body: `{"notes": "Short"}`},
	{request: "PATCH /appointments/{id}/ (status)", method: "PATCH", path: "/appointments/{appointment}/",
		body: `{"status": "confirmed"}`},
	{request: "PATCH /appointments/{id}/ (time)", method: "PATCH", path: "/appointments/{appointment}/",
		body: `{"start_time": "2026-03-03T09:30:00+01:00"}`},
	{request: "GET /agents/{agent_id}/analytics/", method: "GET", path: "/agents/{agent}/analytics/"},
	{request: "GET /agents/{agent_id}/analytics/conversations/", method: "GET",
		path: "/agents/{agent}/analytics/conversations/"},
	{request: "GET /agents/{agent_id}/analytics/leads/", method: "GET",
		path: "/agents/{agent}/analytics/leads/"},
	{prepare: onPlan("enterprise")},
	{request: "GET /agents/{agent_id}/analytics/csat/", method: "GET",
		path: "/agents/{agent}/analytics/csat/"},
	{prepare: onPlan("pro")},
	{request: "DELETE /appointments/{id}/", method: "DELETE", path: "/appointments/{appointment}/"},
	{method: "POST", path: "/contacts/", body: `{"agent_id": {agent}, "phone": "+14155550125"}`,
		keep: map[string]string{"joined": "id"}, silent: true},
	{method: "POST", path: "/contacts/", body: `{"agent_id": {agent}, "phone": "+14155550124", "email": "b@example.com"}`,
		keep: map[string]string{"another": "id"}, silent: true},
	{request: "POST /contacts/{id}/merge/", method: "POST", path: "/contacts/{contact}/merge/",
		body: `{"contact_id": {joined}}`},
	{request: "DELETE /contacts/{id}/", method: "DELETE", path: "/contacts/{another}/"},
	{request: "DELETE /contacts/{id}/ (opted out)", method: "DELETE", path: "/contacts/{contact}/"},
	{request: "DELETE /knowledge/{id}/", method: "DELETE", path: "/knowledge/{document}/"},
	{request: "DELETE /agents/{agent_id}/", method: "DELETE", path: "/agents/{agent}/"},
}

// steps returns the steps of the whole story.
func steps() ([]step, error) {
	rest := slices.Concat(playbookSteps(), webhooks(), actions(), funnels())
	standard, err := collections(slices.Concat(story, rest))
	agent := step{method: "POST", path: "/agents/", body: `{"name": "Ada"}`,
		keep: map[string]string{"agent": "id"}, silent: true}
	return slices.Concat(story, []step{agent}, standard, rest), err
}

// Measure runs the story against a service that logs to the recorder. The rows are in the story's order,
// without duplicates.
func Measure(ctx context.Context, service http.Handler, log *Recorder, to Workspace) ([]Row, error) {
	p := newPlay(to)
	all, err := steps()
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, s := range all {
		var batches batches
		if err := p.do(table.WithObserver(ctx, batches.add), service, s); err != nil {
			return nil, err
		}
		if s.silent || s.prepare != nil {
			continue
		}
		row := batches.without(log.Last())
		row.Request = s.request
		if !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// batches is the cost of storing the number of calls, which only a few requests do: see package rate.
type batches struct {
	mu            sync.Mutex
	ofKeys, other float64 // write units
}

func (b *batches) add(uses ...table.Use) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, use := range uses {
		switch kind, _, _ := strings.Cut(use.Key.PK, "/"); kind {
		case "key", "signed-in":
			if use.WriteUnits == 1 { // more: a key or session is created or deleted
				b.ofKeys++
			}
		case "visitor":
			b.other += use.WriteUnits
		}
	}
}

// without returns the cost of a request that stores no batch: its key or session is read instead of
// written.
func (b *batches) without(r Row) Row {
	r.ReadUnits += b.ofKeys
	r.WriteUnits -= b.ofKeys + b.other
	return r
}

// do sends the request of a step.
func (p play) do(ctx context.Context, service http.Handler, s step) error {
	if s.prepare != nil {
		return s.prepare(ctx, p)
	}
	req := httptest.NewRequestWithContext(ctx, s.method, "http://localhost/api/v1"+p.fill(s.path),
		strings.NewReader(p.fill(s.body)))
	if s.session {
		req.Header.Set("Cookie", p.kept["cookie"])
		req.Header.Set("Content-Type", "application/json")
	} else {
		req.Header.Set("Authorization", "Bearer "+p.Key)
	}
	req.Header.Set(api.IdempotencyKeyHeader, s.once)
	if s.signed != "" {
		req.Header.Set("X-Hub-Signature-256", platforms.SignGraph(s.signed, []byte(s.body)))
	}
	w := httptest.NewRecorder()
	service.ServeHTTP(w, req)
	if w.Code >= 300 {
		return fmt.Errorf("%s %s: %d %s", s.method, s.path, w.Code, w.Body)
	}
	if set, err := http.ParseSetCookie(w.Header().Get("Set-Cookie")); err == nil {
		p.kept["cookie"] = set.Name + "=" + set.Value
	}
	if s.keep == nil {
		return nil
	}
	var answer map[string]json.RawMessage
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		return fmt.Errorf("%s %s: %w", s.method, s.path, err)
	}
	for name, field := range s.keep {
		p.kept[name] = strings.Trim(string(answer[field]), `"`)
	}
	return nil
}

// fill replaces names in braces by the values that earlier steps kept.
func (p play) fill(text string) string {
	for name, value := range p.kept {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return text
}
