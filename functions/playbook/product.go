package playbook

import (
	"context"
	"math"

	"frontdesk/shared/api"
	"frontdesk/shared/money"
	"frontdesk/shared/opt"
	"frontdesk/shared/playbook"
)

func (s *Service) products(r *api.Router) {
	c := newCollection[playbook.Product, itemIn](s, playbook.Products, "item_id", "a product", "products")
	c.handleRows(r)
	handleCreate[createProduct](r, c, "At most 1000 to an agent.")
	handleUpdate[updateProduct](r, c, "")
}

type productFields struct {
	Description opt.Value[string]         `json:"description" check:"cut=2000" example:"Seven gears, lights and a basket."`
	Currency    opt.Value[money.Currency] `json:"currency" doc:"ISO 4217. Default USD." example:"EUR"`
	ImageURL    opt.Value[string]         `json:"image_url" check:"format=url" doc:"Address of a picture, or empty." example:"https://example.com/city.jpg"`
	SKU         opt.Value[string]         `json:"sku" check:"cut=100" doc:"Your own number of it." example:"CB-7"`
	IsActive    opt.Value[bool]           `json:"is_active" doc:"Whether the agent offers it. Default true." example:"true"`
}

func (in productFields) apply(p *playbook.Product) {
	in.Description.To(&p.Description)
	in.Currency.To(&p.Currency)
	in.ImageURL.To(&p.ImageURL)
	in.SKU.To(&p.SKU)
	in.IsActive.To(&p.IsActive)
}

type createProduct struct {
	agentIn
	Name  string  `json:"name" check:"required,cut=200" example:"City bicycle"`
	Price float64 `json:"price" check:"required,range=0..100000000000" doc:"In units of the currency, rounded to four decimals." example:"499.9"`
	productFields
}

func (in createProduct) apply(_ context.Context, _ *Service, p *playbook.Product) error {
	p.Name, p.Price, p.Currency, p.IsActive = in.Name, rounded(in.Price), money.USD, true
	in.productFields.apply(p)
	return nil
}

type updateProduct struct {
	itemIn
	Name  opt.Value[string]  `json:"name" check:"cut=200,filled" example:"City bicycle"`
	Price opt.Value[float64] `json:"price" check:"range=0..100000000000" doc:"In units of the currency, rounded to four decimals." example:"449.9"`
	productFields
}

func (in updateProduct) apply(_ context.Context, _ *Service, p *playbook.Product) error {
	in.Name.To(&p.Name)
	if in.Price.Set {
		p.Price = rounded(in.Price.Value)
	}
	in.productFields.apply(p)
	return nil
}

// rounded takes a price to four decimals, the most that a currency of ISO 4217 has. It rids prices of what
// arithmetic with floating-point numbers leaves behind; up to the greatest price the result is exact. It adds
// zero because minus zero is no price.
func rounded(price float64) float64 { return math.Round(price*1e4)/1e4 + 0 }
