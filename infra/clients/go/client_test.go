// Package clients uses the API through a client that oapi-codegen made from its description.
package clients

import (
	"context"
	"net/http"
	"os"
	"testing"

	"frontdesk/infra/clients/go/client"
)

// TestClient creates, trains and lists an agent, talks to it, and asks for one that does not exist.
// BASE_URL and API_KEY name the service.
func TestClient(t *testing.T) {
	c, err := client.NewClientWithResponses(os.Getenv("BASE_URL"), client.WithRequestEditorFn(
		func(_ context.Context, req *http.Request) error {
			req.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
			return nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	question := []struct {
		Answer   *string `json:"answer,omitempty"`
		Question string  `json:"question"`
	}{{Question: "Do you have parking?", Answer: new("Yes, behind the house.")}}
	created, err := c.CreateAgentWithResponse(ctx, nil, client.CreateAgentJSONRequestBody{
		Name: "Mia", Faqs: &question,
	})
	if err != nil || created.JSON201 == nil {
		t.Fatalf("createAgent: %v %s", err, created.Body)
	}
	agent := created.JSON201.Id
	trained, err := c.TrainAgentWithResponse(ctx, agent, nil)
	if err != nil || trained.JSON200 == nil || trained.JSON200.TrainingStatus != "ready" {
		t.Fatalf("trainAgent: %v %s", err, trained.Body)
	}
	activated, err := c.ActivateAgentWithResponse(ctx, agent, nil)
	if err != nil || activated.JSON200 == nil {
		t.Fatalf("activateAgent: %v %s", err, activated.Body)
	}
	reply, err := c.SendChatMessageWithResponse(ctx, agent, nil, client.SendChatMessageJSONRequestBody{
		Message: "Do you have parking?",
	})
	if err != nil || reply.JSON200 == nil || reply.JSON200.Reply == nil ||
		*reply.JSON200.Reply != "Yes, behind the house." {
		t.Fatalf("sendChatMessage: %v %s", err, reply.Body)
	}
	history, err := c.GetChatHistoryWithResponse(ctx, agent, &client.GetChatHistoryParams{
		SessionId: reply.JSON200.SessionId,
	})
	if err != nil || history.JSON200 == nil || len(history.JSON200.Messages) != 2 {
		t.Fatalf("getChatHistory: %v %s", err, history.Body)
	}
	agents, err := c.ListAgentsWithResponse(ctx, nil)
	if err != nil || agents.JSON200 == nil || len(agents.JSON200.Results) == 0 ||
		agents.JSON200.Results[0].Id != agent {
		t.Fatalf("listAgents: %v %s", err, agents.Body)
	}
	missing, err := c.GetAgentWithResponse(ctx, 5)
	if err != nil || missing.JSON404 == nil || missing.JSON404.Error != "not_found" {
		t.Fatalf("getAgent of none: %v %s", err, missing.Body)
	}
}
