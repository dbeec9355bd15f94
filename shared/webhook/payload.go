package webhook

import (
	"encoding/json"
	"time"

	"frontdesk/shared/event"
	"frontdesk/shared/wire"
)

// Body is what a live delivery of an event carries. Data is an object of JSON; its keys keep their order.
func Body(kind event.Kind, agent int64, data json.RawMessage) ([]byte, error) {
	return encode(struct {
		Event   event.Kind      `json:"event"`
		AgentID int64           `json:"agent_id"`
		Data    json.RawMessage `json:"data"`
	}{kind, agent, data})
}

// ActionFired is the event of a delivery to the webhook of an action. Nobody subscribes to it.
const ActionFired = "action.fire_webhook"

// ActionBody is what a delivery to the webhook of an action carries, which an event triggered. What happened
// in no conversation has the conversation_id 0.
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

// testBody is what a test delivery carries.
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

// encode writes JSON with a space after each colon and comma, as receivers may expect it.
func encode(v any) ([]byte, error) {
	text, err := wire.Marshal(v)
	return spaced(text), err
}

// spaced puts a space after the colons and commas of compact JSON that are not part of a string.
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
