package playbook

import "frontdesk/shared/money"

// A Product is something that the business sells.
type Product struct {
	Row
	Name        string         `json:"name" example:"City bicycle"`
	Description string         `json:"description" example:"Seven gears, lights and a basket."`
	Price       float64        `json:"price" doc:"In units of the currency, with at most four decimals." example:"499.9"`
	Currency    money.Currency `json:"currency" doc:"ISO 4217." example:"EUR"`
	ImageURL    string         `json:"image_url" doc:"Empty where there is no picture." example:"https://example.com/city.jpg"`
	URL         string         `json:"url" doc:"Its page in the shop; empty where there is none." example:"https://example.com/city"`
	SKU         string         `json:"sku" doc:"The business's own number of it." example:"CB-7"`
	IsActive    bool           `json:"is_active" doc:"Whether the agent offers it." example:"true"`
}

func (*Product) kind() Kind { return Products }
