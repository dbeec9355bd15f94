package playbook

import (
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/secret"
)

// An Action is something that the service does by itself when an event happens.
type Action struct {
	Row
	Name            string        `json:"name" example:"Tell the CRM"`
	ActionType      ActionType    `json:"action_type" example:"fire_webhook"`
	TriggerOn       event.Trigger `json:"trigger_on" doc:"What has to happen. A message that comes is message_received; it is keyword where its text meets the conditions, and intent_detected where it was answered and its intent meets them. message_sent is a reply of the agent or of a person, over WhatsApp once it was accepted there. appointment_updated is another time. contact_created is a contact that is added, by a message or by the API." example:"intent_detected"`
	Config          ActionConfig  `json:"config"`
	Configured      bool          `json:"configured" doc:"Whether config has what the action_type needs. An action that is not configured never runs." example:"true"`
	Conditions      []Condition   `json:"conditions" doc:"What has to be true as well, all of it. A text that what happened does not have is empty, such as the intent of a message without a reply."`
	CooldownSeconds int           `json:"cooldown_seconds" doc:"How long after a run it does not run again for the same contact, by the times when things happened." example:"3600"`
	MaxPerContact   int           `json:"max_per_contact" doc:"How often it runs for one contact, ever. 0 is no limit." example:"3"`
	MaxPerDay       int           `json:"max_per_day" doc:"How often it runs in a day of the agent's time zone, for all contacts. 0 is no limit." example:"0"`
	IsActive        bool          `json:"is_active" doc:"Whether it runs." example:"true"`
}

func (*Action) kind() Kind { return Actions }

// runs reports whether the action is active and configured.
func (a *Action) runs() bool { return a.IsActive && a.Configured }

// numbers implements subscriber.
func (a *Action) numbers() []string {
	if !a.runs() {
		return nil
	}
	return []string{a.TriggerOn.Number()}
}

// SecretPlace returns the place that the secret of the action's configuration is sealed for.
func (a *Action) SecretPlace(account int64) string {
	key := Key(account, a.AgentID, string(Actions), a.ID)
	return secret.Place(key.PK, key.SK, "config.secret")
}

// An ActionType is what an action does.
type ActionType string

// The types of actions.
const (
	FireWebhook ActionType = "fire_webhook" // calls the URL
	AddTag      ActionType = "add_tag"      // adds the tag to the contact
	RemoveTag   ActionType = "remove_tag"   // removes the tag from the contact
	SetStage    ActionType = "set_stage"    // sets the contact's stage
	SetPriority ActionType = "set_priority" // sets the conversation's priority
	SendMessage ActionType = "send_message" // sends the message in the conversation
	Handoff     ActionType = "handoff"      // hands the conversation over to a person
	Resolve     ActionType = "resolve"      // resolves the conversation
)

// Values implements api.Enum.
func (ActionType) Values() []string {
	return []string{
		string(FireWebhook), string(AddTag), string(RemoveTag), string(SetStage), string(SetPriority),
		string(SendMessage), string(Handoff), string(Resolve),
	}
}

// An ActionConfig is the configuration of an action. Fields that its type does not use are empty.
type ActionConfig struct {
	URL string `json:"url,omitempty" doc:"Of fire_webhook." example:"https://example.com/hooks/crm"`
	// Secret is sealed. The API shows only whether there is one.
	Secret   secret.Sealed         `json:"secret,omitempty" doc:"Of fire_webhook: __set__ where there is one."`
	Tag      string                `json:"tag,omitempty" doc:"Of add_tag and remove_tag."`
	Stage    contact.Stage         `json:"stage,omitempty" doc:"Of set_stage."`
	Priority conversation.Priority `json:"priority,omitempty" doc:"Of set_priority."`
	Message  string                `json:"message,omitempty" doc:"Of send_message."`
}

// For returns the configuration without the fields that the type does not use.
func (c ActionConfig) For(t ActionType) ActionConfig {
	switch t {
	case FireWebhook:
		return ActionConfig{URL: c.URL, Secret: c.Secret}
	case AddTag, RemoveTag:
		return ActionConfig{Tag: c.Tag}
	case SetStage:
		return ActionConfig{Stage: c.Stage}
	case SetPriority:
		return ActionConfig{Priority: c.Priority}
	case SendMessage:
		return ActionConfig{Message: c.Message}
	}
	return ActionConfig{}
}

// Missing returns the name of a field that the type needs and the configuration lacks, or "".
func (c ActionConfig) Missing(t ActionType) string {
	switch {
	case t == FireWebhook && c.URL == "":
		return "url"
	case (t == AddTag || t == RemoveTag) && c.Tag == "":
		return "tag"
	case t == SetStage && c.Stage == "":
		return "stage"
	case t == SetPriority && c.Priority == "":
		return "priority"
	case t == SendMessage && c.Message == "":
		return "message"
	}
	return ""
}
