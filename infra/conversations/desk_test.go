package conversations

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/infra/product"
	"frontdesk/infra/template"
	"frontdesk/shared/ai"
	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/auth"
	"frontdesk/shared/id"
	"frontdesk/shared/table/sqlite"
)

// A desk is a business with its agent, on a service of its own whose clock the conversation sets.
type desk struct {
	apitest.Client
	path  string // of everything below the agent
	agent string // its id
	zone  *time.Location
	clock time.Time
	turn  int // how many messages were written
}

// newDesk sets up the business of a folder, as its owner would.
func newDesk(t *testing.T, folder string) *desk {
	t.Helper()
	return (&desk{}).open(t, folder, "", nil)
}

// open sets up the business of a folder with an agent that a model of one of the services interprets; the
// built-in interpreter does where it is "".
func (d *desk) open(t *testing.T, folder, model string, services map[string]ai.Model) *desk {
	t.Helper()
	d.clock = time.Date(2026, time.November, 2, 9, 0, 0, 0, time.UTC)
	d.serve(t, services)
	profile := readJSON[map[string]any](t, filepath.Join(folder, "agent.json"))
	if model != "" {
		profile["ai_model"], profile["ai_fallback"] = model, true
	}
	d.agent = d.Want(t, http.StatusCreated, "POST", "/agents/", profile).Number("id")
	d.path = "/agents/" + d.agent + "/"
	zone, err := time.LoadLocation(profile["timezone"].(string))
	if err != nil {
		t.Fatal(err)
	}
	d.zone = zone
	for kind, rows := range readJSON[map[string][]map[string]any](t, filepath.Join(folder, "playbook.json")) {
		for _, row := range rows {
			d.Want(t, http.StatusCreated, "POST", d.path+kind+"/", row)
		}
	}
	documents, err := os.ReadDir(filepath.Join(folder, "knowledge"))
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range documents {
		text, err := os.ReadFile(filepath.Join(folder, "knowledge", document.Name()))
		if err != nil {
			t.Fatal(err)
		}
		kind := "text"
		if strings.HasPrefix(string(text), "Q:") {
			kind = "faq"
		}
		d.Want(t, http.StatusCreated, "POST", d.path+"knowledge/", map[string]any{
			"title": strings.TrimSuffix(document.Name(), ".txt"), "doc_type": kind, "content": string(text),
		})
	}
	d.Want(t, http.StatusOK, "POST", d.path+"train/", nil)
	d.Want(t, http.StatusOK, "POST", d.path+"activate/", nil)
	return d
}

// serve starts the product and makes the workspace.
func (d *desk) serve(t *testing.T, services map[string]ai.Model) {
	t.Helper()
	now := func() time.Time { return d.clock }
	table, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { table.Close() })
	stack, err := template.Read("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	ids := id.NewSource(now)
	front, err := product.Front(stack, product.Endpoints(product.Parts{
		Table: table, Models: services, Now: now, IDs: ids, Log: slog.New(slog.DiscardHandler),
	}))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(front)
	t.Cleanup(server.Close)
	account, key, err := (&auth.Workspaces{Table: table, Now: now, IDs: ids}).Create(t.Context(), "Acme",
		"enterprise")
	if err != nil {
		t.Fatal(err)
	}
	d.Client = apitest.Client{Base: server.URL + api.Prefix + "/", Key: key.Text, Account: account.ID}
}
