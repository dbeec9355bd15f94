package product

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"

	"frontdesk/shared/api"
)

var update = flag.Bool("update", false, "write openapi.json anew")

// TestOpenAPI holds functions/openapi/openapi.json to what the routes and types of all functions say. `make
// openapi` writes it.
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

// TestOperationIDs holds the names that clients call operations by: unique, and a verb with what it acts on.
func TestOperationIDs(t *testing.T) {
	var description struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	text, err := os.ReadFile("../../functions/openapi/openapi.json")
	if err == nil {
		err = json.Unmarshal(text, &description)
	}
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile(`^[a-z]+([A-Z]+[a-z]*)+$`)
	routes := map[string]string{}
	for path, methods := range description.Paths {
		for method, operation := range methods {
			id, route := operation.OperationID, method+" "+path
			if other := routes[id]; other != "" {
				t.Errorf("%s and %s are both called %s", route, other, id)
			}
			if routes[id] = route; !name.MatchString(id) {
				t.Errorf("%s is called %q, want a name such as listAgents", route, id)
			}
		}
	}
	for id, route := range map[string]string{
		"listAgents": "get /agents/", "createAgent": "post /agents/", "getAgent": "get /agents/{agent_id}/",
		"updateAgent": "patch /agents/{agent_id}/", "deleteAgent": "delete /agents/{agent_id}/",
		"trainAgent": "post /agents/{agent_id}/train/", "sendChatMessage": "post /agents/{agent_id}/chat/",
		"getChatHistory":   "get /agents/{agent_id}/chat/history/",
		"updateFunnelStep": "patch /agents/{agent_id}/funnels/{funnel_id}/steps/{item_id}/",
	} {
		if routes[id] != route {
			t.Errorf("%s is %q, want %q", id, routes[id], route)
		}
	}
}
