package playbook_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestImport imports products, corrects them and imports them again.
func TestImport(t *testing.T) {
	c := serve(t).client(t)
	path := c.path("imports") + "products/"
	c.Want(t, 201, "POST", c.path("products"),
		object{"name": "Bell", "price": 5, "currency": "EUR", "description": "Loud"})
	check := func(products []object, want object) {
		t.Helper()
		answer := c.Want(t, 200, "POST", path, object{"products": products})
		got := object{}
		for name, n := range answer.Fields {
			got[name] = fmt.Sprint(n)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	products := []object{
		{"name": "Bell", "price": 6},
		{"name": "City bicycle", "sku": "CB", "price": 499.9, "currency": "EUR"},
	}
	for i := range 300 {
		part := object{"name": fmt.Sprint("Part ", i), "sku": fmt.Sprint("P", i), "price": i}
		products = append(products, part)
	}
	check(products, object{"created": "301", "updated": "1", "unchanged": "0"})
	check(products, object{"created": "0", "updated": "0", "unchanged": "302"})
	corrected := []object{{"name": "Town bicycle", "sku": "CB"}}
	check(corrected, object{"created": "0", "updated": "1", "unchanged": "0"})
	found := object{}
	for _, row := range c.Want(t, 200, "GET", c.path("products")+"?page=7", nil).Results() {
		found[row["name"].(string)] = fmt.Sprint(row["price"], row["currency"], row["description"])
	}
	if found["Bell"] != "6EURLoud" || found["Town bicycle"] != "499.9EUR" {
		t.Errorf("afterwards %v", found)
	}
	for field, products := range map[string][]object{
		"products.1.price": {{"name": "A", "price": 1}, {"name": "B"}},
		"products.0.name":  {{"price": 1}},
		"products":         {},
	} {
		c.WantError(t, 400, "validation_error", field, "POST", path, object{"products": products})
	}
	if n := c.Want(t, 200, "GET", c.path("products"), nil).Number("count"); n != "302" {
		t.Errorf("%s products after refused imports", n)
	}
	for round := range 2 { // more than an agent may have, in the second
		products = nil
		for i := range 500 {
			products = append(products, object{"name": fmt.Sprint("Round ", round, " ", i), "price": 1})
		}
		status := []int{200, 400}[round]
		c.Want(t, status, "POST", path, object{"products": products})
	}
	if n := c.Want(t, 200, "GET", c.path("products"), nil).Number("count"); n != "802" {
		t.Errorf("%s products in the end", n)
	}
}
