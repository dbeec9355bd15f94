package knowledge_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	endpoints "frontdesk/functions/knowledge"
	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/api/servicetest"
	"frontdesk/shared/egress"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/knowledge/document"
)

// A service is the endpoints over a table of their own, and the agents beside them.
type service struct {
	*servicetest.Service
	agents *agent.Store
}

func serve(t *testing.T) *service {
	t.Helper()
	s := servicetest.New(t)
	(&endpoints.Service{
		Table: s.Table, Now: s.Now, IDs: s.IDs, Web: egress.New(egress.Config{AllowHosts: "127.0.0.1"}),
	}).Routes(s.Router)
	return &service{s, &agent.Store{Table: s.Table, Now: s.Now, IDs: s.IDs}}
}

// A client calls the service with the API key of a workspace that has one agent.
type client struct {
	apitest.Client
	*service
	agent int64
}

func (s *service) client(t *testing.T) *client {
	t.Helper()
	c := &client{Client: s.Client(t, "enterprise"), service: s}
	a, err := s.agents.Create(t.Context(), c.Account,
		agent.Agent{Summary: agent.Summary{Name: "Mia", Language: agent.English}}, 10)
	if err != nil {
		t.Fatal(err)
	}
	c.agent = a.ID
	return c
}

// call makes a request that must have a status, and reads the answer into out, unless that is nil.
func (c *client) call(t *testing.T, method, path string, body any, want int, out any) {
	t.Helper()
	if a := c.Want(t, want, method, path, body); out != nil {
		a.Into(t, out)
	}
}

func (c *client) list() string { return fmt.Sprintf("/agents/%d/knowledge/", c.agent) }

func path(id int64) string { return fmt.Sprintf("/knowledge/%d/", id) }

type object map[string]any

func (c *client) create(t *testing.T, body object) document.Document {
	t.Helper()
	var d document.Document
	c.call(t, "POST", c.list(), body, 201, &d)
	return d
}

func (c *client) get(t *testing.T, id int64) document.Document {
	t.Helper()
	var d document.Document
	c.call(t, "GET", path(id), nil, 200, &d)
	return d
}

func (c *client) patch(t *testing.T, id int64, body object) document.Document {
	t.Helper()
	var d document.Document
	c.call(t, "PATCH", path(id), body, 200, &d)
	return d
}

// search returns the titles of the documents that a message finds, best first.
func (c *client) search(t *testing.T, message string) []string {
	t.Helper()
	item, err := c.Table.Get(t.Context(), agent.Key(c.Account, c.agent))
	if err != nil {
		t.Fatal(err)
	}
	r, err := knowledge.Search(t.Context(), c.Table, knowledge.Query{
		Account: c.Account, Agent: c.agent, Text: message, Corpus: knowledge.CorpusOf(item.Numbers),
		Limit: 20,
	})
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, p := range r.Passages {
		if p.Score > 0 { // and is not there because the agent knows little
			titles = append(titles, p.Title)
		}
	}
	return titles
}

func TestCreate(t *testing.T) {
	c := serve(t).client(t)
	page := pages(t)
	for _, test := range []struct {
		name string
		body object
		want document.Document
	}{
		{
			"text by default", object{"title": " Hours ", "content": "We open at nine.\n",
				"unknown": object{"deep": 1}, "id": 5},
			document.Document{Title: "Hours", DocType: "text", Content: "We open at nine.\n", IsActive: true,
				ChunkCount: 1},
		},
		{
			"not active", object{"title": "Hours", "doc_type": "text", "content": "We open at nine.",
				"is_active": false},
			document.Document{Title: "Hours", DocType: "text", Content: "We open at nine.", ChunkCount: 1},
		},
		{
			"file", object{"title": "menu.pdf", "doc_type": "file", "content": "Soup\n\nBread", "url": nil},
			document.Document{Title: "menu.pdf", DocType: "file", Content: "Soup\n\nBread", IsActive: true,
				ChunkCount: 1},
		},
		{
			"faq", object{"title": "FAQ", "doc_type": "faq",
				"content": "Q: Open?\r\nQ: When?\r\nA: At nine.\r\n\r\nq: Dogs?\r\na： No."},
			document.Document{Title: "FAQ", DocType: "faq",
				Content: "Q: Open?\r\nQ: When?\r\nA: At nine.\r\n\r\nq: Dogs?\r\na： No.", IsActive: true,
				ChunkCount: 2},
		},
		{
			"url", object{"title": "Visit", "doc_type": "url", "url": page + "/visit", "content": "not used"},
			document.Document{Title: "Visit", DocType: "url",
				Content: "# Visit us\n\nThe museum opens at ten.", SourceURL: page + "/visit", IsActive: true,
				ChunkCount: 1},
		},
		{
			"url that is not there", object{"title": "Gone", "doc_type": "url", "url": page + "/gone"},
			document.Document{Title: "Gone", DocType: "url", SourceURL: page + "/gone", IsActive: true,
				IndexError: "The page answered 404."},
		},
		{
			"url without text", object{"title": "Empty", "doc_type": "url", "url": page + "/empty",
				"is_active": true},
			document.Document{Title: "Empty", DocType: "url", SourceURL: page + "/empty", IsActive: true,
				IndexError: "The page holds no text. A page that is drawn by scripts alone cannot be read."},
		},
		{
			"url on a private network", object{"title": "Private", "doc_type": "url",
				"url": "https://10.0.0.1/"},
			document.Document{Title: "Private", DocType: "url", SourceURL: "https://10.0.0.1/",
				IsActive: true, IndexError: "The address points to a private network."},
		},
		{
			"long title", object{"title": strings.Repeat("ü", 301), "content": "x"},
			document.Document{Title: strings.Repeat("ü", 300), DocType: "text", Content: "x", IsActive: true,
				ChunkCount: 1},
		},
		{
			"any script", object{"title": "🎉 مرحبا",
				"content": "🍕👩‍👩‍👧 \u0000 店内に犬を連れて入れます。\u2028نفتح في التاسعة <b>&amp;</b> \"quoted\""},
			document.Document{Title: "🎉 مرحبا", DocType: "text",
				Content:  "🍕👩‍👩‍👧 \u0000 店内に犬を連れて入れます。\u2028نفتح في التاسعة <b>&amp;</b> \"quoted\"",
				IsActive: true, ChunkCount: 1},
		},
		{
			"no words at all", object{"title": "🎉", "content": "🍕!!"},
			document.Document{Title: "🎉", DocType: "text", Content: "🍕!!", IsActive: true, ChunkCount: 1},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := c.create(t, test.body)
			if got.ID < 1 || got.CreatedAt.IsZero() || !got.UpdatedAt.Equal(got.CreatedAt) {
				t.Errorf("id %d, created %v, updated %v", got.ID, got.CreatedAt, got.UpdatedAt)
			}
			test.want.AgentID = c.agent
			empty := test.want.ChunkCount == 0 || test.name == "no words at all"
			if warned := len(got.Warnings) > 0; warned != empty {
				t.Errorf("warnings %v", got.Warnings)
			}
			if diff := cmp.Diff(test.want, got, cmpopts.IgnoreFields(document.Document{}, "ID", "CreatedAt",
				"UpdatedAt", "Warnings")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff(got, c.get(t, got.ID)); diff != "" {
				t.Errorf("read again: -created +read:\n%s", diff)
			}
		})
	}
}

// pages serves pages of the web, at /visit one that there is.
func pages(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/visit":
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w,
				"<title>Museum</title><body><h1>Visit us</h1><p>The museum opens at ten.</p></body>")
		case "/empty":
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<body><script>draw()</script></body>")
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestErrors(t *testing.T) {
	s := serve(t)
	c, other := s.client(t), s.client(t)
	mine := c.create(t, object{"title": "Hours", "content": "We open at nine."})
	faq := c.create(t, object{"title": "FAQ", "doc_type": "faq", "content": "Q: a\nA: b"})
	theirs := other.create(t, object{"title": "Hours", "content": "We open at nine."})
	const missing = 4_503_599_627_370_496
	for _, test := range []struct {
		name, method, path string
		body               any
		status             int
		code, field        string
	}{
		{"title missing", "POST", c.list(), `{"content": "x"}`, 400, "validation_error", "title"},
		{"title empty", "POST", c.list(), `{"title": "  ", "content": "x"}`, 400, "validation_error",
			"title"},
		{"title of the wrong type", "POST", c.list(), `{"title": 5, "content": "x"}`, 400, "bad_request", ""},
		{"content missing", "POST", c.list(), `{"title": "x"}`, 400, "validation_error", "content"},
		{"content empty", "POST", c.list(), `{"title": "x", "doc_type": "file", "content": " \n"}`, 400,
			"validation_error", "content"},
		{"content of the wrong type", "POST", c.list(), `{"title": "x", "content": ["y"]}`, 400,
			"bad_request", ""},
		{"faq of no blocks", "POST", c.list(),
			`{"title": "x", "doc_type": "faq", "content": "We open at nine."}`, 400, "validation_error",
			"content"},
		{"faq without content", "POST", c.list(), `{"title": "x", "doc_type": "faq"}`, 400,
			"validation_error", "content"},
		{"faq of too many blocks", "POST", c.list(),
			object{"title": "x", "doc_type": "faq", "content": strings.Repeat("Q: a\nA: b\n\n", 25_001)}, 400,
			"validation_error", "content"},
		{"faq of a block that is too long", "POST", c.list(),
			object{"title": "x", "doc_type": "faq", "content": "Q: a\nA: " + strings.Repeat("b ", 132_000)},
			400, "validation_error", "content"},
		{"doc_type unknown", "POST", c.list(), `{"title": "x", "content": "y", "doc_type": "pdf"}`, 400,
			"validation_error", "doc_type"},
		{"doc_type of the wrong type", "POST", c.list(), `{"title": "x", "content": "y", "doc_type": 1}`, 400,
			"bad_request", ""},
		{"url missing", "POST", c.list(), `{"title": "x", "doc_type": "url"}`, 400, "validation_error",
			"url"},
		{"url empty", "POST", c.list(), `{"title": "x", "doc_type": "url", "url": ""}`, 400,
			"validation_error", "url"},
		{"url of another scheme", "POST", c.list(),
			`{"title": "x", "doc_type": "url", "url": "ftp://example.com/"}`, 400, "validation_error", "url"},
		{"url that is none", "POST", c.list(), `{"title": "x", "doc_type": "url", "url": "example"}`, 400,
			"validation_error", "url"},
		{"is_active of the wrong type", "POST", c.list(),
			`{"title": "x", "content": "y", "is_active": "yes"}`, 400, "bad_request", ""},
		{"is_active null", "POST", c.list(), `{"title": "x", "content": "y", "is_active": null}`, 400,
			"bad_request", ""},
		{"no JSON", "POST", c.list(), `{"title"`, 400, "bad_request", ""},
		{"no object", "POST", c.list(), `[]`, 400, "bad_request", ""},
		{"body too large", "POST", c.list(), object{"title": "x", "content": strings.Repeat("y", 1<<20)}, 413,
			"payload_too_large", ""},
		{"their agent", "POST", other.list(), `{"title": "x", "content": "y"}`, 404, "not_found", ""},
		{"a url for their agent", "POST", other.list(),
			`{"title": "x", "doc_type": "url", "url": "https://example.com/"}`, 404, "not_found", ""},
		{"no agent", "POST", fmt.Sprintf("/agents/%d/knowledge/", missing), `{"title": "x", "content": "y"}`,
			404, "not_found", ""},
		{"agent that is no integer", "POST", "/agents/one/knowledge/", `{"title": "x", "content": "y"}`, 404,
			"not_found", ""},

		{"list of their agent", "GET", other.list(), nil, 404, "not_found", ""},
		{"list of no agent", "GET", fmt.Sprintf("/agents/%d/knowledge/", missing), nil, 404, "not_found", ""},
		{"page past the last", "GET", c.list() + "?page=2", nil, 404, "not_found", ""},
		{"page that is no number", "GET", c.list() + "?page=x", nil, 404, "not_found", ""},
		{"page 0", "GET", c.list() + "?page=0", nil, 404, "not_found", ""},
		{"cursor that is none", "GET", c.list() + "?cursor=nonsense", nil, 404, "not_found", ""},

		{"read of theirs", "GET", path(theirs.ID), nil, 404, "not_found", ""},
		{"read of none", "GET", path(missing), nil, 404, "not_found", ""},
		{"read of no integer", "GET", "/knowledge/one/", nil, 404, "not_found", ""},
		{"patch of theirs", "PATCH", path(theirs.ID), `{"title": "x"}`, 404, "not_found", ""},
		{"patch of none", "PATCH", path(missing), `{"title": "x"}`, 404, "not_found", ""},
		{"delete of theirs", "DELETE", path(theirs.ID), nil, 404, "not_found", ""},
		{"delete of none", "DELETE", path(missing), nil, 404, "not_found", ""},
		{"reindex of theirs", "POST", path(theirs.ID) + "reindex/", nil, 404, "not_found", ""},
		{"reindex of none", "POST", path(missing) + "reindex/", nil, 404, "not_found", ""},

		{"patch to an empty title", "PATCH", path(mine.ID), `{"title": " "}`, 400, "validation_error",
			"title"},
		{"patch to a title null", "PATCH", path(mine.ID), `{"title": null}`, 400, "bad_request", ""},
		{"patch to an empty content", "PATCH", path(mine.ID), `{"content": ""}`, 400, "validation_error",
			"content"},
		{"patch to a content of the wrong type", "PATCH", path(mine.ID), `{"content": 1}`, 400, "bad_request",
			""},
		{"patch to is_active of the wrong type", "PATCH", path(mine.ID), `{"is_active": 1}`, 400,
			"bad_request", ""},
		{"patch of a faq to no blocks", "PATCH", path(faq.ID), `{"content": "Open at nine."}`, 400,
			"validation_error", "content"},
		{"patch of no JSON", "PATCH", path(mine.ID), `title`, 400, "bad_request", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			c.WantError(t, test.status, test.code, test.field, test.method, test.path, test.body)
		})
	}
	if diff := cmp.Diff(mine, c.get(t, mine.ID)); diff != "" {
		t.Errorf("the document changed: -before +after:\n%s", diff)
	}
	if diff := cmp.Diff(theirs, other.get(t, theirs.ID)); diff != "" {
		t.Errorf("their document changed: -before +after:\n%s", diff)
	}
	for _, test := range []struct{ method, path string }{
		{"PUT", path(mine.ID)}, {"POST", path(mine.ID)}, {"DELETE", c.list()},
		{"GET", path(mine.ID) + "reindex/"},
	} {
		if a := c.Call(t, test.method, test.path, nil); a.Status != 405 || a.Body != "" {
			t.Errorf("%s %s: %d %q, want 405 and nothing", test.method, test.path, a.Status, a.Body)
		}
	}
	stranger := c.Client
	stranger.Key = "nobody"
	for _, at := range []string{c.list(), path(mine.ID)} {
		stranger.WantError(t, 401, "invalid_api_key", "", "GET", at, nil)
	}
}

func TestUpdate(t *testing.T) {
	c := serve(t).client(t)
	d := c.create(t, object{"title": "Hours", "content": "We open at nine."})
	for _, step := range []struct {
		body object
		want func(*document.Document)
	}{
		{object{"title": "Opening hours"}, func(d *document.Document) { d.Title = "Opening hours" }},
		{object{"content": "Doors open at ten."},
			func(d *document.Document) { d.Content = "Doors open at ten." }},
		{object{"is_active": false}, func(d *document.Document) { d.IsActive = false }},
		{
			object{"title": "T", "content": "Both.", "is_active": true},
			func(d *document.Document) { d.Title, d.Content, d.IsActive = "T", "Both.", true },
		},
		{object{"title": strings.Repeat("x", 400)},
			func(d *document.Document) { d.Title = strings.Repeat("x", 300) }},
		{object{"doc_type": "faq", "url": "x", "id": 1, "chunk_count": 7, "unknown": nil,
			"title": "Still text"}, func(d *document.Document) { d.Title = "Still text" }},
		{
			object{"content": strings.Repeat("A sentence of some length stands here. ", 60)},
			func(d *document.Document) {
				d.Content, d.ChunkCount = strings.Repeat("A sentence of some length stands here. ", 60), 3
			},
		},
	} {
		got := c.patch(t, d.ID, step.body)
		if !got.UpdatedAt.After(d.UpdatedAt) {
			t.Errorf("%v: updated at %v, before at %v", step.body, got.UpdatedAt, d.UpdatedAt)
		}
		step.want(&d)
		d.UpdatedAt = got.UpdatedAt
		if diff := cmp.Diff(d, got); diff != "" {
			t.Errorf("%v: -want +got:\n%s", step.body, diff)
		}
		if diff := cmp.Diff(got, c.get(t, d.ID)); diff != "" {
			t.Errorf("read again: -answered +read:\n%s", diff)
		}
	}
	for name, body := range map[string]any{"nothing": object{}, "as it was read": d} {
		var got document.Document
		c.call(t, "PATCH", path(d.ID), body, 200, &got)
		if diff := cmp.Diff(d, got); diff != "" {
			t.Errorf("%s: -before +after:\n%s", name, diff)
		}
	}
}

func TestFound(t *testing.T) {
	c := serve(t).client(t)
	d := c.create(t, object{"title": "Hours", "content": "Doors open at nine."})
	c.create(t, object{"title": "Pets", "content": "Dogs sleep in the garden."})
	expect := func(step, message string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, c.search(t, message)); diff != "" {
			t.Errorf("%s: %q: -want +got:\n%s", step, message, diff)
		}
	}
	expect("new", "When do the doors open?", "Hours")
	c.patch(t, d.ID, object{"is_active": false})
	expect("not active", "doors")
	c.patch(t, d.ID, object{"content": "Windows open at nine."})
	expect("changed while not active", "windows")
	c.patch(t, d.ID, object{"is_active": true})
	expect("active again", "windows", "Hours")
	expect("active again", "doors")
	c.patch(t, d.ID, object{"title": "Ventilation"})
	expect("renamed", "ventilation", "Ventilation")
	expect("renamed", "hours")
	c.call(t, "DELETE", path(d.ID), nil, 204, nil)
	expect("deleted", "windows")
	expect("deleted", "dogs", "Pets")
	c.call(t, "DELETE", path(d.ID), nil, 404, nil)
}

func TestReindex(t *testing.T) {
	c := serve(t).client(t)
	reindex := func(id int64) (got endpoints.Reindexed) {
		t.Helper()
		c.call(t, "POST", path(id)+"reindex/", nil, 200, &got)
		return got
	}
	d := c.create(t, object{"title": "FAQ", "doc_type": "faq",
		"content": "Q: Dogs?\nA: Yes.\n\nQ: Cats?\nA: No."})
	if diff := cmp.Diff(endpoints.Reindexed{ID: d.ID, Reindexed: true, ChunkCount: 2},
		reindex(d.ID)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(d, c.get(t, d.ID)); diff != "" {
		t.Errorf("-before +after:\n%s", diff)
	}
	if got := c.search(t, "cats"); len(got) != 1 {
		t.Errorf("found %q", got)
	}
}

func TestReindexPage(t *testing.T) {
	c := serve(t).client(t)
	var page string // what the site says; empty when it is down
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if page == "" {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, page)
	}))
	defer site.Close()
	d := c.create(t, object{"title": "Site", "doc_type": "url", "url": site.URL})
	type state struct {
		Content, IndexError string
		Chunks              int
	}
	check := func(step string, want state) {
		t.Helper()
		got := c.get(t, d.ID)
		if diff := cmp.Diff(want, state{got.Content, got.IndexError, got.ChunkCount}); diff != "" {
			t.Errorf("%s: -want +got:\n%s", step, diff)
		}
	}
	reindex := func(want endpoints.Reindexed) {
		t.Helper()
		var got endpoints.Reindexed
		c.call(t, "POST", path(d.ID)+"reindex/", nil, 200, &got)
		want.ID = d.ID
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	const down = "The page answered 503."
	check("down at first", state{"", down, 0})
	reindex(endpoints.Reindexed{})
	page = "Penguins are fed at noon."
	reindex(endpoints.Reindexed{Reindexed: true, ChunkCount: 1})
	check("up", state{page, "", 1})
	if got := c.search(t, "penguins"); len(got) != 1 {
		t.Errorf("found %q", got)
	}
	page = "Seals are fed at one."
	reindex(endpoints.Reindexed{Reindexed: true, ChunkCount: 1})
	if got := c.search(t, "penguins"); len(got) != 0 {
		t.Errorf("found %q, which is on the page no more", got)
	}
	page = ""
	reindex(endpoints.Reindexed{ChunkCount: 1})
	check("down again", state{"Seals are fed at one.", down, 1})
	c.patch(t, d.ID, object{"content": "Seals by hand."})
	check("by hand", state{"Seals by hand.", "", 1})
	c.patch(t, d.ID, object{"content": ""})
	check("emptied", state{"", "", 0})
	if got := c.search(t, "seals"); len(got) != 0 {
		t.Errorf("found %q", got)
	}
}

func TestList(t *testing.T) {
	s := serve(t)
	c, other := s.client(t), s.client(t)
	other.create(t, object{"title": "Theirs", "content": "x"})
	var empty api.List[document.Document]
	c.call(t, "GET", c.list(), nil, 200, &empty)
	if diff := cmp.Diff(api.List[document.Document]{Results: []document.Document{}}, empty); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	const documents = 120
	var want []document.Document // newest first
	for n := range documents {
		want = append([]document.Document{c.create(t,
			object{"title": fmt.Sprintf("Note %d", n), "content": "x"})}, want...)
	}
	var walked, numbered []document.Document
	next := c.list()
	for n := 1; n <= 3; n++ {
		var byNext, byNumber api.List[document.Document]
		c.call(t, "GET", next, nil, 200, &byNext)
		c.call(t, "GET", fmt.Sprintf("%s?page=%d", c.list(), n), nil, 200, &byNumber)
		if byNext.Count != documents || byNumber.Count != documents {
			t.Errorf("page %d: count %d and %d", n, byNext.Count, byNumber.Count)
		}
		walked, numbered = append(walked, byNext.Results...), append(numbered, byNumber.Results...)
		if n > 1 {
			var back api.List[document.Document]
			c.call(t, "GET", *byNext.Previous, nil, 200, &back)
			if diff := cmp.Diff(want[(n-2)*50:(n-1)*50], back.Results); diff != "" {
				t.Errorf("back from page %d: -want +got:\n%s", n, diff)
			}
		}
		if last := n == 3; last != (byNext.Next == nil) || last != (byNumber.Next == nil) {
			t.Fatalf("page %d: next %v and %v", n, byNext.Next, byNumber.Next)
		}
		if byNext.Next != nil {
			next = *byNext.Next
		}
	}
	if diff := cmp.Diff(want, walked); diff != "" {
		t.Errorf("by next: -want +got:\n%s", diff)
	}
	if diff := cmp.Diff(want, numbered); diff != "" {
		t.Errorf("by number: -want +got:\n%s", diff)
	}
	c.call(t, "GET", c.list()+"?page=4", nil, 404, nil)
}

// TestLongContent holds that a list shows the beginning of a long content, says so, and that what it shows
// can be sent back without loss.
func TestLongContent(t *testing.T) {
	c := serve(t).client(t)
	long := strings.Repeat("Ein Satz über Gänse und Füchse. ", 2_000)
	d := c.create(t, object{"title": "Long", "content": long})
	if d.Content != long || d.ContentTruncated {
		t.Errorf("created with %d bytes of %d, truncated %v", len(d.Content), len(long), d.ContentTruncated)
	}
	var list api.List[document.Document]
	c.call(t, "GET", c.list(), nil, 200, &list)
	listed := list.Results[0]
	if n := len(listed.Content); !strings.HasPrefix(long, listed.Content) || n < 14<<10 || n > 16<<10 ||
		!listed.ContentTruncated {
		t.Errorf("listed with %d bytes, truncated %v", n, listed.ContentTruncated)
	}
	listed.Title = "Renamed"
	c.call(t, "PATCH", path(d.ID), listed, 200, nil)
	got := c.get(t, d.ID)
	if got.Title != "Renamed" || got.Content != long || got.ContentTruncated {
		t.Errorf("title %q, %d bytes of %d, truncated %v", got.Title, len(got.Content), len(long),
			got.ContentTruncated)
	}
	short := c.patch(t, d.ID, object{"content": "Short.", "content_truncated": false})
	if again := c.get(t, d.ID); short.Content != "Short." || again.Content != "Short." {
		t.Errorf("answered %q, read %q", short.Content, again.Content)
	}
}

// TestLongestContent stores as much as a body carries.
func TestLongestContent(t *testing.T) {
	c := serve(t).client(t)
	for name, unit := range map[string]string{
		"text": "The goose crossed the road at number %d and met a fox. ",
		"faq":  "Q: Who met the fox at number %d?\nA: The goose.\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for n := 0; b.Len() < 900_000; n++ {
				fmt.Fprintf(&b, unit, n%500)
			}
			d := c.create(t, object{"title": name, "doc_type": name, "content": b.String()})
			if got := c.get(t, d.ID); got.Content != b.String() || got.ChunkCount < 900 {
				t.Errorf("read %d bytes of %d in %d chunks", len(got.Content), b.Len(), got.ChunkCount)
			}
			c.call(t, "DELETE", path(d.ID), nil, 204, nil)
		})
	}
}

func TestConcurrentPatches(t *testing.T) {
	c := serve(t).client(t)
	d := c.create(t, object{"title": "Start", "content": "Start."})
	bodies := []object{{"title": "End"}, {"content": "End."}, {"is_active": false}}
	for range 5 {
		bodies = append(bodies, object{"content": "End."}, object{"title": "End"})
	}
	var wg sync.WaitGroup
	for _, body := range bodies {
		wg.Go(func() {
			if a, err := c.Try("PATCH", path(d.ID), body); err != nil || a.Status != 200 {
				t.Errorf("%v: %d %s %v", body, a.Status, a.Body, err)
			}
		})
	}
	wg.Wait()
	got := c.get(t, d.ID)
	if got.Title != "End" || got.Content != "End." || got.IsActive {
		t.Errorf("%+v", got)
	}
}

func TestDeletedAgent(t *testing.T) {
	c := serve(t).client(t)
	d := c.create(t, object{"title": "Hours", "content": "We open at nine."})
	if err := c.agents.Delete(t.Context(), c.Account, c.agent); err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct{ method, path, body string }{
		{"GET", c.list(), ""},
		{"POST", c.list(), `{"title": "x", "content": "y"}`},
		{"GET", path(d.ID), ""},
		{"PATCH", path(d.ID), `{"title": "x"}`},
		{"PATCH", path(d.ID), `{"is_active": false}`},
		{"POST", path(d.ID) + "reindex/", ""},
		{"DELETE", path(d.ID), ""},
	} {
		c.call(t, r.method, r.path, r.body, 404, nil)
	}
}

// TestRankingAmongMany holds that the right document comes first among 300.
func TestRankingAmongMany(t *testing.T) {
	c := serve(t).client(t)
	animals := []string{"otter", "badger", "heron", "lynx", "beaver", "marmot", "stork", "viper", "salmon",
		"weasel"}
	for n := range 300 {
		animal := animals[n%len(animals)]
		c.create(t, object{
			"title": fmt.Sprintf("Enclosure %d", n),
			"content": fmt.Sprintf("In enclosure %d lives a %s. The keeper feeds it at noon. Visitors stand "+
				"behind the fence.", n, animal),
		})
	}
	for _, n := range []int{0, 7, 142, 299} {
		message := fmt.Sprintf("Which animal lives in enclosure %d?", n)
		got := c.search(t, message)
		if len(got) != 20 || got[0] != fmt.Sprintf("Enclosure %d", n) {
			t.Errorf("%s: found %q", message, got)
		}
	}
}
