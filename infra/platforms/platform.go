package platforms

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// StandIns holds stand-ins for the platforms of all channels.
type StandIns struct {
	Graph     *Graph
	Instagram *Graph // of accounts connected by Instagram Login; nil if there are none
	Twilio    *Twilio
	Mail      *MailServer
}

// NewStandIns serves all stand-ins until the test ends.
func NewStandIns(t testing.TB) StandIns {
	return StandIns{
		Graph: NewGraph(t), Instagram: NewGraph(t), Twilio: NewTwilio(t), Mail: NewMailServer(t),
	}
}

// ServeAt serves stand-ins until end is called, at the addresses that a service is configured to call, such
// as http://127.0.0.1:8080. They listen at those ports on all addresses of this machine, since containers do
// not reach the loopback address. host is the service's name for this machine. Mail is accepted by SES's API.
func ServeAt(host, graph, instagram, twilio, ses string) (all StandIns, end func(), err error) {
	all = StandIns{
		Graph: new(Graph), Instagram: new(Graph), Twilio: new(Twilio), Mail: new(MailServer),
	}
	var servers []*http.Server
	end = func() {
		for _, server := range servers {
			server.Close()
		}
	}
	serve := func(address string, h http.Handler) string {
		u, failed := url.Parse(address)
		if failed != nil {
			err = errors.Join(err, failed)
			return ""
		}
		listener, failed := net.Listen("tcp4", "0.0.0.0:"+u.Port())
		if failed != nil {
			err = errors.Join(err, failed)
			return ""
		}
		server := &http.Server{Handler: h}
		servers = append(servers, server)
		go server.Serve(listener) // until it is closed
		return "http://" + net.JoinHostPort(host, u.Port())
	}
	all.Graph.URL, all.Instagram.URL = serve(graph, all.Graph), serve(instagram, all.Instagram)
	all.Twilio.URL = serve(twilio, all.Twilio)
	serve(ses, all.Mail)
	if err != nil {
		end()
	}
	return all, end, err
}

// A Platform is the platform of a channel as one business sees it: it posts the messages that people write to
// the business and accepts those that the business sends them.
type Platform struct {
	Channel string
	// Config is the configuration that the business connects the channel with, with an id, a number or an
	// address of its own. Posts are signed with Secret.
	Config map[string]string
	Secret string
	// Person returns the address of the nth person. The nth persons of WhatsApp and of SMS have the same
	// number.
	Person func(n int) string
	// Post posts a message signed with a secret, and returns the status of the answer.
	Post func(inbound, secret string, m Posted) (status int, err error)
	// Sent returns the messages that the business has sent so far.
	Sent func() []Sent
	// Report posts the status of a sent message: delivered or read. It is nil if the platform reports
	// neither.
	Report func(inbound string, m Sent, status string) (code int, err error)
	// Echo posts a message that the business wrote in the platform's own app; nil if there is none.
	Echo func(inbound, id, person, text string) (status int, err error)
}

// A Posted is a message that a person writes.
type Posted struct {
	ID, Person, Text string
	Button           string    // the value of the pressed button, whose title is Text; "" for none
	At               time.Time // the time of writing; zero is now
	Answers          *Sent     // the message that an e-mail answers; nil for none
}

// A Sent is a message that a business has sent.
type Sent struct {
	ID, Person, Text string
	Buttons          []GraphButton
	At               time.Time
	Graph            GraphMessage  // of Meta's channels
	Twilio           TwilioMessage // of SMS
	Mail             Mail          // of e-mail
}

// Platforms returns the platforms of all channels for the nth business. Each business has its own ids,
// numbers, addresses and secrets.
func (s StandIns) Platforms(n int) []Platform {
	return []Platform{
		s.whatsApp(n),
		messaging(s.Graph, n, "messenger", "page", fmt.Sprint(102290129340398+n), "PS"),
		s.instagram(s.Graph, n),
		s.sms(n),
		s.email(n),
	}
}

// InstagramLogin returns Instagram for the nth business, with its account connected by Instagram Login.
func (s StandIns) InstagramLogin(n int) Platform {
	p := s.instagram(s.Instagram, n)
	p.Config["login"] = "instagram"
	return p
}

func (s StandIns) instagram(at *Graph, n int) Platform {
	return messaging(at, n, "instagram", "instagram", fmt.Sprint(17841477965412210+n), "IGS")
}

// meta returns the configuration of one of Meta's channels. setting is the name of the setting for its id.
func meta(n int, channel, setting, id string) map[string]string {
	return map[string]string{
		setting: id, "access_token": fmt.Sprintf("token-%s-%d", channel, n),
		"app_secret": fmt.Sprintf("app-secret-%s-%d", channel, n), "verify_token": "a word",
	}
}

// sentWith returns the messages sent with an access token.
func (g *Graph) sentWith(token string) []Sent {
	var all []Sent
	for _, m := range g.Sent() {
		if m.Token == token {
			all = append(all, Sent{
				ID: m.ID, Person: strings.TrimPrefix(m.To(), "+"), Text: m.Text(), Buttons: m.Buttons(),
				At: m.At, Graph: m,
			})
		}
	}
	return all
}

// when returns the time at which a message was written.
func (m Posted) when() time.Time {
	if m.At.IsZero() {
		return time.Now()
	}
	return m.At
}

func (s StandIns) whatsApp(n int) Platform {
	number := fmt.Sprint(106540352242922 + n)
	config := meta(n, "whatsapp", "phone_number_id", number)
	secret := config["app_secret"]
	return Platform{
		Channel: "whatsapp", Config: config, Secret: secret,
		Person: func(n int) string { return fmt.Sprint(14155550000 + n) },
		Post: func(inbound, secret string, m Posted) (int, error) {
			body := WhatsAppText(number, m.Person, m.ID, m.Text, m.when().Unix())
			if m.Button != "" {
				body = WhatsAppButton(number, m.Person, m.ID, m.Button, m.Text, m.when().Unix())
			}
			return PostGraph(inbound, secret, body)
		},
		Sent: func() []Sent { return s.Graph.sentWith(config["access_token"]) },
		Report: func(inbound string, m Sent, status string) (int, error) {
			ref, _ := m.Graph.Body["biz_opaque_callback_data"].(string)
			return PostGraph(inbound, secret,
				WhatsAppStatus(number, m.Person, m.ID, ref, status, time.Now().Unix()))
		},
		Echo: func(inbound, id, person, text string) (int, error) {
			return PostGraph(inbound, secret, WhatsAppEcho(number, person, id, text, time.Now().Unix()))
		},
	}
}

// messaging returns the platform Messenger, whose object is page, or Instagram. Messages are sent to at.
func messaging(at *Graph, n int, channel, object, account, people string) Platform {
	config := meta(n, channel, "page_id", account)
	secret := config["app_secret"]
	at.Own(config["access_token"], account)
	event := func(sender, recipient string, at time.Time, field string, value any) []byte {
		text, err := json.Marshal(value)
		if err != nil {
			panic(err) // it holds plain values
		}
		return messagingEvent(object, account, sender, recipient, at, field, string(text))
	}
	return Platform{
		Channel: channel, Config: config, Secret: secret,
		Person: func(n int) string { return fmt.Sprint(people, n) },
		Post: func(inbound, secret string, m Posted) (int, error) {
			message := map[string]any{"mid": m.ID, "text": m.Text}
			if m.Button != "" {
				message["quick_reply"] = map[string]string{"payload": m.Button}
			}
			return PostGraph(inbound, secret, event(m.Person, account, m.when(), "message", message))
		},
		Sent: func() []Sent { return at.sentWith(config["access_token"]) },
		Report: func(inbound string, m Sent, status string) (int, error) {
			now := time.Now()
			field, value := "delivery", map[string]any{"mids": []string{m.ID}, "watermark": now.UnixMilli()}
			switch {
			case status == "read" && object == "page": // all until then
				field, value = "read", map[string]any{"watermark": now.UnixMilli()}
			case status == "read":
				field, value = "read", map[string]any{"mid": m.ID}
			}
			return PostGraph(inbound, secret, event(m.Person, account, now, field, value))
		},
		Echo: func(inbound, id, person, text string) (int, error) {
			message := map[string]any{"mid": id, "is_echo": true, "text": text}
			return PostGraph(inbound, secret, event(account, person, time.Now(), "message", message))
		},
	}
}

func (s StandIns) sms(n int) Platform {
	account, token := fmt.Sprintf("AC%032d", n), fmt.Sprint("auth-token-", n)
	number := fmt.Sprint("+", 12025550100+n)
	return Platform{
		Channel: "sms", Secret: token,
		Config: map[string]string{"account_sid": account, "auth_token": token, "from": number},
		Person: func(n int) string { return fmt.Sprint("+", 14155550000+n) },
		Post: func(inbound, token string, m Posted) (int, error) {
			status, _, err := PostTwilio(inbound, token, url.Values{
				"AccountSid": {account}, "MessageSid": {m.ID}, "SmsSid": {m.ID}, "SmsStatus": {"received"},
				"From": {m.Person}, "To": {number}, "Body": {m.Text}, "NumMedia": {"0"}, "ToCity": {""},
			})
			return status, err
		},
		Sent: func() (all []Sent) {
			for _, m := range s.Twilio.Sent() {
				if m.Account == account {
					all = append(all, Sent{
						ID: m.ID, Person: m.Form.Get("To"), Text: m.Form.Get("Body"), At: m.At, Twilio: m,
					})
				}
			}
			return all
		},
		Report: func(_ string, m Sent, status string) (int, error) {
			code, _, err := PostTwilio(m.Twilio.Form.Get("StatusCallback"), token, url.Values{
				"AccountSid": {account}, "MessageSid": {m.ID}, "MessageStatus": {status}, "To": {m.Person},
				"From": {number},
			})
			return code, err
		},
	}
}

func (s StandIns) email(n int) Platform {
	host := fmt.Sprintf("acme%d.example", n)
	from, inboundAddress, secret := "hello@"+host, "desk@"+host, fmt.Sprintf("password-of-posts-%d", n)
	return Platform{
		Channel: "email", Secret: secret,
		Config: map[string]string{"from": from, "inbound_address": inboundAddress, "inbound_secret": secret},
		Person: func(n int) string { return fmt.Sprintf("person%d@customer.example", n) },
		Post: func(inbound, secret string, m Posted) (int, error) {
			return PostMail(inbound, secret, "message/rfc822", letter(host, inboundAddress, m))
		},
		Sent: func() (all []Sent) {
			for _, m := range s.Mail.Sent() {
				if strings.HasSuffix(strings.Trim(m.Header("From"), "<>"), from) {
					all = append(all, Sent{
						ID: m.Header("Message-ID"), Person: m.Recipient, Text: m.Part("text/plain"), At: m.At,
						Mail: m,
					})
				}
			}
			return all
		},
	}
}

// letter returns a mail as stored by the mail host of a business after it verified the sender.
func letter(host, to string, m Posted) []byte {
	subject, parent := "Question", ""
	if m.Answers != nil {
		subject, parent = m.Answers.Mail.Header("Subject"), "In-Reply-To: "+m.Answers.ID+"\r\n"
		to = cmp.Or(m.Answers.Mail.Header("Reply-To"), to)
	}
	_, domain, _ := strings.Cut(m.Person, "@")
	return fmt.Appendf(nil, "Authentication-Results: mx.%s; dmarc=pass header.from=%s\r\n"+
		"From: Sheena Nelson <%s>\r\nTo: %s\r\nSubject: %s\r\nMessage-ID: <%s@%s>\r\nDate: %s\r\n%s"+
		"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n%s\r\n",
		host, domain, m.Person, to, subject, m.ID, domain, m.when().Format(time.RFC1123Z), parent, m.Text)
}
