package contact

import "frontdesk/shared/tally"

// The names of the counts of contacts begin with these; one for each stage, and one for each band of lead scores.
const (
	stageCount = "contacts."
	bandCount  = "leads."
)

// A Band is how warm a contact is, by the lead score.
type Band string

// The bands.
const (
	Hot  Band = "hot"  // from 70
	Warm Band = "warm" // from 40 to 69
	Cold Band = "cold" // below 40
)

// Band is the contact's.
func (c Contact) Band() Band {
	switch {
	case c.LeadScore >= 70:
		return Hot
	case c.LeadScore >= 40:
		return Warm
	}
	return Cold
}

// Recount is what changes in the counts of an agent when its contact before becomes after; nil is none.
func Recount(before, after *Contact) tally.Counts {
	counts := tally.Counts{}
	if before != nil {
		counts[stageCount+string(before.Stage)]--
		counts[bandCount+string(before.Band())]--
	}
	if after != nil {
		counts[stageCount+string(after.Stage)]++
		counts[bandCount+string(after.Band())]++
	}
	return counts
}

// Count is how many contacts there are.
func Count(counts tally.Counts) int64 { return counts.Sum(stageCount) }

// CountOfStage is how many of them are of a stage.
func CountOfStage(counts tally.Counts, stage Stage) int64 { return counts[stageCount+string(stage)] }

// CountOfBand is how many of them are in a band.
func CountOfBand(counts tally.Counts, band Band) int64 { return counts[bandCount+string(band)] }
