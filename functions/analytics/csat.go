package analytics

import (
	"context"
	"time"

	"frontdesk/shared/auth"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/fault"
	"frontdesk/shared/opt"
)

type csatIn struct {
	periodIn
	Days opt.Value[int] `query:"days" check:"range=1..365" doc:"How many days the period has, 30 where it is not said. With since it does not count." example:"30"`
}

// A Satisfaction is how satisfied contacts were in a period, and how fast they were served.
type Satisfaction struct {
	AgentID         int64           `json:"agent_id" example:"219482113000001"`
	Period          string          `json:"period" doc:"The first and the last day." example:"2026-03-01 / 2026-03-30"`
	MessageFeedback MessageFeedback `json:"message_feedback"`
	CSAT            CSAT            `json:"csat"`
	SLA             SLA             `json:"sla"`
}

// MessageFeedback is how visitors of the web chat rated messages.
type MessageFeedback struct {
	Positive         int64   `json:"positive" example:"180"`
	Negative         int64   `json:"negative" example:"20"`
	Total            int64   `json:"total" example:"200"`
	SatisfactionRate float64 `json:"satisfaction_rate" doc:"The percentage of positive ratings, 0 without ratings." example:"90"`
}

// CSAT is the customer satisfaction score.
type CSAT struct {
	Score        float64 `json:"score" doc:"The percentage of positive ratings, 0 without ratings." example:"90"`
	Responses    int64   `json:"responses" doc:"How many messages were rated." example:"200"`
	ResponseRate float64 `json:"response_rate" doc:"The percentage of messages to contacts that were rated." example:"3.8"`
}

// SLA is how fast contacts were served, compared with the service level targets.
type SLA struct {
	FirstResponse ServiceTime `json:"first_response" doc:"From a contact's first message in a conversation to the first answer, of the agent or a person."`
	Resolution    ServiceTime `json:"resolution" doc:"From the beginning of a conversation, or from when it was opened again, to when it was resolved."`
}

// A ServiceTime is the distribution of a duration over a period's conversations. All but the target is 0 if
// there are none.
type ServiceTime struct {
	Count           int64   `json:"count" example:"1180"`
	AverageSeconds  float64 `json:"average_seconds" example:"4.2"`
	MedianSeconds   float64 `json:"median_seconds" doc:"Estimated: at most a quarter off, mostly less." example:"1.6"`
	P90Seconds      float64 `json:"p90_seconds" doc:"What nine in ten took at most; estimated as the median is." example:"6.1"`
	TargetSeconds   int64   `json:"target_seconds" example:"60"`
	WithinTargetPct float64 `json:"within_target_pct" doc:"The percentage that took no longer than the target." example:"97.4"`
}

// csat answers ratings and service times. The plan is checked last, so that an agent of another workspace is
// not found whatever the caller's plan.
func (s *Service) csat(ctx context.Context, in csatIn) (Satisfaction, error) {
	length := defaultDays
	in.Days.To(&length)
	p, err := in.period(s.Now(), length)
	if err != nil {
		return Satisfaction{}, err
	}
	days, err := s.days(ctx, in.AgentID, p)
	if err != nil {
		return Satisfaction{}, err
	}
	if plan := auth.CallerOf(ctx).Plan; !plan.Analytics {
		return Satisfaction{}, fault.New(fault.NotImplemented,
			"The plan %s does not include enterprise analytics.", plan.Name)
	}
	of := conversation.StatisticsOf(days.Sum())
	ratings := of.Positive + of.Negative
	rate := percent(of.Positive, ratings)
	return Satisfaction{
		AgentID: in.AgentID, Period: p.String(),
		MessageFeedback: MessageFeedback{Positive: of.Positive, Negative: of.Negative, Total: ratings,
			SatisfactionRate: rate},
		CSAT: CSAT{Score: rate, Responses: ratings, ResponseRate: percent(ratings, of.Sent)},
		SLA: SLA{
			FirstResponse: serviceTime(of.Response, conversation.ResponseTarget),
			Resolution:    serviceTime(of.Resolution, conversation.ResolutionTarget),
		},
	}, nil
}

func serviceTime(d counter.Durations, target time.Duration) ServiceTime {
	return ServiceTime{
		Count: d.Count, AverageSeconds: tenth(d.Mean().Seconds()),
		MedianSeconds: tenth(d.Quantile(0.5).Seconds()),
		P90Seconds:    tenth(d.Quantile(0.9).Seconds()), TargetSeconds: int64(target.Seconds()),
		WithinTargetPct: percent(d.InTime, d.Count),
	}
}
