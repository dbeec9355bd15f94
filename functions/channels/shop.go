package channels

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/money"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/wire"
)

// A shop is the configuration of an agent's store as it is stored.
type shop struct {
	Enabled        bool           `json:"enabled"`
	Currency       money.Currency `json:"currency"`
	Storefront     integration    `json:"storefront"`
	Shipping       integration    `json:"shipping"`
	EmailMarketing integration    `json:"email_marketing"`
	Payment        integration    `json:"payment"`
	UpdatedAt      time.Time      `json:"updated_at"`
}

// An integration is a service that does one of the store's tasks. What is empty has not been set.
type integration struct {
	Name   string        `json:"name"`             // of the platform or provider
	Domain string        `json:"domain,omitempty"` // of a storefront alone
	Key    secret.Sealed `json:"api_key,omitempty"`
}

// readShop decodes the shop among the items. Without its item it returns the shop of a new agent.
func readShop(items map[table.Key]table.Item, key table.Key) (shop, error) {
	s := shop{Currency: money.USD}
	item, ok := items[key]
	if !ok {
		return s, nil
	}
	if err := json.Unmarshal(item.Doc, &s); err != nil {
		return shop{}, fmt.Errorf("channels: shop of %s: %w", key.PK, err)
	}
	return s, nil
}

// put returns the write that stores the shop if its item has not changed since it was read. The agent's
// version does not ensure that, since the items of a batch may be of different moments.
func (s *shop) put(items map[table.Key]table.Item, key table.Key) (table.Write, error) {
	doc, err := wire.Marshal(s)
	if err != nil {
		return table.Write{}, err
	}
	return table.PutAsRead(table.Item{Key: key, Doc: doc, Version: items[key].Version}), nil
}

// A Shop is what the API shows of a store.
type Shop struct {
	Enabled        bool           `json:"enabled" example:"true"`
	Currency       money.Currency `json:"currency" doc:"Code of ISO 4217." example:"EUR"`
	Storefront     Storefront     `json:"storefront"`
	Shipping       Provider       `json:"shipping"`
	EmailMarketing Provider       `json:"email_marketing"`
	Payment        Provider       `json:"payment"`
	Configured     Configured     `json:"configured" doc:"Whether the api_key of each is set; it is never returned."`
	UpdatedAt      *time.Time     `json:"updated_at" doc:"Null before the first change." example:"2026-03-02T09:30:00Z"`
}

// A Storefront has the addresses of the store's website.
type Storefront struct {
	Platform string `json:"platform" example:"shopify"`
	Domain   string `json:"domain" example:"acme.myshopify.com"`
}

// A Provider is who does one of the store's tasks.
type Provider struct {
	Provider string `json:"provider" example:"stripe"`
}

// Configured says of which services the key is set.
type Configured struct {
	Storefront     bool `json:"storefront" example:"true"`
	Shipping       bool `json:"shipping" example:"false"`
	EmailMarketing bool `json:"email_marketing" example:"false"`
	Payment        bool `json:"payment" example:"true"`
}

// show returns the shop as callers see it: instead of its keys, whether there are any.
func (s *shop) show() Shop {
	shown := Shop{
		Enabled:        s.Enabled,
		Currency:       s.Currency,
		Storefront:     Storefront{s.Storefront.Name, s.Storefront.Domain},
		Shipping:       Provider{s.Shipping.Name},
		EmailMarketing: Provider{s.EmailMarketing.Name},
		Payment:        Provider{s.Payment.Name},
		Configured: Configured{
			Storefront:     s.Storefront.Key != "",
			Shipping:       s.Shipping.Key != "",
			EmailMarketing: s.EmailMarketing.Key != "",
			Payment:        s.Payment.Key != "",
		},
	}
	if !s.UpdatedAt.IsZero() {
		shown.UpdatedAt = &s.UpdatedAt
	}
	return shown
}
