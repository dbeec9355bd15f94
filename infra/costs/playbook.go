package costs

// alike are the kinds of rows that cost the same, with the body that makes one.
var alike = []struct{ kind, body string }{
	{"products", `{"name": "Bell", "price": 5}`},
	{"funnels", `{"name": "Bicycle finder"}`},
	{"quick-answers", `{"shortcut": "/hours", "title": "Hours", "content": "At nine."}`},
	{"procedures", `{"name": "Returns"}`},
	{"guidance", `{"title": "Discounts", "content": "Promise none."}`},
	{"actions", `{"name": "Tag", "action_type": "add_tag"}`}, // which lacks the tag, and does not run
}

// keyed are the kinds of rows with keys, with the name of the key.
var keyed = []struct{ kind, key string }{{"roles", "role_key"}, {"journey-stages", "stage_key"}}

// playbook are the requests for what an agent has many rows of. Kinds that are alike have one name.
func playbook() []step {
	const all = "/agents/{agent_id}/products/"
	steps := []step{{method: "POST", path: "/agents/", body: `{"name": "Ada"}`,
		keep: map[string]string{"agent": "id"}, silent: true}}
	for _, k := range alike {
		path := "/agents/{agent}/" + k.kind + "/"
		steps = append(steps,
			step{request: "POST " + all, method: "POST", path: path, body: k.body,
				keep: map[string]string{"row": "id"}},
			step{request: "GET " + all, method: "GET", path: path},
			step{request: "GET " + all + "{item_id}/", method: "GET", path: path + "{row}/"},
			step{request: "PATCH " + all + "{item_id}/", method: "PATCH", path: path + "{row}/",
				body: `{"name": "New", "title": "New"}`},
		)
		if k.kind != "actions" { // of which more is left
			steps = append(steps, step{request: "DELETE " + all + "{item_id}/", method: "DELETE", path: path +
				"{row}/"})
		}
	}
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
		step{method: "POST", path: "/agents/{agent}/funnels/", body: `{"name": "F"}`,
			keep: map[string]string{"funnel": "id"}, silent: true},
		step{request: "POST " + funnel, method: "POST", path: path, body: `{"content": "What for?"}`,
			keep: map[string]string{"step": "id"}},
		step{method: "POST", path: path, body: `{"content": "How far?"}`, silent: true},
		step{request: "GET " + funnel, method: "GET", path: path},
		step{request: "PATCH " + funnel + "{item_id}/", method: "PATCH", path: path + "{step}/",
			body: `{"content": "Where to?"}`},
		step{request: "PATCH " + funnel + "{item_id}/ (order)", method: "PATCH", path: path + "{step}/",
			body: `{"order": 7}`},
		step{request: "DELETE " + funnel + "{item_id}/", method: "DELETE", path: path + "{step}/"},
		step{request: "DELETE /agents/{agent_id}/funnels/{funnel_id}/ (with a step)", method: "DELETE",
			path: "/agents/{agent}/funnels/{funnel}/"},
	)
}
