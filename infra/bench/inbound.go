package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"time"

	"frontdesk/infra/platforms"
)

const (
	// posts is the number of messages posted one by one, far enough apart that none waits for another.
	posts     = 200
	postPause = 50 * time.Millisecond
	// together is the number of messages in one post.
	together = 500
	// answered is the time limit for the last reply.
	answered = 2 * time.Minute
)

// Ids of the agent's number and app.
const (
	numberID  = "106540352242922"
	appSecret = "7d6f5e4c3b2a1908"
)

// inbound prints the time until a message that a platform posts is accepted, and the time until the reply is
// sent, without the agent's pause. It measures the program that make run starts, with a stand-in for WhatsApp
// that answers at once.
func inbound(ctx context.Context, dir string) error {
	program := filepath.Join(dir, "frontdesk")
	if _, err := compile(ctx, ".", "./infra/local/frontdesk", program); err != nil {
		return err
	}
	graph := &platforms.Graph{}
	whatsapp := httptest.NewServer(graph)
	defer whatsapp.Close()
	s, err := serve(ctx, ".", program, filepath.Join(dir, "inbound"), "META_GRAPH_URL="+whatsapp.URL)
	if err != nil {
		return err
	}
	defer s.stop()
	fmt.Printf("\nMessages that WhatsApp posts to the local service, and the replies beside the agent's " +
		"pause\n\n| pause | post to accepted, p50 | p95 | post to reply sent, p50 | p95 |\n" +
		"|---|---|---|---|---|\n")
	address := ""
	for _, pause := range []int{2, 0} {
		if address, err = connect(s, pause); err != nil {
			return err
		}
		accepted, sent, err := oneByOne(ctx, address, graph)
		if err != nil {
			return err
		}
		for i := range sent {
			sent[i] -= time.Duration(pause) * time.Second
		}
		fmt.Printf("| %d s | %s | %s | %s | %s |\n", pause, milliseconds(quantile(accepted, 0.5)),
			milliseconds(quantile(accepted, 0.95)), milliseconds(quantile(sent, 0.5)),
			milliseconds(quantile(sent, 0.95)))
	}
	stored, last, err := atOnce(ctx, address, graph)
	if err != nil {
		return err
	}
	fmt.Printf("\nA post of %d messages of as many people is accepted, and all of it stored, after %s; the "+
		"last reply is sent after %s.\n", together, milliseconds(stored), milliseconds(last))
	return nil
}

// oneByOne posts messages one by one, and returns the times until each was accepted and until its reply was
// sent.
func oneByOne(
	ctx context.Context, address string, graph *platforms.Graph,
) (accepted, sent []time.Duration, err error) {
	begun, before := map[string]time.Time{}, len(graph.Sent())
	for i := range posts {
		user := fmt.Sprint(16505550000 + i)
		body := question(user)
		start := time.Now()
		begun["+"+user] = start
		if err := postMessage(address, body); err != nil {
			return nil, nil, err
		}
		accepted = append(accepted, time.Since(start))
		time.Sleep(postPause)
	}
	replies, err := waitForReplies(ctx, graph, before+posts)
	for _, m := range replies[min(before, len(replies)):] {
		sent = append(sent, m.At.Sub(begun[m.To()]))
	}
	return accepted, sent, err
}

// atOnce posts many messages in one post, and returns the times until it was accepted and until the last
// reply was sent.
func atOnce(
	ctx context.Context, address string, graph *platforms.Graph,
) (stored, last time.Duration, err error) {
	var bodies [][]byte
	before := len(graph.Sent())
	for i := range together {
		bodies = append(bodies, question(fmt.Sprint(16505560000+i)))
	}
	body, start := platforms.Together(bodies...), time.Now()
	if err := postMessage(address, body); err != nil {
		return 0, 0, err
	}
	stored = time.Since(start)
	replies, err := waitForReplies(ctx, graph, before+together)
	if err != nil {
		return 0, 0, err
	}
	return stored, replies[len(replies)-1].At.Sub(start), nil
}

// connect creates an agent that knows an answer, waits pause seconds for further messages and is connected to
// WhatsApp. It returns the address that Meta posts to.
func connect(s *running, pause int) (string, error) {
	made, err := s.client.Try("POST", "/agents/", map[string]any{"name": "Ada"})
	if err != nil {
		return "", err
	}
	agent := "/agents/" + made.Number("id") + "/"
	for _, step := range []struct {
		method, path string
		body         map[string]any
	}{
		{"POST", "knowledge/", map[string]any{
			"title": "FAQ", "doc_type": "faq",
			"content": "Q: When are you open?\nA: We are open from 9 to 5.",
		}},
		{"POST", "train/", nil},
		{"PATCH", "", map[string]any{"channel_pause_seconds": pause}},
		{"POST", "channels/", map[string]any{"channel_type": "whatsapp", "config": map[string]any{
			"phone_number_id": numberID, "access_token": "EAAG0bXk", "app_secret": appSecret,
		}}},
	} {
		a, err := s.client.Try(step.method, agent+step.path, step.body)
		if err != nil || a.Status/100 != 2 {
			return "", fmt.Errorf("%s %s: %d %s, %w", step.method, step.path, a.Status, a.Body, err)
		}
	}
	return s.client.Base + "inbound/" + made.Number("id") + "/whatsapp/", nil
}

// question returns the body that Meta posts for a user's question.
func question(user string) []byte {
	return platforms.WhatsAppText(numberID, user, "wamid."+user, "When are you open?", time.Now().Unix())
}

func postMessage(address string, body []byte) error {
	status, err := platforms.PostGraph(address, appSecret, body)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("the post is answered %d", status)
	}
	return err
}

// waitForReplies waits until n messages were sent, and returns them.
func waitForReplies(ctx context.Context, graph *platforms.Graph, n int) ([]platforms.GraphMessage, error) {
	for end := time.Now().Add(answered); ; time.Sleep(20 * time.Millisecond) {
		sent := graph.Sent()
		if len(sent) >= n {
			return sent, ctx.Err()
		}
		if ctx.Err() != nil || time.Now().After(end) {
			return nil, fmt.Errorf("%d replies of %d", len(sent), n)
		}
	}
}
