package appointments

import (
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/booking"
	"frontdesk/shared/when"
)

// told returns the dialogue about an appointment according to the arguments of a language model's call. The
// returned state has the contact's details in them. Its error is that of skill.State.Given.
func told(s *skill.State, slots skill.Slots) (*skill.State, *booking.Dialog, error) {
	under := booking.Of(s.Conversation.Frame)
	s = closely(s, under)
	details, err := s.Given(slots)
	if err != nil {
		return s, nil, err
	}
	closer := *s
	closer.Details = details
	in := input(&closer, under)
	yes, answers := slots.Truth("agrees")
	in.Interpretation = &booking.Interpretation{
		Does: booking.Does(slots.Text("does")), Service: slots.Text("service"),
		Agrees: answers && yes, Refuses: answers && !yes,
	}
	if day, ok := slots.Date("date"); ok {
		in.Interpretation.Wish.Dates = []when.Date{day}
	}
	if minute, ok := slots.Minute("time"); ok {
		in.Interpretation.Wish.Clock = when.Clock{From: minute, To: minute}
	}
	dialog, _ := booking.Begin(in, under)
	return &closer, dialog, nil
}
