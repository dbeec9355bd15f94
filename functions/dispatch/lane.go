package dispatch

import (
	"context"

	"frontdesk/shared/inbox"
	"frontdesk/shared/queue"
)

// A placedNotice is a lane to process with its first index in the batch.
type placedNotice struct {
	place int
	inbox.Notice
}

// addLane records a new update of a lane. All updates of a lane are processed together, when the last of
// them is due.
func (b *batch) addLane(place int, n inbox.Notice) {
	known, ok := b.lanes[n.Lane]
	if !ok {
		known = placedNotice{place, n}
	}
	if n.Due.After(known.Due) {
		known.Due = n.Due
	}
	b.lanes[n.Lane] = known
}

// queueLanes sends a message for each lane of the batch to the inbox queue.
func (s *Service) queueLanes(ctx context.Context, b *batch, f *fault) {
	var messages outgoing
	for lane, notice := range b.lanes {
		f.note(notice.place, messages.add(notice.place, lane, queue.DelayUntil(notice.Due, s.Now())))
	}
	messages.send(ctx, s.Inbox, f)
}
