package event

import (
	"encoding/json"
	"time"
)

// WebhookData returns the data of a webhook delivery of the event, a JSON object in the field order of the
// API reference, or nil for events that are not delivered to webhooks.
func (e Event) WebhookData() (json.RawMessage, error) {
	d, _ := Declared(e.Kind)
	if d.data == nil {
		return nil, nil
	}
	data := d.data(e)
	if data == nil {
		return nil, nil
	}
	return encode(data)
}

func resolvedData(e Event) any {
	return struct {
		ConversationID int64 `json:"conversation_id"`
	}{e.ConversationID}
}

// sentData returns nil for messages written by a person, and for those in the web chat and the API.
func sentData(e Event) any {
	if !e.OnPlatform || e.SentByAI == nil || !*e.SentByAI {
		return nil
	}
	return struct {
		ConversationID int64  `json:"conversation_id"`
		ContactPhone   string `json:"contact_phone"`
		Content        string `json:"content"`
		SentByAI       bool   `json:"sent_by_ai"`
		Action         string `json:"action"`
		Intent         string `json:"intent"`
	}{e.ConversationID, e.ContactPhone, e.Message, *e.SentByAI, e.Action, e.Intent}
}

func disconnectedData(e Event) any {
	return struct {
		ChannelType string `json:"channel_type"`
		Detail      string `json:"detail"`
	}{e.Channel, e.Detail}
}

func expiringData(e Event) any {
	return struct {
		APIKeyID  int64     `json:"api_key_id"`
		Name      string    `json:"name"`
		ExpiresAt time.Time `json:"expires_at"`
	}{e.APIKeyID, e.APIKeyName, e.EndsAt}
}

func appointmentData(e Event) any {
	return struct {
		AppointmentID int64  `json:"appointment_id"`
		Title         string `json:"title"`
		StartTime     string `json:"start_time"`
		ContactPhone  string `json:"contact_phone"`
	}{e.AppointmentID, e.Title, e.StartTime, e.ContactPhone}
}

// actionData is the data of the webhook of an action, in this order of fields.
type actionData struct {
	Trigger       Trigger  `json:"trigger"`
	Channel       string   `json:"channel,omitempty"`
	MessageID     int64    `json:"message_id,omitempty"`
	Message       string   `json:"message,omitempty"`
	SentByAI      *bool    `json:"sent_by_ai,omitempty"`
	Intent        string   `json:"intent,omitempty"`
	Confidence    *float64 `json:"confidence,omitempty"`
	Stage         string   `json:"stage,omitempty"`
	PreviousStage string   `json:"previous_stage,omitempty"`
	AppointmentID int64    `json:"appointment_id,omitempty"`
	Title         string   `json:"title,omitempty"`
	StartTime     string   `json:"start_time,omitempty"`
	ContactPhone  string   `json:"contact_phone,omitempty"`
}

// ActionData returns the data of the webhook of an action that the event triggers, for encoding as JSON.
func (e Event) ActionData(t Trigger) any {
	data := actionData{
		Trigger: t, Channel: e.Channel, MessageID: e.MessageID, Message: e.Message, SentByAI: e.SentByAI,
		Intent: e.Intent, Confidence: e.Confidence, Stage: e.Stage, PreviousStage: e.PreviousStage,
		AppointmentID: e.AppointmentID, Title: e.Title, StartTime: e.StartTime,
	}
	if e.AppointmentID != 0 {
		data.ContactPhone = e.ContactPhone
	}
	return data
}
