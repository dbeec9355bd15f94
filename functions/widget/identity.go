package widget

import (
	"context"
	"errors"

	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/assistant"
	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/identity"
	"frontdesk/shared/opt"
	"frontdesk/shared/rate"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// An IdentitySecret is the key with which the business's server signs the identity of visitors.
type IdentitySecret struct {
	IdentitySecret string `json:"identity_secret" doc:"64 hexadecimal digits, whose text is the key of the HMAC. It is shown in this answer only." example:"9f8b0b8d0c6e4f7d9a3c5e7f1b2d4a6c8e0f1a3b5c7d9e0f2a4b6c8d0e1f3a5b"`
}

// makeSecret gives an agent a new identity secret. Signatures by the previous one are refused at once.
func (s *Service) makeSecret(ctx context.Context, in widgetIn) (IdentitySecret, error) {
	account := auth.CallerOf(ctx).Account.ID
	if _, err := s.agents().LoadSummary(ctx, account, in.AgentID); err != nil {
		return IdentitySecret{}, err
	}
	text := identity.NewSecret()
	key := identitySecretKey(account, in.AgentID)
	sealed, err := s.Secrets.Seal(ctx, secretPlace(key), secret.Plain(text))
	if err != nil {
		return IdentitySecret{}, err
	}
	err = s.Table.Transact(ctx,
		table.Check(agent.Key(account, in.AgentID)),
		table.Put(table.Item{Key: key, Doc: []byte(`"` + sealed + `"`)}),
	)
	if table.IsConditionError(err) {
		err = fault.NotFound() // the agent was deleted in the meantime
	}
	return IdentitySecret{text}, err
}

// secretPlace binds a sealed secret to its agent, so that a copy of it elsewhere cannot be opened.
func secretPlace(key table.Key) string { return secret.Place(key.PK, key.SK, "") }

// proves reports whether the signature is that of the claims under the agent's identity secret. It is false
// for an agent without a secret. It takes one round trip.
func (s *Service) proves(ctx context.Context, ref agent.Ref, signature string,
	c identity.Claims) (bool, error) {
	key := identitySecretKey(ref.AccountID, ref.AgentID)
	item, err := s.Table.Get(ctx, key)
	if errors.Is(err, table.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	sealed := secret.Sealed(item.Doc[1 : len(item.Doc)-1])
	text, err := s.Secrets.Open(ctx, secretPlace(key), sealed)
	return err == nil && identity.Verify(string(text), signature, c), err
}

type visitorIn struct {
	embedIn
	SessionID  string            `json:"session_id" check:"required,format=uuid" doc:"A session that has no messages yet keeps who the visitor is for the conversation to come." example:"063cf14b-1180-808b-9d1f-0c7a5b9e2d41"`
	ExternalID string            `json:"external_id" check:"null,max=200" doc:"The visitor's id in the business's own systems." example:"customer-42"`
	Name       string            `json:"name" check:"null,cut=200" example:"Ada Lovelace"`
	Email      string            `json:"email" check:"null,format=email" example:"ada@example.com"`
	Phone      string            `json:"phone" check:"null,format=e164" example:"+14155550123"`
	Signature  opt.Value[string] `json:"signature" doc:"Proves the other fields: the hex HMAC-SHA256, under the agent's identity secret, of their JSON in the order external_id, email, phone, name, without spaces and without those that are absent. Phones are signed in E.164, characters as UTF-8. The business's server makes it; a wrong one answers 403." example:"5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd"`
}

// A Visitor is the contact that a visitor's session belongs to.
type Visitor struct {
	SessionID string `json:"session_id" check:"format=uuid" example:"063cf14b-1180-808b-9d1f-0c7a5b9e2d41"`
	ContactID int64  `json:"contact_id" example:"219482113060864"`
}

// visitor records who a visitor is. Without a signature it is a claim; a wrong signature is refused, rather
// than taken for a claim.
func (s *Service) visitor(ctx context.Context, in visitorIn) (Visitor, error) {
	ctx, ref, err := s.take(ctx, in.EmbedKey, in.SessionID, writes)
	if err != nil {
		return Visitor{}, err
	}
	stated := identity.Claims{Name: in.Name, Email: in.Email, Phone: in.Phone, ExternalID: in.ExternalID}
	if in.Signature.Set {
		proved, err := s.proves(ctx, ref, in.Signature.Value, stated)
		if err != nil {
			return Visitor{}, err
		}
		if !proved {
			return Visitor{}, fault.New(fault.Forbidden, "The signature is not that of this visitor.")
		}
	}
	contact, err := s.Assistant.Identify(ctx, assistant.Message{
		AccountID: ref.AccountID,
		AgentID:   ref.AgentID,
		Admit:     in.admit(ctx),
		Network:   rate.Network(api.CallerAddress(ctx)),
		SessionID: in.SessionID,
		Contact:   stated,
		Proved:    in.Signature.Set,
	})
	return Visitor{in.SessionID, contact}, err
}
