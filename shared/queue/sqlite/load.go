package sqlite

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"frontdesk/shared/queue"
)

// A load is the in-flight messages of this process by group. It only affects the order of messages, so those
// of other processes may be missing.
type load struct {
	mu       sync.Mutex
	messages map[int64]underWay
	groups   map[string]int // in-flight messages by group, without ""
}

// underWay is an in-flight message.
type underWay struct {
	group string
	until time.Time // when it becomes visible again
}

// load returns the load of a queue.
func (f *File) load(queue string) *load {
	f.mu.Lock()
	defer f.mu.Unlock()
	l, ok := f.loads[queue]
	if !ok {
		l = &load{messages: map[int64]underWay{}, groups: map[string]int{}}
		f.loads[queue] = l
	}
	return l
}

// add records that a message was received.
func (l *load) add(id int64, group string, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drop(id)
	l.messages[id] = underWay{group, until}
	if group != "" {
		l.groups[group]++
	}
}

// remove records that a message was deleted or released.
func (l *load) remove(id int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drop(id)
}

func (l *load) drop(id int64) {
	m, ok := l.messages[id]
	if !ok {
		return
	}
	delete(l.messages, id)
	if m.group == "" {
		return
	}
	if l.groups[m.group]--; l.groups[m.group] == 0 {
		delete(l.groups, m.group)
	}
}

// noisy returns the groups to receive after all others, each as a list of one, fewest in-flight messages
// first. As in SQS these are the groups with more than a tenth of the in-flight messages, and at least
// queue.NoisyGroup.
func (l *load) noisy(now time.Time) [][]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.messages) < queue.NoisyGroup {
		return nil
	}
	for id, m := range l.messages {
		if !now.Before(m.until) {
			l.drop(id)
		}
	}
	var noisy [][]string
	for _, group := range slices.SortedFunc(maps.Keys(l.groups), func(a, b string) int {
		return cmp.Or(cmp.Compare(l.groups[a], l.groups[b]), cmp.Compare(a, b))
	}) {
		if n := l.groups[group]; n >= queue.NoisyGroup && n*10 > len(l.messages) {
			noisy = append(noisy, []string{group})
		}
	}
	return noisy
}
