package whatsapp

import (
	"encoding/json"
	"slices"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/internal/graph"
)

// The part of Meta's webhooks that is read. Missing fields are empty.
type (
	payload struct {
		Object string `json:"object"`
		Entry  []struct {
			Changes []struct {
				Field string          `json:"field"`
				Value json.RawMessage `json:"value"`
			} `json:"changes"`
		} `json:"entry"`
	}
	value struct {
		Metadata struct {
			PhoneNumberID graph.ID `json:"phone_number_id"`
		} `json:"metadata"`
		Contacts []struct {
			Profile struct {
				Name string `json:"name"`
			} `json:"profile"`
			WaID   graph.ID `json:"wa_id"`
			UserID string   `json:"user_id"`
		} `json:"contacts"`
		Messages []json.RawMessage `json:"messages"`
		Echoes   []json.RawMessage `json:"message_echoes"`
		Statuses []json.RawMessage `json:"statuses"`
		UserIDs  []json.RawMessage `json:"user_id_update"`
	}
	message struct {
		From       graph.ID        `json:"from"`
		FromUserID string          `json:"from_user_id"`
		To         graph.ID        `json:"to"`
		ToUserID   string          `json:"to_user_id"`
		ID         string          `json:"id"`
		Timestamp  graph.Timestamp `json:"timestamp"`
		GroupID    string          `json:"group_id"`
		Type       string          `json:"type"`
		Referral   *referral       `json:"referral"`
		body
	}
	referral struct {
		URL      string `json:"source_url"`
		ID       string `json:"source_id"`
		Type     string `json:"source_type"`
		Headline string `json:"headline"`
	}
	status struct {
		ID              string          `json:"id"`
		Status          string          `json:"status"`
		Timestamp       graph.Timestamp `json:"timestamp"`
		RecipientID     graph.ID        `json:"recipient_id"`
		RecipientUserID string          `json:"recipient_user_id"`
		Ref             string          `json:"biz_opaque_callback_data"`
		Errors          []graph.Failure `json:"errors"`
	}
	userID struct {
		WaID   graph.ID `json:"wa_id"`
		UserID struct {
			Previous string `json:"previous"`
			Current  string `json:"current"`
		} `json:"user_id"`
		Timestamp graph.Timestamp `json:"timestamp"`
	}
)

// Parse implements channel.Provider.
func (p *Provider) Parse(c channel.Connection, r channel.Request) ([]channel.Update, error) {
	var all payload
	if err := json.Unmarshal(r.Body, &all); err != nil || all.Object == "" {
		return nil, channel.ErrMalformed
	}
	var updates []channel.Update
	for _, entry := range all.Entry {
		for _, change := range entry.Changes {
			var v value
			if json.Unmarshal(change.Value, &v) != nil {
				continue
			}
			if n := string(v.Metadata.PhoneNumberID); n != "" && n != c.Text(channel.PhoneNumberID) {
				continue
			}
			updates = append(updates, v.updates()...)
		}
	}
	return updates, nil
}

// updates converts all parts of a value: a status must not hide a message beside it.
func (v *value) updates() []channel.Update {
	var updates []channel.Update
	add := func(u channel.Update, ok bool) {
		if ok {
			updates = append(updates, u)
		}
	}
	for _, raw := range v.Messages {
		add(v.message(raw))
	}
	for _, raw := range v.Echoes {
		add(echo(raw))
	}
	for _, raw := range v.Statuses {
		add(statusOf(raw))
	}
	for _, raw := range v.UserIDs {
		var u userID
		if json.Unmarshal(raw, &u) == nil && u.UserID.Previous != "" && u.UserID.Current != "" {
			add(channel.Update{
				Kind: channel.IdentityUpdate, ID: "user_id:" + u.UserID.Previous + ":" + u.UserID.Current,
				At:   u.Timestamp.Time(),
				From: person(u.WaID, u.UserID.Current), Previous: u.UserID.Previous,
			}, true)
		}
	}
	return updates
}

// person returns a user with a number and Meta's id of the user for this business. Either may be missing, and
// some webhooks have the id in place of the number.
func person(waID graph.ID, userID string) channel.Person {
	number := string(waID)
	if number != "" && !isDigits(number) {
		number, userID = "", number
	}
	var p channel.Person
	if number != "" {
		p.Address, p.Phone = "+"+number, "+"+number
	}
	switch {
	case userID == "":
	case p.Address == "":
		p.Address = userID
	default:
		p.Aliases = []string{userID}
	}
	return p
}

// message converts a message. Messages of groups are left out.
func (v *value) message(raw json.RawMessage) (channel.Update, bool) {
	var m message
	if json.Unmarshal(raw, &m) != nil || m.ID == "" || m.GroupID != "" {
		return channel.Update{}, false
	}
	if m.Type == "system" {
		return m.system()
	}
	from := person(m.From, m.FromUserID)
	for _, known := range v.Contacts {
		same := person(known.WaID, known.UserID)
		if len(v.Contacts) == 1 || same.Address == from.Address {
			from.Name = channel.CleanText(known.Profile.Name)
			if len(from.Aliases) == 0 && len(same.Aliases) > 0 {
				from.Aliases = same.Aliases
			}
			break
		}
	}
	if from.Address == "" {
		return channel.Update{}, false
	}
	u := channel.Update{Kind: channel.MessageUpdate, ID: m.ID, At: m.Timestamp.Time(), From: from,
		MessageID: m.ID}
	m.read(m.Type, &u)
	if m.Referral != nil {
		u.Source = &channel.Source{
			Type: m.Referral.Type, ID: m.Referral.ID, URL: m.Referral.URL,
			Headline: channel.CleanText(m.Referral.Headline),
		}
	}
	return u, true
}

// system reads what WhatsApp itself says: that a user has another number or id.
func (m *message) system() (channel.Update, bool) {
	s := m.System
	if !slices.Contains([]string{"user_changed_number", "user_changed_user_id"}, s.Type) {
		return channel.Update{}, false
	}
	before := person(m.From, m.FromUserID)
	after := person(s.WaID, s.UserID)
	if after.Address == "" || before.Address == "" || after.Address == before.Address {
		return channel.Update{}, false
	}
	return channel.Update{
		Kind: channel.IdentityUpdate, ID: m.ID, At: m.Timestamp.Time(), From: after, Previous: before.Address,
	}, true
}

// echo converts a message that a person of the business wrote in WhatsApp's own app.
func echo(raw json.RawMessage) (channel.Update, bool) {
	var m message
	if json.Unmarshal(raw, &m) != nil || m.ID == "" || m.GroupID != "" {
		return channel.Update{}, false
	}
	to := person(m.To, m.ToUserID)
	if to.Address == "" {
		return channel.Update{}, false
	}
	u := channel.Update{Kind: channel.EchoUpdate, ID: m.ID, At: m.Timestamp.Time(), From: to, MessageID: m.ID}
	m.read(m.Type, &u)
	return u, true
}

// statuses maps Meta's message statuses. A message that the user deleted counts as delivered.
var statuses = map[string]channel.Status{
	"sent": channel.Accepted, "delivered": channel.Delivered, "read": channel.Seen, "played": channel.Seen,
	"failed": channel.Failed,
}

func statusOf(raw json.RawMessage) (channel.Update, bool) {
	var s status
	if json.Unmarshal(raw, &s) != nil || s.ID == "" || statuses[s.Status] == "" {
		return channel.Update{}, false
	}
	u := channel.Update{
		Kind: channel.StatusUpdate, ID: s.ID + ":" + s.Status, At: s.Timestamp.Time(),
		From:      person(s.RecipientID, s.RecipientUserID),
		MessageID: s.ID, Status: statuses[s.Status], Ref: s.Ref,
	}
	if u.Status == channel.Failed {
		u.Error = &channel.Error{Class: channel.Rejected, Detail: "WhatsApp could not deliver the message."}
		if len(s.Errors) > 0 {
			u.Error = s.Errors[0].Error("WhatsApp", 0, "")
		}
	}
	return u, true
}
