package costs

// webhooks are the requests for an agent's webhooks. The addresses are private ones, which are not called.
func webhooks() []step {
	const all, path = "/agents/{agent_id}/webhooks/", "/agents/{agent}/webhooks/"
	const body = `{"url": "https://10.0.0.1/hook", "events": ["conversation.resolved"]}`
	return []step{
		{request: "POST " + all, method: "POST", path: path, body: body,
			keep: map[string]string{"webhook": "id"}},
		{request: "GET " + all, method: "GET", path: path},
		{request: "GET " + all + "{webhook_id}/", method: "GET", path: path + "{webhook}/"},
		{prepare: delivered},
		{request: "GET " + all + "{webhook_id}/deliveries/", method: "GET", path: path +
			"{webhook}/deliveries/"},
		{request: "POST " + all + "{webhook_id}/deliveries/{delivery_id}/redeliver/", method: "POST",
			path: path + "{webhook}/deliveries/{delivery}/redeliver/"},
		{request: "PATCH " + all + "{webhook_id}/", method: "PATCH", path: path + "{webhook}/",
			body: `{"active": false}`},
		{request: "POST " + all + "{webhook_id}/rotate-secret/", method: "POST", path: path +
			"{webhook}/rotate-secret/"},
		{request: "POST " + all + "{webhook_id}/test/", method: "POST", path: path + "{webhook}/test/"},
		{request: "DELETE " + all + "{webhook_id}/", method: "DELETE", path: path + "{webhook}/"},
	}
}

// actions are the requests for an action that runs, and one that sets it off.
func actions() []step {
	const all, path = "/agents/{agent_id}/actions/", "/agents/{agent}/actions/"
	const body = `{"name": "Tell the CRM", "action_type": "fire_webhook", "config": {"url": "https://10.0.0.1/hook"}}`
	const chat = "/agents/{agent_id}/chat/"
	return []step{
		{request: "POST " + all + " (that runs)", method: "POST", path: path, body: body,
			keep: map[string]string{"action": "id"}},
		{method: "POST", path: "/agents/{agent}/chat/", body: `{"message": "Hello"}`,
			keep: map[string]string{"session": "session_id"}, silent: true},
		{request: "POST " + chat + " (with an action that waits for it)", method: "POST",
			path: "/agents/{agent}/chat/",
			body: `{"message": "Is parking free?", "session_id": "{session}"}`},
		{request: "PATCH " + all + "{item_id}/ (what it waits for)", method: "PATCH", path: path +
			"{action}/", body: `{"trigger_on": "handoff"}`},
		{request: "DELETE " + all + "{item_id}/ (that runs)", method: "DELETE", path: path + "{action}/"},
	}
}
