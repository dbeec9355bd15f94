package table

import (
	"math/rand/v2"
	"time"
)

// The version that an item is made with: 41 bits of milliseconds, 12 random ones, and 10 that begin at 1
// and count the puts that follow. More puts than those count go on into the other bits, which stay below
// the next millisecond's for four million of them.
const (
	versionCount  = 10
	versionRandom = 12
)

// versionEpoch is the first moment of a version.
var versionEpoch = time.Date(2024, time.November, 1, 0, 0, 0, 0, time.UTC)

// NewVersion draws the version of an item that is made now. No item under the same key has had it or gets
// it: what is made later has a greater one, and where the clock was set back chance keeps them apart.
func NewVersion(now time.Time) int64 {
	ms := max(1, now.Sub(versionEpoch).Milliseconds())
	return ms<<(versionRandom+versionCount) | rand.Int64N(1<<versionRandom)<<versionCount | 1
}

// VersionOf is a version for an item under a key with that id, which is given to one thing only.
func VersionOf(id int64) int64 { return id<<versionCount | 1 }

// Puts is how many puts a version stands for since the item was made, that one included, up to 1023.
func Puts(version int64) int64 { return version & (1<<versionCount - 1) }
