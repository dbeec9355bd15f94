package appointment

import (
	"time"

	"frontdesk/shared/outbox"
	"frontdesk/shared/table"
	"frontdesk/shared/trigger"
)

// data is what webhooks are told of an appointment, in the order of the API's reference.
type data struct {
	AppointmentID int64  `json:"appointment_id"`
	Title         string `json:"title"`
	StartTime     string `json:"start_time"`
	ContactPhone  string `json:"contact_phone"`
}

// eventTime is the form of start_time in events, which is another than everywhere else.
const eventTime = "2006-01-02 15:04:05-07:00"

// announce is the write that tells of the appointment in an event of that kind.
func (a Appointment) announce(account, event int64, kind string, at time.Time) (table.Write, error) {
	text, err := outbox.Data(data{a.ID, a.Title, a.StartTime.Format(eventTime), a.ContactPhone})
	if err != nil {
		return table.Write{}, err
	}
	return outbox.Event{ID: event, Kind: kind, At: at, AccountID: account, AgentID: a.AgentID, Data: text}.Put()
}

// News is the news of the appointment, for actions that wait for t.
func (a Appointment) News(t trigger.Trigger) trigger.News {
	return trigger.News{
		ContactID: a.ContactID, ContactName: a.ContactName,
		Occurrences: []trigger.Occurrence{{
			Triggers: []trigger.Trigger{t},
			Facts: trigger.Facts{
				AppointmentID: a.ID, Title: a.Title, StartTime: a.StartTime.Format(eventTime), ContactPhone: a.ContactPhone,
			},
		}},
	}
}
