package widget

import (
	"context"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

const (
	// teamAge is how long browsers cache the team's presence.
	teamAge = time.Minute
	// teamDays is how many days of replies the usual reply time is computed from.
	teamDays = 7
	// fewReplies is the least number of replies for which a usual reply time is shown.
	fewReplies = 3
	// maxNames is the limit of names shown.
	maxNames = 3
)

// A Team is which members are online for visitors.
type Team struct {
	Online  bool     `json:"online" doc:"Whether anybody has the dashboard open." example:"true"`
	Names   []string `json:"names" doc:"Who that is: at most three names." example:"[\"Tom\"]"`
	Replies Soon     `json:"replies" doc:"Within what time a person usually replies; empty where too few have." example:"minutes"`
}

// Soon is a range of reply times.
type Soon string

// The ranges.
const (
	SoonUnknown Soon = ""
	SoonMinutes Soon = "minutes" // a few
	SoonHour    Soon = "hour"
	SoonHours   Soon = "hours" // a few
	SoonDay     Soon = "day"
)

// Values implements api.Enum.
func (Soon) Values() []string {
	return []string{string(SoonUnknown), string(SoonMinutes), string(SoonHour), string(SoonHours),
		string(SoonDay)}
}

// soon returns the range that the median is in, or SoonUnknown for too few replies and medians above a day.
func soon(replies counter.Durations) Soon {
	median := replies.Quantile(0.5)
	switch {
	case replies.Count < fewReplies, median > 24*time.Hour:
		return SoonUnknown
	case median <= 10*time.Minute:
		return SoonMinutes
	case median <= time.Hour:
		return SoonHour
	case median <= 6*time.Hour:
		return SoonHours
	}
	return SoonDay
}

// team returns which members are online. All reads run concurrently; the widget's settings are checked
// before anything is returned.
func (s *Service) team(ctx context.Context, in embedIn) (Team, error) {
	ref, err := s.owner(ctx, in.EmbedKey, "", reads)
	if err != nil {
		return Team{}, err
	}
	var a agent.Summary
	var there []auth.Member
	var days counter.Days
	now := s.Now()
	err = table.Parallel(ctx, func(ctx context.Context) (err error) {
		a, err = s.agents().LoadSummary(ctx, ref.AccountID, ref.AgentID)
		return err
	}, func(ctx context.Context) (err error) {
		there, err = auth.Online(ctx, s.Table, ref.AccountID, now)
		return err
	}, func(ctx context.Context) (err error) {
		days, err = counter.OfDays(ctx, s.Table, ref.AccountID, ref.AgentID, now.AddDate(0, 0, 1-teamDays),
			now)
		return err
	})
	if err != nil {
		return Team{}, err
	}
	if len(a.AllowedDomains) > 0 {
		api.AddHeader(ctx, "Vary", "Origin")
	}
	if err := in.admit(ctx)(a); err != nil {
		return Team{}, err
	}
	if !a.Box().ShowTeam {
		return Team{}, fault.New(fault.Forbidden, "This chat does not say who is there.")
	}
	t := Team{Online: len(there) > 0, Names: []string{},
		Replies: soon(conversation.StatisticsOf(days.Sum()).Person)}
	for _, m := range there[:min(len(there), maxNames)] {
		if m.Name != "" {
			t.Names = append(t.Names, m.Name)
		}
	}
	return t, nil
}
