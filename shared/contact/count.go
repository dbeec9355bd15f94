package contact

import "frontdesk/shared/counter"

// The names of the counts of contacts. Those of a day are of the contacts that were created on it, as they
// are now.
const (
	all        = "contacts"
	stageCount = "contacts." // of a day; one for each stage
	bandCount  = "leads."    // of a day; one for each band of lead scores
)

// A Band is how warm a contact is, by the lead score.
type Band string

// The bands.
const (
	Hot  Band = "hot"  // from 70
	Warm Band = "warm" // from 40 to 69
	Cold Band = "cold" // below 40
)

// leastWarm is the least lead score of a warm contact.
const leastWarm = 40

// Band is the contact's.
func (c Contact) Band() Band {
	switch {
	case c.LeadScore >= 70:
		return Hot
	case c.LeadScore >= leastWarm:
		return Warm
	}
	return Cold
}

// Recount is what changes in the counts of an agent when its contact before becomes after; nil is none.
func Recount(before, after *Contact) counter.Change {
	var change counter.Change
	count := func(c *Contact, n int64) {
		if c == nil {
			return
		}
		change.Count(all, n)
		change.CountOn(c.CreatedAt, stageCount+string(c.Stage), n)
		change.CountOn(c.CreatedAt, bandCount+string(c.Band()), n)
	}
	count(before, -1)
	count(after, 1)
	return change
}

// Count is how many contacts there are, by the counts of all time.
func Count(counts counter.Counts) int64 { return counts[all] }

// CountOfStage is how many contacts that were created on some days are of a stage, by the counts of those
// days.
func CountOfStage(counts counter.Counts, stage Stage) int64 { return counts[stageCount+string(stage)] }

// CountOfBand is how many contacts that were created on some days are in a band, by the counts of those days.
func CountOfBand(counts counter.Counts, band Band) int64 { return counts[bandCount+string(band)] }
