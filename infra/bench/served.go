package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"time"

	"frontdesk/infra/local"
)

// A served is the local service and a handler that does nothing, each at its own address.
type served struct {
	client     *http.Client
	nothing    string // the address of the handler
	workspaces []workspace
	close      func()
}

// A workspace is a workspace on plan enterprise: its API key and its agent.
type workspace struct{ key, agent string }

// mostAtOnce bounds the concurrent requests. Each uses a connection that is kept open.
const mostAtOnce = 32

// start starts the local service with workspaces whose agents have 25 documents, two products and
// appointments. Several workspaces are needed because the rate limit of a plan applies here too.
func start(ctx context.Context, dir string, workspaces int) (_ *served, err error) {
	service, err := local.Start(ctx, local.Config{
		Template: "template.yaml", DataDir: dir, Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, err
	}
	server := httptest.NewServer(service)
	nothing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		io.Copy(io.Discard, req.Body)
		io.WriteString(w, "{}")
	}))
	s := &served{
		client:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: mostAtOnce}},
		nothing: nothing.URL,
		close:   func() { server.Close(); nothing.Close(); service.Close() },
	}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	base := server.URL + "/api/v1"
	for i := range workspaces {
		_, issued, err := service.Workspaces.Create(ctx, fmt.Sprint("Bench ", i), "enterprise")
		if err != nil {
			return nil, err
		}
		made, err := s.call(ctx, "POST", base+"/agents/", issued.Text, map[string]any{
			"name": "Ada", "industry": "retail", "booking_enabled": true,
			"business_hours": "Monday to Sunday 8:00-20:00",
		})
		if err != nil {
			return nil, err
		}
		w := workspace{issued.Text, base + "/agents/" + string(made["id"]) + "/"}
		for n := range 25 {
			if _, err := s.call(ctx, "POST", w.agent+"knowledge/", w.key,
				map[string]any{"title": fmt.Sprint("Shelf ", n), "content": fmt.Sprintf(
					"Shelf %d holds things for the garden. They cost %d euros each. Dogs are welcome beside "+
						"shelf %d.", n, n+10, n)}); err != nil {
				return nil, err
			}
		}
		for _, name := range []string{"City bicycle", "Mountain bicycle"} {
			if _, err := s.call(ctx, "POST", w.agent+"products/", w.key,
				map[string]any{"name": name, "price": 499.9, "currency": "EUR"}); err != nil {
				return nil, err
			}
		}
		s.workspaces = append(s.workspaces, w)
	}
	return s, nil
}

// call sends a JSON request and returns the decoded answer.
func (s *served) call(ctx context.Context, method, address, key string, body any) (map[string]json.RawMessage,
	error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer := map[string]json.RawMessage{}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || resp.StatusCode >= 300 {
		return nil, fmt.Errorf("%s %s: %d %s %v", method, address, resp.StatusCode, answer["detail"], err)
	}
	return answer, nil
}
