package assistant

import (
	"maps"

	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
	"frontdesk/shared/table"
	"frontdesk/shared/text"
)

// learn keeps what the message tells of its writer, as if the message had named it. What is known of a
// contact stays, but for what it prefers. A number without its country code may be any number: it is a
// phone's where the contact was asked for one, wants a person, or has one.
func (s *state) learn(reply *ai.Reply) {
	d, named := s.Details, &s.message.Contact
	toPerson := s.Conversation.TakeoverMode == conversation.ByHuman || s.handsOver != "" ||
		reply != nil && reply.Action == ai.Handoff
	if d.Preference != "" {
		s.remember(skill.Preferences, d.Preference)
	}
	asked := toPerson || s.awaitsContact()
	if !s.Proved {
		if d.Local && !asked {
			d.Phone = ""
		}
		s.claimed.Add(d.Identity)
		return
	}
	if named.Name == "" {
		named.Name = d.Name
	}
	if d.Phone != "" && named.Phone == "" && s.Contact.Phone == "" && (!d.Local || asked) {
		if s.leadsNowhere(contact.KeyByPhone(s.Account, s.Agent.ID, d.Phone)) {
			named.Phone = d.Phone
		} else {
			// two contacts have no phone in common, but this one can be reached there
			s.remember(sharedPhone, d.Phone)
		}
	}
	if d.Email != "" && named.Email == "" && s.Contact.Email == "" {
		if s.leadsNowhere(contact.KeyByEmail(s.Account, s.Agent.ID, d.Email)) {
			named.Email = d.Email
		} else {
			s.Contact.Email = d.Email // and goes on leading to who gave it first
		}
	}
}

// awaitsContact reports whether the contact was asked how to be reached, or arranges an appointment.
func (s *state) awaitsContact() bool {
	return s.conversationBefore.Frame.Asked.Reply == frame.ForContact ||
		s.Conversation.Frame.Asked.Appointment.Open()
}

// leadsNowhere reports whether no contact is known by a phone or an e-mail address that was looked up.
func (s *state) leadsNowhere(key table.Key) bool {
	return s.pointers[key].ContactID == 0
}

// remember keeps a fact of the contact under a name. A contact has only so many.
func (s *state) remember(name, value string) {
	c := &s.Contact
	if _, known := c.Facts[name]; !known && len(c.Facts) >= skill.MaxFacts || value == "" {
		return
	}
	c.Facts = maps.Clone(c.Facts) // the contact as it was read has the same
	if c.Facts == nil {
		c.Facts = map[string]string{}
	}
	c.Facts[name] = text.Cut(value, skill.MaxFact)
}

// sharedPhone is the name of the fact that holds the phone a contact gave, where another contact has it.
const sharedPhone = "phone"
