package appointment

import "frontdesk/shared/tally"

// statusCount begins the names of the counts of appointments, one for each status.
const statusCount = "appointments."

// Recount is what changes in the counts of an agent when its appointment before becomes after; nil is none.
func Recount(before, after *Appointment) tally.Counts {
	counts := tally.Counts{}
	if before != nil {
		counts[statusCount+string(before.Status)]--
	}
	if after != nil {
		counts[statusCount+string(after.Status)]++
	}
	return counts
}

// Count is how many appointments there are of a status, of "" in all.
func Count(counts tally.Counts, status Status) int64 {
	if status == "" {
		return counts.Sum(statusCount)
	}
	return counts[statusCount+string(status)]
}
