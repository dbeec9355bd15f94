// Command hostile sends hostile requests to the service of BASE_URL and API_KEY, over all paths that need no
// key: those of the widget, of platforms, of signing in and of the files that browsers load. The requests
// have sessions of other visitors, of erased contacts and of deleted agents, odd and long texts, claims with
// wrong signatures, used links, cookies and passkey answers, posts signed by a platform, and broken bodies.
//
//	serve hostile -requests 4000
//
// It fails if an answer is a 5xx, if a refusal is not in the API's form, if an answer reveals messages of
// another visitor's session, or if somebody is signed in. The service has to trust X-Forwarded-For, so that
// each visitor has its own address.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"

	"frontdesk/infra/command"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/identity"
)

func main() { command.Main("hostile", run) }

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("hostile", flag.ContinueOnError)
	requests := flags.Int("requests", 4000, "how many requests to make")
	seed := flags.Uint64("seed", 20260302, "what the requests are made up from")
	if err := flags.Parse(args); err != nil {
		return err
	}
	owner := &apitest.Client{Base: os.Getenv("BASE_URL") + "/", Key: os.Getenv("API_KEY")}
	w, err := newSite(owner)
	if err != nil {
		return err
	}
	statuses, faults := map[int]int{}, 0
	maker := newMaker(*seed, w)
	for n := 0; n < *requests && ctx.Err() == nil; n++ {
		r := maker.request()
		visitor := &apitest.Client{Base: cmp.Or(r.base, owner.Base), Header: http.Header{}}
		maps.Copy(visitor.Header, r.header)
		visitor.Header.Set("X-Forwarded-For", maker.address())
		a, err := visitor.Try(r.method, r.path, r.body)
		if err != nil {
			return err
		}
		statuses[a.Status]++
		if why := r.fault(a); why != "" {
			faults++
			fmt.Fprintf(os.Stderr, "%s: %s %s %.300q\n\t%d %.300s\n",
				why, r.method, r.path, r.body, a.Status, a.Body)
		}
	}
	for _, status := range slices.Sorted(maps.Keys(statuses)) {
		fmt.Printf("%d: %d answers\n", status, statuses[status])
	}
	switch {
	case faults > 0:
		return fmt.Errorf("%d answers are wrong", faults)
	case statuses[http.StatusOK] < *requests/10 || statuses[http.StatusNotFound] == 0:
		return errors.New("hardly anything was tried")
	}
	return ctx.Err()
}

// A request is a request of a visitor, with what its answer must not do.
type request struct {
	method, path string
	base         string // "" for that of the service
	header       http.Header
	body         any
	// stranger is set if the session belongs to another agent, to a deleted agent or to nobody. The answer
	// must not reveal its messages.
	stranger bool
	// refused is set if the request must be refused and must sign nobody in.
	refused bool
}

// fault describes what is wrong with the answer to the request. It returns "" if nothing is.
func (r request) fault(a apitest.Answer) string {
	switch {
	case a.Status >= 500:
		return "a 5xx"
	case r.refused && (a.Status < 400 || signsIn(a)):
		return "somebody is signed in"
	case a.Status >= 400 && hasBody(r.method, a.Status) && (a.Text("error") == "" || a.Text("detail") == ""):
		return "a refusal in another form"
	case strings.Contains(a.Body, marker) && r.stranger:
		return "what another said"
	}
	return ""
}

// signsIn reports whether an answer sets a cookie, rather than removing one.
func signsIn(a apitest.Answer) bool {
	set := a.Header.Get("Set-Cookie")
	return set != "" && !strings.Contains(set, "Max-Age=0")
}

// hasBody reports whether a refusal has a body: those of methods that a path does not have are empty.
func hasBody(method string, status int) bool {
	return method != http.MethodHead && status != http.StatusMethodNotAllowed
}

// marker is part of every message of a legitimate visitor.
const marker = "plover-7731"

// A site is the data that the hostile requests refer to.
type site struct {
	agents   []shop
	deleted  shop     // whose agent was deleted
	erased   []string // sessions of contacts who were erased
	messages []any    // ids of messages of the sessions
	door     *entrance
}

// A shop is an agent with a widget, and its sessions.
type shop struct {
	id, widget, secret string
	sessions           []string
}

// newSite creates agents and has legitimate visitors chat with them.
func newSite(owner *apitest.Client) (*site, error) {
	door, err := newEntrance(owner)
	if err != nil {
		return nil, err
	}
	w := &site{door: door}
	visitor := &apitest.Client{Base: owner.Base, Header: http.Header{"X-Forwarded-For": {"192.0.2.1"}}}
	for range 3 {
		s, err := newShop(owner)
		if err != nil {
			return nil, err
		}
		for range 10 { // each takes 20 messages a minute
			said := map[string]any{"message": "My order is " + marker}
			a, err := want(visitor, "POST", s.widget+"send/", said)
			if err != nil {
				return nil, err
			}
			s.sessions = append(s.sessions, a.Text("session_id"))
			w.messages = append(w.messages, a.Fields["inbound_message_id"], a.Fields["message_id"])
		}
		w.agents = append(w.agents, s)
	}
	last := len(w.agents) - 1
	w.deleted, w.agents = w.agents[last], w.agents[:last]
	if _, err := want(owner, "DELETE", "agents/"+w.deleted.id+"/", nil); err != nil {
		return nil, err
	}
	for i := range w.agents {
		s := &w.agents[i]
		gone := s.sessions[0]
		stated := map[string]any{"session_id": gone, "name": "Ada"}
		a, err := want(visitor, "POST", s.widget+"visitor/", stated)
		if err != nil {
			return nil, err
		}
		contact := "contacts/" + a.Number("contact_id") + "/"
		if _, err := want(owner, "DELETE", contact+"?erase=true", nil); err != nil {
			return nil, err
		}
		w.erased, s.sessions = append(w.erased, gone), s.sessions[1:]
	}
	return w, nil
}

// newShop creates an agent with the widget enabled.
func newShop(owner *apitest.Client) (shop, error) {
	made, err := want(owner, "POST", "agents/", map[string]any{"name": "Mia", "business_name": "Acme"})
	if err != nil {
		return shop{}, err
	}
	s := shop{id: made.Number("id")}
	settings, err := want(owner, "GET", "agents/"+s.id+"/widget/", nil)
	if err != nil {
		return shop{}, err
	}
	s.widget = "widget/" + settings.Text("embed_key") + "/"
	secret, err := want(owner, "POST", "agents/"+s.id+"/widget/identity-secret/", nil)
	if err != nil {
		return shop{}, err
	}
	s.secret = secret.Text("identity_secret")
	for kind, config := range map[string]any{
		"whatsapp": map[string]any{"phone_number_id": "1060", "access_token": "token-of-the-number",
			"app_secret": appSecret, "verify_token": "verify-me-please"},
		"email": map[string]any{"from": "hello@acme.example", "inbound_address": "desk@in.acme.example",
			"inbound_secret": inboundSecret},
	} {
		body := map[string]any{"channel_type": kind, "config": config}
		if _, err := want(owner, "POST", "agents/"+s.id+"/channels/", body); err != nil {
			return shop{}, err
		}
	}
	return s, nil
}

// sign signs claims as the business's own server does.
func (s shop) sign(c identity.Claims) string { return identity.Sign(s.secret, c) }

// want sends a request and returns an error unless it succeeds.
func want(c *apitest.Client, method, path string, body any) (apitest.Answer, error) {
	a, err := c.Try(method, path, body)
	if err == nil && a.Status >= 300 {
		err = fmt.Errorf("%s %s: %d %s", method, path, a.Status, a.Body)
	}
	return a, err
}
