package sms

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"frontdesk/shared/channel"
	"frontdesk/shared/phone"
)

const (
	// refParameter has our reference in the address of a status callback.
	refParameter = "ref"
	// hashParameter has the hash of a JSON body, which the signature covers only through it.
	hashParameter = "bodySHA256"
)

// Verify implements channel.Provider. Twilio signs the URL that it calls, with its query as configured and
// without a fragment, followed by all parameters of the form. In some cases it adds the port even if it is
// the default.
func (p *Provider) Verify(c channel.Connection, r channel.Request) error {
	given, err := base64.StdEncoding.DecodeString(r.Header.Get("X-Twilio-Signature"))
	token := c.Secret(channel.AuthToken)
	if err != nil || len(given) == 0 || token == "" {
		return channel.ErrForbidden
	}
	query, err := url.ParseQuery(r.RawQuery)
	if err != nil {
		return channel.ErrForbidden
	}
	form := url.Values{}
	if sum := query.Get(hashParameter); sum != "" {
		digest := sha256.Sum256(r.Body)
		if !hmac.Equal([]byte(hex.EncodeToString(digest[:])), []byte(strings.ToLower(sum))) {
			return channel.ErrForbidden
		}
	} else if form, err = url.ParseQuery(string(r.Body)); err != nil {
		return channel.ErrForbidden
	}
	address := c.URL + r.Path
	if r.RawQuery != "" {
		address += "?" + r.RawQuery
	}
	for _, called := range spellings(address) {
		if hmac.Equal(Sign(string(token), called, form), given) {
			return nil
		}
	}
	return channel.ErrForbidden
}

// Sign returns the signature of a call to an address with the parameters of a form, before base64: it covers
// each parameter's name and distinct values, in the order of names.
func Sign(token, address string, form url.Values) []byte {
	mac := hmac.New(sha1.New, []byte(token))
	mac.Write([]byte(address))
	names := make([]string, 0, len(form))
	for name := range form {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		values := slices.Clone(form[name])
		slices.Sort(values)
		for _, value := range slices.Compact(values) {
			mac.Write([]byte(name + value))
		}
	}
	return mac.Sum(nil)
}

// spellings returns an address without a port and with the default port, if it has either.
func spellings(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return []string{address}
	}
	port := map[string]string{"https": ":443", "http": ":80"}[u.Scheme]
	rest := strings.TrimPrefix(address, u.Scheme+"://"+u.Host)
	switch {
	case u.Port() == "":
		return []string{address, u.Scheme + "://" + u.Host + port + rest}
	case ":"+u.Port() == port:
		return []string{address, u.Scheme + "://" + strings.TrimSuffix(u.Host, port) + rest}
	}
	return []string{address}
}

// Words by which people stop and begin messages, as Twilio knows them. It answers them itself.
var (
	stopWords  = []string{"STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"}
	startWords = []string{"START", "YES", "UNSTOP"}
	helpWords  = []string{"HELP", "INFO"}
)

// maxMedia is the limit of files of a message.
const maxMedia = 10

// Parse implements channel.Provider. Messages and their statuses come as forms; what comes as JSON, with a
// hash in the address, is of other products.
func (p *Provider) Parse(c channel.Connection, r channel.Request) ([]channel.Update, error) {
	if query, err := url.ParseQuery(r.RawQuery); err == nil && query.Has(hashParameter) {
		return nil, nil
	}
	form, err := url.ParseQuery(string(r.Body))
	if err != nil || form.Get("AccountSid") == "" {
		return nil, channel.ErrMalformed
	}
	if form.Get("AccountSid") != c.Text(channel.AccountSID) {
		return nil, nil
	}
	id := form.Get("MessageSid")
	if id == "" {
		id = form.Get("SmsSid")
	}
	if id == "" {
		return nil, nil
	}
	status := form.Get("MessageStatus")
	if status == "" {
		status = form.Get("SmsStatus")
	}
	if status != "" && status != "received" && status != "receiving" {
		return statusOf(r, form, id, status), nil
	}
	return message(form, id), nil
}

// person returns the sender of a number in Twilio's form. It returns false for senders that cannot be
// answered, such as short codes and names.
func person(number string) (channel.Person, bool) {
	e164, ok := phone.Normalize(number)
	return channel.Person{Address: e164, Phone: e164}, ok
}

// message reads a message, and what it says of whether the person wants messages.
func message(form url.Values, id string) []channel.Update {
	from, ok := person(form.Get("From"))
	if !ok {
		return nil
	}
	text := strings.TrimSpace(strings.ReplaceAll(form.Get("Body"), "\x00", ""))
	u := channel.Update{
		Kind: channel.MessageUpdate, ID: id, From: from, Type: channel.TextMessage, Text: text, MessageID: id,
		Attachments: media(form), NeedsWords: text == "",
	}
	if len(u.Attachments) > 0 {
		u.Type = u.Attachments[0].Type
		u.Text = strings.TrimSpace("[" + string(u.Type) + "] " + text)
	}
	updates := []channel.Update{u}
	word := strings.ToUpper(strings.Trim(text, " \t\r\n.!\"'"))
	kind := strings.ToUpper(form.Get("OptOutType"))
	consent := channel.Update{Kind: channel.ConsentUpdate, ID: id + ":consent", From: from, Answered: true}
	switch {
	case kind == "STOP" || kind == "" && slices.Contains(stopWords, word):
		updates[0].Silent = true
		updates = append(updates, consent)
	case kind == "START" || kind == "" && slices.Contains(startWords, word) && word != "YES":
		updates[0].Silent = true
		consent.OptedIn = true
		updates = append(updates, consent)
	case kind == "HELP" || kind == "" && slices.Contains(helpWords, word):
		updates[0].Silent = true
	}
	return updates
}

// media returns the files of a message.
func media(form url.Values) []channel.Attachment {
	n, _ := strconv.Atoi(form.Get("NumMedia"))
	var files []channel.Attachment
	for i := range min(max(n, 0), maxMedia) {
		contentType := form.Get("MediaContentType" + strconv.Itoa(i))
		address := form.Get("MediaUrl" + strconv.Itoa(i))
		if address == "" {
			continue
		}
		files = append(files, channel.Attachment{
			Type: channel.TypeOfFile(contentType), ContentType: contentType, URL: address,
		})
	}
	return files
}

// statuses maps Twilio's message statuses.
var statuses = map[string]channel.Status{
	"queued": "", "accepted": "", "scheduled": "", "sending": "",
	"sent": channel.Accepted, "delivered": channel.Delivered, "read": channel.Seen,
	"undelivered": channel.Failed, "failed": channel.Failed, "canceled": channel.Failed,
}

// reasons maps codes of failed deliveries to explanations for people.
var reasons = map[int]string{
	21610: "The contact has sent STOP.",
	30003: "The contact's device is switched off or out of reach.",
	30004: "The contact's device or carrier blocks the message.",
	30005: "The number does not exist.",
	30006: "The number is a landline, or its carrier cannot be reached.",
	30007: "The carrier filtered the message.",
	30008: "The carrier gave no reason.",
	30032: "The toll-free number is not verified.",
	30034: "The number is not registered for business messages (A2P 10DLC).",
}

func statusOf(r channel.Request, form url.Values, id, word string) []channel.Update {
	status := statuses[word]
	to, ok := person(form.Get("To"))
	if status == "" || !ok {
		return nil
	}
	query, _ := url.ParseQuery(r.RawQuery)
	u := channel.Update{
		Kind: channel.StatusUpdate, ID: id + ":" + word, From: to, MessageID: id, Status: status,
		Ref: query.Get(refParameter),
	}
	if status == channel.Failed {
		code, _ := strconv.Atoi(form.Get("ErrorCode"))
		u.Error = &channel.Error{
			Class: channel.Rejected, Code: code, Detail: name + " could not deliver the message.",
		}
		if code != 0 {
			u.Error.Detail = name + " could not deliver the message: error " + strconv.Itoa(code) + "."
		}
		if reason := reasons[code]; reason != "" {
			u.Error.Detail = reason
		}
		if class := classes[code]; class == channel.OptedOut {
			u.Error.Class = class
		}
	}
	return []channel.Update{u}
}
