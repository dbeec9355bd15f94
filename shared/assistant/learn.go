package assistant

import (
	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
)

// learn stores what the message says about its author. It does not overwrite what is known about a contact,
// except preferences. A number without a country code counts as a phone number only if the contact was
// asked for one, wants a person, or is booking an appointment.
func (s *state) learn(reply *ai.Reply) {
	d, named := s.Details, &s.author.Named
	toPerson := s.Conversation.TakeoverMode == conversation.ByHuman || s.handsOver != "" ||
		reply != nil && reply.Action == ai.Handoff
	if d.Preference != "" {
		s.Contact.Remember(skill.Preferences, d.Preference)
	}
	asked := toPerson || s.awaitsContact()
	if !s.Proved {
		if d.Local && !asked {
			d.Phone = ""
		}
		s.author.Claimed.Add(d.Identity)
		return
	}
	if named.Name == "" {
		named.Name = d.Name
	}
	if d.Phone != "" && named.Phone == "" && s.Contact.Phone == "" && (!d.Local || asked) {
		if s.author.PhoneIsFree(d.Phone) {
			named.Phone = d.Phone
		} else {
			// A phone belongs to one contact only, but this one can be reached there.
			s.Contact.Remember(sharedPhone, d.Phone)
		}
	}
	if d.Email != "" && named.Email == "" && s.Contact.Email == "" {
		if s.author.EmailIsFree(d.Email) {
			named.Email = d.Email
		} else {
			s.Contact.Email = d.Email // the address still leads to the contact that gave it first
		}
	}
}

// awaitsContact reports whether the contact was asked for contact details, or is booking an appointment.
func (s *state) awaitsContact() bool {
	return s.conversationBefore.Frame.Asked.Reply == frame.ForContact ||
		s.Conversation.Frame.Asked.Appointment.Open()
}

// sharedPhone is the name of the fact that stores a phone that belongs to another contact already.
const sharedPhone = "phone"
