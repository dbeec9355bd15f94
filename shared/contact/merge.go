package contact

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"frontdesk/shared/table"
)

// maxMerged is how many merged contacts a contact remembers.
const maxMerged = 100

// Merge merges another contact into this one. Empty fields are taken from the other. If both have different
// values, this contact's stay; the other's addresses and ids are added to the lists of others, and its name,
// budget, location and facts are added to the notes. An opt-out of either applies.
func (c *Contact) Merge(other Contact) {
	var notes []string
	keep := func(what string, here *string, theirs string) {
		switch {
		case *here == "":
			*here = theirs
		case theirs != "" && theirs != *here:
			notes = append(notes, what+": "+theirs)
		}
	}
	keep("Name", &c.Name, other.Name)
	keep("Budget", &c.Budget, other.Budget)
	keep("Location", &c.Location, other.Location)
	c.Facts = maps.Clone(c.Facts)
	for _, name := range slices.Sorted(maps.Keys(other.Facts)) {
		if c.Facts == nil {
			c.Facts = map[string]string{}
		}
		value := c.Facts[name]
		keep(name, &value, other.Facts[name])
		c.Facts[name] = value
	}
	if len(notes) > 0 {
		notes = append([]string{fmt.Sprintf("From contact %d, joined with this one:", other.ID)}, notes...)
	}
	parts := slices.DeleteFunc([]string{c.Notes, other.Notes, strings.Join(notes, "\n")},
		func(part string) bool { return part == "" })
	c.Notes = strings.Join(parts, "\n")

	if c.Email == "" {
		c.OwnsEmail = other.OwnsEmail
	}
	mergeAddress(&c.Phone, &c.OtherPhones, other.Phone, other.OtherPhones)
	mergeAddress(&c.Email, &c.OtherEmails, other.Email, other.OtherEmails)
	mergeAddress(&c.ExternalID, &c.OtherExternalIDs, other.ExternalID, other.OtherExternalIDs)

	if c.Source == (Referral{}) {
		c.Source = other.Source
	}
	stated := other.Claimed
	stated.Add(c.Claimed)
	c.Claim(stated)
	if c.Stage == Lead {
		c.Stage = other.Stage
	}
	c.OptedIn = c.OptedIn && other.OptedIn
	c.DeclinedDetails = c.DeclinedDetails && other.DeclinedDetails
	c.Tags = slices.Clone(c.Tags)
	c.Tag(other.Tags...)
	if other.LastSeenAt.After(c.LastSeenAt) {
		c.LastSeenAt = other.LastSeenAt
	}
	talks := slices.Concat(c.Conversations, other.Conversations)
	slices.Sort(talks)
	talks = slices.Compact(talks)
	c.Conversations = talks[max(0, len(talks)-maxConversations):]
	merged := slices.Concat(c.Merged, other.Merged, []int64{other.ID})
	c.Merged = merged[max(0, len(merged)-maxMerged):]
	c.LeadScore = c.Score()
}

// mergeAddress merges addresses of one kind: into the first if it is empty, the rest into the others.
func mergeAddress(first *string, others *[]string, theirs string, more []string) {
	all := slices.Concat(*others, []string{theirs}, more)
	if *first == "" {
		*first = theirs
	}
	kept := (*others)[:0:0]
	for _, address := range all {
		if address != "" && !strings.EqualFold(address, *first) && !slices.Contains(kept, address) {
			kept = append(kept, address)
		}
	}
	*others = kept
}

// RedirectWrites returns the writes that redirect all pointers of the contact to another contact.
func (c Contact) RedirectWrites(account, other int64) ([]table.Write, error) {
	var writes []table.Write
	for _, key := range c.pointers(account) {
		item, err := Pointer{ContactID: other}.Item(key)
		if err != nil {
			return nil, err
		}
		writes = append(writes, table.Put(item))
	}
	return writes, nil
}

// pointers returns the keys of the contact's pointers.
func (c Contact) pointers(account int64) []table.Key {
	var keys []table.Key
	for _, phone := range append([]string{c.Phone}, c.OtherPhones...) {
		if phone != "" {
			keys = append(keys, KeyByPhone(account, c.AgentID, phone))
		}
	}
	emails := c.OtherEmails
	if c.OwnsEmail {
		emails = append([]string{c.Email}, emails...)
	}
	for _, email := range emails {
		keys = append(keys, KeyByEmail(account, c.AgentID, email))
	}
	for _, id := range append([]string{c.ExternalID}, c.OtherExternalIDs...) {
		if id != "" {
			keys = append(keys, KeyByExternalID(account, c.AgentID, id))
		}
	}
	return keys
}
