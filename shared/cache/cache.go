// Package cache caches computed values within limits.
package cache

import "sync"

// A Bounded caches values by key, and drops all of them when it is full. It is safe for concurrent use; two
// callers may compute the same value at once. Values are shared and must not be changed.
type Bounded[K comparable, V any] struct {
	Max int // limit of values; at least one is kept
	// Own copies a key before it is stored, such as a word that would keep its whole text in memory; nil
	// stores keys unchanged.
	Own func(K) K

	mu   sync.RWMutex
	kept map[K]V
}

// Get returns the value of a key, and calls fresh if it is not cached.
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

// Len returns the number of cached values.
func (b *Bounded[K, V]) Len() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return len(b.kept)
}
