package contact

import (
	"time"

	"frontdesk/shared/event"
)

// Event returns an event about the contact, to which the caller adds.
func (c Contact) Event(kind event.Kind, at time.Time) event.Event {
	return event.Event{
		Kind: kind, At: at, AgentID: c.AgentID, ContactID: c.ID, ContactName: c.Name,
		Contact: c.ForConditions(),
	}
}

// ForConditions returns the data that conditions of actions can test.
func (c Contact) ForConditions() *event.Contact {
	return &event.Contact{Stage: string(c.Stage), LeadScore: c.LeadScore, Tags: c.Tags}
}

// Events returns the events of a change from before to after. before is nil for a new contact.
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
