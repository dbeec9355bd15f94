package conversation

import (
	"time"

	"frontdesk/shared/ai"
	"frontdesk/shared/counter"
)

// statusCount begins the names of the counts of conversations of all time, one for each status.
const statusCount = "conversations."

// unread is the count of the conversations that have messages which no person has read.
const unread = "unread"

// The names of the counts of a day. Those of conversations are of the ones that began on it, as they are now;
// the others are of what happened on it.
const (
	begun        = "begun"
	handedOff    = "handed_off"
	resolvedByAI = "resolved_by_ai"

	received = "received"
	sent     = "sent"
	// rated begins those of messages sent on the day, one for each rating.
	rated = "rated."
	// Kinds of durations.
	response   = "response"
	resolution = "resolution"
	byPerson   = "person"

	// What the agent's replies took of a language model.
	inputTokens  = "ai.input"
	outputTokens = "ai.output"
	microUSD     = "ai.micro_usd"
)

// The business's service levels: the times to a first answer and to a resolution.
const (
	ResponseTarget   = time.Minute
	ResolutionTarget = 24 * time.Hour
	PersonTarget     = 15 * time.Minute // from when a contact waits for a person
)

// Recount returns the change of an agent's counters when a conversation changes; nil stands for one that does
// not exist.
func Recount(before, after *Conversation) counter.Change {
	var change counter.Change
	count := func(c *Conversation, n int64) {
		change.Count(statusCount+string(c.Status), n)
		change.CountOn(c.CreatedAt, begun, n)
		if c.Unread > 0 {
			change.Count(unread, n)
		}
		if c.HandedOff {
			change.CountOn(c.CreatedAt, handedOff, n)
		}
		if c.resolvedByAI() {
			change.CountOn(c.CreatedAt, resolvedByAI, n)
		}
	}
	if before != nil {
		count(before, -1)
	} else {
		before = &Conversation{}
	}
	if after == nil {
		return change
	}
	count(after, 1)
	// By the messages' own times, since LastMessageAt may be later: a message that fails is subtracted from
	// the day that counted it.
	change.CountOn(after.ReceivedAt, received, after.Received-before.Received)
	change.CountOn(after.SentAt, sent, after.sent()-before.sent())
	if !after.AnsweredAt.Equal(before.AnsweredAt) {
		change.Took(after.AnsweredAt, response, after.AnsweredAt.Sub(after.AskedAt), ResponseTarget)
	}
	if !after.RepliedAt.Equal(before.RepliedAt) {
		change.Took(after.RepliedAt, byPerson, after.RepliedAt.Sub(after.AwaitedAt), PersonTarget)
	}
	if !after.ResolvedAt.Equal(before.ResolvedAt) {
		change.Took(after.ResolvedAt, resolution, after.ResolvedAt.Sub(after.OpenedAt), ResolutionTarget)
	}
	return change
}

// CountUsage returns the change of an agent's counters by what a reply used of a language model.
func CountUsage(reply Message) counter.Change {
	var change counter.Change
	change.CountOn(reply.CreatedAt, inputTokens, reply.Usage.InputTokens)
	change.CountOn(reply.CreatedAt, outputTokens, reply.Usage.OutputTokens)
	change.CountOn(reply.CreatedAt, microUSD, reply.Usage.MicroUSD)
	return change
}

// RecountMessage returns the change of an agent's counters when a message changes. A failed message is not
// counted as sent.
func RecountMessage(before, after Message) counter.Change {
	var change counter.Change
	if after.Status == Failed && before.Status != Failed {
		change.CountOn(after.CreatedAt, sent, -1)
	}
	return change
}

// Count returns the number of conversations of a status, of all for "", from the counters of all time.
func Count(counts counter.Counts, status Status) int64 {
	if status == "" {
		return counts.Sum(statusCount)
	}
	return counts[statusCount+string(status)]
}

// CountUnread returns the number of conversations with messages that no person has read, from the counters of
// all time.
func CountUnread(counts counter.Counts) int64 { return counts[unread] }

// Statistics are the sums of the counters of some days.
type Statistics struct {
	// Begun is how many conversations began, HandedOff how many of these were ever handed over to a person,
	// and ResolvedByAI how many of these are resolved and were answered by the agent alone.
	Begun, HandedOff, ResolvedByAI int64
	// Received is how many messages contacts wrote, Sent how many they were sent: not those that failed.
	Received, Sent int64
	// Positive and Negative are how many of the messages that were sent are rated so.
	Positive, Negative int64
	// Response is how long contacts waited for the first answer of a conversation, by the day of the answer.
	// Resolution is how long it took to resolve conversations since they began or were reopened, by the day
	// of the resolution. Person is how long contacts waited for each answer of a person, by the day of the
	// answer.
	Response, Resolution, Person counter.Durations
	// Usage is what the agent's replies used of language models.
	Usage ai.Usage
}

// StatisticsOf returns the statistics in counters.
func StatisticsOf(counts counter.Counts) Statistics {
	return Statistics{
		Begun: counts[begun], HandedOff: counts[handedOff], ResolvedByAI: counts[resolvedByAI],
		Received: counts[received], Sent: counts[sent],
		Positive: counts[rated+string(Positive)], Negative: counts[rated+string(Negative)],
		Response: counts.Durations(response), Resolution: counts.Durations(resolution),
		Person: counts.Durations(byPerson),
		Usage: ai.Usage{InputTokens: counts[inputTokens], OutputTokens: counts[outputTokens],
			MicroUSD: counts[microUSD]},
	}
}
