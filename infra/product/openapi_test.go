package product

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"frontdesk/shared/api"
)

var update = flag.Bool("update", false, "write openapi.json anew")

// TestOpenAPI holds functions/openapi/openapi.json, and what is served of it, to what the routes and types of
// all functions say. `make openapi` writes both.
func TestOpenAPI(t *testing.T) {
	const file = "../../functions/openapi/openapi.json"
	endpoints := Endpoints(Parts{})
	var routers []*api.Router
	for _, group := range slices.Sorted(maps.Keys(endpoints)) {
		routers = append(routers, endpoints[group])
	}
	want, err := api.Document(routers...)
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		for name, content := range map[string][]byte{file: want, file + ".gz": compress(t, want)} {
			if err := os.WriteFile(name, content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("openapi.json is not what the routes say: run `make openapi`")
	}
	if *update {
		return // what this test serves was compiled in before
	}
	for _, accept := range []string{"gzip", "br, gzip;q=0.5", "gzip;q=0", ""} {
		req := httptest.NewRequest(http.MethodGet, "/api/v1/openapi.json", nil)
		req.Header.Set("Accept-Encoding", accept)
		w := httptest.NewRecorder()
		endpoints["openapi"].Log = slog.New(slog.DiscardHandler)
		endpoints["openapi"].ServeHTTP(w, req)
		body := io.Reader(w.Body)
		if w.Header().Get("Content-Encoding") == "gzip" {
			if body, err = gzip.NewReader(w.Body); err != nil {
				t.Fatal(err)
			}
		}
		if want := strings.HasSuffix(accept, "gzip") || strings.HasSuffix(accept, "0.5"); want !=
			(w.Header().Get("Content-Encoding") == "gzip") {
			t.Errorf("Accept-Encoding %q: compressed %v, want %v", accept, !want, want)
		}
		served, err := io.ReadAll(body)
		if err != nil || !bytes.Equal(served, got) || w.Header().Get("Vary") != "Accept-Encoding" ||
			w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("Accept-Encoding %q: what is served is not openapi.json, run `make openapi`: %v, %v",
				accept, w.Header(), err)
		}
	}
}

// compress returns the content compressed with gzip, the same bytes each time.
func compress(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestOperationIDs holds the names that clients call operations by: unique, and a verb with what it acts on.
func TestOperationIDs(t *testing.T) {
	var description struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	text, err := os.ReadFile("../../functions/openapi/openapi.json")
	if err == nil {
		err = json.Unmarshal(text, &description)
	}
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile(`^[a-z]+([A-Z]+[a-z]*)+$`)
	routes := map[string]string{}
	for path, methods := range description.Paths {
		for method, operation := range methods {
			id, route := operation.OperationID, method+" "+path
			if other := routes[id]; other != "" {
				t.Errorf("%s and %s are both called %s", route, other, id)
			}
			if routes[id] = route; !name.MatchString(id) {
				t.Errorf("%s is called %q, want a name such as listAgents", route, id)
			}
		}
	}
	for id, route := range map[string]string{
		"listAgents": "get /agents/", "createAgent": "post /agents/", "getAgent": "get /agents/{agent_id}/",
		"updateAgent": "patch /agents/{agent_id}/", "deleteAgent": "delete /agents/{agent_id}/",
		"trainAgent": "post /agents/{agent_id}/train/", "sendChatMessage": "post /agents/{agent_id}/chat/",
		"getChatHistory":   "get /agents/{agent_id}/chat/history/",
		"updateFunnelStep": "patch /agents/{agent_id}/funnels/{funnel_id}/steps/{item_id}/",
	} {
		if routes[id] != route {
			t.Errorf("%s is %q, want %q", id, routes[id], route)
		}
	}
}
