// Package appointment stores the appointments of contacts with the business of an agent.
package appointment

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// Status is the status of an appointment.
type Status string

// The statuses. The first two may change to any other; the last two are final.
const (
	Pending   Status = "pending"
	Confirmed Status = "confirmed"
	Cancelled Status = "cancelled"
	Completed Status = "completed"
)

// Values implements api.Enum.
func (Status) Values() []string {
	return []string{string(Pending), string(Confirmed), string(Cancelled), string(Completed)}
}

// Final reports whether the status and the time of such an appointment can no longer change.
func (s Status) Final() bool { return s == Cancelled || s == Completed }

// An Appointment is a time reserved for a contact.
type Appointment struct {
	ID        int64 `json:"id"`
	AgentID   int64 `json:"agent_id"`
	ContactID int64 `json:"contact_id"`
	// ContactName and ContactPhone are the contact's at the time of booking; either may be empty.
	ContactName  string `json:"contact_name"`
	ContactPhone string `json:"contact_phone"`
	Title        string `json:"title"`
	Notes        string `json:"notes"`
	// StartTime and EndTime are in whole seconds, with the UTC offset that they were given with.
	StartTime time.Time `json:"start_time"`
	EndTime   time.Time `json:"end_time"`
	Status    Status    `json:"status"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// OnlyIfFree refuses a time that overlaps another appointment of the agent. It is not stored.
	OnlyIfFree bool `json:"-"`
}

// Limits of an appointment's time. A time outside is a mistake, such as zero or milliseconds taken for
// seconds.
const (
	firstYear = 1970 // in UTC
	lastYear  = 2999
	maxLength = 366 * 24 * time.Hour
)

// New returns an appointment of half an hour that begins at start.
func New(start time.Time) Appointment {
	start = normalTime(start)
	return Appointment{StartTime: start, EndTime: start.Add(30 * time.Minute)}
}

// Move changes the start and keeps the duration.
func (a *Appointment) Move(start time.Time) {
	start = normalTime(start)
	if !start.Equal(a.StartTime) {
		a.EndTime = start.Add(a.EndTime.Sub(a.StartTime))
	}
	a.StartTime = start
}

// rescheduled reports whether the time differs from before.
func (a Appointment) rescheduled(before Appointment) bool {
	return !a.StartTime.Equal(before.StartTime) || !a.EndTime.Equal(before.EndTime)
}

// normalise converts the times to their stored form. It returns a validation_error of the field that breaks a
// rule.
func (a *Appointment) normalise() error {
	a.StartTime, a.EndTime = normalTime(a.StartTime), normalTime(a.EndTime)
	switch {
	case !mayBe(a.StartTime):
		return fault.Invalid("start_time", "The field start_time must be in the years %d to %d.", firstYear,
			lastYear)
	case !mayBe(a.EndTime):
		return fault.Invalid("end_time", "The field end_time must be in the years %d to %d.", firstYear,
			lastYear)
	case !a.EndTime.After(a.StartTime):
		return fault.Invalid("end_time", "The field end_time must be later than start_time.")
	case a.EndTime.Sub(a.StartTime) > maxLength:
		return fault.Invalid("end_time", "The field end_time may be at most 366 days later than start_time.")
	}
	return nil
}

func mayBe(t time.Time) bool {
	year := t.UTC().Year()
	return firstYear <= year && year <= lastYear
}

// normalTime returns a time in whole seconds with its own fixed offset. It does not use the machine's zone,
// whose offset changes during the year.
func normalTime(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.Truncate(time.Second).In(time.FixedZone("", offset))
}

// mayBecome returns a validation_error of the field that the status does not allow to change.
func (a Appointment) mayBecome(after Appointment) error {
	switch {
	case !a.Status.Final():
		return nil
	case after.Status != a.Status:
		return fault.Invalid("status", "The appointment is %s, and stays so.", a.Status)
	case !after.StartTime.Equal(a.StartTime):
		return fault.Invalid("start_time", "The appointment is %s, and its time stays.", a.Status)
	case !after.EndTime.Equal(a.EndTime):
		return fault.Invalid("end_time", "The appointment is %s, and its time stays.", a.Status)
	}
	return nil
}

// Item returns the appointment as it is stored. version is that of the item it was read from, 0 for a new
// one.
func (a Appointment) Item(account, version int64) (table.Item, error) {
	doc, err := json.Marshal(a)
	return table.Item{
		Key:     Key(account, a.ID),
		Doc:     doc,
		Index1:  KeyByAgent(account, a.AgentID, string(a.Status), a.StartTime, a.ID),
		Index2:  KeyByAccount(account, string(a.Status), a.StartTime, a.ID),
		Version: version,
	}, err
}

// Read decodes an item of an appointment.
func Read(item table.Item) (Appointment, error) {
	var a Appointment
	if err := json.Unmarshal(item.Doc, &a); err != nil {
		return Appointment{}, fmt.Errorf("appointment: %s: %w", item.PK, err)
	}
	a.StartTime, a.EndTime = normalTime(a.StartTime), normalTime(a.EndTime)
	return a, nil
}
