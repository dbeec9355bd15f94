package table

import (
	"math/rand/v2"
	"time"
)

// A version begins with 41 bits of milliseconds, 12 random bits, and 10 bits that are 1 and count the
// following puts. More puts overflow into the other bits, which takes four million of them to reach those of
// the next millisecond.
const (
	versionCount  = 10
	versionRandom = 12
)

// versionEpoch is the time of the lowest version.
var versionEpoch = time.Date(2024, time.November, 1, 0, 0, 0, 0, time.UTC)

// NewVersion draws the version of an item that is created now. No earlier or later item with the key has it:
// later ones have greater versions, and after the clock was set back the random bits differ with high
// probability.
func NewVersion(now time.Time) int64 {
	ms := max(1, now.Sub(versionEpoch).Milliseconds())
	return ms<<(versionRandom+versionCount) | rand.Int64N(1<<versionRandom)<<versionCount | 1
}

// VersionOf returns a version for an item whose key contains the unique id.
func VersionOf(id int64) int64 { return id<<versionCount | 1 }

// Puts returns the number of puts since the item was created, the first one included. It counts up to 1023.
func Puts(version int64) int64 { return version & (1<<versionCount - 1) }
