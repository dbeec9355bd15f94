package channels_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/channels"
	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/auth"
	"frontdesk/shared/channel"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

func TestShop(t *testing.T) {
	s := serve(t)
	const empty = `{"enabled":false,"currency":"USD","storefront":{"platform":"","domain":""},"shipping":{"provider":""},` +
		`"email_marketing":{"provider":""},"payment":{"provider":""},` +
		`"configured":{"storefront":false,"shipping":false,"email_marketing":false,"payment":false},"updated_at":null}`
	if got := s.ours.Want(t, 200, "GET", s.path("ecommerce/"), nil).Body; got != empty {
		t.Errorf("at first: %s", got)
	}
	// Each step changes what the one before left. The answer is given without updated_at.
	for _, step := range []struct{ name, body, want string }{
		{"nothing", `{}`, strings.Replace(empty, `,"updated_at":null`, "", 1)},
		{"everything", `{"enabled": true, "currency": "EUR", "storefront": {"platform": " shopify ", "domain": "Acme.MyShopify.com", "api_key": "a"},
			"shipping": {"provider": "DHL", "api_key": "b"}, "email_marketing": {"provider": "Mailchimp", "api_key": "c"},
			"payment": {"provider": "stripe", "api_key": "d"}, "unknown": 5}`,
			`{"enabled":true,"currency":"EUR","storefront":{"platform":"shopify","domain":"acme.myshopify.com"},"shipping":{"provider":"DHL"},` +
				`"email_marketing":{"provider":"Mailchimp"},"payment":{"provider":"stripe"},` +
				`"configured":{"storefront":true,"shipping":true,"email_marketing":true,"payment":true}}`},
		{"one inside", `{"storefront": {"platform": "woocommerce"}, "payment": {}}`,
			`{"enabled":true,"currency":"EUR","storefront":{"platform":"woocommerce","domain":"acme.myshopify.com"},"shipping":{"provider":"DHL"},` +
				`"email_marketing":{"provider":"Mailchimp"},"payment":{"provider":"stripe"},` +
				`"configured":{"storefront":true,"shipping":true,"email_marketing":true,"payment":true}}`},
		{"nulls inside", `{"storefront": {"domain": null, "api_key": null}, "shipping": {"provider": "", "api_key": ""}, "payment": {"api_key": "__set__"}}`,
			`{"enabled":true,"currency":"EUR","storefront":{"platform":"woocommerce","domain":""},"shipping":{"provider":""},` +
				`"email_marketing":{"provider":"Mailchimp"},"payment":{"provider":"stripe"},` +
				`"configured":{"storefront":false,"shipping":false,"email_marketing":true,"payment":true}}`},
		{"a whole service", `{"email_marketing": null, "enabled": false}`,
			`{"enabled":false,"currency":"EUR","storefront":{"platform":"woocommerce","domain":""},"shipping":{"provider":""},` +
				`"email_marketing":{"provider":""},"payment":{"provider":"stripe"},` +
				`"configured":{"storefront":false,"shipping":false,"email_marketing":false,"payment":true}}`},
		{"the storefront", `{"storefront": null, "payment": {"provider": "` + strings.Repeat("é", 101) +
			`"}}`,
			`{"enabled":false,"currency":"EUR","storefront":{"platform":"","domain":""},"shipping":{"provider":""},` +
				`"email_marketing":{"provider":""},"payment":{"provider":"` + strings.Repeat("é", 100) +
				`"},` +
				`"configured":{"storefront":false,"shipping":false,"email_marketing":false,"payment":true}}`},
	} {
		s.now = s.now.Add(time.Hour)
		changed := s.ours.Want(t, 200, "PATCH", s.path("ecommerce/"), step.body)
		if got := strings.Replace(changed.Body, `,"updated_at":"`+s.now.Format(time.RFC3339)+`"`, "",
			1); got != step.want {
			t.Errorf("%s:\n%s\nwant\n%s", step.name, got, step.want)
		}
		read := s.ours.Want(t, 200, "GET", s.path("ecommerce/"), nil)
		if read.Body != changed.Body {
			t.Errorf("%s: changed %s\nread %s", step.name, changed.Body, read.Body)
		}
		// What was read can be sent back.
		if again := s.ours.Want(t, 200, "PATCH", s.path("ecommerce/"), read.Body); again.Body != read.Body {
			t.Errorf("%s: read %s\nsent back %s", step.name, read.Body, again.Body)
		}
	}
}

// TestShopKeys opens what is stored of the keys, which no endpoint does.
func TestShopKeys(t *testing.T) {
	s := serve(t)
	body := map[string]any{}
	services := []string{"storefront", "shipping", "email_marketing", "payment"}
	for _, service := range services {
		body[service] = map[string]any{"api_key": " key of " + service}
	}
	s.ours.Want(t, 200, "PATCH", s.path("ecommerce/"), body)
	key := channel.ShopKey(s.agent.AccountID, s.agent.ID)
	item, err := s.table.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	var stored map[string]json.RawMessage
	if err := json.Unmarshal(item.Doc, &stored); err != nil {
		t.Fatal(err)
	}
	for _, service := range services {
		var integration struct {
			Key secret.Sealed `json:"api_key"`
		}
		if err := json.Unmarshal(stored[service], &integration); err != nil {
			t.Fatal(err)
		}
		plain, err := s.secrets.Open(t.Context(), key.PK+"/"+key.SK+"/"+service+".api_key", integration.Key)
		if err != nil || string(plain) != "key of "+service {
			t.Errorf("%s: %q, %v", service, string(plain), err)
		}
	}
}

func TestShopRefuses(t *testing.T) {
	s := serve(t)
	before := s.ours.Want(t, 200, "PATCH", s.path("ecommerce/"),
		`{"storefront": {"domain": "shop.example.com"}}`).Body
	for _, test := range []struct{ body, code, field string }{
		{`{"enabled": "yes"}`, "bad_request", ""},
		{`{"enabled": null}`, "bad_request", ""},
		{`{"enabled": 1}`, "bad_request", ""},
		{`{"currency": "eur"}`, "validation_error", "currency"},
		{`{"currency": "XXX"}`, "validation_error", "currency"},
		{`{"currency": ""}`, "validation_error", "currency"},
		{`{"currency": 5}`, "bad_request", ""},
		{`{"currency": null}`, "bad_request", ""},
		{`{"storefront": "shopify"}`, "bad_request", ""},
		{`{"storefront": []}`, "bad_request", ""},
		{`{"storefront": {"platform": 5}}`, "bad_request", ""},
		{`{"storefront": {"domain": "https://shop.example.com/"}}`, "validation_error", "storefront.domain"},
		{`{"storefront": {"domain": "shop"}}`, "validation_error", "storefront.domain"},
		{`{"storefront": {"domain": "shop..example.com"}}`, "validation_error", "storefront.domain"},
		{`{"storefront": {"domain": "-shop.example.com"}}`, "validation_error", "storefront.domain"},
		{`{"storefront": {"domain": "shop.example.com:80"}}`, "validation_error", "storefront.domain"},
		{`{"storefront": {"domain": "a b.example.com"}}`, "validation_error", "storefront.domain"},
		{`{"storefront": {"domain": "` + strings.Repeat("abcdefg.", 32) + `com"}}`, "validation_error",
			"storefront.domain"},
		{`{"storefront": {"api_key": "__set__"}}`, "validation_error", "storefront.api_key"},
		{`{"shipping": {"api_key": "a\tb"}}`, "validation_error", "shipping.api_key"},
		{`{"shipping": {"provider": {}}}`, "bad_request", ""},
		{`{"email_marketing": {"api_key": "` + strings.Repeat("x", 2001) + `"}}`, "validation_error",
			"email_marketing.api_key"},
		{`{"payment": {"api_key": 5}}`, "bad_request", ""},
		{`{"enabled": true, "payment": {"provider": "stripe", "api_key": "__set__"}}`, "validation_error", "payment.api_key"},
		{`[]`, "bad_request", ""},
	} {
		s.ours.WantError(t, 400, test.code, test.field, "PATCH", s.path("ecommerce/"), test.body)
	}
	if after := s.ours.Want(t, 200, "GET", s.path("ecommerce/"), nil).Body; after != before {
		t.Errorf("a refusal changed the store:\n%s\n%s", before, after)
	}
	if a := s.load(t); a.EcommerceEnabled {
		t.Error("a refusal changed the agent")
	}
}

func (s *service) load(t *testing.T) agent.Agent {
	t.Helper()
	a, err := s.agents.Load(t.Context(), s.agent.AccountID, s.agent.ID)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestEnable holds that the agent sells from the moment on that its store is enabled, and not against its
// owner's will.
func TestEnable(t *testing.T) {
	s := serve(t)
	features := func() []bool {
		a := s.load(t)
		return []bool{a.EcommerceEnabled, a.CapabilityQuotePrices, a.CapabilityRecommendProducts,
			a.CapabilityTakeOrders, a.CapabilityShareLinks}
	}
	all, none := []bool{true, true, true, true, true}, make([]bool, 5)
	allButOrders := []bool{true, true, true, false, true}
	refuseOrders := func() {
		if _, err := s.agents.Update(t.Context(), s.agent.AccountID, s.agent.ID, func(a *agent.Agent) error {
			a.CapabilityTakeOrders = false
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		name, body string
		first      func()
		want       []bool
	}{
		{"configured", `{"payment": {"provider": "stripe"}}`, nil, none},
		{"disabled", `{"enabled": false}`, nil, none},
		{"enabled", `{"enabled": true}`, nil, all},
		{"enabled again after the owner turned orders off", `{"enabled": true, "currency": "EUR"}`,
			refuseOrders, allButOrders},
		{"disabled again", `{"enabled": false}`, nil, allButOrders},
		{"enabled anew", `{"enabled": true}`, nil, all},
	} {
		if step.first != nil {
			step.first()
		}
		s.ours.Want(t, 200, "PATCH", s.path("ecommerce/"), step.body)
		if diff := cmp.Diff(step.want, features()); diff != "" {
			t.Errorf("%s:\n%s", step.name, diff)
		}
		a := s.load(t)
		if says := strings.Contains(a.Prompt, "You may take orders"); says != a.CapabilityTakeOrders {
			t.Errorf("%s: the prompt does not follow the agent: %s", step.name, a.Prompt)
		}
	}
}

// A meddled table has something happen between the reading and the first writing of a request.
type meddled struct {
	table.Table
	first func()
}

func (m *meddled) Transact(ctx context.Context, writes ...table.Write) error {
	if first := m.first; first != nil {
		m.first = nil
		first()
	}
	return m.Table.Transact(ctx, writes...)
}

// TestShopBesideOthers changes a store and its agent while others do: no change undoes another.
func TestShopBesideOthers(t *testing.T) {
	s := serve(t)
	clock := func() time.Time { return s.now }
	items := &meddled{Table: s.table}
	router := &api.Router{Auth: &auth.Keys{Table: items, Now: clock}, Log: slog.New(slog.DiscardHandler)}
	(&channels.Service{Table: items, Now: clock, Secrets: s.secrets}).Routes(router)
	server := httptest.NewServer(router)
	defer server.Close()
	meddler := &apitest.Client{Base: server.URL + "/api/v1/", Key: s.ours.Key}
	for _, step := range []struct{ theirs, body string }{
		{`{"currency": "EUR"}`, `{"shipping": {"provider": "DHL"}}`},
		{`{"payment": {"provider": "stripe", "api_key": "k"}}`, `{"enabled": true}`},
	} {
		items.first = func() {
			s.ours.Want(t, 200, "PATCH", s.path("ecommerce/"), step.theirs)
			if _, err := s.agents.Update(t.Context(), s.agent.AccountID, s.agent.ID,
				func(a *agent.Agent) error {
					a.BusinessName += "."
					return nil
				}); err != nil {
				t.Error(err)
			}
		}
		meddler.Want(t, 200, "PATCH", s.path("ecommerce/"), step.body)
	}
	got := s.ours.Want(t, 200, "GET", s.path("ecommerce/"), nil)
	want := `{"enabled":true,"currency":"EUR","storefront":{"platform":"","domain":""},"shipping":{"provider":"DHL"},` +
		`"email_marketing":{"provider":""},"payment":{"provider":"stripe"},` +
		`"configured":{"storefront":false,"shipping":false,"email_marketing":false,"payment":true},"updated_at":"2026-03-02T09:30:00Z"}`
	if got.Body != want {
		t.Errorf("%s\nwant\n%s", got.Body, want)
	}
	if a := s.load(t); a.BusinessName != ".." || !a.EcommerceEnabled {
		t.Errorf("the agent: %q, %v", a.BusinessName, a.EcommerceEnabled)
	}
}
