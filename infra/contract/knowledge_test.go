package contract

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/playbook"
	"frontdesk/shared/table"
)

func TestKnowledge(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := c.Agent(t, nil)
	created := c.Want(t, 201, "POST", agent+"knowledge/",
		map[string]any{"title": "Dogs", "content": "Dogs are welcome in the garden."})
	document := "/knowledge/" + created.Number("id") + "/"
	if created.Text("doc_type") != "text" || created.Number("chunk_count") != "1" ||
		created.Fields["is_active"] != true || created.Text("source_url") != "" {
		t.Errorf("%s", created.Body)
	}
	if read := c.Want(t, 200, "GET", document, nil); read.Body != created.Body {
		t.Errorf("created %s\nread %s", created.Body, read.Body)
	}
	ask := func() string {
		t.Helper()
		return c.Want(t, 200, "POST", agent+"chat/",
			map[string]any{"message": "Are dogs welcome?"}).Text("action")
	}
	if got := ask(); got != "respond" {
		t.Errorf("after it was made: %s", got)
	}
	c.Want(t, 200, "PATCH", document, map[string]any{"is_active": false})
	if got := ask(); got != "fallback" {
		t.Errorf("while it is not active: %s", got)
	}
	c.Want(t, 200, "PATCH", document, map[string]any{"is_active": true, "title": "Pets"})
	if got := ask(); got != "respond" {
		t.Errorf("active again: %s", got)
	}
	c.Want(t, 200, "PATCH", document, map[string]any{"content": "Cats sleep all day."})
	if got := ask(); got != "fallback" {
		t.Errorf("after its content changed: %s", got)
	}
	c.Want(t, 200, "PATCH", document, map[string]any{"content": "Dogs are welcome everywhere."})
	again := c.Want(t, 200, "POST", document+"reindex/", nil)
	if again.Number("id") != created.Number("id") || again.Fields["reindexed"] != true ||
		again.Number("chunk_count") != "1" {
		t.Errorf("%s", again.Body)
	}
	if summary := c.Want(t, 200, "GET", agent, nil); summary.Number("knowledge_count") != "1" {
		t.Errorf("knowledge_count %s", summary.Number("knowledge_count"))
	}
	c.Want(t, 204, "DELETE", document, nil)
	if got := ask(); got != "fallback" {
		t.Errorf("after it was deleted: %s", got)
	}
	c.WantError(t, 404, "not_found", "", "GET", document, nil)
	c.WantError(t, 404, "not_found", "", "PATCH", document, map[string]any{"title": "x"})
	c.WantError(t, 404, "not_found", "", "DELETE", document, nil)
	c.WantError(t, 404, "not_found", "", "POST", document+"reindex/", nil)
	if list := c.Want(t, 200, "GET", agent+"knowledge/", nil); list.Number("count") != "0" ||
		len(list.Results()) != 0 {
		t.Errorf("%s", list.Body)
	}
}

func TestKnowledgeRules(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := c.Agent(t, nil)
	for _, test := range []struct {
		field string
		body  map[string]any
	}{
		{"title", map[string]any{"content": "x"}},
		{"title", map[string]any{"title": " ", "content": "x"}},
		{"content", map[string]any{"title": "T"}},
		{"content", map[string]any{"title": "T", "doc_type": "file"}},
		{"content", map[string]any{"title": "T", "doc_type": "faq", "content": "No question here."}},
		{"doc_type", map[string]any{"title": "T", "doc_type": "video", "content": "x"}},
		{"url", map[string]any{"title": "T", "doc_type": "url"}},
		{"url", map[string]any{"title": "T", "doc_type": "url", "url": "ftp://example.com"}},
	} {
		c.WantError(t, 400, "validation_error", test.field, "POST", agent+"knowledge/", test.body)
	}
	c.WantError(t, 400, "bad_request", "", "POST", agent+"knowledge/",
		map[string]any{"title": "T", "content": "x", "is_active": "yes"})
	c.WantError(t, 404, "not_found", "", "POST", "/agents/5/knowledge/",
		map[string]any{"title": "T", "content": "x"})
	c.WantError(t, 404, "not_found", "", "GET", "/agents/5/knowledge/", nil)
	faq := c.Want(t, 201, "POST", agent+"knowledge/",
		map[string]any{"title": "T", "doc_type": "faq",
			"content": "Q: One?\nQ: Eins?\nA: First\nline.\n\nQ: Two?\nA: Second."})
	if faq.Number("chunk_count") != "2" {
		t.Errorf("%s", faq.Body)
	}
	c.WantError(t, 400, "validation_error", "content", "PATCH", "/knowledge/"+faq.Number("id")+"/",
		map[string]any{"content": "No question here."})
}

func TestKnowledgeFromAPage(t *testing.T) {
	s := Open(t)
	c := s.Client(t, "pro")
	agent := c.Agent(t, nil)
	up := true
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !up {
			w.WriteHeader(503)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<html><head><title>Zoo</title><script>var "+
			"penguin</script></head><body><h1>Zoo</h1><p>The penguins are fed at noon.</p></body></html>")
	}))
	server.Listener.Close()
	var err error
	if server.Listener, err = net.Listen("tcp4", "0.0.0.0:0"); err != nil {
		t.Fatal(err)
	}
	server.Start()
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	address := "http://" + s.callback + ":" + port + "/zoo"

	created := c.Want(t, 201, "POST", agent+"knowledge/",
		map[string]any{"title": "Zoo", "doc_type": "url", "url": address})
	if created.Number("chunk_count") != "1" || created.Text("source_url") != address ||
		strings.Contains(created.Text("content"), "var") ||
		!strings.Contains(created.Text("content"), "The penguins are fed at noon.") {
		t.Errorf("%s", created.Body)
	}
	if a := c.Want(t, 200, "POST", agent+"chat/",
		map[string]any{"message": "When are the penguins fed?"}); !strings.Contains(a.Text("reply"),
		"The penguins are fed at noon.") {
		t.Errorf("%s", a.Body)
	}
	up = false
	failed := c.Want(t, 201, "POST", agent+"knowledge/",
		map[string]any{"title": "Zoo", "doc_type": "url", "url": address})
	if failed.Number("chunk_count") != "0" || failed.Text("index_error") == "" {
		t.Errorf("%s", failed.Body)
	}
	up = true
	if again := c.Want(t, 200, "POST", "/knowledge/"+failed.Number("id")+"/reindex/",
		nil); again.Fields["reindexed"] != true || again.Number("chunk_count") != "1" {
		t.Errorf("%s", again.Body)
	}
	for _, private := range []string{"http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/",
		"http://[::1]:80/", "http://localhost:1/"} {
		a := c.Want(t, 201, "POST", agent+"knowledge/",
			map[string]any{"title": "Secret", "doc_type": "url", "url": private})
		if a.Number("chunk_count") != "0" || a.Text("index_error") == "" {
			t.Errorf("%s: %s", private, a.Body)
		}
	}
}

func TestKnowledgePages(t *testing.T) {
	c := Open(t).Client(t, "enterprise")
	agent := c.Agent(t, nil)
	const documents = 103
	for i := range documents {
		c.Want(t, 201, "POST", agent+"knowledge/",
			map[string]any{"title": fmt.Sprint("Document ", i), "content": "One fact."})
	}
	path := agent + "knowledge/"
	var titles []string
	var previous []any
	for path != "" {
		page := c.Want(t, 200, "GET", path, nil)
		if page.Number("count") != "103" {
			t.Fatalf("count %s", page.Number("count"))
		}
		for _, item := range page.Results() {
			titles = append(titles, item["title"].(string))
		}
		previous = append(previous, page.Fields["previous"])
		path = page.Text("next")
	}
	if len(titles) != documents || titles[0] != "Document 102" || titles[102] != "Document 0" {
		t.Errorf("%d titles from %s to %s", len(titles), titles[0], titles[len(titles)-1])
	}
	if previous[0] != nil || previous[1] == nil || previous[2] == nil {
		t.Errorf("previous: %v", previous)
	}
	third := c.Want(t, 200, "GET", agent+"knowledge/?page=3", nil)
	if len(third.Results()) != 3 || third.Fields["next"] != nil ||
		third.Results()[0]["title"] != "Document 2" {
		t.Errorf("page 3: %s", third.Body)
	}
	second := c.Want(t, 200, "GET", third.Text("previous"), nil)
	if len(second.Results()) != 50 || second.Results()[0]["title"] != "Document 52" {
		t.Errorf("the page before: %s", second.Body)
	}
	if first := c.Want(t, 200, "GET", second.Text("previous"),
		nil); first.Results()[0]["title"] != "Document 102" || first.Fields["previous"] != nil {
		t.Errorf("the page before that: %s", first.Body)
	}
	for _, page := range []string{"4", "0", "-1", "x", "1.5", "99999999999999999999"} {
		c.WantError(t, 404, "not_found", "", "GET", agent+"knowledge/?page="+page, nil)
	}
	c.WantError(t, 404, "not_found", "", "GET", agent+"knowledge/?page=2&cursor=nonsense", nil)
}

// TestDeletedAgent deletes an agent with all that can be below it, which is unreadable at once and gone some
// time later.
func TestDeletedAgent(t *testing.T) {
	s := Open(t)
	c := s.Client(t, "pro")
	agentPath := c.Agent(t, nil)
	created := c.Want(t, 201, "POST", agentPath+"knowledge/",
		map[string]any{"title": "Dogs", "content": "Dogs are welcome in the garden."})
	chat := c.Want(t, 200, "POST", agentPath+"chat/",
		map[string]any{"message": "Are dogs welcome?",
			"contact": map[string]any{"phone": "+14155552671", "email": "ada@example.com"}})
	document := "/knowledge/" + created.Number("id") + "/"
	c.Want(t, 201, "POST", agentPath+"channels/",
		map[string]any{"channel_type": "email", "config": map[string]any{"from": "hello@acme.example"}})
	c.Want(t, 200, "PATCH", agentPath+"ecommerce/", map[string]any{"currency": "EUR"})
	for _, row := range rows {
		c.Want(t, 201, "POST", agentPath+row.kind+"/", row.body)
	}
	funnel := c.Want(t, 201, "POST", agentPath+"funnels/", map[string]any{"name": "F"}).Number("id")
	c.Want(t, 201, "POST", agentPath+"funnels/"+funnel+"/steps/", nil)
	c.Want(t, 200, "POST", "/conversations/"+chat.Number("conversation_id")+"/resolve/", nil)
	c.Want(t, 204, "DELETE", agentPath, nil)
	for _, call := range []struct{ method, path string }{
		{"GET", agentPath}, {"GET", document}, {"DELETE", document}, {"POST", document + "reindex/"},
		{"GET", agentPath + "knowledge/"},
		{"GET", agentPath + "widget/"}, {"GET", agentPath + "chat/history/?session_id=" +
			chat.Text("session_id")},
	} {
		c.WantError(t, 404, "not_found", "", call.method, call.path, nil)
	}
	c.WantError(t, 404, "not_found", "", "POST", agentPath+"chat/",
		map[string]any{"message": "Are dogs welcome?"})
	if list := c.Want(t, 200, "GET", "/agents/", nil); list.Number("count") != "0" {
		t.Errorf("%s", list.Body)
	}

	var agentID, documentID, conversationID, contactID int64
	for text, id := range map[string]*int64{
		strings.Trim(strings.TrimPrefix(agentPath, "/agents/"), "/"): &agentID,
		created.Number("id"):           &documentID,
		chat.Number("conversation_id"): &conversationID, chat.Number("contact_id"): &contactID,
	} {
		fmt.Sscan(text, id)
	}
	partitions := []string{
		agent.Partition(c.Account, agentID),
		counter.Key(c.Account, agentID, 0).PK,
		knowledge.DocumentPartition(c.Account, documentID),
		knowledge.IndexPartition(c.Account, agentID),
		conversation.Partition(c.Account, conversationID),
		contact.Key(c.Account, contactID).PK,
		contact.KeyByPhone(c.Account, agentID, "+14155552671").PK,
		contact.KeyByEmail(c.Account, agentID, "ada@example.com").PK,
		conversation.SessionKey(c.Account, agentID, chat.Text("session_id")).PK,
	}
	partitions = append(partitions, playbook.Partitions(c.Account, agentID)...)
	t.Parallel() // what remains is to wait
	var left []string
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(
		100 * time.Millisecond) {
		s.Pass(10 * time.Second)
		left = nil
		for _, pk := range partitions {
			page, err := s.Table.Query(t.Context(), table.Query{PK: pk})
			if err != nil {
				t.Fatal(err)
			}
			if len(page.Items) > 0 {
				left = append(left, pk)
			}
		}
		mark, err := s.Table.Query(t.Context(),
			table.Query{PK: agent.ListPartition(c.Account), Prefix: agent.DeletedPrefix})
		if err != nil {
			t.Fatal(err)
		}
		if len(left)+len(mark.Items) == 0 {
			return
		}
	}
	t.Errorf("two minutes later there is still something in %v", left)
}
