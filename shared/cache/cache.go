// Package cache keeps what was computed, within bounds.
package cache

import "sync"

// A Bounded keeps values by their keys, and forgets all of them when it is full. It is safe for concurrent
// use; two who need the same value at once may both compute it. Callers share a value and do not change it.
type Bounded[K comparable, V any] struct {
	Max int // values at most; with 0 or 1 there is one
	// Own copies a key that is kept, such as a word of a text that would be kept with it; nil for keys that
	// are kept as they are.
	Own func(K) K

	mu   sync.RWMutex
	kept map[K]V
}

// Get returns the value of a key, which fresh computes where none is kept.
func (b *Bounded[K, V]) Get(key K, fresh func() V) V {
	b.mu.RLock()
	v, ok := b.kept[key]
	b.mu.RUnlock()
	if ok {
		return v
	}
	v = fresh()
	if b.Own != nil {
		key = b.Own(key)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.kept == nil || len(b.kept) >= b.Max {
		b.kept = map[K]V{}
	}
	b.kept[key] = v
	return v
}

// Len is how many values are kept.
func (b *Bounded[K, V]) Len() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return len(b.kept)
}
