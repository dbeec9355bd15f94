package contract

import (
	"strconv"
	"strings"
	"testing"

	"frontdesk/shared/agent"
	"frontdesk/shared/channel"
	"frontdesk/shared/table"
)

func TestChannels(t *testing.T) {
	s := Open(t)
	c := s.Client(t, "pro")
	agentPath := c.Agent(t, nil)
	live := func() string {
		t.Helper()
		list := c.Want(t, 200, "GET", agentPath+"channels/", nil)
		var all []string
		for _, row := range list.Results() {
			if row["live"] == true {
				all = append(all, row["channel_type"].(string))
			}
		}
		if list.Number("count") != "5" || len(list.Results()) != 5 || list.Fields["next"] != nil ||
			list.Fields["previous"] != nil {
			t.Errorf("%s", list.Body)
		}
		return strings.Join(all, " ")
	}
	if got := live(); got != "" {
		t.Errorf("live at first: %s", got)
	}
	connect := map[string]any{"channel_type": "whatsapp", "config": map[string]any{
		"phone_number_id": "106540352242922", "access_token": "EAAG0bXk", "app_secret": "hunter2hunter2",
		"verify_token": "open sesame", "unknown": 5,
	}}
	connected := c.Want(t, 201, "POST", agentPath+"channels/", connect)
	if want := `"config":{"phone_number_id":"106540352242922","access_token":"__set__","app_secret":"__set__","verify_token":"__set__"}`; !strings.Contains(connected.Body, want) {
		t.Errorf("%s", connected.Body)
	}
	c.Want(t, 201, "POST", agentPath+"channels/",
		map[string]any{"channel_type": "email", "config": map[string]any{"from": "hello@acme.example"}})
	if got := live(); got != "whatsapp email" {
		t.Errorf("live: %s", got)
	}
	kept := c.Want(t, 200, "POST", agentPath+"channels/",
		map[string]any{"channel_type": "whatsapp", "config": map[string]any{
			"phone_number_id": "5", "access_token": "__set__",
		}})
	if !strings.Contains(kept.Body, `"phone_number_id":"5","access_token":"__set__","app_secret":"__set__"`) {
		t.Errorf("%s", kept.Body)
	}
	for _, test := range []struct {
		field string
		body  any
	}{
		{"channel_type", map[string]any{"config": map[string]any{}}},
		{"channel_type", map[string]any{"channel_type": "webchat", "config": map[string]any{}}},
		{"config", map[string]any{"channel_type": "sms"}},
		{"config.account_sid", map[string]any{"channel_type": "sms",
			"config": map[string]any{"account_sid": "SK1", "auth_token": "t", "from": "+14155552671"}}},
		{"config.auth_token", map[string]any{"channel_type": "sms",
			"config": map[string]any{"account_sid": "AC1", "auth_token": "__set__", "from": "+14155552671"}}},
		{"config.from", map[string]any{"channel_type": "sms",
			"config": map[string]any{"account_sid": "AC1", "auth_token": "t", "from": "x"}}},
	} {
		c.WantError(t, 400, "validation_error", test.field, "POST", agentPath+"channels/", test.body)
	}
	c.Want(t, 204, "DELETE", agentPath+"channels/email/", nil)
	c.WantError(t, 404, "not_found", "", "DELETE", agentPath+"channels/email/", nil)
	c.WantError(t, 404, "not_found", "", "DELETE", agentPath+"channels/webchat/", nil)
	if got := live(); got != "whatsapp" {
		t.Errorf("live after one was disconnected: %s", got)
	}
	other := s.Client(t, "free")
	other.WantError(t, 404, "not_found", "", "GET", agentPath+"channels/", nil)
	other.WantError(t, 404, "not_found", "", "POST", agentPath+"channels/", connect)
	other.WantError(t, 404, "not_found", "", "DELETE", agentPath+"channels/whatsapp/", nil)

	id, err := strconv.ParseInt(strings.Trim(strings.TrimPrefix(agentPath, "/agents/"), "/"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	page, err := s.Table.Query(t.Context(), table.Query{PK: agent.Partition(c.Account, id),
		Prefix: channel.KeyPrefix})
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range page.Items {
		for _, secret := range []string{"EAAG0bXk", "hunter2hunter2", "open sesame"} {
			if strings.Contains(string(item.Doc)+string(item.Blob), secret) {
				t.Errorf("%s can be read in the table: %s", secret, item.Doc)
			}
		}
	}
	if len(page.Items) != 1 {
		t.Errorf("%d channels are stored", len(page.Items))
	}
}

func TestEcommerce(t *testing.T) {
	s := Open(t)
	c := s.Client(t, "pro")
	agent := c.Agent(t, nil)
	if shop := c.Want(t, 200, "GET", agent+"ecommerce/", nil); shop.Fields["enabled"] != false ||
		shop.Text("currency") != "USD" {
		t.Errorf("%s", shop.Body)
	}
	changed := c.Want(t, 200, "PATCH", agent+"ecommerce/", map[string]any{
		"enabled": true, "currency": "EUR", "storefront": map[string]any{"platform": "shopify",
			"domain": "acme.myshopify.com", "api_key": "hunter2hunter2"},
		"payment": map[string]any{"provider": "stripe", "api_key": "open sesame"},
	})
	read := c.Want(t, 200, "GET", agent+"ecommerce/", nil)
	if read.Body != changed.Body || strings.Contains(read.Body, "hunter2") ||
		strings.Contains(read.Body, "sesame") ||
		!strings.Contains(read.Body,
			`"configured":{"storefront":true,"shipping":false,"email_marketing":false,"payment":true}`) {
		t.Errorf("%s", read.Body)
	}
	features, _ := c.Want(t, 200, "GET", agent, nil).Fields["features"].(map[string]any)
	if features["ecommerce_enabled"] != true {
		t.Errorf("the agent's features: %v", features)
	}
	merged := c.Want(t, 200, "PATCH", agent+"ecommerce/",
		map[string]any{"storefront": map[string]any{"platform": "magento"}, "payment": nil})
	if !strings.Contains(merged.Body, `"storefront":{"platform":"magento","domain":"acme.myshopify.com"}`) ||
		!strings.Contains(merged.Body,
			`"configured":{"storefront":true,"shipping":false,"email_marketing":false,"payment":false}`) {
		t.Errorf("%s", merged.Body)
	}
	c.WantError(t, 400, "validation_error", "currency", "PATCH", agent+"ecommerce/",
		map[string]any{"currency": "Euro"})
	c.WantError(t, 400, "validation_error", "storefront.domain", "PATCH", agent+"ecommerce/",
		map[string]any{"storefront": map[string]any{"domain": "x"}})
	c.WantError(t, 400, "bad_request", "", "PATCH", agent+"ecommerce/",
		map[string]any{"storefront": "shopify"})
	other := s.Client(t, "free")
	other.WantError(t, 404, "not_found", "", "GET", agent+"ecommerce/", nil)
	other.WantError(t, 404, "not_found", "", "PATCH", agent+"ecommerce/", map[string]any{"enabled": false})
	c.Want(t, 204, "DELETE", agent, nil)
	for _, path := range []string{"ecommerce/", "channels/"} {
		c.WantError(t, 404, "not_found", "", "GET", agent+path, nil)
	}
}
