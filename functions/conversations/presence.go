package conversations

import (
	"context"
	"math"
	"time"

	"frontdesk/shared/auth"
	"frontdesk/shared/change"
	"frontdesk/shared/conversation"
	"frontdesk/shared/table"
)

// Present is a person who is viewing or writing in a conversation.
type Present struct {
	ConversationID int64  `json:"conversation_id" example:"219482113060865"`
	Visitor        bool   `json:"visitor" doc:"Whether it is the visitor of the chat box." example:"false"`
	MemberID       *int64 `json:"member_id" doc:"Null for the visitor and for an API key." example:"219482112000009"`
	Name           string `json:"name" doc:"The member's name; empty for the visitor and for an API key." example:"Anna"`
	ViewingSeconds int    `json:"viewing_seconds" doc:"For how much longer they count as viewing the conversation, unless they report again; 0 where they do not, or left it." example:"45"`
	WritingSeconds int    `json:"writing_seconds" doc:"The same for writing." example:"12"`
}

// showPresent converts a presence to its JSON form. Seconds are rounded up.
func showPresent(p change.Presence, now time.Time) Present {
	shown := Present{
		ConversationID: p.ConversationID, Visitor: p.Visitor, Name: p.Name,
		ViewingSeconds: int(math.Ceil(p.Viewing(now).Seconds())),
		WritingSeconds: int(math.Ceil(p.Writing(now).Seconds())),
	}
	if p.MemberID != 0 {
		shown.MemberID = &p.MemberID
	}
	return shown
}

// showAllPresent converts all presences except that of one person.
func showAllPresent(all []change.Presence, but change.Who, now time.Time) []Present {
	shown := []Present{}
	for _, p := range all {
		if p.Visitor || p.MemberID != but.MemberID {
			shown = append(shown, showPresent(p, now))
		}
	}
	return shown
}

type presenceIn struct {
	conversationIn
	Activity change.Activity `json:"activity" check:"required" doc:"What the caller does: writing includes viewing." example:"writing"`
}

// Others is who else is at a conversation.
type Others struct {
	Presence []Present `json:"presence" doc:"The others who reported to be there."`
}

// caller returns who the caller is to others at a conversation.
func caller(ctx context.Context) change.Who {
	member := auth.CallerOf(ctx).Member
	return change.Who{MemberID: member.ID, Name: member.Name}
}

// present stores what the caller does in a conversation, unless it was stored moments ago.
func (s *Service) present(ctx context.Context, in presenceIn) (Others, error) {
	account := auth.CallerOf(ctx).Account.ID
	partition := conversation.Partition(account, in.ID)
	var found table.Page
	err := table.Parallel(ctx, func(ctx context.Context) error {
		_, err := s.store().Load(ctx, account, in.ID)
		return err
	}, func(ctx context.Context) (err error) {
		found, err = s.Table.Query(ctx, change.PresenceQuery(partition))
		return err
	})
	if err != nil {
		return Others{}, err
	}
	own, now := caller(ctx).In(in.ID, in.Activity, s.Sender.IDs.Next()), s.Sender.Now()
	var there []change.Presence
	repeats := false
	for _, item := range found.Items {
		p, err := change.ReadPresence(item)
		if err != nil {
			return Others{}, err
		}
		if p.Viewing(now) > 0 || p.Writing(now) > 0 {
			there = append(there, p)
		}
		repeats = repeats || own.Repeats(p)
	}
	out := Others{showAllPresent(there, own.Who, now)}
	if repeats {
		return out, nil
	}
	return out, s.Table.Transact(ctx, own.Write(account, partition))
}
