package local

import (
	_ "embed"
	"html/template"
	"log/slog"
	"net/http"
	"strings"

	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/table"
)

// DemoPath is where a page is that has the chat widget of the newest agent of the workspace Local on it. No
// deployed service has it.
const DemoPath = "/widget/demo"

//go:embed demo.html
var demoHTML string

// A demo serves the page, and leaves the rest to what is behind it.
type demo struct {
	http.Handler
	table   table.Table
	account int64
	page    *template.Template
	log     *slog.Logger
}

func newDemo(behind http.Handler, t table.Table, account int64, log *slog.Logger) *demo {
	return &demo{behind, t, account, template.Must(template.New("demo").Parse(demoHTML)), log}
}

func (d *demo) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.URL.Path != DemoPath || req.Method != http.MethodGet {
		d.Handler.ServeHTTP(w, req)
		return
	}
	data := struct {
		Host, Key string
		Agent     *agent.Summary // nil where there is none
		Snippet   template.HTML
		Fresh     template.HTML // the snippet of a box that shows changed settings at once
	}{Host: req.Host, Key: Key}
	page, err := d.table.Query(req.Context(), table.Query{
		PK: agent.ListPartition(d.account), Prefix: agent.ListPrefix, Descending: true, Limit: 1,
	})
	for _, item := range page.Items {
		var a agent.Summary
		if a, err = agent.ReadSummary(item); err == nil {
			data.Agent = &a
			// its address begins at the root of this site
			snippet := a.Widget("", api.Prefix+"/", "").EmbedSnippet
			data.Snippet = template.HTML(snippet)
			data.Fresh = template.HTML(strings.Replace(snippet, " defer", ` data-cache="reload" defer`, 1))
		}
	}
	if err != nil {
		d.log.Error("the page with the widget", slog.String("error", err.Error()))
		http.Error(w, "The page could not be made.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	d.page.Execute(w, data) // an error means that the caller has gone
}
