package sms_test

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/channel"
	"frontdesk/shared/channel/channeltest"
	"frontdesk/shared/channel/sms"
	"frontdesk/shared/secret"
)

const (
	account = "AC0123456789abcdef0123456789abcdef"
	token   = "twilio-auth-token"
	address = "https://desk.example/api/v1/inbound/8/sms/"
)

// connection is that of an agent to a number.
var connection = channel.Connection{
	AccountID: 7, AgentID: 8, URL: address,
	Texts:   map[channel.Setting]string{channel.AccountSID: account, channel.From: "+12028831111"},
	Secrets: map[channel.Setting]secret.Plain{channel.AuthToken: token},
}

// sign signs a request as Twilio does.
func sign(r *channel.Request) {
	form, err := url.ParseQuery(string(r.Body))
	if err != nil {
		panic(err) // the tests write proper forms
	}
	called := address
	if r.RawQuery != "" {
		called += "?" + r.RawQuery
	}
	r.Header.Set("X-Twilio-Signature", base64.StdEncoding.EncodeToString(sms.Sign(token, called, form)))
}

// received is what Twilio posts of a message, with further parameters.
func received(more string) string {
	return "ToCountry=US&ToState=DC&SmsMessageSid=SM1&NumMedia=0&ToCity=&FromZip=01022&SmsSid=SM1" +
		"&FromState=MA&SmsStatus=received&FromCity=CHICOPEE&FromCountry=US&To=%2B12028831111" +
		"&ToZip=&NumSegments=1&MessageSid=SM1" +
		"&AccountSid=" + account + "&From=%2B14133881111&ApiVersion=2010-04-01&" + more
}

func TestProvider(t *testing.T) {
	channeltest.Run(t, channeltest.Subject{
		New:        func(address string) channel.Provider { return sms.New(address) },
		Connection: connection, Credential: channel.AuthToken, Sign: sign,
		Batch: received("Body=STOP"), IDs: []string{"SM1", "SM1:consent"},
		Unknown: []string{
			"AccountSid=ACanother&MessageSid=SM1&From=%2B14133881111&Body=Hi",
			"AccountSid=" + account + "&From=%2B14133881111&Body=no+id",
			"AccountSid=" + account + "&MessageSid=SM1&From=72975&Body=from+a+short+code",
			"AccountSid=" + account + "&MessageSid=SM1&To=%2B14133881111&MessageStatus=queued",
			"AccountSid=" + account + "&MessageSid=SM1&To=%2B14133881111&MessageStatus=partially_delivered",
			"AccountSid=" + account + "&MessageSid=SM1&To=whatsapp:%2B14133881111&MessageStatus=delivered",
			"AccountSid=" + account + "&CallSid=CA1&CallStatus=ringing&From=%2B14133881111",
		},
		Refusals: []channeltest.Refusal{
			channeltest.Refuse("wrong credentials", 401, `{"code":20003,"message":"Authenticate %s","status":401}`, channel.Reconnect),
			channeltest.Refuse("no such account", 404, `{"code":20404,"message":"Not found","status":404}`, channel.Reconnect),
			channeltest.Refuse("too many requests", 429, `{"code":20429,"message":"Too many requests","status":429}`, channel.Transient),
			channeltest.Refuse("a full queue", 429, `{"code":30001,"message":"Queue overflow","status":429}`, channel.Transient),
			channeltest.Refuse("opted out", 400, `{"code":21610,"message":"unsubscribed %s","status":400}`, channel.OptedOut),
			channeltest.Refuse("no such number", 400, `{"code":21211,"message":"Invalid 'To'","status":400}`, channel.Rejected),
			channeltest.Refuse("a landline", 400, `{"code":21614,"message":"not a mobile number","status":400}`, channel.Rejected),
			channeltest.Refuse("too long", 400, `{"code":21617,"message":"exceeds 1600","status":400}`, channel.Rejected),
			channeltest.Refuse("out of order", 500, `{"code":20500,"message":"Internal Server Error","status":500}`, channel.Unclear),
		},
	})
}

// TestSignatures holds Sign to the vectors that Twilio's own libraries are tested with.
func TestSignatures(t *testing.T) {
	call := url.Values{
		"CallSid": {"CA1234567890ABCDE"}, "Caller": {"+14158675309"}, "Digits": {"1234"},
		"From": {"+14158675309"},
		"To":   {"+18005551212"},
	}
	ended := url.Values{"Reason": {"Participant"}, "ReasonConferenceEnded": {"test"}}
	for name, value := range call {
		ended[name] = value
	}
	repeated := url.Values{"Sid": {"CA123"}, "SidAccount": {"AC123"}, "Digits": {"5678", "1234", "1234"}}
	const rest = "/myapp.php?foo=1&bar=2"
	for _, test := range []struct {
		url  string
		form url.Values
		want string
	}{
		{"https://mycompany.com" + rest, call, "RSOYDt4T1cUTdK1PDd93/VVr8B8="},
		{"https://mycompany.com:443" + rest, call, "kvajT1Ptam85bY51eRf/AJRuM3w="},
		{"http://mycompany.com:80" + rest, call, "0ZXoZLH/DfblKGATFgpif+LLRf4="},
		{"http://mycompany.com:1234" + rest, call, "Zmvh+3yNM1Phv2jhDCwEM3q5ebU="},
		{"https://mycompany.com" + rest, ended, "vOEb5UThFn24KEfnOFLQY2AE5FY="},
		{"https://mycompany.com" + rest, repeated, "IK+Dwps556ElfBT0I3Rgjkr1wJU="},
	} {
		if got := base64.StdEncoding.EncodeToString(sms.Sign("12345", test.url,
			test.form)); got != test.want {
			t.Errorf("%s %v: %s, want %s", test.url, test.form, got, test.want)
		}
	}
}

// TestVerifyJSON holds Verify to the vector that Twilio's own libraries are tested with for a JSON body,
// which the address has the hash of. What is so signed is of other products: nothing is taken of it.
func TestVerifyJSON(t *testing.T) {
	const (
		signature = "a9nBmqA0ju/hNViExpshrM61xv4="
		hash      = "0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620"
		body      = `{"property": "value", "boolean": true}`
	)
	c := connection
	c.URL = "https://mycompany.com/myapp.php"
	c.Secrets = map[channel.Setting]secret.Plain{channel.AuthToken: "12345"}
	for name, test := range map[string]struct {
		query, body string
		want        bool
	}{
		"as it was signed":  {"foo=1&bar=2&bodySHA256=" + hash, body, true},
		"another body":      {"foo=1&bar=2&bodySHA256=" + hash, body + " ", false},
		"another hash":      {"foo=1&bar=2&bodySHA256=" + strings.ToUpper(hash), body, false},
		"without its query": {"", body, false},
		"a form":            {"foo=1&bar=2&bodySHA256=" + hash, "Body=STOP", false},
	} {
		r := channel.Request{Method: "POST", RawQuery: test.query, Body: []byte(test.body),
			Header: http.Header{"X-Twilio-Signature": {signature}}}
		if err := sms.New("").Verify(c, r); (err == nil) != test.want {
			t.Errorf("%s: %v", name, err)
		}
		if updates, err := sms.New("").Parse(c, r); test.want && (err != nil || len(updates) != 0) {
			t.Errorf("%s is read as %v, %v", name, updates, err)
		}
	}
}

// TestVerifySpellings verifies calls that Twilio signed for an address spelled otherwise.
func TestVerifySpellings(t *testing.T) {
	form := url.Values{"Body": {"Grüße & more"}, "Empty": {""}, "AccountSid": {account}}
	for _, test := range []struct {
		name, ours, signed, query string
		want                      bool
	}{
		{"the same", address, address, "", true},
		{"with the port", address, "https://desk.example:443/api/v1/inbound/8/sms/", "", true},
		{"without the port", "https://desk.example:443/in/", "https://desk.example/in/", "", true},
		{"plain", "http://desk.example/in/", "http://desk.example:80/in/", "", true},
		{"another port", "http://desk.example:8080/in/", "http://desk.example/in/", "", false},
		{"another host", address, "https://other.example/api/v1/inbound/8/sms/", "", false},
		{"a query as it was given", address, address + "?ref=fd-5-0&x=a%20b", "ref=fd-5-0&x=a%20b", true},
		{"a query that was left out", address, address, "ref=fd-5-0", false},
	} {
		c := connection
		c.URL = test.ours
		r := channel.Request{Method: "POST", Header: http.Header{}, RawQuery: test.query,
			Body: []byte(form.Encode())}
		r.Header.Set("X-Twilio-Signature", base64.StdEncoding.EncodeToString(sms.Sign(token, test.signed,
			form)))
		if err := sms.New("").Verify(c, r); (err == nil) != test.want {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestParse(t *testing.T) {
	from := channel.Person{Address: "+14133881111", Phone: "+14133881111"}
	text := func(text string) channel.Update {
		return channel.Update{
			Kind: channel.MessageUpdate, ID: "SM1", From: from, Type: channel.TextMessage, Text: text,
			MessageID: "SM1",
		}
	}
	empty := text("")
	empty.NeedsWords = true
	silent := func(words string) channel.Update {
		u := text(words)
		u.Silent = true
		return u
	}
	consent := func(in bool) channel.Update {
		return channel.Update{
			Kind: channel.ConsentUpdate, ID: "SM1:consent", From: from, OptedIn: in, Answered: true,
		}
	}
	for _, test := range []struct {
		name, more string
		want       []channel.Update
	}{
		{"a text", "Body=Are+you+open%3F", []channel.Update{text("Are you open?")}},
		{"no body", "", []channel.Update{empty}},
		{"a NUL", "Body=a%00b", []channel.Update{text("ab")}},
		{"stop", "Body=Stop", []channel.Update{silent("Stop"), consent(false)}},
		{"stop with a point", "Body=+unsubscribe.", []channel.Update{silent("unsubscribe."), consent(false)}},
		{"advanced opt-out", "Body=arret&OptOutType=STOP", []channel.Update{silent("arret"), consent(false)}},
		{"a word inside", "Body=Stop+by+at+5%3F", []channel.Update{text("Stop by at 5?")}},
		{"start", "Body=START", []channel.Update{silent("START"), consent(true)}},
		{"yes is an answer", "Body=Yes", []channel.Update{text("Yes")}},
		{"yes to advanced opt-out", "Body=Yes&OptOutType=START", []channel.Update{silent("Yes"),
			consent(true)}},
		{"help", "Body=help", []channel.Update{silent("help")}},
		{"advanced help", "Body=aide&OptOutType=HELP", []channel.Update{silent("aide")}},
	} {
		r := channel.Request{Method: "POST", Body: []byte(received(test.more))}
		got, err := sms.New("").Parse(connection, r)
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", test.name, err, diff)
		}
	}
}

func TestParseMedia(t *testing.T) {
	body := received("Body=&MediaUrl0=https%3A%2F%2Fapi.twilio.com%2Fm%2F1&MediaContentType0=image%2Fjpeg" +
		"&MediaUrl1=https%3A%2F%2Fapi.twilio.com%2Fm%2F2&MediaContentType1=text%2Fvcard")
	body = strings.Replace(body, "NumMedia=0", "NumMedia=2", 1)
	got, err := sms.New("").Parse(connection, channel.Request{Method: "POST", Body: []byte(body)})
	if err != nil || len(got) != 1 {
		t.Fatalf("%v, %v", got, err)
	}
	want := []channel.Attachment{
		{Type: channel.ImageMessage, ContentType: "image/jpeg", URL: "https://api.twilio.com/m/1"},
		{Type: channel.FileMessage, ContentType: "text/vcard", URL: "https://api.twilio.com/m/2"},
	}
	if diff := cmp.Diff(want, got[0].Attachments); diff != "" || !got[0].NeedsWords ||
		got[0].Text != "[image]" {
		t.Errorf("%+v\n%s", got[0], diff)
	}
}

func TestParseStatus(t *testing.T) {
	to := channel.Person{Address: "+14133881111", Phone: "+14133881111"}
	for _, test := range []struct {
		word, more string
		status     channel.Status
		class      channel.Class
		detail     string
	}{
		{"sent", "", channel.Accepted, "", ""},
		{"delivered", "", channel.Delivered, "", ""},
		{"read", "", channel.Seen, "", ""},
		{"undelivered", "&ErrorCode=30005", channel.Failed, channel.Rejected, "The number does not exist."},
		{"failed", "&ErrorCode=21610", channel.Failed, channel.OptedOut, "The contact has sent STOP."},
		{"failed", "&ErrorCode=39999", channel.Failed, channel.Rejected,
			"Twilio could not deliver the message: error 39999."},
		{"failed", "", channel.Failed, channel.Rejected, "Twilio could not deliver the message."},
	} {
		body := "MessageSid=SM9&SmsSid=SM9&MessageStatus=" + test.word + "&SmsStatus=" + test.word +
			"&To=%2B14133881111&From=%2B12028831111&AccountSid=" + account + test.more
		got, err := sms.New("").Parse(connection, channel.Request{
			Method: "POST", RawQuery: "ref=fd-5-0", Body: []byte(body),
		})
		if err != nil || len(got) != 1 {
			t.Fatalf("%s: %v, %v", test.word, got, err)
		}
		u := got[0]
		want := channel.Update{
			Kind: channel.StatusUpdate, ID: "SM9:" + test.word, From: to, MessageID: "SM9",
			Status: test.status,
			Ref:    "fd-5-0", Error: u.Error,
		}
		if diff := cmp.Diff(want, u); diff != "" {
			t.Errorf("%s:\n%s", test.word, diff)
		}
		switch {
		case test.class == "" && u.Error == nil:
		case u.Error == nil || u.Error.Class != test.class || u.Error.Detail != test.detail:
			t.Errorf("%s%s: %+v", test.word, test.more, u.Error)
		}
	}
}

func TestSend(t *testing.T) {
	var forms []url.Values
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		user, password, _ := req.BasicAuth()
		if user != account || password != token ||
			req.URL.Path != "/2010-04-01/Accounts/"+account+"/Messages.json" {
			t.Errorf("%s %s:%s", req.URL, user, password)
		}
		if err := req.ParseForm(); err != nil {
			t.Error(err)
		}
		forms = append(forms, req.PostForm)
		w.WriteHeader(201)
		io.WriteString(w, `{"sid":"SM77","status":"queued","num_segments":"1","error_code":null}`)
	}))
	defer server.Close()
	byService := connection
	byService.Texts = map[channel.Setting]string{channel.AccountSID: account,
		channel.MessagingServiceSID: "MG1"}
	m := channel.Message{Ref: "fd-5-0", To: "+14133881111", Text: "Grüße & <more>"}
	for _, c := range []channel.Connection{connection, byService} {
		receipt, err := sms.New(server.URL).Send(t.Context(), c, m)
		if err != nil || receipt != (channel.Receipt{ID: "SM77", Segments: 1}) {
			t.Errorf("%+v, %v", receipt, err)
		}
	}
	callback := []string{address + "?ref=fd-5-0"}
	want := []url.Values{
		{"To": {m.To}, "From": {"+12028831111"}, "Body": {m.Text}, "StatusCallback": callback},
		{"To": {m.To}, "MessagingServiceSid": {"MG1"}, "Body": {m.Text}, "StatusCallback": callback},
	}
	if diff := cmp.Diff(want, forms); diff != "" {
		t.Error(diff)
	}
}

func TestSegments(t *testing.T) {
	for _, test := range []struct {
		text string
		want int
	}{
		{"", 1}, {strings.Repeat("a", 160), 1}, {strings.Repeat("a", 161), 2}, {strings.Repeat("a", 306), 2},
		{strings.Repeat("a", 307), 3}, {strings.Repeat("€", 80), 1}, {strings.Repeat("€", 81), 2},
		{strings.Repeat("ж", 70), 1}, {strings.Repeat("ж", 71), 2}, {strings.Repeat("👋", 35), 1},
		{strings.Repeat("👋", 36), 2},
	} {
		if got := sms.Segments(test.text); got != test.want {
			t.Errorf("%.5s of %d bytes: %d, want %d", test.text, len(test.text), got, test.want)
		}
	}
}
