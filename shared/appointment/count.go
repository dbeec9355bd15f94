package appointment

import "frontdesk/shared/counter"

// statusCount begins the names of the counts of appointments of all time, one for each status.
const statusCount = "appointments."

// booked is the name of the count of those that were made on a day.
const booked = "booked"

// Recount is what changes in the counts of an agent when its appointment before becomes after; nil is none.
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

// Count is how many appointments there are of a status, of "" in all, by the counts of all time.
func Count(counts counter.Counts, status Status) int64 {
	if status == "" {
		return counts.Sum(statusCount)
	}
	return counts[statusCount+string(status)]
}

// Booked is how many appointments were made on some days, by the counts of those days. Those that were
// deleted do not count, those that were cancelled do.
func Booked(counts counter.Counts) int64 { return counts[booked] }
