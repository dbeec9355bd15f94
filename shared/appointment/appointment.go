// Package appointment is what contacts arrange with the business of an agent, as it is stored.
package appointment

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// Status is where an appointment stands.
type Status string

// The statuses. The first two may become any; the others are final.
const (
	Pending   Status = "pending"
	Confirmed Status = "confirmed"
	Cancelled Status = "cancelled"
	Completed Status = "completed"
)

// Values lists the statuses.
func (Status) Values() []string {
	return []string{string(Pending), string(Confirmed), string(Cancelled), string(Completed)}
}

// Final reports whether an appointment of the status keeps it, and its time too.
func (s Status) Final() bool { return s == Cancelled || s == Completed }

// An Appointment is a time that a contact and the business have for each other.
type Appointment struct {
	ID        int64 `json:"id"`
	AgentID   int64 `json:"agent_id"`
	ContactID int64 `json:"contact_id"`
	// ContactName and ContactPhone are the contact's when the appointment was made; either may be empty.
	ContactName  string `json:"contact_name"`
	ContactPhone string `json:"contact_phone"`
	Title        string `json:"title"`
	Notes        string `json:"notes"`
	// StartTime and EndTime are whole seconds, with the offset from UTC that they were given with.
	StartTime time.Time `json:"start_time"`
	EndTime   time.Time `json:"end_time"`
	Status    Status    `json:"status"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// OnlyIfFree has the time refused where another appointment of the agent takes some of it. It is not
	// stored.
	OnlyIfFree bool `json:"-"`
}

// Bounds of an appointment's time: what lies outside is a mistake, such as a zero time or one in
// milliseconds.
const (
	firstYear = 1970 // in UTC
	lastYear  = 2999
	maxLength = 366 * 24 * time.Hour
)

// New returns an appointment that begins at start and lasts half an hour.
func New(start time.Time) Appointment {
	start = normalTime(start)
	return Appointment{StartTime: start, EndTime: start.Add(30 * time.Minute)}
}

// Move has the appointment begin at another time. It lasts as long as before.
func (a *Appointment) Move(start time.Time) {
	start = normalTime(start)
	if !start.Equal(a.StartTime) {
		a.EndTime = start.Add(a.EndTime.Sub(a.StartTime))
	}
	a.StartTime = start
}

// rescheduled reports whether the appointment has another time than before.
func (a Appointment) rescheduled(before Appointment) bool {
	return !a.StartTime.Equal(before.StartTime) || !a.EndTime.Equal(before.EndTime)
}

// normalise brings the times to the form that they are stored in, and says what is wrong with them, as a
// validation_error of the field.
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

// normalTime is a time in whole seconds at the offset that it has. That is one of its own and not the zone of
// this machine, which has other offsets at other times of the year.
func normalTime(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.Truncate(time.Second).In(time.FixedZone("", offset))
}

// mayBecome says what of a change the status forbids, as a validation_error of the field.
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

// Item is the appointment as it is stored. Version is that of the item it was read from, 0 for a new one.
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

// Read is the appointment that an item holds.
func Read(item table.Item) (Appointment, error) {
	var a Appointment
	if err := json.Unmarshal(item.Doc, &a); err != nil {
		return Appointment{}, fmt.Errorf("appointment: %s: %w", item.PK, err)
	}
	a.StartTime, a.EndTime = normalTime(a.StartTime), normalTime(a.EndTime)
	return a, nil
}
