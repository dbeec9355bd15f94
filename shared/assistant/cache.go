package assistant

import "sync"

// maxCached is of how many agents a process keeps what it has read: some megabytes each at the most.
const maxCached = 32

// A cache keeps something of agents in a version V, so that a turn reads it only after it has changed.
type cache[V comparable, T any] struct {
	mu     sync.Mutex
	values map[int64]versioned[V, T] // by the agent
}

type versioned[V comparable, T any] struct {
	version V
	value   T
}

// get is what is kept of an agent, or else what read returns, which is kept from then on. Two who need the
// same at once may both read it.
func (k *cache[V, T]) get(agent int64, version V, read func() (T, error)) (T, error) {
	if known, ok := k.kept(agent); ok && known.version == version {
		return known.value, nil
	}
	value, err := read()
	if err != nil {
		return value, err
	}
	k.keep(agent, version, value)
	return value, nil
}

// kept is what is kept of an agent, in whichever version.
func (k *cache[V, T]) kept(agent int64) (versioned[V, T], bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	known, ok := k.values[agent]
	return known, ok
}

// keep keeps a value of an agent in place of the one before.
func (k *cache[V, T]) keep(agent int64, version V, value T) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.values) >= maxCached || k.values == nil {
		k.values = map[int64]versioned[V, T]{}
	}
	k.values[agent] = versioned[V, T]{version, value}
}
