package contact

import "frontdesk/shared/trigger"

// News is where the news of something begins that happened to do with the contact.
func (c Contact) News() trigger.News {
	return trigger.News{
		ContactID: c.ID, ContactName: c.Name,
		Contact: &trigger.Contact{Stage: string(c.Stage), LeadScore: c.LeadScore, Tags: c.Tags},
	}
}

// Occurred is what happened when the contact before became after.
func Occurred(before, after Contact) []trigger.Occurrence {
	if before.Stage == after.Stage {
		return nil
	}
	return []trigger.Occurrence{{
		Triggers: []trigger.Trigger{trigger.StageChanged},
		Facts:    trigger.Facts{Stage: string(after.Stage), PreviousStage: string(before.Stage)},
	}}
}
