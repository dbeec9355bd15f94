// Package id makes the integer ids of everything that has one.
package id

import (
	"crypto/rand"
	"encoding/binary"
	"io"
	"sync"
	"time"
)

// An id has 53 bits, so that every JSON reader keeps it exact: 41 bits of milliseconds since epoch, good
// until 2094, and 12 random bits. So ids sort by the time of their making, and there is no counter that all
// writers would share. Two processes may make the same id: whoever stores one puts it only where it is
// absent, and takes another if it is not.
const (
	randomBits = 12
	// Max is the greatest id.
	Max = 1<<53 - 1
)

// epoch is the first moment that an id can carry, 2024-11-01 UTC.
var epoch = time.Date(2024, time.November, 1, 0, 0, 0, 0, time.UTC)

// A Source makes ids. The zero value is not ready; see NewSource. It is safe for concurrent use.
type Source struct {
	// Rand is where the random bits come from; nil for crypto/rand. It must not fail.
	Rand io.Reader `wiring:"optional"`

	now  func() time.Time
	mu   sync.Mutex
	last int64
}

// NewSource returns a Source that reads the time from now.
func NewSource(now func() time.Time) *Source { return &Source{now: now} }

// Next returns an id that is greater than all that this Source has made.
func (s *Source) Next() int64 { return s.take(1) }

// NextTwo returns an id as Next does, and makes the one after it too.
func (s *Source) NextTwo() int64 { return s.take(2) }

// take makes so many ids that follow one another, and returns the first.
func (s *Source) take(n int64) int64 {
	var random [2]byte
	if s.Rand == nil {
		rand.Read(random[:]) // never fails
	} else if _, err := io.ReadFull(s.Rand, random[:]); err != nil {
		panic(err)
	}
	id := First(s.now()) | int64(binary.BigEndian.Uint16(random[:]))&(1<<randomBits-1)
	s.mu.Lock()
	defer s.mu.Unlock()
	id = max(s.last+1, id)
	s.last = id + n - 1
	return id
}

// First is the least id that can be made at t or later: the lower bound of a search for what was made since
// t. Times before the epoch give 1.
func First(t time.Time) int64 {
	ms := t.Sub(epoch).Milliseconds()
	return max(1, min(ms<<randomBits, Max))
}

// Last is the greatest id that can have been made at t or before, to the millisecond.
func Last(t time.Time) int64 { return min(First(t)|(1<<randomBits-1), Max) }

// Time is when the id was made, to the millisecond.
func Time(id int64) time.Time {
	return epoch.Add(time.Duration(id>>randomBits) * time.Millisecond)
}
