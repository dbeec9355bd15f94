package table

import (
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// A version begins with 41 bits of milliseconds, 12 bits of a sequence that starts at random in each process,
// and 10 bits that are 1 and count the following puts. More puts overflow into the other bits, which takes
// four million of them to reach those of the next millisecond.
const (
	versionCount  = 10
	versionRandom = 12
)

// versionEpoch is the time of the lowest version.
var versionEpoch = time.Date(2024, time.November, 1, 0, 0, 0, 0, time.UTC)

// sequence distinguishes the versions that this process makes within a millisecond.
var sequence = func() *atomic.Uint32 {
	s := new(atomic.Uint32)
	s.Store(rand.Uint32())
	return s
}()

// NewVersion returns the version of an item that is made now. Items made later under the same key have
// greater versions. Within a millisecond one process returns 4,096 different ones. Between processes, and if
// the clock was set back, two versions are equal with a probability of at most 1 in 4,096.
func NewVersion(now time.Time) int64 {
	ms := max(1, now.Sub(versionEpoch).Milliseconds())
	part := int64(sequence.Add(1) & (1<<versionRandom - 1))
	return ms<<(versionRandom+versionCount) | part<<versionCount | 1
}

// VersionOf returns a version for an item whose key contains the unique id.
func VersionOf(id int64) int64 { return id<<versionCount | 1 }

// Puts returns the number of puts since the item was created, the first one included. It counts up to 1023.
func Puts(version int64) int64 { return version & (1<<versionCount - 1) }
