package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk/infra/local"
	"frontdesk/infra/platforms"
)

// channels are those that can be played, the first one to begin with.
var channels = []string{"whatsapp", "messenger", "instagram", "sms", "email"}

// What the stand-ins know the business and the customer by.
const (
	agentName   = "Mia (make play)"
	account     = "102290129340398" // the id of the number, the page and the account
	appSecret   = "the secret of the app"
	smsAccount  = "AC0123456789abcdef0123456789abcdef"
	smsToken    = "the token of the account"
	mailSecret  = "the password of posts"
	mailInbound = "desk@acme.example"
	phone       = "14155550123"
	customer    = "ada"
)

// configs are what each channel is connected with.
var configs = map[string]map[string]string{
	"whatsapp": {
		"phone_number_id": account,
		"access_token":    "token", "app_secret": appSecret, "verify_token": "a word",
	},
	"messenger": {
		"page_id": account, "access_token": "token", "app_secret": appSecret, "verify_token": "a word",
	},
	"instagram": {
		"page_id": account, "access_token": "token", "app_secret": appSecret, "verify_token": "a word",
	},
	"sms":   {"account_sid": smsAccount, "auth_token": smsToken, "from": "+12025550100"},
	"email": {"from": "hello@acme.example", "inbound_address": mailInbound, "inbound_secret": mailSecret},
}

// A person writes to the agent on the stand-ins.
type person struct {
	api     string
	out     io.Writer
	graph   *platforms.Graph
	twilio  *platforms.Twilio
	mail    *platforms.MailServer
	agent   int64
	inbound map[string]string // where each channel's platform posts

	channel string
	written int                     // messages so far
	seen    map[string]int          // replies so far, by stand-in
	buttons []platforms.GraphButton // of the last reply
	replyTo string                  // where the last mail wants its answer
	subject string
	mailID  string
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
	for _, channel := range channels {
		body := map[string]any{"channel_type": channel, "config": configs[channel]}
		var connected struct {
			URL string `json:"inbound_url"`
		}
		path := fmt.Sprintf("/agents/%d/channels/", p.agent)
		if err := p.call(ctx, "POST", path, body, &connected); err != nil {
			return err
		}
		p.inbound[channel] = connected.URL
	}
	p.graph.Call(p.inbound["whatsapp"])
	p.twilio.Call(p.inbound["sms"])
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
	p.channel, p.seen = channels[0], map[string]int{}
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
	for {
		fmt.Fprintf(p.out, "%s> ", p.channel)
		select {
		case <-ctx.Done():
			return nil
		case line, more := <-lines:
			if !more || line == "quit" {
				fmt.Fprintln(p.out)
				return nil
			}
			if err := p.say(line); err != nil {
				fmt.Fprintln(p.out, err)
				continue
			}
			p.await(ctx, line)
		}
	}
}

// say writes a line to the agent, or turns to the channel that is all that the line names.
func (p *person) say(line string) error {
	first, rest, _ := strings.Cut(line, " ")
	if slices.Contains(channels, first) {
		p.channel, p.buttons = first, nil
		line = strings.TrimSpace(rest)
	}
	if line == "" {
		return nil
	}
	p.written++
	id := fmt.Sprintf("play.%d.%d", time.Now().UnixMilli(), p.written)
	value := ""
	if n, err := strconv.Atoi(strings.TrimPrefix(line, "#")); err == nil && strings.HasPrefix(line, "#") {
		if n < 1 || n > len(p.buttons) {
			return fmt.Errorf("the last reply has %d buttons", len(p.buttons))
		}
		value, line = p.buttons[n-1].Value, p.buttons[n-1].Title
	}
	status, err := p.post(id, line, value)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("the service answered %d", status)
	}
	return err
}

// post posts a message as the channel's platform does: a text, or a button where value is not "".
func (p *person) post(id, text, value string) (status int, err error) {
	address := p.inbound[p.channel]
	switch p.channel {
	case "whatsapp":
		body := platforms.WhatsAppText(account, phone, "wamid."+id, text, time.Now().Unix())
		if value != "" {
			body = platforms.WhatsAppButton(account, phone, "wamid."+id, value, text, time.Now().Unix())
		}
		return platforms.PostGraph(address, appSecret, body)
	case "messenger", "instagram":
		message := map[string]any{"mid": "m_" + id, "text": text}
		if value != "" {
			message["quick_reply"] = map[string]string{"payload": value}
		}
		written, err := json.Marshal(message)
		if err != nil {
			return 0, err
		}
		object := map[string]string{"messenger": "page", "instagram": "instagram"}[p.channel]
		body := platforms.MessagingEvent(object, account, customer, account, string(written))
		return platforms.PostGraph(address, appSecret, body)
	case "sms":
		status, _, err := platforms.PostTwilio(address, smsToken, url.Values{
			"AccountSid": {smsAccount}, "MessageSid": {"SM" + id}, "SmsStatus": {"received"},
			"From": {"+" + phone}, "To": {"+12025550100"}, "Body": {text}, "NumMedia": {"0"},
		})
		return status, err
	}
	return platforms.PostMail(address, mailSecret, "message/rfc822", p.letter(id, text))
}

// letter is a mail, which answers the last one.
func (p *person) letter(id, text string) []byte {
	to, subject := mailInbound, "Question"
	if p.replyTo != "" {
		to, subject = p.replyTo, p.subject
	}
	lines := []string{
		"Authentication-Results: mx.acme.example; dmarc=pass header.from=customer.example",
		"From: Ada Lovelace <ada@customer.example>", "To: " + to, "Subject: " + subject,
		"Message-ID: <" + id + "@customer.example>", "Date: " + time.Now().Format(time.RFC1123Z),
	}
	if p.mailID != "" {
		lines = append(lines, "In-Reply-To: "+p.mailID)
	}
	return []byte(strings.Join(append(lines, "", text, ""), "\r\n"))
}

// await shows the replies that come: it waits for the first one where something was said.
func (p *person) await(ctx context.Context, line string) {
	if line == p.channel || line == "" {
		return
	}
	for end := time.Now().Add(answerTime); time.Now().Before(end) && ctx.Err() == nil; {
		if p.show() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	fmt.Fprintln(p.out, "  (no reply)")
}

// show shows the replies since it was last called, and reports whether there are any.
func (p *person) show() bool {
	any := false
	for _, m := range since(p, "graph", p.graph.Sent()) {
		any, p.buttons = true, m.Buttons()
		p.print(m.Text())
		for i, b := range p.buttons {
			fmt.Fprintf(p.out, "  [#%d %s]\n", i+1, b.Title)
		}
	}
	for _, m := range since(p, "twilio", p.twilio.Sent()) {
		any = true
		p.print(m.Form.Get("Body"))
	}
	for _, m := range since(p, "mail", p.mail.Sent()) {
		any = true
		p.replyTo, p.subject, p.mailID = m.Header("Reply-To"), m.Header("Subject"), m.Header("Message-ID")
		p.print(m.Part("text/plain"))
	}
	return any
}

// since are the messages that a stand-in has taken since the last call.
func since[M any](p *person, standIn string, sent []M) []M {
	more := sent[p.seen[standIn]:]
	p.seen[standIn] = len(sent)
	return more
}

func (p *person) print(text string) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		fmt.Fprintln(p.out, "  "+strings.TrimRight(line, "\r\n"))
	}
}
