package contract

import (
	"encoding/base64"
	"os"
	"strings"
	"testing"
)

// TestUpload teaches by documents that other programs made, asks, and deletes them.
func TestUpload(t *testing.T) {
	t.Parallel()
	s := Open(t)
	c := s.Client(t, "pro")
	agent := c.Agent(t, nil)
	read := func(file string) string {
		data, err := os.ReadFile("../../shared/upload/testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		return base64.StdEncoding.EncodeToString(data)
	}
	for _, file := range []string{"chromium.pdf", "python-docx.docx"} {
		made := c.Want(t, 201, "POST", agent+"knowledge/upload/",
			map[string]any{"name": file, "data": read(file)})
		if made.Text("doc_type") != "file" || !strings.HasPrefix(made.Text("title"), "Bike rental") ||
			!strings.Contains(made.Text("content"), "€3 for each hour") {
			t.Errorf("%s: %.400s", file, made.Body)
		}
		ask := map[string]any{"message": "What do I pay if I bring a bike back late?"}
		if a := c.Want(t, 200, "POST", agent+"chat/", ask); !strings.Contains(a.Text("reply"), "€3") {
			t.Errorf("%s: %s", file, a.Body)
		}
		c.Want(t, 204, "DELETE", "/knowledge/"+made.Number("id")+"/", nil)
		if a := c.Want(t, 200, "POST", agent+"chat/", ask); a.Text("action") != "fallback" {
			t.Errorf("%s, after it was deleted: %s", file, a.Body)
		}
	}
	for _, refused := range []struct{ name, data, says string }{
		{"a.pdf", read("encrypted.pdf"), "encrypted"},
		{"a.pdf", base64.StdEncoding.EncodeToString([]byte("%PDF-1.4 nothing")), "damaged"},
		{"a.png", base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n")),
			"PDF, DOCX, HTML, TXT and MD"},
		{"a.txt", "no base64", "base64"},
	} {
		a := c.WantError(t, 400, "validation_error", "data", "POST", agent+"knowledge/upload/",
			map[string]any{"name": refused.name, "data": refused.data})
		if !strings.Contains(a.Text("detail"), refused.says) {
			t.Errorf("%s: %s", refused.name, a.Body)
		}
	}
	plain := map[string]any{"name": "prices.txt", "data": "QSBoYWlyY3V0IGNvc3RzIDQ1IGV1cm9zLg=="}
	c.WantError(t, 404, "not_found", "", "POST", "/agents/5/knowledge/upload/", plain)
	c.WantError(t, 404, "not_found", "", "POST", s.Client(t, "pro").Agent(t, nil)+"knowledge/upload/", plain)
	named := c.Want(t, 201, "POST", agent+"knowledge/upload/", plain)
	if named.Text("title") != "prices" || named.Text("content") != "A haircut costs 45 euros." {
		t.Errorf("%s", named.Body)
	}
	c.WantError(t, 413, "payload_too_large", "", "POST", agent+"knowledge/upload/",
		map[string]any{"name": "a.txt", "data": strings.Repeat("QUJD", 1<<20+8192)})
}
