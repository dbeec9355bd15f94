package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"frontdesk/infra/local"
	"frontdesk/infra/platforms"
)

// agentName is the name of the agent that is played.
const agentName = "Mia (make play)"

// A person writes to the agent on the stand-ins.
type person struct {
	api      string
	out      io.Writer
	standIns platforms.StandIns
	channels []platforms.Platform // the first one to begin with
	agent    int64
	inbound  map[string]string // where each channel's platform posts

	on      platforms.Platform        // where the person writes
	written int                       // messages so far
	seen    map[string]int            // replies so far, by channel
	last    map[string]platforms.Sent // the last reply, by channel
}

// call calls the API and reads the answer into out.
func (p *person) call(ctx context.Context, method, path string, body, out any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, p.api+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+local.Key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %d %s", method, path, resp.StatusCode, answer)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, out)
}

// connect makes sure of the agent, and connects it to every channel.
func (p *person) connect(ctx context.Context) error {
	var agents struct {
		Results []struct {
			ID   int64  `json:"id"`
			Name string `json:"name"`
		} `json:"results"`
	}
	if err := p.call(ctx, "GET", "/agents/", nil, &agents); err != nil {
		return err
	}
	for _, a := range agents.Results {
		if a.Name == agentName {
			p.agent = a.ID
		}
	}
	if p.agent == 0 {
		if err := p.hire(ctx); err != nil {
			return err
		}
	}
	for _, on := range p.channels {
		body := map[string]any{"channel_type": on.Channel, "config": on.Config}
		var connected struct {
			URL string `json:"inbound_url"`
		}
		path := fmt.Sprintf("/agents/%d/channels/", p.agent)
		if err := p.call(ctx, "POST", path, body, &connected); err != nil {
			return err
		}
		p.inbound[on.Channel] = connected.URL
	}
	p.standIns.Graph.Call(p.inbound["whatsapp"])
	p.standIns.Twilio.Call(p.inbound["sms"])
	return nil
}

// hire makes an agent that has something to say.
func (p *person) hire(ctx context.Context) error {
	var made struct {
		ID int64 `json:"id"`
	}
	err := p.call(ctx, "POST", "/agents/", map[string]any{
		"name": agentName, "business_name": "Acme", "business_hours": "Mon-Sat 9-18", "booking_enabled": true,
		"available_services": []string{"Hair cut, 30 min", "Colour, 2 h"}, "channel_pause_seconds": 1,
	}, &made)
	if err != nil {
		return err
	}
	p.agent = made.ID
	var ignored struct{}
	path := fmt.Sprintf("/agents/%d/", p.agent)
	err = p.call(ctx, "POST", path+"knowledge/", map[string]any{
		"title": "Questions", "doc_type": "faq",
		"content": "Q: Where can I park?\nA: You can park behind the house.\n\n" +
			"Q: Can I pay by card?\nA: Yes, we take all cards.",
	}, &ignored)
	if err != nil {
		return err
	}
	return p.call(ctx, "POST", path+"train/", nil, &ignored)
}

// answerTime is how long a reply is waited for after a message.
const answerTime = 10 * time.Second

// play takes lines until they or ctx end, and shows the replies.
func (p *person) play(ctx context.Context, in io.Reader) error {
	p.on, p.seen, p.last = p.channels[0], map[string]int{}, map[string]platforms.Sent{}
	lines := make(chan string)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(in); scanner.Scan(); {
			select {
			case lines <- strings.TrimSpace(scanner.Text()):
			case <-ctx.Done():
				return
			}
		}
	}()
	look := time.NewTicker(answerTime / 20)
	defer look.Stop()
	for prompt := true; ; {
		if prompt {
			fmt.Fprintf(p.out, "%s> ", p.on.Channel)
		}
		prompt = true
		select {
		case <-ctx.Done():
			return nil
		case <-look.C: // a person of the business may write at any time
			prompt = p.show("\n")
		case line, more := <-lines:
			if !more || line == "quit" {
				fmt.Fprintln(p.out)
				return nil
			}
			written, err := p.say(line)
			if err != nil {
				fmt.Fprintln(p.out, err)
			} else if written {
				p.await(ctx)
			}
		}
	}
}

// say writes a line to the agent, or turns to the channel that is all that the line names. It reports whether
// something was written.
func (p *person) say(line string) (written bool, err error) {
	first, rest, _ := strings.Cut(line, " ")
	for _, on := range p.channels {
		if on.Channel == first {
			p.on, line = on, strings.TrimSpace(rest)
		}
	}
	if line == "" {
		return false, nil
	}
	p.written++
	now := time.Now()
	m := platforms.Posted{
		ID: fmt.Sprintf("play.%d.%d", now.UnixMilli(), p.written), Person: p.on.Person(1), Text: line,
		At: now,
	}
	last, ok := p.last[p.on.Channel]
	if ok {
		m.Answers = &last
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(line, "#")); err == nil && strings.HasPrefix(line, "#") {
		if n < 1 || n > len(last.Buttons) {
			return false, fmt.Errorf("the last reply has %d buttons", len(last.Buttons))
		}
		m.Button, m.Text = last.Buttons[n-1].Value, last.Buttons[n-1].Title
	}
	status, err := p.on.Post(p.inbound[p.on.Channel], p.on.Secret, m)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("the service answered %d", status)
	}
	return true, err
}

// await shows the replies that come: it waits for the first one.
func (p *person) await(ctx context.Context) {
	for end := time.Now().Add(answerTime); time.Now().Before(end) && ctx.Err() == nil; {
		if p.show("") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	fmt.Fprintln(p.out, "  (no reply)")
}

// show shows the replies since it was last called, on whatever channel, behind a text, and reports whether
// there are any.
func (p *person) show(before string) bool {
	any := false
	for _, on := range p.channels {
		sent := on.Sent()
		for _, m := range sent[p.seen[on.Channel]:] {
			if !any {
				fmt.Fprint(p.out, before)
			}
			if on.Channel != p.on.Channel {
				fmt.Fprintf(p.out, "  (%s)\n", on.Channel)
			}
			any, p.last[on.Channel] = true, m
			p.print(m.Text)
			for i, b := range m.Buttons {
				fmt.Fprintf(p.out, "  [#%d %s]\n", i+1, b.Title)
			}
		}
		p.seen[on.Channel] = len(sent)
	}
	return any
}

func (p *person) print(text string) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		fmt.Fprintln(p.out, "  "+strings.TrimRight(line, "\r\n"))
	}
}
