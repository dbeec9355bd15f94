package appointments

import (
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/booking"
	"frontdesk/shared/when"
)

// told is the arrangement by what a language model has understood of the message. The state that it returns
// has the details that it gives.
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
	in.Told = &booking.Told{
		Does: booking.Does(slots.Text("does")), Service: slots.Text("service"),
		Agrees: answers && yes, Refuses: answers && !yes,
	}
	if day, ok := slots.Date("date"); ok {
		in.Told.Wish.Dates = []when.Date{day}
	}
	if minute, ok := slots.Minute("time"); ok {
		in.Told.Wish.Clock = when.Clock{From: minute, To: minute}
	}
	dialog, _ := booking.Begin(in, under)
	return &closer, dialog, nil
}
