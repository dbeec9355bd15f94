package agents

import (
	"fmt"
	"strings"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai/faq"
	"frontdesk/shared/when"
)

// warningsOf returns what the agent cannot use of the business's own texts. Assumed fields of a template
// cause no warnings.
func warningsOf(a *agent.Agent) []agent.Warning {
	all := []agent.Warning{}
	add := func(code agent.WarningCode, field, detail string, values ...string) {
		all = append(all, agent.Warning{
			Code: code, Field: field, Detail: detail, Values: append([]string{}, values...),
		})
	}
	if unread := unreadHours(a); len(unread) > 0 {
		add(agent.HoursUnread, "business_hours",
			"Parts of the opening hours cannot be read, so the agent leaves "+
				"them out. Write them like: Monday to Friday 9:00-17:00, Saturday closed.",
			unread...)
	}
	if without := withoutDuration(a); len(without) > 0 {
		add(agent.ServiceWithoutDuration, "available_services", "No duration is stated, so an appointment "+
			"takes 30 minutes. Write it behind the name, like: Haircut, 45 min.", without...)
	}
	if a.EmptyDocuments > 0 {
		add(agent.DocumentWithoutText, "knowledge", fmt.Sprintf("Documents that hold no text to answer "+
			"from: %d. The list of documents says which and why.", a.EmptyDocuments))
	}
	if a.FAQOverflow {
		add(agent.PhrasingsUntrained, "knowledge", fmt.Sprintf("The FAQs have more phrasings than training "+
			"takes: %d at most, fewer of many questions. None were learnt, and questions are told apart by "+
			"their words alone. Keep the phrasings that differ most, and train the agent again.",
			faq.MaxExamples))
	}
	return all
}

// unreadHours returns the parts of the opening hours that cannot be parsed, or the whole text if no part
// can.
func unreadHours(a *agent.Agent) []string {
	stated := strings.TrimSpace(a.KnownHours())
	if stated == "" {
		return nil
	}
	hours := when.ParseHours(string(a.Language), stated)
	if len(hours.Unread) == 0 && !hours.Known() {
		return []string{stated}
	}
	return hours.Doubts()
}

// withoutDuration returns the services that state no duration, for an agent that books appointments.
func withoutDuration(a *agent.Agent) []string {
	if !a.BookingEnabled {
		return nil
	}
	var without []string
	for _, service := range a.KnownServices() {
		if strings.TrimSpace(service) != "" && when.Length(string(a.Language), service) == 0 {
			without = append(without, service)
		}
	}
	return without
}
