// Package contact stores the contacts of agents, the people who write to them.
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

// Stage is the sales stage of a contact. New contacts are leads.
type Stage string

// The stages.
const (
	Lead     Stage = "lead"
	Prospect Stage = "prospect"
	Customer Stage = "customer"
	Churned  Stage = "churned"
)

// Values implements api.Enum.
func (Stage) Values() []string {
	return []string{string(Lead), string(Prospect), string(Customer), string(Churned)}
}

// A Contact is a person who writes to an agent. Name, Phone and Email may be empty, as for an anonymous
// visitor.
type Contact struct {
	ID      int64  `json:"id"`
	AgentID int64  `json:"agent_id"`
	Name    string `json:"name"`
	// Phone, Email and ExternalID are verified, or stated by the business; see package identity.
	Phone      string `json:"phone"` // E.164
	Email      string `json:"email"`
	ExternalID string `json:"external_id,omitempty"` // id in the business's own systems
	// The other addresses are of contacts that were merged into this one. They lead to it too.
	OtherPhones      []string `json:"other_phones,omitempty"`
	OtherEmails      []string `json:"other_emails,omitempty"`
	OtherExternalIDs []string `json:"other_external_ids,omitempty"`
	// Merged are the contacts that were merged into this one, earliest first.
	Merged []int64 `json:"merged,omitempty"`
	// Source is what first led the contact here, if a platform reported it.
	Source Referral `json:"source,omitzero"`
	// Claimed is what the contact stated about themselves without proof.
	Claimed identity.Claims `json:"claimed,omitzero"`
	// OwnsEmail is set if the e-mail address leads to this contact, and not to another that had it first.
	// The phone always does.
	OwnsEmail bool     `json:"owns_email,omitempty"`
	Stage     Stage    `json:"stage"`
	LeadScore int      `json:"lead_score"` // 0 to 100; see Score
	OptedIn   bool     `json:"opted_in"`
	Tags      []string `json:"tags"`
	Notes     string   `json:"notes"`
	Budget    string   `json:"budget"`
	Location  string   `json:"location"`
	// Facts are what the contact told the agent, by name; nil for none.
	Facts map[string]string `json:"facts,omitempty"`
	// DeclinedDetails is set if the contact does not want to give a name or address.
	DeclinedDetails bool      `json:"declined_details,omitempty"`
	CreatedAt       time.Time `json:"created_at"`
	LastSeenAt      time.Time `json:"last_seen_at"`
	// Conversations are the latest conversations, oldest first, which are updated with the contact. One may
	// belong to another contact by now.
	Conversations []int64 `json:"conversations,omitempty"`
}

// A Referral is how a contact found the business, such as an advertisement. Any field may be empty.
type Referral struct {
	Type     string `json:"type" doc:"The platform's word, such as ad or post." example:"ad"`
	ID       string `json:"id" doc:"The platform's id of it." example:"120208"`
	URL      string `json:"url" example:"https://fb.me/3cr4"`
	Headline string `json:"headline" example:"Bicycles at half price"`
}

// maxConversations is how many conversations are updated with their contact: a transaction has at most 100
// writes.
const maxConversations = 50

// Join records that a conversation belongs to the contact.
func (c *Contact) Join(conversation int64) {
	if slices.Contains(c.Conversations, conversation) {
		return
	}
	all := append(slices.Clone(c.Conversations), conversation)
	c.Conversations = all[max(0, len(all)-maxConversations):]
}

// Partner returns the contact's data that is copied into its conversations.
func (c Contact) Partner() conversation.Partner {
	return conversation.Partner{
		ContactID: c.ID, ContactName: c.Name, LeadScore: c.LeadScore, Verified: c.Verified(),
		Claimed: c.Claimed,
	}
}

// seenStep is the allowed lag of LastSeenAt behind the contact's last message, so that not every message
// rewrites the contact.
const seenStep = 10 * time.Minute

// Changed reports whether the contact must be stored, compared with before: if anything differs except a
// LastSeenAt that is less than seenStep later.
func (c Contact) Changed(before Contact) bool {
	if c.LastSeenAt.Sub(before.LastSeenAt) < seenStep {
		c.LastSeenAt = before.LastSeenAt
	}
	return !reflect.DeepEqual(c, before)
}

// New returns a new contact of an agent.
func New(id, agent int64, now time.Time) Contact {
	return Contact{ID: id, AgentID: agent, Stage: Lead, OptedIn: true, Tags: []string{}, CreatedAt: now,
		LastSeenAt: now}
}

// Anonymous reports whether the contact has no verified identity.
func (c Contact) Anonymous() bool { return !c.Verified() }

// Verified reports whether the contact has a verified identity.
func (c Contact) Verified() bool { return c.Phone != "" || c.Email != "" || c.ExternalID != "" }

// Reachable reports whether the contact gave a phone number or an e-mail address, verified or not.
func (c Contact) Reachable() bool {
	return c.Phone != "" || c.Email != "" || c.Claimed.Phone != "" || c.Claimed.Email != ""
}

// Claim adds claims, except those that are verified already. A claimed name becomes the name of a contact
// without a verified identity.
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

// Item returns the contact as it is stored. version is that of the item it was read from, 0 for a new one.
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

// Read decodes an item of a contact.
func Read(item table.Item) (Contact, error) {
	var c Contact
	if err := json.Unmarshal(item.Doc, &c); err != nil {
		return Contact{}, fmt.Errorf("contact: %s: %w", item.PK, err)
	}
	return c, nil
}
