package contact

import "frontdesk/shared/counter"

// Names of the counts of contacts. Daily counts are by day of creation, of the contacts as they are now.
const (
	all        = "contacts"
	stageCount = "contacts." // by day, one for each stage
	bandCount  = "leads."    // by day, one for each band
)

// A Band is a range of lead scores.
type Band string

// The bands.
const (
	Hot  Band = "hot"  // from 70
	Warm Band = "warm" // from 40 to 69
	Cold Band = "cold" // below 40
)

// leastWarm is the least lead score of the band Warm.
const leastWarm = 40

// Band returns the band of the contact's lead score.
func (c Contact) Band() Band {
	switch {
	case c.LeadScore >= 70:
		return Hot
	case c.LeadScore >= leastWarm:
		return Warm
	}
	return Cold
}

// Recount returns the change of an agent's counts when before becomes after; nil means none.
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

// Count returns the number of contacts, from the total counts.
func Count(counts counter.Counts) int64 { return counts[all] }

// CountOfStage returns the number of contacts in a stage, from daily counts.
func CountOfStage(counts counter.Counts, stage Stage) int64 { return counts[stageCount+string(stage)] }

// CountOfBand returns the number of contacts in a band, from daily counts.
func CountOfBand(counts counter.Counts, band Band) int64 { return counts[bandCount+string(band)] }
