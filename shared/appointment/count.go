package appointment

import "frontdesk/shared/counter"

// statusCount begins the names of the total counts of appointments, one for each status.
const statusCount = "appointments."

// booked is the name of the daily count of appointments by the day of booking.
const booked = "booked"

// Recount returns the change of an agent's counts when before becomes after; nil means none.
func Recount(before, after *Appointment) counter.Change {
	var change counter.Change
	count := func(a *Appointment, n int64) {
		if a == nil {
			return
		}
		change.Count(statusCount+string(a.Status), n)
		change.CountOn(a.CreatedAt, booked, n)
	}
	count(before, -1)
	count(after, 1)
	return change
}

// Count returns the number of appointments of a status, or of all for "", from the total counts.
func Count(counts counter.Counts, status Status) int64 {
	if status == "" {
		return counts.Sum(statusCount)
	}
	return counts[statusCount+string(status)]
}

// Booked returns the number of appointments booked, from daily counts. Cancelled ones count, deleted ones do
// not.
func Booked(counts counter.Counts) int64 { return counts[booked] }
