package contract

import (
	"net/http"
	"strings"
	"testing"

	"frontdesk/shared/api/apitest"
	"frontdesk/shared/identity"
)

// widget reads where an agent's widget is: the client for its public endpoints, and the path that begins
// them.
func (c *Client) widget(t *testing.T, agent string) (visitor *apitest.Client, path string,
	settings apitest.Answer) {
	t.Helper()
	settings = c.Want(t, 200, "GET", agent+"widget/", nil)
	visitor = &apitest.Client{Base: c.Base, Transport: c.Transport}
	return visitor, "/widget/" + settings.Text("embed_key") + "/", settings
}

func TestWidgetChat(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := shop(t, c)
	visitor, widget, settings := c.widget(t, agent)

	config := visitor.Want(t, 200, "GET", widget+"config/", nil)
	if config.Fields["enabled"] != true || config.Text("brand_name") != "Bean There" ||
		config.Text("language") != "en" ||
		config.Text("welcome_message") != settings.Text("welcome_message") ||
		config.Text("primary_color") != settings.Text("primary_color") {
		t.Errorf("%s", config.Body)
	}
	first := visitor.Want(t, 200, "POST", widget+"send/",
		map[string]any{"message": "Can I bring my dog?", "page_url": "https://bean.example/"})
	session := first.Text("session_id")
	if !strings.Contains(first.Text("reply"), "Dogs are welcome") || first.Text("action") != "respond" ||
		!uuid.MatchString(session) {
		t.Errorf("%s", first.Body)
	}
	identified := visitor.Want(t, 200, "POST", widget+"visitor/",
		map[string]any{"session_id": session, "name": "Ada", "email": "ada@example.com"})
	secret := c.Want(t, 200, "POST", agent+"widget/identity-secret/", nil).Text("identity_secret")
	claimed := c.Want(t, 200, "GET", "/contacts/"+identified.Number("contact_id")+"/", nil)
	if claimed.Text("identity") != "claimed" || claimed.Text("email") != "" {
		t.Errorf("who only says who they are is %s", claimed.Body)
	}
	stated := identity.Claims{ExternalID: "42"}
	proof := map[string]any{"session_id": session, "external_id": "42",
		"signature": identity.Sign("", stated)}
	visitor.WantError(t, 403, "forbidden", "", "POST", widget+"visitor/", proof)
	proof["signature"] = identity.Sign(secret, stated)
	identified = visitor.Want(t, 200, "POST", widget+"visitor/", proof)
	proved := c.Want(t, 200, "GET", "/contacts/"+identified.Number("contact_id")+"/", nil)
	if proved.Text("identity") != "verified" {
		t.Errorf("whom the business proves is %s", proved.Body)
	}
	second := visitor.Want(t, 200, "POST", widget+"send/",
		map[string]any{"message": "Is there parking?", "session_id": session})
	history := visitor.Want(t, 200, "GET", widget+"history/?session_id="+session,
		nil).Fields["messages"].([]any)
	later := visitor.Want(t, 200, "GET", widget+"history/?session_id="+session+"&after="+
		first.Number("message_id"), nil).Fields["messages"].([]any)
	if len(history) != 4 || len(later) != 2 ||
		later[1].(map[string]any)["id"] != second.Fields["message_id"] {
		t.Errorf("%d messages in all, later %v", len(history), later)
	}
	business := c.Want(t, 200, "GET", agent+"chat/history/?session_id="+session, nil)
	if business.Number("contact_id") != identified.Number("contact_id") ||
		business.Number("conversation_id") != first.Number("conversation_id") {
		t.Errorf("the business sees %s", business.Body)
	}
	rating := map[string]any{"session_id": session, "message_id": first.Fields["message_id"],
		"rating": "negative"}
	if a := visitor.Want(t, 200, "POST", widget+"feedback/",
		rating); a.Number("message_id") != first.Number("message_id") || a.Text("rating") != "negative" {
		t.Errorf("%s", a.Body)
	}
	rating["message_id"] = 5
	visitor.WantError(t, 404, "not_found", "", "POST", widget+"feedback/", rating)
	rating["rating"] = "fair"
	visitor.WantError(t, 400, "validation_error", "rating", "POST", widget+"feedback/", rating)
	visitor.WantError(t, 400, "validation_error", "message", "POST", widget+"send/",
		map[string]any{"message": strings.Repeat("a", 4001)})
	visitor.WantError(t, 400, "validation_error", "session_id", "GET", widget+"history/?session_id=x", nil)
	visitor.WantError(t, 404, "not_found", "", "GET",
		widget+"history/?session_id=11111111-2222-4333-8444-555555555555", nil)

	c.Want(t, 200, "PATCH", agent+"widget/", map[string]any{"enabled": false})
	visitor.WantError(t, 403, "forbidden", "", "GET", widget+"config/", nil)
	visitor.WantError(t, 403, "forbidden", "", "POST", widget+"send/", map[string]any{"message": "Hello"})
	c.Want(t, 200, "PATCH", agent+"widget/", map[string]any{"enabled": true})
	c.Want(t, 200, "POST", agent+"widget/rotate-key/", nil)
	visitor.WantError(t, 404, "not_found", "", "POST", widget+"send/", map[string]any{"message": "Hello"})
}

// TestWidgetFilesAndTeam sends a picture, which the business fetches, and looks who is there.
func TestWidgetFilesAndTeam(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := shop(t, c)
	visitor, widget, settings := c.widget(t, agent)
	if settings.Fields["accept_files"] != false || settings.Fields["powered_by"] != true ||
		settings.Text("size") != "standard" || settings.Text("form_email") != "off" {
		t.Errorf("%s", settings.Body)
	}
	picture := "R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs="
	body := map[string]any{"name": "dog.gif", "data": picture, "message": "Can I bring my dog?"}
	visitor.WantError(t, 403, "forbidden", "", "POST", widget+"files/", body)
	c.Want(t, 200, "PATCH", agent+"widget/", map[string]any{"accept_files": true, "powered_by": false})
	reply := visitor.Want(t, 200, "POST", widget+"files/", body)
	if !strings.Contains(reply.Text("reply"), "Dogs are welcome") {
		t.Errorf("%s", reply.Body)
	}
	fetched := c.Want(t, 200, "GET", "/messages/"+reply.Number("inbound_message_id")+"/attachments/0/", nil)
	if fetched.Header.Get("Content-Type") != "image/gif" || !strings.HasPrefix(fetched.Body, "GIF89a") {
		t.Errorf("%q %v", fetched.Body, fetched.Header)
	}
	body["data"] = "PHN2Zz4="
	visitor.WantError(t, 400, "validation_error", "data", "POST", widget+"files/", body)
	team := visitor.Want(t, 200, "GET", widget+"team/", nil)
	if team.Fields["online"] != false || team.Text("replies") != "" {
		t.Errorf("%s", team.Body)
	}
	config := visitor.Want(t, 200, "GET", widget+"config/?language=de", nil)
	if config.Text("language") != "de" || config.Fields["powered_by"] != false {
		t.Errorf("%s", config.Body)
	}
	c.WantError(t, 400, "validation_error", "size", "PATCH", agent+"widget/", map[string]any{"size": "huge"})
	c.WantError(t, 400, "validation_error", "offset_side", "PATCH", agent+"widget/",
		map[string]any{"offset_side": 201})
}

func TestWidgetIsOpenToOtherSites(t *testing.T) {
	c := Open(t).Client(t, "pro")
	visitor, widget, settings := c.widget(t, c.Agent(t, nil))
	preflight := visitor.Want(t, 204, "OPTIONS", widget+"send/", nil)
	if h := preflight.Header; h.Get("Access-Control-Allow-Origin") != "*" ||
		h.Get("Access-Control-Allow-Methods") != "POST" ||
		h.Get("Access-Control-Allow-Headers") != "Content-Type, Idempotency-Key" ||
		h.Get("Access-Control-Max-Age") == "" || preflight.Body != "" {
		t.Errorf("%q %v", preflight.Body, h)
	}
	for _, a := range []apitest.Answer{
		visitor.Want(t, 200, "GET", widget+"config/", nil),
		visitor.Want(t, 400, "POST", widget+"send/", `{`),
		visitor.Want(t, 404, "GET", "/widget/unknown/config/", nil),
		visitor.Want(t, 405, "DELETE", widget+"config/", nil),
	} {
		if a.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%d %s: %v", a.Status, a.Body, a.Header)
		}
	}
	for _, address := range []string{settings.Text("script_url"), settings.Text("loader_url")} {
		a := visitor.Want(t, 200, "GET", address, nil)
		if !strings.HasPrefix(a.Header.Get("Content-Type"), "text/javascript") || a.Body == "" {
			t.Errorf("%s: %v", address, a.Header)
		}
	}
	if a := visitor.Want(t, 200, "GET", settings.Text("loader_url"), nil); !strings.Contains(a.Body,
		settings.Text("embed_key")) {
		t.Errorf("%s", a.Body)
	}
}

func TestWidgetPlan(t *testing.T) {
	s := Open(t)
	c := s.Client(t, "free")
	visitor, widget, _ := c.widget(t, c.Agent(t, nil))
	if _, err := s.workspaces.SetPlan(t.Context(), c.Account, "widget"); err != nil {
		t.Fatal(err)
	}
	c.WantError(t, 403, "forbidden", "", "GET", "/me/", nil)
	session := "11111111-2222-4333-8444-555555555555"
	for i := range 21 {
		a := visitor.Call(t, "POST", widget+"send/",
			map[string]any{"message": "Hello", "session_id": session})
		if a.Status == 429 && i > 0 && a.Header.Get("Retry-After") != "" &&
			a.Text("error") == "rate_limited" {
			return
		}
		if a.Status != 200 || a.Text("reply") == "" {
			t.Fatalf("message %d: %d %s", i+1, a.Status, a.Body)
		}
	}
	// A minute of the clock may have ended in between.
	for range 20 {
		if a := visitor.Call(t, "POST", widget+"send/",
			map[string]any{"message": "Hello", "session_id": session}); a.Status == 429 {
			return
		}
	}
	t.Error("no message was refused")
}

func TestIdempotencyKey(t *testing.T) {
	c := Open(t).Client(t, "pro")
	post := func(key, body string) apitest.Answer {
		t.Helper()
		caller := c.Client
		caller.Header = http.Header{"Idempotency-Key": {key}}
		a, err := caller.Try("POST", "/agents/", body)
		if err != nil {
			t.Error(err)
		}
		return a
	}
	ids := make(chan string)
	for range 5 {
		go func() { ids <- post("one", `{"name": "Ada"}`).Number("id") }()
	}
	first := <-ids
	for range 4 {
		if id := <-ids; id != first || id == "" {
			t.Errorf("agents %v and %v", first, id)
		}
	}
	if a := post("one", `{"name": "Ada"}`); a.Status != 201 || a.Number("id") != first ||
		a.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("again: %d %v", a.Status, a.Fields)
	}
	for key, body := range map[string]string{"one": `{"name": "Bob"}`,
		strings.Repeat("k", 256): `{"name": "Ada"}`} {
		if a := post(key, body); a.Status != 400 || a.Text("error") != "validation_error" ||
			a.Text("field") != "Idempotency-Key" {
			t.Errorf("%d %v", a.Status, a.Fields)
		}
	}
	if a := post(strings.Repeat("k", 255), `{"name": "Ada"}`); a.Status != 201 || a.Number("id") == first {
		t.Errorf("another key: %d %v", a.Status, a.Fields)
	}
	if a := c.Want(t, 200, "GET", "/agents/", nil); a.Number("count") != "2" {
		t.Errorf("%s", a.Body)
	}
}
