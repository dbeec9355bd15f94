package dispatch

import (
	"context"

	"frontdesk/shared/inbox"
	"frontdesk/shared/queue"
)

// A placedNotice is a lane to look at with its first place in the batch.
type placedNotice struct {
	place int
	inbox.Notice
}

// addLane notes that a lane has something new. Updates of one lane are looked at together, when the last of
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

// queueLanes puts a message for each lane of the batch on the inbox queue.
func (s *Service) queueLanes(ctx context.Context, b *batch, f *fault) {
	var messages mail
	for lane, notice := range b.lanes {
		f.note(notice.place, messages.add(notice.place, lane, queue.DelayUntil(notice.Due, s.Now())))
	}
	messages.send(ctx, s.Inbox, f)
}
