package webhook

import (
	"encoding/json"
	"time"

	"frontdesk/shared/event"
	"frontdesk/shared/wire"
)

// Body returns the body of a live delivery. data is a JSON object; its keys keep their order.
func Body(kind event.Kind, agent int64, data json.RawMessage) ([]byte, error) {
	return encode(struct {
		Event   event.Kind      `json:"event"`
		AgentID int64           `json:"agent_id"`
		Data    json.RawMessage `json:"data"`
	}{kind, agent, data})
}

// ActionFired is the event of deliveries to the webhooks of actions. Webhooks cannot subscribe to it.
const ActionFired = "action.fire_webhook"

// ActionBody returns the body of a delivery to the webhook of an action. conversation_id is 0 for an event
// outside conversations.
func ActionBody(action string, t event.Trigger, e event.Event) ([]byte, error) {
	return encode(struct {
		Event          string `json:"event"`
		ActionName     string `json:"action_name"`
		AgentID        int64  `json:"agent_id"`
		ContactID      int64  `json:"contact_id"`
		ContactName    string `json:"contact_name"`
		ConversationID int64  `json:"conversation_id"`
		Data           any    `json:"data"`
	}{ActionFired, action, e.AgentID, e.ContactID, e.ContactName, e.ConversationID, e.ActionData(t)})
}

// testBody returns the body of a test delivery.
func testBody(id string, kind event.Kind, agent int64, at time.Time) ([]byte, error) {
	type data struct {
		Test    bool   `json:"test"`
		Message string `json:"message"`
	}
	return encode(struct {
		ID        string     `json:"id"`
		Type      event.Kind `json:"type"`
		CreatedAt string     `json:"created_at"`
		AgentID   int64      `json:"agent_id"`
		LiveMode  bool       `json:"livemode"`
		Data      data       `json:"data"`
	}{
		id, kind, at.UTC().Format("2006-01-02T15:04:05-07:00"), agent, false,
		data{true, "This is a test of your webhook. Nothing happened."},
	})
}

// encode encodes JSON with a space after each colon and comma, the form that receivers sign and compare.
func encode(v any) ([]byte, error) {
	text, err := wire.Marshal(v)
	return spaced(text), err
}

// spaced inserts a space after each colon and comma of compact JSON outside strings.
func spaced(text []byte) []byte {
	out := make([]byte, 0, len(text)+len(text)/8)
	inString, escaped := false, false
	for _, c := range text {
		out = append(out, c)
		switch {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		case !inString && (c == ':' || c == ','):
			out = append(out, ' ')
		}
	}
	return out
}
