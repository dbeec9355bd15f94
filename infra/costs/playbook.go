package costs

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"frontdesk/functions/openapi"
	"frontdesk/shared/playbook"
)

// keyed are the kinds of rows with keys, with the name of the key.
var keyed = []struct{ kind, key string }{{"roles", "role_key"}, {"journey-stages", "stage_key"}}

// costsAs is the kind of resource whose rows hold for a kind: one for all rows of a playbook, another for
// those with keys. The requests of all kinds are made, and one that cost something else would have a row.
func costsAs(kind string) string {
	for _, k := range keyed {
		if k.kind == kind {
			return keyed[0].kind
		}
	}
	if slices.Contains(playbook.Kinds(), playbook.Kind(kind)) {
		return string(playbook.Products)
	}
	return kind
}

// bodies are sent where the example of the API's description would cost more than others of its kind do.
var bodies = map[string]string{
	"actions": `{"name": "Tag", "action_type": "add_tag"}`, // which lacks the tag, and does not run
}

// apiDescription is what the measuring needs of openapi.json: by path and method, the example of the body.
type apiDescription struct {
	Paths map[string]map[string]struct {
		RequestBody struct {
			Content map[string]struct{ Example json.RawMessage }
		}
	}
}

func readDescription() (apiDescription, error) {
	var d apiDescription
	text, err := gzip.NewReader(bytes.NewReader(openapi.Document()))
	if err != nil {
		return d, err
	}
	return d, json.NewDecoder(text).Decode(&d)
}

// collections are the requests for the resources of an agent that the API's description has and that no other
// step lists: to add one, list them, read it, change it and delete it. So a resource that is made like
// others needs no step of its own.
func collections(others []step) ([]step, error) {
	const agents = "/agents/{agent_id}/"
	description, err := readDescription()
	if err != nil {
		return nil, err
	}
	listed := map[string]bool{}
	for _, s := range others {
		listed[s.path] = listed[s.path] || s.method == "GET"
	}
	var steps []step
	for _, item := range slices.Sorted(maps.Keys(description.Paths)) {
		kind, id, _ := strings.Cut(strings.TrimPrefix(item, agents), "/")
		path := agents + kind + "/"
		create, creates := description.Paths[path]["post"]
		if !strings.HasPrefix(item, agents) || !isParameter(id) || !creates ||
			listed[strings.Replace(path, "{agent_id}", "{agent}", 1)] {
			continue
		}
		body := cmp.Or(bodies[kind], string(create.RequestBody.Content["application/json"].Example))
		steps = append(steps, standardSteps(kind, body, description.Paths[item])...)
	}
	return steps, nil
}

// isParameter reports whether the rest of a path is a parameter alone.
func isParameter(rest string) bool {
	return strings.HasPrefix(rest, "{") && strings.HasSuffix(rest, "}/") && strings.Count(rest, "/") == 1
}

// standardSteps are the requests for one kind of resource, by the operations that one of it has.
func standardSteps[Operation any](kind, body string, operations map[string]Operation) []step {
	all := "/agents/{agent_id}/" + costsAs(kind) + "/"
	path := "/agents/{agent}/" + kind + "/"
	steps := []step{
		{request: "POST " + all, method: "POST", path: path, body: body,
			keep: map[string]string{"row": "id"}},
		{request: "GET " + all, method: "GET", path: path},
	}
	// What a body names that the resource does not have is ignored.
	const change = `{"name": "New", "title": "New", "content": "New"}`
	for _, of := range []struct{ method, body string }{{"GET", ""}, {"PATCH", change}, {"DELETE", ""}} {
		_, has := operations[strings.ToLower(of.method)]
		if !has || of.method == "DELETE" && kind == "actions" { // that leaves runs behind, as below
			continue
		}
		steps = append(steps, step{request: of.method + " " + all + "{item_id}/", method: of.method,
			path: path + "{row}/", body: of.body})
	}
	return steps
}

// playbookSteps are the requests for what an agent has many rows of. Kinds that are alike have one name.
func playbookSteps() []step {
	var steps []step
	for _, k := range keyed {
		const all = "/agents/{agent_id}/roles/"
		path, body := "/agents/{agent}/"+k.kind+"/", `{"`+k.key+`": "one"}`
		steps = append(steps,
			step{request: "POST " + all + " (new)", method: "POST", path: path, body: body,
				keep: map[string]string{"row": "id"}},
			step{request: "POST " + all + " (known)", method: "POST", path: path, body: `{"` + k.key +
				`": "one", "name": "One"}`},
			step{request: "GET " + all, method: "GET", path: path},
			step{request: "GET " + all + "{item_id}/", method: "GET", path: path + "{row}/"},
			step{request: "PATCH " + all + "{item_id}/", method: "PATCH", path: path + "{row}/",
				body: `{"name": "New"}`},
			step{request: "PATCH " + all + "{item_id}/ (key)", method: "PATCH", path: path + "{row}/",
				body: `{"` + k.key + `": "two"}`},
			step{request: "DELETE " + all + "{item_id}/", method: "DELETE", path: path + "{row}/"},
		)
	}
	const funnel, path = "/agents/{agent_id}/funnels/{funnel_id}/steps/",
		"/agents/{agent}/funnels/{funnel}/steps/"
	return append(steps,
		step{request: "POST /agents/{agent_id}/imports/products/", method: "POST",
			path: "/agents/{agent}/imports/products/",
			body: `{"products": [{"name": "Bell", "price": 5}, {"name": "Horn", "price": 6}]}`},
		step{request: "POST /agents/{agent_id}/imports/products/ (nothing new)", method: "POST",
			path: "/agents/{agent}/imports/products/", body: `{"products": [{"name": "Bell", "price": 5}]}`},
		step{method: "POST", path: "/agents/{agent}/actions/",
			body: `{"name": "Tag", "action_type": "add_tag"}`,
			keep: map[string]string{"action": "id"}, silent: true},
		step{request: "GET /agents/{agent_id}/actions/{item_id}/runs/", method: "GET",
			path: "/agents/{agent}/actions/{action}/runs/"},
		step{method: "POST", path: "/agents/{agent}/funnels/", body: `{"name": "F"}`,
			keep: map[string]string{"funnel": "id"}, silent: true},
		step{request: "POST " + funnel, method: "POST", path: path, body: `{"content": "What for?"}`,
			keep: map[string]string{"step": "id"}},
		step{method: "POST", path: path, body: `{"content": "How far?"}`,
			keep: map[string]string{"second": "id"}, silent: true},
		step{request: "GET " + funnel, method: "GET", path: path},
		step{request: "PUT " + funnel, method: "PUT", path: path, body: `{"order": [{second}, {step}]}`},
		step{request: "PATCH " + funnel + "{item_id}/", method: "PATCH", path: path + "{step}/",
			body: `{"content": "Where to?"}`},
		step{request: "PATCH " + funnel + "{item_id}/ (order)", method: "PATCH", path: path + "{step}/",
			body: `{"order": 7}`},
		step{request: "DELETE " + funnel + "{item_id}/", method: "DELETE", path: path + "{step}/"},
		step{request: "DELETE /agents/{agent_id}/funnels/{funnel_id}/ (with a step)", method: "DELETE",
			path: "/agents/{agent}/funnels/{funnel}/"},
	)
}
