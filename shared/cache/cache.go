// Package cache caches computed values within limits. The caches are safe for concurrent use; two callers may
// compute the same value at once. Values are shared and must not be changed.
package cache

import "sync"

// A Bounded caches values by key, and drops all of them when it is full.
type Bounded[K comparable, V any] struct {
	Max int // limit of values; at least one is cached
	// Own copies a key before it is stored, such as a word that would keep its whole text in memory; nil
	// stores keys unchanged.
	Own func(K) K

	mu     sync.RWMutex
	values map[K]V
}

// Get returns the value of a key, and calls fresh if it is not cached.
func (b *Bounded[K, V]) Get(key K, fresh func() V) V {
	v, ok := b.Cached(key)
	if ok {
		return v
	}
	v = fresh()
	if b.Own != nil {
		key = b.Own(key)
	}
	b.set(key, v, b.Max)
	return v
}

// Cached returns the value of a key, and whether it is cached.
func (b *Bounded[K, V]) Cached(key K) (V, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	v, ok := b.values[key]
	return v, ok
}

func (b *Bounded[K, V]) set(key K, v V, limit int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, replaces := b.values[key]; b.values == nil || !replaces && len(b.values) >= limit {
		b.values = map[K]V{}
	}
	b.values[key] = v
}

// Len returns the number of cached values.
func (b *Bounded[K, V]) Len() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return len(b.values)
}

// maxVersioned is the limit of keys of a Versioned. Its values may take some megabytes each.
const maxVersioned = 32

// A Versioned caches the current version of a value for each of 32 keys, and drops all of them when it is
// full. The zero value is empty and ready to use.
type Versioned[K, V comparable, T any] struct {
	current Bounded[K, version[V, T]]
}

type version[V comparable, T any] struct {
	of    V
	value T
}

// Get returns the value of a key in a version. If another version or none is cached it calls read, and caches
// the result unless it is an error.
func (c *Versioned[K, V, T]) Get(key K, of V, read func() (T, error)) (T, error) {
	if value, ok := c.Cached(key, of); ok {
		return value, nil
	}
	value, err := read()
	if err == nil {
		c.Set(key, of, value)
	}
	return value, err
}

// Cached returns the value of a key in a version, and whether it is cached.
func (c *Versioned[K, V, T]) Cached(key K, of V) (value T, ok bool) {
	if known, ok := c.current.Cached(key); ok && known.of == of {
		return known.value, true
	}
	return value, false
}

// Set replaces the cached version of a key.
func (c *Versioned[K, V, T]) Set(key K, of V, value T) {
	c.current.set(key, version[V, T]{of, value}, maxVersioned)
}
