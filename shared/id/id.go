// Package id creates the integer ids of everything stored.
package id

import (
	"crypto/rand"
	"encoding/binary"
	"io"
	"sync"
	"time"
)

// An id has 53 bits, which every JSON parser represents exactly: 41 bits of milliseconds since epoch, which
// last until 2094, and 12 random bits. So ids sort by creation time without a shared counter. Two processes
// may create the same id, so items are stored on the condition that they are absent, and otherwise get
// another id.
const (
	randomBits = 12
	// Max is the greatest id.
	Max = 1<<53 - 1
)

// epoch is the earliest creation time, 2024-11-01 UTC.
var epoch = time.Date(2024, time.November, 1, 0, 0, 0, 0, time.UTC)

// A Source creates ids. Use NewSource; the zero value is not ready. It is safe for concurrent use.
type Source struct {
	// Rand supplies the random bits; nil means crypto/rand. It must not fail.
	Rand io.Reader `wiring:"optional"`

	now  func() time.Time
	mu   sync.Mutex
	last int64
}

// NewSource returns a Source with that clock.
func NewSource(now func() time.Time) *Source { return &Source{now: now} }

// Next returns an id greater than all that this Source has created.
func (s *Source) Next() int64 { return s.take(1) }

// NextTwo returns an id like Next, and reserves the following one too.
func (s *Source) NextTwo() int64 { return s.take(2) }

// take reserves n consecutive ids and returns the first.
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

// First returns the least id that can be created at t or later, the lower bound for searches since t. Times
// before epoch give 1.
func First(t time.Time) int64 {
	ms := t.Sub(epoch).Milliseconds()
	return max(1, min(ms<<randomBits, Max))
}

// Last returns the greatest id that can have been created at t or before, to the millisecond.
func Last(t time.Time) int64 { return min(First(t)|(1<<randomBits-1), Max) }

// Time returns when the id was created, to the millisecond.
func Time(id int64) time.Time {
	return epoch.Add(time.Duration(id>>randomBits) * time.Millisecond)
}
