package contact

import (
	"time"

	"frontdesk/shared/event"
)

// Event is something that happened to do with the contact, of which more is to be set.
func (c Contact) Event(kind event.Kind, at time.Time) event.Event {
	return event.Event{
		Kind: kind, At: at, AgentID: c.AgentID, ContactID: c.ID, ContactName: c.Name,
		Contact: c.ForConditions(),
	}
}

// ForConditions is what conditions of actions may ask of the contact.
func (c Contact) ForConditions() *event.Contact {
	return &event.Contact{Stage: string(c.Stage), LeadScore: c.LeadScore, Tags: c.Tags}
}

// Events returns what happened when the contact before became after. A nil before is a contact that is new.
func Events(before *Contact, after Contact, at time.Time) []event.Event {
	if before == nil {
		return []event.Event{after.Event(event.ContactCreated, at)}
	}
	if before.Stage == after.Stage {
		return nil
	}
	e := after.Event(event.ContactStageChanged, at)
	e.Stage, e.PreviousStage = string(after.Stage), string(before.Stage)
	return []event.Event{e}
}
