package widget_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/auth"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/id"
	"frontdesk/shared/identity"
	"frontdesk/shared/table"
)

// known stores a contact of the agent that the business knows, with a preference.
func (s *service) known(t *testing.T) contact.Contact {
	t.Helper()
	contacts := contact.Store{Table: s.table, Now: time.Now, IDs: id.NewSource(time.Now)}
	c := contact.New(0, s.agent.ID, time.Now().UTC().Truncate(time.Millisecond))
	c.Name, c.Phone, c.Email = "Ada", "+14155552671", "ada@example.com"
	c.Facts = map[string]string{"preferences": "no nuts"}
	c, _, err := contacts.Upsert(t.Context(), s.agent.AccountID, c)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// owner calls the endpoints of the business.
func (s *service) owner() *apitest.Client {
	return &apitest.Client{Base: s.URL + api.Prefix + "/", Key: s.key}
}

// conversation reads the conversation that a session goes on in, by a message of it.
func (s *service) conversation(t *testing.T, session string) conversation.Conversation {
	t.Helper()
	var n int64
	fmt.Sscan(s.say(t, session, "Are dogs welcome?").Number("conversation_id"), &n)
	item, err := s.table.Get(t.Context(), conversation.Key(s.agent.AccountID, n))
	if err != nil {
		t.Fatal(err)
	}
	c, err := conversation.Read(item)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestClaim has a stranger state the phone and the e-mail address of somebody whom the business knows, in the
// visitor call and in messages. It opens nothing of that contact, and leads nobody who is known to the
// stranger's contact.
func TestClaim(t *testing.T) {
	s := serve(t)
	if _, err := s.agents.Update(t.Context(), s.agent.AccountID, s.agent.ID, func(a *agent.Agent) error {
		a.LeadCaptureEnabled, a.MemoryEnabled, a.OptOutKeywords = true, true, "stop"
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	ada := s.known(t)
	claim := func(body map[string]any) string {
		t.Helper()
		body["session_id"] = session
		return s.visitor().Want(t, 200, "POST", s.public()+"visitor/", body).Number("contact_id")
	}
	stranger := claim(map[string]any{"name": "Ada", "phone": ada.Phone})
	for _, body := range []map[string]any{{"email": "ADA@example.com"},
		{"phone": ada.Phone, "email": "eve@example.com"}} {
		if again := claim(body); again != stranger {
			t.Errorf("contact %s became %s", stranger, again)
		}
	}
	for _, message := range []string{"My number is " + ada.Phone, "I am Ada, ada@example.com",
		"I cannot eat eggs", "stop"} {
		s.say(t, session, message)
	}
	if stranger == fmt.Sprint(ada.ID) {
		t.Fatal("the stranger got the contact's id")
	}
	if diff := cmp.Diff(ada, s.contact(t, fmt.Sprint(ada.ID))); diff != "" {
		t.Errorf("the contact changed (-before, +after):\n%s", diff)
	}
	c := s.contact(t, stranger)
	want := identity.Claims{Name: "Ada", Email: "ada@example.com", Phone: ada.Phone}
	if c.Claimed != want || c.Phone != "" || c.Email != "" || c.Verified() || c.OptedIn ||
		c.Facts["preferences"] == "no nuts" {
		t.Errorf("the stranger's contact is %+v", c)
	}
	if talk := s.conversation(t, session); talk.ContactID != c.ID || talk.Verified || talk.Claimed != want {
		t.Errorf("the conversation is with %+v", talk.Partner)
	}
	// An address that nobody had leads nowhere either, so that its owner does not join the stranger's contact
	// later.
	claim(map[string]any{"email": "new@example.com", "phone": "+14155552672", "external_id": "7"})
	for _, key := range []table.Key{
		contact.KeyByEmail(s.agent.AccountID, s.agent.ID, "new@example.com"),
		contact.KeyByPhone(s.agent.AccountID, s.agent.ID, "+14155552672"),
		contact.KeyByExternalID(s.agent.AccountID, s.agent.ID, "7"),
	} {
		if items, err := s.table.BatchGet(t.Context(), key); err != nil || len(items) != 0 {
			t.Errorf("%v leads to %v, %v", key, items, err)
		}
	}
}

// TestSignature proves a visitor by the business's signature.
func TestSignature(t *testing.T) {
	s := serve(t)
	ada := s.known(t)
	path := fmt.Sprintf("/agents/%d/widget/identity-secret/", s.agent.ID)
	body := func(session string, c identity.Claims, signature string) map[string]any {
		b := map[string]any{"session_id": session, "signature": signature}
		for name, value := range map[string]string{"name": c.Name, "email": c.Email, "phone": c.Phone,
			"external_id": c.ExternalID} {
			if value != "" {
				b[name] = value
			}
		}
		return b
	}
	phone := identity.Claims{Phone: ada.Phone, ExternalID: "customer-é42"}
	s.visitor().WantError(t, 403, "forbidden", "", "POST", s.public()+"visitor/",
		body(session, phone, identity.Sign("", phone)))
	(&apitest.Client{Base: s.URL + api.Prefix + "/", Key: s.theirs}).WantError(t, 404, "not_found", "",
		"POST", path, nil)
	secret := s.owner().Want(t, 200, "POST", path, nil).Text("identity_secret")
	if len(secret) != 64 || strings.Trim(secret, "0123456789abcdef") != "" {
		t.Fatalf("the secret is %q", secret)
	}
	prove := func(session string, c identity.Claims) string {
		t.Helper()
		return s.visitor().Want(t, 200, "POST", s.public()+"visitor/",
			body(session, c, identity.Sign(secret, c))).Number("contact_id")
	}
	if got := prove(session, phone); got != fmt.Sprint(ada.ID) {
		t.Errorf("the signed phone leads to %s", got)
	}
	if got := prove(other, identity.Claims{ExternalID: phone.ExternalID}); got != fmt.Sprint(ada.ID) {
		t.Errorf("the external id alone leads to %s on another device", got)
	}
	if c := s.contact(t, fmt.Sprint(ada.ID)); c.ExternalID != phone.ExternalID || !c.Verified() ||
		(c.Claimed != identity.Claims{}) {
		t.Errorf("%+v", c)
	}
	if talk := s.conversation(t, other); talk.ContactID != ada.ID || !talk.Verified {
		t.Errorf("the conversation is with %+v", talk.Partner)
	}
	for name, wrong := range map[string]map[string]any{
		"another phone": body(session, identity.Claims{Phone: "+14155552672"}, identity.Sign(secret, phone)),
		"one more field": body(session,
			identity.Claims{Phone: phone.Phone, ExternalID: phone.ExternalID, Name: "Eve"},
			identity.Sign(secret, phone)),
		"another secret":     body(session, phone, identity.Sign(strings.Repeat("0", 64), phone)),
		"an empty signature": body(session, phone, ""),
	} {
		if a := s.visitor().Call(t, "POST", s.public()+"visitor/", wrong); a.Status != 403 {
			t.Errorf("%s: %d %s", name, a.Status, a.Body)
		}
	}
	old := identity.Sign(secret, phone)
	secret = s.owner().Want(t, 200, "POST", path, nil).Text("identity_secret")
	s.visitor().WantError(t, 403, "forbidden", "", "POST", s.public()+"visitor/", body(session, phone, old))
	prove(session, phone)
}

// TestSilentSession has somebody say who they are and nothing else: the session is kept for a month.
func TestSilentSession(t *testing.T) {
	s := serve(t)
	said := s.visitor().Want(t, 200, "POST", s.public()+"visitor/",
		map[string]any{"session_id": session, "name": "Bob"})
	if c := s.contact(t, said.Number("contact_id")); c.Name != "Bob" || c.Claimed.Name != "Bob" {
		t.Errorf("%+v", c)
	}
	if thread := s.thread(t, session, ""); thread != nil {
		t.Errorf("a session in which nothing was said: %q", thread)
	}
	s.visitor().Want(t, 200, "POST", s.public()+"visitor/",
		map[string]any{"session_id": other, "name": "Ada"})
	s.say(t, other, "Are dogs welcome?")
	s.ahead.Add(int64(31 * 24 * time.Hour))
	s.visitor().WantError(t, 404, "not_found", "", "GET", s.public()+"history/?session_id="+session, nil)
	if thread := s.thread(t, other, ""); len(thread) != 2 { // it lives on, since something was said in it
		t.Errorf("after a month: %q", thread)
	}
}

// TestSecretIsForAdministrators has a member of the role agent ask for the secret by which anybody can be
// proved.
func TestSecretIsForAdministrators(t *testing.T) {
	s := serve(t)
	key := apitest.Client{Base: s.URL + api.Prefix + "/", Key: s.key}
	caller := auth.Caller{Account: auth.Account{ID: s.agent.AccountID}}
	member, err := s.workspaces.AddMember(t.Context(), caller,
		auth.Member{Name: "Ben", Role: auth.AgentMember})
	if err != nil {
		t.Fatal(err)
	}
	link, err := s.workspaces.MakeLink(t.Context(), s.agent.AccountID, member.ID)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := s.workspaces.SignIn(t.Context(), link.Token, auth.Browser{})
	if err != nil {
		t.Fatal(err)
	}
	cookie, _, _ := strings.Cut(signed.Cookie(s.URL), ";")
	ben := apitest.Client{Base: key.Base, Header: http.Header{"Cookie": {cookie}}}
	ben.Want(t, 200, "GET", s.path(), nil)
	ben.WantError(t, 403, "forbidden", "", "POST", s.path()+"identity-secret/", nil)
	key.Want(t, 200, "POST", s.path()+"identity-secret/", nil)
}
