package costs

// funnels are messages that lead a contact through a funnel with a wait in it.
func funnels() []step {
	const chat, path = "/agents/{agent_id}/chat/", "/agents/{agent}/chat/"
	const steps = "/agents/{agent}/funnels/{funnel}/steps/"
	return []step{
		{method: "POST", path: "/agents/{agent}/funnels/",
			body: `{"name": "F", "trigger_keyword": "find my bike"}`, keep: map[string]string{"funnel": "id"},
			silent: true},
		{method: "POST", path: steps, body: `{"content": "Let us see."}`, silent: true},
		{method: "POST", path: steps,
			body:   `{"step_type": "question", "content": "What for?", "save_response_to": "purpose"}`,
			silent: true},
		{method: "POST", path: steps, body: `{"content": "We have one for you.", "delay_seconds": 60}`,
			silent: true},
		{method: "POST", path: path, body: `{"message": "Hello"}`,
			keep: map[string]string{"session": "session_id"}, silent: true},
		{request: "POST " + chat + " (that begins a funnel)", method: "POST", path: path,
			body: `{"message": "Find my bike", "session_id": "{session}"}`},
		{request: "POST " + chat + " (an answer, before a wait)", method: "POST", path: path,
			body: `{"message": "Commuting", "session_id": "{session}"}`},
	}
}
