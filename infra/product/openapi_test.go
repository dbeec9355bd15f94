package product

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"slices"
	"testing"

	"frontdesk/shared/api"
)

var update = flag.Bool("update", false, "write openapi.json anew")

// TestOpenAPI holds functions/openapi/openapi.json to what the routes and types of all functions say. `make openapi`
// writes it.
func TestOpenAPI(t *testing.T) {
	const file = "../../functions/openapi/openapi.json"
	endpoints := Endpoints(Parts{})
	var routers []*api.Router
	for _, group := range slices.Sorted(maps.Keys(endpoints)) {
		routers = append(routers, endpoints[group])
	}
	want, err := api.Document(routers...)
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("openapi.json is not what the routes say: run `make openapi`")
	}
}
