package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"time"

	"frontdesk/infra/costs"
	"frontdesk/shared/auth"
	"frontdesk/shared/id"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/table/sqlite"
)

// A service is the product on this machine, spoken to over HTTP.
type service struct {
	ctx       context.Context
	server    *httptest.Server
	store     *sqlite.Table
	key       string
	merger    knowledge.Merger
	account   int64
	questions int
	took      time.Duration
}

// serve starts the product over a store in a folder.
func serve(ctx context.Context, dir string) (*service, error) {
	store, err := sqlite.Open(filepath.Join(dir, "table.db"), time.Now)
	if err != nil {
		return nil, err
	}
	front, _, err := costs.Serve("template.yaml", store)
	if err != nil {
		return nil, err
	}
	workspaces := auth.Workspaces{Table: store, Now: time.Now, IDs: id.NewSource(time.Now)}
	account, key, err := workspaces.Create(ctx, "Evaluation", "enterprise")
	if err != nil {
		return nil, err
	}
	return &service{
		ctx: ctx, server: httptest.NewServer(front), store: store, key: key.Text, account: account.ID,
		merger: knowledge.Merger{Table: store, Now: time.Now},
	}, nil
}

func (s *service) close() {
	s.server.Close()
	s.store.Close()
}

// An answer is what the API said to a question.
type answer struct {
	Reply      string  `json:"reply"`
	Action     string  `json:"action"`
	Confidence float64 `json:"confidence"`
	Session    string  `json:"session_id"`
}

// newAgent makes an agent whose replies have at most length characters.
func (s *service) newAgent(length int) (int64, error) {
	var agent struct{ ID int64 }
	err := s.post("/agents/", map[string]any{"name": "Eval", "max_response_length": length}, &agent)
	return agent.ID, err
}

// teach gives an agent a document, and merges its index where that is due.
func (s *service) teach(agent int64, kind, title, content string) error {
	err := s.post(fmt.Sprintf("/agents/%d/knowledge/", agent),
		map[string]any{"title": title, "doc_type": kind, "content": content}, nil)
	if err != nil {
		return err
	}
	_, err = s.merger.Merge(s.ctx, s.account, agent, time.Now().Add(time.Minute))
	return err
}

func (s *service) train(agent int64) error {
	return s.post(fmt.Sprintf("/agents/%d/train/", agent), map[string]any{}, nil)
}

// ask puts a question in a session of its own.
func (s *service) ask(agent int64, question string) (answer, error) {
	return s.say(agent, "", question)
}

// say says something in a session, a new one where it is "".
func (s *service) say(agent int64, session, message string) (answer, error) {
	start := time.Now()
	var a answer
	body := map[string]any{"message": message}
	if session != "" {
		body["session_id"] = session
	}
	err := s.post(fmt.Sprintf("/agents/%d/chat/", agent), body, &a)
	s.questions++
	s.took += time.Since(start)
	return a, err
}

func (s *service) timePerQuestion() time.Duration {
	return (s.took / time.Duration(max(1, s.questions))).Round(10 * time.Microsecond)
}

// post sends a request, again after a pause where there were too many, and reads the answer into out.
func (s *service) post(path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	for {
		req, err := http.NewRequestWithContext(s.ctx, "POST", s.server.URL+"/api/v1"+path,
			bytes.NewReader(body))
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+s.key)
		req.Header.Set("Content-Type", "application/json")
		res, err := s.server.Client().Do(req)
		if err != nil {
			return err
		}
		said, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			return err
		}
		switch {
		case res.StatusCode == http.StatusTooManyRequests:
			seconds, _ := strconv.Atoi(res.Header.Get("Retry-After"))
			time.Sleep(time.Duration(seconds) * time.Second)
		case res.StatusCode >= 300:
			return fmt.Errorf("POST %s: %d %s", path, res.StatusCode, said)
		case out == nil:
			return nil
		default:
			return json.Unmarshal(said, out)
		}
	}
}
