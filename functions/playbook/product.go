package playbook

import (
	"context"
	"fmt"
	"math"

	"frontdesk/shared/api"
	"frontdesk/shared/fault"
	"frontdesk/shared/money"
	"frontdesk/shared/opt"
	"frontdesk/shared/playbook"
)

func (s *Service) products(r *api.Router) {
	c := newCollection[playbook.Product, itemIn](s, playbook.Products, "item_id", "a product", "products")
	c.handleRows(r)
	handleCreate[createProduct](r, c, "At most 1000 to an agent.")
	handleUpdate[updateProduct](r, c, "")
	api.Handle(r, "POST /agents/{agent_id}/imports/products/", api.Doc{
		ID:      "importProducts",
		Summary: "Import products",
		Description: "Up to 500 at once. The product of the agent with the `sku` of a row is changed or, " +
			"where the row has none, the one of the same `name`; what a row does not say of it stays. Else " +
			"a product is made. Where a row is refused nothing is stored; the field names it by its place.",
	}, s.importProducts)
}

type importIn struct {
	agentIn
	Products []importRow `json:"products" check:"required,items=500"`
}

// An importRow is one product of an import.
type importRow struct {
	Name  string             `json:"name" check:"required,cut=200" example:"City bicycle"`
	Price opt.Value[float64] `json:"price" check:"range=0..100000000000" doc:"Required of a new product." example:"499.9"`
	productFields
}

// apply sets a row's fields on its product. place is the row's position in the body, for errors.
func (row importRow) apply(p *playbook.Product, place string) error {
	// A product without a name is new, since stored ones always have one.
	if p.Name == "" {
		p.Currency, p.IsActive = money.USD, true
		if !row.Price.Set {
			return fault.Invalid(place+".price", "The field %s.price is required of a new product.", place)
		}
	}
	p.Name = row.Name
	if row.Price.Set {
		p.Price = rounded(row.Price.Value)
	}
	row.productFields.apply(p)
	return nil
}

// importProducts creates or changes up to 500 products. It stores all rows or none.
func (s *Service) importProducts(ctx context.Context, in importIn) (playbook.Imported, error) {
	rows := make([]playbook.ImportRow, len(in.Products))
	for i, row := range in.Products {
		fill := func(p *playbook.Product) error { return row.apply(p, fmt.Sprintf("products.%d", i)) }
		rows[i] = playbook.ImportRow{SKU: row.SKU.Value, Name: row.Name, Fill: fill}
	}
	store := playbook.Store[playbook.Product, *playbook.Product]{Table: s.Table, Now: s.Now, IDs: s.IDs}
	return playbook.Import(ctx, store, accountOf(ctx), in.AgentID, rows)
}

type productFields struct {
	Description opt.Value[string]         `json:"description" check:"cut=2000" example:"Seven gears, lights and a basket."`
	Currency    opt.Value[money.Currency] `json:"currency" doc:"ISO 4217. Default USD." example:"EUR"`
	ImageURL    opt.Value[string]         `json:"image_url" check:"format=url" doc:"Address of a picture, or empty." example:"https://example.com/city.jpg"`
	URL         opt.Value[string]         `json:"url" check:"format=url" doc:"Address of its page in the shop, or empty. The chat box links to it by https alone." example:"https://example.com/city"`
	SKU         opt.Value[string]         `json:"sku" check:"cut=100" doc:"Your own number of it." example:"CB-7"`
	IsActive    opt.Value[bool]           `json:"is_active" doc:"Whether the agent offers it. Default true." example:"true"`
}

func (in productFields) apply(p *playbook.Product) {
	in.Description.To(&p.Description)
	in.Currency.To(&p.Currency)
	in.ImageURL.To(&p.ImageURL)
	in.URL.To(&p.URL)
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

// rounded rounds a price to four decimals, the most that an ISO 4217 currency has, which removes
// floating-point noise. It is exact up to the highest price. Adding 0 turns -0 into 0.
func rounded(price float64) float64 { return math.Round(price*1e4)/1e4 + 0 }
