// Package analytics implements the REST endpoints that sum up what an agent did, from its daily counters.
package analytics

import (
	"context"
	"math"
	"time"

	"frontdesk/shared/api"
	"frontdesk/shared/appointment"
	"frontdesk/shared/auth"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// Service implements the analytics endpoints. It is safe for concurrent use.
type Service struct {
	Table table.Table
	Now   func() time.Time
}

// Routes registers the endpoints.
func (s *Service) Routes(r *api.Router) {
	api.Handle(r, "GET /agents/{agent_id}/analytics/", api.Doc{
		ID:      "getAnalytics",
		Summary: "Sum up what an agent did",
		Description: periodText + "\n\nThe percentages are of the conversations that began in the period. " +
			"Those that a person ever took over count " +
			"in `handoff_pct`. Those that are resolved now, were answered by the agent, and in which no " +
			"person took over or " +
			"replied count in `ai_resolved_pct`. Messages count by the time when they were sent, failed " +
			"ones never; " +
			"appointments by the time when they were made, cancelled ones too. What language models took " +
			"counts by the time of the " +
			"reply that they wrote; a request to a model that came to no reply is not in it.",
	}, s.summary)
	api.Handle(r, "GET /agents/{agent_id}/analytics/conversations/", api.Doc{
		ID:      "getConversationAnalytics",
		Summary: "Count an agent's conversations by the day they began",
		Description: periodText +
			"\n\nThere is a row for each day, the oldest first, also where the count is 0.",
	}, s.conversations)
	api.Handle(r, "GET /agents/{agent_id}/analytics/leads/", api.Doc{
		ID:      "getLeadAnalytics",
		Summary: "Count an agent's contacts by stage and lead score",
		Description: periodText +
			"\n\nIt is of the contacts that were created in the period and are still there, as they are " +
			"now. Hot are those with a lead score from 70, warm from 40, and cold the others.",
	}, s.leads)
	api.Handle(r, "GET /agents/{agent_id}/analytics/csat/", api.Doc{
		ID:      "getSatisfactionAnalytics",
		Summary: "Tell how satisfied an agent's contacts are, and how soon they are served",
		Description: periodText +
			" Without `since` it has as many days as `days` says.\n\nRatings count by " +
			"the time when the rated " +
			"message was sent, answers and resolutions by the time when they happened. The plan must " +
			"include enterprise analytics.",
		Errors: []fault.Code{fault.NotImplemented},
	}, s.csat)
}

// A Summary is what an agent did in a period.
type Summary struct {
	Period             string  `json:"period" doc:"The first and the last day." example:"2026-03-01 / 2026-03-30"`
	ConversationsTotal int64   `json:"conversations_total" doc:"How many conversations began." example:"1240"`
	AIResolvedPct      float64 `json:"ai_resolved_pct" doc:"The share of them that the agent resolved alone." example:"71.5"`
	HandoffPct         float64 `json:"handoff_pct" doc:"The share of them that a person took over." example:"8.2"`
	AppointmentsBooked int64   `json:"appointments_booked" example:"86"`
	MessagesSent       int64   `json:"messages_sent" doc:"Messages to contacts, of the agent and of people." example:"5310"`
	MessagesReceived   int64   `json:"messages_received" doc:"Messages of contacts." example:"4977"`
	AIInputTokens      int64   `json:"ai_input_tokens" doc:"Tokens that language models read for the agent's replies. The built-in engine has none." example:"3120000"`
	AIOutputTokens     int64   `json:"ai_output_tokens" doc:"Tokens that language models wrote." example:"210000"`
	AICostUSD          float64 `json:"ai_cost_usd" doc:"The list price of these tokens in US dollars, to the millionth; those of a model whose price is not known cost 0." example:"0.594"`
}

// summary answers the sums of a period. They are added up from the counters of its days, so the cost does not
// grow with the number of conversations.
func (s *Service) summary(ctx context.Context, in periodIn) (Summary, error) {
	p, err := in.period(s.Now(), defaultDays)
	if err != nil {
		return Summary{}, err
	}
	days, err := s.days(ctx, in.AgentID, p)
	if err != nil {
		return Summary{}, err
	}
	counts := days.Sum()
	of := conversation.StatisticsOf(counts)
	return Summary{
		Period: p.String(), ConversationsTotal: of.Begun,
		AIResolvedPct: percent(of.ResolvedByAI, of.Begun), HandoffPct: percent(of.HandedOff, of.Begun),
		AppointmentsBooked: appointment.Booked(counts), MessagesSent: of.Sent, MessagesReceived: of.Received,
		AIInputTokens: of.Usage.InputTokens, AIOutputTokens: of.Usage.OutputTokens,
		AICostUSD: float64(of.Usage.MicroUSD) / 1e6,
	}, nil
}

// ConversationCounts is the number of conversations that began on each day of a period.
type ConversationCounts struct {
	AgentID int64               `json:"agent_id" example:"219482113000001"`
	Period  string              `json:"period" doc:"The first and the last day." example:"2026-03-01 / 2026-03-30"`
	Results []ConversationCount `json:"results"`
}

// A ConversationCount is the number of conversations that began on one day.
type ConversationCount struct {
	Date  string `json:"date" doc:"A day in UTC." example:"2026-03-01"`
	Count int64  `json:"count" example:"42"`
}

// conversations answers how many conversations began on each day of a period.
func (s *Service) conversations(ctx context.Context, in periodIn) (ConversationCounts, error) {
	p, err := in.period(s.Now(), defaultDays)
	if err != nil {
		return ConversationCounts{}, err
	}
	days, err := s.days(ctx, in.AgentID, p)
	out := ConversationCounts{in.AgentID, p.String(), []ConversationCount{}}
	// Days without counters are zero in the answer, so that charts have no gaps.
	for day := p.first; !day.After(p.last); day = day.AddDate(0, 0, 1) {
		date := counter.Date(day)
		out.Results = append(out.Results, ConversationCount{date,
			conversation.StatisticsOf(days[date]).Begun})
	}
	return out, err
}

// Leads are the contacts created in a period, counted by stage and lead score.
type Leads struct {
	AgentID       int64  `json:"agent_id" example:"219482113000001"`
	Period        string `json:"period" doc:"The first and the last day." example:"2026-03-01 / 2026-03-30"`
	TotalContacts int64  `json:"total_contacts" example:"310"`
	ByStage       Stages `json:"by_stage"`
	HotLeads      int64  `json:"hot_leads" doc:"Contacts with a lead score from 70." example:"24"`
	WarmLeads     int64  `json:"warm_leads" doc:"Contacts with a lead score from 40 to 69." example:"96"`
	ColdLeads     int64  `json:"cold_leads" doc:"Contacts with a lead score below 40." example:"190"`
}

// Stages are numbers of contacts by stage.
type Stages struct {
	Lead     int64 `json:"lead" example:"220"`
	Prospect int64 `json:"prospect" example:"60"`
	Customer int64 `json:"customer" example:"25"`
	Churned  int64 `json:"churned" example:"5"`
}

// leads answers how many contacts were created in a period, by the stage and lead score that they have now.
func (s *Service) leads(ctx context.Context, in periodIn) (Leads, error) {
	p, err := in.period(s.Now(), defaultDays)
	if err != nil {
		return Leads{}, err
	}
	days, err := s.days(ctx, in.AgentID, p)
	if err != nil {
		return Leads{}, err
	}
	counts := days.Sum()
	stages := Stages{
		Lead:     contact.CountOfStage(counts, contact.Lead),
		Prospect: contact.CountOfStage(counts, contact.Prospect),
		Customer: contact.CountOfStage(counts, contact.Customer),
		Churned:  contact.CountOfStage(counts, contact.Churned),
	}
	return Leads{
		AgentID: in.AgentID, Period: p.String(), ByStage: stages,
		TotalContacts: stages.Lead + stages.Prospect + stages.Customer + stages.Churned,
		HotLeads:      contact.CountOfBand(counts, contact.Hot),
		WarmLeads:     contact.CountOfBand(counts, contact.Warm),
		ColdLeads:     contact.CountOfBand(counts, contact.Cold),
	}, nil
}

// days reads the counters of each day. It returns agent.ErrNotFound if the workspace has no such agent.
func (s *Service) days(ctx context.Context, agentID int64, p period) (counter.Days, error) {
	return counter.OfDays(ctx, s.Table, auth.CallerOf(ctx).Account.ID, agentID, p.first, p.last)
}

// percent returns the share of part in whole as a percentage with one decimal, and 0 where whole is 0.
func percent(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return tenth(100 * float64(part) / float64(whole))
}

func tenth(n float64) float64 { return math.Round(10*n) / 10 }
