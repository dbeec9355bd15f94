package appointments

import (
	"context"
	"time"
	_ "time/tzdata" // Lambda's machines have no time zones

	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/appointment"
	"frontdesk/shared/auth"
	"frontdesk/shared/booking"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
	"frontdesk/shared/when"
)

type freeIn struct {
	AgentID int64  `path:"agent_id"`
	Day     string `query:"day" check:"required,format=day" doc:"The day, in the agent's time zone." example:"2026-03-02"`
	Minutes int    `query:"minutes" check:"range=0..1440" doc:"How long the appointment lasts. Default 30." example:"45"`
	Moving  int64  `query:"moving" check:"range=0..9007199254740991" doc:"An appointment whose own time counts as free." example:"219482113060866"`
}

// A FreeTime is a time at which an appointment can begin.
type FreeTime struct {
	StartTime time.Time `json:"start_time" example:"2026-03-02T09:30:00+01:00"`
	EndTime   time.Time `json:"end_time" example:"2026-03-02T10:00:00+01:00"`
}

// freeTimes answers the free times of a day. The list is at most a day long and has no pages.
func (s *Service) freeTimes(ctx context.Context, in freeIn) (api.List[FreeTime], error) {
	account := auth.CallerOf(ctx).Account.ID
	day, err := time.Parse(time.DateOnly, in.Day)
	if err != nil {
		return api.List[FreeTime]{}, err
	}
	length := time.Duration(in.Minutes) * time.Minute
	if length == 0 {
		length = 30 * time.Minute
	}
	var of agent.Agent
	var busy []appointment.Busy
	// The day in any time zone, plus a day for appointments that begin in it and end in the next.
	from, to := day.Add(-24*time.Hour), day.Add(72*time.Hour)
	err = table.Parallel(ctx, func(ctx context.Context) (err error) {
		of, err = (&agent.Store{Table: s.Table}).Load(ctx, account, in.AgentID)
		return err
	}, func(ctx context.Context) (err error) {
		busy, err = s.store().Busy(ctx, account, in.AgentID, from, to)
		return err
	})
	if err != nil {
		return api.List[FreeTime]{}, err
	}
	zone, err := time.LoadLocation(of.Timezone)
	if err != nil {
		return api.List[FreeTime]{}, fault.New(fault.Unprocessable, "The agent's time zone is not known.")
	}
	agenda := booking.Agenda{
		Hours: when.ParseHours(string(of.Language), of.BusinessHours), Zone: zone, Now: s.Now(), Busy: busy,
		Moving: in.Moving, Length: length,
	}
	free := []FreeTime{}
	for _, start := range agenda.On(when.DateOf(day)) {
		free = append(free, FreeTime{start, start.Add(length)})
	}
	return api.List[FreeTime]{Count: int64(len(free)), Results: free}, nil
}
