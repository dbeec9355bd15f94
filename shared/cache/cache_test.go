package cache_test

import (
	"errors"
	"testing"

	"frontdesk/shared/cache"
)

func TestBounded(t *testing.T) {
	c := cache.Bounded[string, int]{Max: 2}
	for i, key := range []string{"a", "b", "a", "c"} {
		want := map[string]int{"a": 0, "b": 1, "c": 3}[key]
		if got := c.Get(key, func() int { return i }); got != want {
			t.Errorf("Get(%s) as call %d = %d, want %d", key, i, got, want)
		}
	}
	if _, ok := c.Cached("a"); ok || c.Len() != 1 {
		t.Errorf("a third key leaves %d values, a among them: %t", c.Len(), ok)
	}
}

func TestVersioned(t *testing.T) {
	var c cache.Versioned[int, string, int]
	reads := 0
	read := func() (int, error) { reads++; return reads, nil }
	for i, step := range []struct {
		key     int
		version string
		want    int
	}{{1, "x", 1}, {1, "x", 1}, {1, "y", 2}, {1, "x", 3}, {2, "x", 4}, {1, "x", 3}} {
		if got, err := c.Get(step.key, step.version, read); got != step.want || err != nil {
			t.Errorf("step %d: Get = %d, %v, want %d", i, got, err, step.want)
		}
	}
	failure := errors.New("down")
	if _, err := c.Get(3, "x", func() (int, error) { return 0, failure }); err != failure {
		t.Errorf("Get = %v", err)
	}
	if _, ok := c.Cached(3, "x"); ok {
		t.Error("a failed read is cached")
	}
}

// TestVersionedIsBounded sets more keys than the cache holds, and one of them again when it is full.
func TestVersionedIsBounded(t *testing.T) {
	var c cache.Versioned[int, int, int]
	cached := func() (n int) {
		for key := range 40 {
			if _, ok := c.Cached(key, 1); ok {
				n++
			}
		}
		return n
	}
	for key := range 32 {
		c.Set(key, 1, key)
	}
	if c.Set(31, 1, 0); cached() != 32 {
		t.Errorf("%d keys are cached after one was set again, want 32", cached())
	}
	if c.Set(32, 1, 0); cached() != 1 {
		t.Errorf("%d keys are cached after one too many, want 1", cached())
	}
}
