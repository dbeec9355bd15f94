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
	searched         = 1000 // conversations that a search looks through, the latest of the list
	searchedMessages = 100  // messages of each
	atOnce           = 50   // conversations whose messages are read in one trip
)

// search is a page of the conversations that a search finds. Who looks for something does so now and then, so
// it reads what it looks through: no index of words has to be written with each message.
func (s *Service) search(ctx context.Context, in listIn, q search.Query) (api.List[Conversation], error) {
	all, err := s.latest(ctx, in)
	if err != nil {
		return api.List[Conversation]{}, err
	}
	matches := make([]bool, len(all))
	var reads []func(context.Context) error
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

// textsOf are what a search finds a conversation by beside its messages.
func textsOf(c conversation.Conversation) []string {
	return append([]string{
		c.ContactName, c.Address, c.Claimed.Name, c.Claimed.Email, c.Claimed.Phone, c.Preview,
	}, c.Labels...)
}

// latest reads the conversations that a search looks through, the newest first.
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

// matchMessages reports whether a conversation with its messages matches.
func (s *Service) matchMessages(ctx context.Context, c conversation.Conversation,
	q search.Query) (bool, error) {
	query := conversation.Latest(auth.CallerOf(ctx).Account.ID, c.ID, searchedMessages, false)
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
