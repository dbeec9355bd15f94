package event

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/id"
)

var noon = time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)

// TestDeclarations holds that kinds are declared once, that each has a possible subscriber that it is sent
// to, and that their fields are those of an Event.
func TestDeclarations(t *testing.T) {
	fields := map[string]bool{}
	for i := range reflect.TypeFor[Event]().NumField() {
		name, _, _ := strings.Cut(reflect.TypeFor[Event]().Field(i).Tag.Get("json"), ",")
		fields[name] = true
	}
	seen := map[Kind]bool{}
	for _, d := range Declarations() {
		triggered := slices.ContainsFunc(triggers[:], func(row triggerRow) bool { return row.kind == d.Kind })
		if seen[d.Kind] || d.Doc == "" || d.Worker == "" && d.data == nil && !triggered {
			t.Errorf("%s is declared twice, without a text, or for nobody", d.Kind)
		}
		seen[d.Kind] = true
		for _, name := range d.Fields {
			if !fields[name] {
				t.Errorf("%s has a field %q, and events have none", d.Kind, name)
			}
		}
	}
}

// TestOffered holds the events that the API's reference has.
func TestOffered(t *testing.T) {
	want := []string{
		"message.sent", "conversation.resolved", "appointment.created", "appointment.updated",
		"channel.disconnected", "api_key.expiring", "message.received", "conversation.opened",
		"contact.created",
	}
	if diff := cmp.Diff(want, Kind("").Values()); diff != "" {
		t.Error(diff)
	}
}

// TestPublish says who has to subscribe for an event to be written, and what is told of it.
func TestPublish(t *testing.T) {
	yes, no := true, false
	for _, test := range []struct {
		name string
		to   Subscriptions
		e    Event
		want string // the triggers, and the data for webhooks; "" where nothing is written
	}{
		{"for a worker", nil, Event{Kind: AgentDeleted}, "[] "},
		{"for nobody", nil, Event{Kind: MessageReceived}, ""},
		{"offered and never delivered to webhooks", nil, Event{Kind: ContactCreated}, ""},
		{"for another trigger", Subscriptions{OnHandoff: true}, Event{Kind: MessageReceived}, ""},
		{"for a trigger", Subscriptions{OnHandoff: true}, Event{Kind: ConversationHandedOver}, "[handoff] "},
		{
			"of an action", Subscriptions{OnHandoff: true},
			Event{Kind: ConversationHandedOver, ByAction: true}, "",
		},
		{
			"one of several triggers", Subscriptions{OnKeyword: true,
				OnIntentDetected: true}, Event{Kind: MessageReceived},
			"[keyword] ",
		},
		{
			"an intent", Subscriptions{OnMessageReceived: true, OnIntentDetected: true},
			Event{Kind: MessageReceived, Intent: "pricing"}, "[message_received intent_detected] ",
		},
		{
			"for webhooks", nil, Event{Kind: ConversationResolved, ConversationID: 9}, `[] {"conversation_id":9}`,
		},
		{
			"for webhooks and a trigger", Subscriptions{OnConversationResolved: true},
			Event{Kind: ConversationResolved, ConversationID: 9}, `[conversation_resolved] {"conversation_id":9}`,
		},
		{
			"sent on a platform", nil,
			Event{Kind: MessageSent, ConversationID: 9, OnPlatform: true, SentByAI: &yes,
				Message: "<b> & \u2028"},
			`[] {"conversation_id":9,"contact_phone":"","content":"<b> & \u2028","sent_by_ai":true,"action":"","intent":""}`,
		},
		{"sent by a person", nil, Event{Kind: MessageSent, OnPlatform: true, SentByAI: &no}, ""},
		{"sent in the web chat", nil, Event{Kind: MessageSent, SentByAI: &yes}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.e.At = noon
			writes, err := Publish(id.NewSource(time.Now), 7, test.to, test.e)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, w := range writes {
				e, err := Read(w.Item)
				if err != nil || e.ID == 0 || e.AccountID != 7 || w.Item.Key != Key(7, e.ID) {
					t.Errorf("%+v, %v", w.Item, err)
				}
				data, err := e.WebhookData()
				if err != nil {
					t.Fatal(err)
				}
				got += fmt.Sprintf("%v %s", e.Triggers, data)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestReadUnknown refuses what a newer version may have written.
func TestReadUnknown(t *testing.T) {
	put, err := Event{ID: 1, AccountID: 7, Kind: "agent.promoted", At: noon}.Put()
	if err != nil {
		t.Fatal(err)
	}
	if e, err := Read(put.Item); err == nil {
		t.Errorf("%+v", e)
	}
}

// TestTriggers maps every name that the API has to a kind, and counts subscriptions.
func TestTriggers(t *testing.T) {
	numbers := map[string]int64{OnHandoff.Number(): 2, OnKeyword.Number(): 0, "webhooks": 3}
	if diff := cmp.Diff(Subscriptions{OnHandoff: true}, SubscriptionsOf(numbers)); diff != "" {
		t.Error(diff)
	}
	for _, row := range triggers {
		if _, ok := Declared(row.kind); !ok {
			t.Errorf("%s is of %q, which is no kind", row.trigger, row.kind)
		}
	}
}
