package channels

import (
	"context"
	"strings"
	"time"
	"unicode"

	"frontdesk/shared/agent"
	"frontdesk/shared/auth"
	"frontdesk/shared/channel"
	"frontdesk/shared/fault"
	"frontdesk/shared/money"
	"frontdesk/shared/opt"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// readShop answers the shop's settings; an agent without any has the defaults. One round trip reads them and
// checks that the workspace has the agent.
func (s *Service) readShop(ctx context.Context, in agentIn) (Shop, error) {
	account := auth.CallerOf(ctx).Account.ID
	agentKey, key := agent.Key(account, in.AgentID), channel.ShopKey(account, in.AgentID)
	items, err := s.Table.BatchGet(ctx, agentKey, key)
	if err != nil {
		return Shop{}, err
	}
	if _, ok := items[agentKey]; !ok {
		return Shop{}, agent.ErrNotFound
	}
	shop, err := readShop(items, key)
	return shop.show(), err
}

type updateShopIn struct {
	agentIn
	Enabled        opt.Value[bool]           `json:"enabled" example:"true"`
	Currency       opt.Value[money.Currency] `json:"currency" doc:"Code of ISO 4217." example:"EUR"`
	Storefront     opt.Value[storefrontIn]   `json:"storefront" check:"null"`
	Shipping       opt.Value[providerIn]     `json:"shipping" check:"null"`
	EmailMarketing opt.Value[providerIn]     `json:"email_marketing" check:"null"`
	Payment        opt.Value[providerIn]     `json:"payment" check:"null"`
}

// Platforms and providers are free text: the list of those that there are is long and never complete, and
// nothing here depends on it.
type storefrontIn struct {
	Platform opt.Value[string] `json:"platform" check:"null,cut=100" example:"shopify"`
	Domain   opt.Value[string] `json:"domain" check:"null,trim" doc:"A host name." example:"acme.myshopify.com"`
	keyIn
}

type providerIn struct {
	Provider opt.Value[string] `json:"provider" check:"null,cut=100" example:"stripe"`
	keyIn
}

type keyIn struct {
	APIKey opt.Value[string] `json:"api_key" check:"null,max=2000" doc:"Secret; never returned." example:"sk_live_51H8x"`
}

// updateShop changes the shop in one transaction with the agent. Switching it on also switches on what the
// agent needs for it, once: what the business switches off again later stays off.
func (s *Service) updateShop(ctx context.Context, in updateShopIn) (Shop, error) {
	account := auth.CallerOf(ctx).Account.ID
	agents := &agent.Store{Table: s.Table, Now: s.Now}
	key := channel.ShopKey(account, in.AgentID)
	var after shop
	_, err := agents.UpdateWith(ctx, account, in.AgentID, []table.Key{key},
		func(a *agent.Agent, items map[table.Key]table.Item) ([]table.Write, error) {
			before, err := readShop(items, key)
			if err != nil {
				return nil, err
			}
			after = before
			if err := s.apply(ctx, in, &after, key); err != nil {
				return nil, err
			}
			if after.Enabled && !before.Enabled {
				enableShop(a)
			}
			put, err := after.put(items, key)
			return []table.Write{put}, err
		})
	return after.show(), err
}

// enableShop turns on what an agent needs to help in a shop.
func enableShop(a *agent.Agent) {
	a.EcommerceEnabled = true
	a.CapabilityQuotePrices = true
	a.CapabilityRecommendProducts = true
	a.CapabilityTakeOrders = true
	a.CapabilityShareLinks = true
}

// apply puts what was sent into a shop.
func (s *Service) apply(ctx context.Context, in updateShopIn, to *shop, key table.Key) error {
	in.Enabled.To(&to.Enabled)
	in.Currency.To(&to.Currency)
	if in.Storefront.Null {
		to.Storefront = integration{}
	}
	in.Storefront.Value.Platform.To(&to.Storefront.Name)
	if domain := in.Storefront.Value.Domain; domain.Set {
		to.Storefront.Domain = strings.ToLower(domain.Value)
		if !isHostName(to.Storefront.Domain) && to.Storefront.Domain != "" {
			return fault.Invalid("storefront.domain",
				"The field storefront.domain must be a host name, such as shop.example.com.")
		}
	}
	if err := s.applyKey(ctx, in.Storefront.Value.keyIn, "storefront", &to.Storefront, key); err != nil {
		return err
	}
	for _, task := range []struct {
		name string
		sent opt.Value[providerIn]
		to   *integration
	}{
		{"shipping", in.Shipping, &to.Shipping},
		{"email_marketing", in.EmailMarketing, &to.EmailMarketing},
		{"payment", in.Payment, &to.Payment},
	} {
		if task.sent.Null {
			*task.to = integration{}
		}
		task.sent.Value.Provider.To(&task.to.Name)
		if err := s.applyKey(ctx, task.sent.Value.keyIn, task.name, task.to, key); err != nil {
			return err
		}
	}
	to.UpdatedAt = s.Now().UTC().Truncate(time.Millisecond)
	return nil
}

// applyKey seals the key that was sent for a service. A key is never returned; secret.Set, the placeholder of
// the channels, leaves it unchanged.
func (s *Service) applyKey(ctx context.Context, in keyIn, name string, to *integration, key table.Key) error {
	if !in.APIKey.Set {
		return nil
	}
	field := name + ".api_key"
	credential, problem := secret.Credential(in.APIKey.Value)
	switch {
	case problem != "":
		return fault.Invalid(field, "The field %s %s.", field, problem)
	case credential == "":
		to.Key = ""
		return nil
	case credential == secret.Set && to.Key == "":
		return fault.Invalid(field, "The field %s is %s, but no value is stored.", field, secret.Set)
	case credential == secret.Set:
		return nil
	}
	var err error
	to.Key, err = s.Secrets.Seal(ctx, secret.Place(key.PK, key.SK, field), credential)
	return err
}

// isHostName reports whether a text is a name of the form shop.example.com, in any script.
func isHostName(s string) bool {
	labels := strings.Split(s, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' ||
			strings.ContainsFunc(label, notInLabel) {
			return false
		}
	}
	return len(labels) > 1 && len(s) <= 253
}

func notInLabel(r rune) bool {
	return r != '-' && !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
}
