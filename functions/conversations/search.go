package conversations

import (
	"context"
	"slices"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/search"
	"frontdesk/shared/table"
)

const (
	searched         = 1000 // limit of conversations that a search reads, the latest of the list
	searchedMessages = 100  // limit of messages read per conversation
	atOnce           = 50   // conversations whose messages are read concurrently
)

// search answers a page of the conversations that match. Searches are rare, so it reads and filters the
// latest conversations: an index of words would have to be written with every message.
func (s *Service) search(ctx context.Context, in listIn, q search.Query) (api.List[Conversation], error) {
	all, err := s.latest(ctx, in)
	if err != nil {
		return api.List[Conversation]{}, err
	}
	matches := make([]bool, len(all))
	var reads []func(context.Context) error
	// Messages are read only for conversations whose own texts do not match.
	for i, c := range all {
		if matches[i] = q.Match(textsOf(c)...); !matches[i] {
			reads = append(reads, func(ctx context.Context) (err error) {
				matches[i], err = s.matchMessages(ctx, c, q)
				return err
			})
		}
	}
	for some := range slices.Chunk(reads, atOnce) {
		if err := table.Parallel(ctx, some...); err != nil {
			return api.List[Conversation]{}, err
		}
	}
	var found []Conversation
	for i, c := range all {
		if matches[i] {
			found = append(found, show(c))
		}
	}
	return api.PaginateAll(ctx, in.PageIn, found)
}

// textsOf returns a conversation's own texts that a search matches against, without its messages.
func textsOf(c conversation.Conversation) []string {
	return append([]string{
		c.ContactName, c.Address, c.Claimed.Name, c.Claimed.Email, c.Claimed.Phone, c.Preview,
	}, c.Labels...)
}

// latest reads the conversations that a search looks through, newest first.
func (s *Service) latest(ctx context.Context, in listIn) ([]conversation.Conversation, error) {
	account := auth.CallerOf(ctx).Account.ID
	filter := conversation.Filter{Status: in.Status}
	listing := api.Listing[conversation.Conversation]{Item: conversation.Read}
	if in.AgentID.Set {
		listing.Query, listing.Also = filter.OfAgent(account, in.AgentID.Value)
		listing.Count = counter.OfOneAgent(s.Table, account, in.AgentID.Value,
			func(counts counter.Counts) int64 {
				return conversation.Count(counts, in.Status)
			})
	} else {
		listing.Query, listing.Also = filter.OfAccount(account)
		listing.Count, listing.Keep = s.ofAccount(account, in.Status)
	}
	return api.First(ctx, s.Table, searched, listing)
}

// matchMessages reports whether the words of a search occur in a conversation and its latest messages. Words
// may be spread over several messages.
func (s *Service) matchMessages(ctx context.Context, c conversation.Conversation,
	q search.Query) (bool, error) {
	query := conversation.Latest(auth.CallerOf(ctx).Account.ID, c.ID, searchedMessages, false)
	// A search may miss a message of the last second: an eventually consistent read costs half.
	query.Stale = true
	page, err := conversation.Messages{Table: s.Table}.Query(ctx, query)
	if err != nil {
		return false, err
	}
	texts := textsOf(c)
	for _, item := range page.Items {
		m, err := conversation.ReadMessage(item)
		if err != nil {
			return false, err
		}
		texts = append(texts, m.Content)
	}
	return q.Match(texts...), nil
}
