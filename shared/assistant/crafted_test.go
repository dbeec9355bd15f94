package assistant_test

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"frontdesk/shared/playbook"
)

// An effort is what a turn costs: allocations and their bytes, which hardly vary between runs, and the
// processor time of this process, which other processes do not affect much.
type effort struct {
	allocations, bytes uint64
	processor          time.Duration
}

// spent returns what the process has used since its start.
func spent(t *testing.T) effort {
	t.Helper()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return effort{memory.Mallocs, memory.TotalAlloc, time.Duration(used.Utime.Nano() + used.Stime.Nano())}
}

// TestCraftedMessages sends messages of the maximum length, made to keep a processor busy, to an agent with
// many quick answers. They are about 100 times as long as a usual question. Quadratic work would cost 10,000
// times as much; the limits are 30 times the allocations, 100 times the bytes and 100 times the processor
// time. The benchmark has the figures.
func TestCraftedMessages(t *testing.T) {
	w := newFixture(t, "enterprise")
	for i := range 200 {
		add(t, w, playbook.QuickAnswer{Title: fmt.Sprintf("What does thing%d on shelf %d cost?", i, i%9),
			Shortcut: fmt.Sprintf("/thing%d", i), Content: fmt.Sprint(i)})
	}
	least := func(message string) effort {
		all := effort{1 << 60, 1 << 60, time.Hour}
		for range 3 {
			before := spent(t)
			if _, err := w.say(t.Context(), message); err != nil {
				t.Fatalf("%.20q: %v", message, err)
			}
			after := spent(t)
			all.allocations = min(all.allocations, after.allocations-before.allocations)
			all.bytes = min(all.bytes, after.bytes-before.bytes)
			all.processor = min(all.processor, after.processor-before.processor)
		}
		return all
	}
	usual := least("What does thing7 on shelf 7 cost?")
	for _, unit := range []string{"ﷺ", "ﷺ ", "لا ", "请问", "😀", "a ", "Is it ok? ", "at 3 on monday ",
		"book a haircut tomorrow or friday at 5 "} {
		message := strings.Repeat(unit, 4000/len([]rune(unit)))
		crafted := least(message)
		if crafted.allocations > 30*usual.allocations || crafted.bytes > 100*usual.bytes ||
			crafted.processor > 100*usual.processor {
			t.Errorf("%q again and again takes %+v, a question %+v", unit, crafted, usual)
		}
	}
}
