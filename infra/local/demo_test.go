package local

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestDemo reads the page with the widget before and after there is an agent.
func TestDemo(t *testing.T) {
	s, err := Start(t.Context(), Config{
		Template: "../../template.yaml", DataDir: t.TempDir(), Now: time.Now,
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	call := func(method, path, body string) (int, string) {
		t.Helper()
		req := httptest.NewRequest(method, "http://127.0.0.1:3000"+path, strings.NewReader(body))
		req.Header.Set("Authorization", "Bearer "+Key)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, req)
		return w.Code, w.Body.String()
	}
	if status, page := call("GET", DemoPath, ""); status != http.StatusOK ||
		!strings.Contains(page, "There is no agent yet") ||
		!strings.Contains(page, "curl http://127.0.0.1:3000/api/v1/agents/") {
		t.Errorf("without an agent: %d %s", status, page)
	}
	for _, name := range []string{"Older", "<b>Newer</b>"} {
		_, body := call("POST", "/api/v1/agents/", `{"name": "`+name+`"}`)
		var agent struct {
			ID     json.Number
			Widget struct {
				EmbedKey string `json:"embed_key"`
			}
		}
		if err := json.Unmarshal([]byte(body), &agent); err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		status, page := call("GET", DemoPath, "")
		tag := `<script src="/widget/widget.js" data-agent="` + agent.Widget.EmbedKey +
			`" data-color="#2563eb" data-cache="reload" defer></script>`
		if status != http.StatusOK || strings.Count(page, tag) != 1 || strings.Contains(page, "<b>Newer") {
			t.Errorf("with %s: %d %s", name, status, page)
		}
		call("PATCH", "/api/v1/agents/"+agent.ID.String()+"/widget/", `{"enabled": false}`)
		if _, page := call("GET", DemoPath, ""); strings.Contains(page, tag) ||
			!strings.Contains(page, "switched off") {
			t.Errorf("switched off: %s", page)
		}
	}
	for path, want := range map[string]int{DemoPath + "/": 404, "/widget/": 404, "/widget/widget.js": 200} {
		if status, _ := call("GET", path, ""); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}
}
