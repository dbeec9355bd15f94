package appointment

import (
	"time"

	"frontdesk/shared/event"
)

// eventTime is the format of start_time in events, which differs from that of the API.
const eventTime = "2006-01-02 15:04:05-07:00"

// Event returns an event about the appointment.
func (a Appointment) Event(kind event.Kind, at time.Time) event.Event {
	return event.Event{
		Kind: kind, At: at, AgentID: a.AgentID, ContactID: a.ContactID, ContactName: a.ContactName,
		ContactPhone: a.ContactPhone, AppointmentID: a.ID, Title: a.Title,
		StartTime: a.StartTime.Format(eventTime),
	}
}
