// Package contact is the people who write to an agent, as they are stored.
package contact

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/conversation"
	"frontdesk/shared/identity"
	"frontdesk/shared/table"
)

// Stage is how far a contact has come. The zero value is no stage; new contacts are leads.
type Stage string

// The stages.
const (
	Lead     Stage = "lead"
	Prospect Stage = "prospect"
	Customer Stage = "customer"
	Churned  Stage = "churned"
)

// Values lists the stages.
func (Stage) Values() []string {
	return []string{string(Lead), string(Prospect), string(Customer), string(Churned)}
}

// A Contact is someone who writes to an agent. Name, Phone and Email may be empty: a visitor of a website is
// nobody until they say who they are.
type Contact struct {
	ID      int64  `json:"id"`
	AgentID int64  `json:"agent_id"`
	Name    string `json:"name"`
	// Phone, Email and ExternalID are proved, or stated by the business; see package identity.
	Phone      string `json:"phone"` // E.164
	Email      string `json:"email"`
	ExternalID string `json:"external_id,omitempty"` // in the business's own systems
	// Others of the same kinds, of contacts that were joined into this one. They lead to it too.
	OtherPhones      []string `json:"other_phones,omitempty"`
	OtherEmails      []string `json:"other_emails,omitempty"`
	OtherExternalIDs []string `json:"other_external_ids,omitempty"`
	// Merged are the contacts that were joined into this one, the earliest first.
	Merged []int64 `json:"merged,omitempty"`
	// Source is what first led the contact here, as far as a platform told.
	Source Referral `json:"source,omitzero"`
	// Claimed is what the contact only stated of themselves.
	Claimed identity.Claims `json:"claimed,omitzero"`
	// EmailLeads tells that the e-mail address leads to this contact, and not to another that gave it first.
	// So does the phone always.
	EmailLeads bool     `json:"email_leads,omitempty"`
	Stage      Stage    `json:"stage"`
	LeadScore  int      `json:"lead_score"` // 0 to 100; see Score
	OptedIn    bool     `json:"opted_in"`
	Tags       []string `json:"tags"`
	Notes      string   `json:"notes"`
	Budget     string   `json:"budget"`
	Location   string   `json:"location"`
	// Facts are what the contact told the agent, by name; nil for nothing.
	Facts map[string]string `json:"facts,omitempty"`
	// KeepsToThemselves tells that the contact does not want to say who they are.
	KeepsToThemselves bool      `json:"keeps_to_themselves,omitempty"`
	CreatedAt         time.Time `json:"created_at"`
	LastSeenAt        time.Time `json:"last_seen_at"`
	// Conversations are its latest conversations, the oldest first: those that change with it. One of them
	// may be with another contact by now.
	Conversations []int64 `json:"conversations,omitempty"`
}

// A Referral is what led somebody to the business, such as an advertisement. Any field may be empty.
type Referral struct {
	Type     string `json:"type" doc:"The platform's word, such as ad or post." example:"ad"`
	ID       string `json:"id" doc:"The platform's id of it." example:"120208"`
	URL      string `json:"url" example:"https://fb.me/3cr4"`
	Headline string `json:"headline" example:"Bicycles at half price"`
}

// maxConversations is how many conversations change with their contact: one transaction has room for a
// hundred writes.
const maxConversations = 50

// Join notes that a conversation is with the contact.
func (c *Contact) Join(conversation int64) {
	if slices.Contains(c.Conversations, conversation) {
		return
	}
	all := append(slices.Clone(c.Conversations), conversation)
	c.Conversations = all[max(0, len(all)-maxConversations):]
}

// Partner is what the contact's conversations know of it.
func (c Contact) Partner() conversation.Partner {
	return conversation.Partner{
		ContactID: c.ID, ContactName: c.Name, LeadScore: c.LeadScore, Verified: c.Verified(),
		Claimed: c.Claimed,
	}
}

// seenStep is how far LastSeenAt may lag behind the contact's last message. A contact is rewritten for it no
// more often than that.
const seenStep = 10 * time.Minute

// Changed reports whether the contact is to be stored again, given how it was before: where anything differs,
// but for a LastSeenAt that is less than seenStep later.
func (c Contact) Changed(before Contact) bool {
	if c.LastSeenAt.Sub(before.LastSeenAt) < seenStep {
		c.LastSeenAt = before.LastSeenAt
	}
	return !reflect.DeepEqual(c, before)
}

// New returns a contact of an agent as it begins.
func New(id, agent int64, now time.Time) Contact {
	return Contact{ID: id, AgentID: agent, Stage: Lead, OptedIn: true, Tags: []string{}, CreatedAt: now,
		LastSeenAt: now}
}

// Anonymous reports whether nothing is known that would tell the contact from another.
func (c Contact) Anonymous() bool { return !c.Verified() }

// Verified reports whether it is proved who the contact is.
func (c Contact) Verified() bool { return c.Phone != "" || c.Email != "" || c.ExternalID != "" }

// Reachable reports whether the contact gave a phone or an e-mail address, proved or not.
func (c Contact) Reachable() bool {
	return c.Phone != "" || c.Email != "" || c.Claimed.Phone != "" || c.Claimed.Email != ""
}

// Claim keeps what the contact states of themselves, unless it is proved already. A name is taken for that of
// a contact of whom nothing is proved.
func (c *Contact) Claim(stated identity.Claims) {
	c.Claimed.Add(stated)
	if c.Name == "" && !c.Verified() {
		c.Name = c.Claimed.Name
	}
	if !c.Verified() {
		return
	}
	if c.Claimed.Name == c.Name {
		c.Claimed.Name = ""
	}
	if c.Claimed.Phone == c.Phone {
		c.Claimed.Phone = ""
	}
	if strings.EqualFold(c.Claimed.Email, c.Email) {
		c.Claimed.Email = ""
	}
	if c.Claimed.ExternalID == c.ExternalID {
		c.Claimed.ExternalID = ""
	}
}

// Item is the contact as it is stored. Version is that of the item it was read from, 0 for a new one.
func (c Contact) Item(account, version int64) (table.Item, error) {
	doc, err := json.Marshal(c)
	return table.Item{
		Key:     Key(account, c.ID),
		Doc:     doc,
		Index1:  KeyByAgent(account, c.AgentID, c.ID),
		Index2:  KeyByAccount(account, c.ID),
		Version: version,
	}, err
}

// Read is the contact that an item holds.
func Read(item table.Item) (Contact, error) {
	var c Contact
	if err := json.Unmarshal(item.Doc, &c); err != nil {
		return Contact{}, fmt.Errorf("contact: %s: %w", item.PK, err)
	}
	return c, nil
}
