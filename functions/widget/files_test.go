package widget_test

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/attachment"
	"frontdesk/shared/conversation"
)

// pixel is a GIF.
var pixel = []byte(
	"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff" +
		",\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;")

func fileBody(name string, data []byte, more string) string {
	return fmt.Sprintf(`{"name": %q, "data": %q%s}`, name, base64.StdEncoding.EncodeToString(data), more)
}

// TestFiles sends files of a visitor: they are stored with the message that they came with, and answered as
// what is said about them.
func TestFiles(t *testing.T) {
	s := serve(t)
	v, path := s.visitor(), s.public()+"files/"
	v.WantError(t, 403, "forbidden", "", "POST", path, fileBody("a.gif", pixel, ""))
	s.call(t, s.key, "PATCH", s.path(), `{"accept_files": true}`, 200, nil)
	first := v.Want(t, 200, "POST", path, fileBody(`C:\photos\a.gif`, pixel, ""))
	session := first.Text("session_id")
	if first.Text("reply") == "" || strings.Contains(first.Text("reply"), "Dogs") {
		t.Errorf("the answer to a picture without words: %s", first.Body)
	}
	second := v.Want(t, 200, "POST", path,
		fileBody("menu.pdf", []byte("%PDF-1.7\n"),
			fmt.Sprintf(`, "message": "Are dogs welcome?", "session_id": %q`, session)))
	if second.Text("reply") != "Dogs are welcome in the garden." {
		t.Errorf("the answer to a file with a question: %s", second.Body)
	}
	lines := s.thread(t, session, "0")
	if len(lines) != 4 || !strings.HasSuffix(lines[0], "inbound: [image]") ||
		!strings.HasSuffix(lines[2], "inbound: [file] Are dogs welcome?") {
		t.Errorf("%q", lines)
	}
	id, err := strconv.ParseInt(first.Number("inbound_message_id"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	m, err := (&conversation.Store{Table: s.table}).Message(t.Context(), s.agent.AccountID, id)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Attachments) != 1 || m.Type != "image" || m.Attachments[0] != (conversation.Attachment{
		Type: "image", Name: "a.gif", ContentType: "image/gif",
	}) {
		t.Fatalf("the stored message: %+v", m)
	}
	files := attachment.Store{Table: s.table, Now: time.Now}
	kept, err := files.Get(t.Context(), s.agent.AccountID, s.agent.ID, m.Files[0].ID)
	if err != nil || string(kept) != string(pixel) {
		t.Errorf("%d bytes are kept, %v", len(kept), err)
	}
}

// TestWrongFiles sends what is no picture and no PDF, whatever its name says, and what is too large.
func TestWrongFiles(t *testing.T) {
	s := serve(t)
	s.call(t, s.key, "PATCH", s.path(), `{"accept_files": true}`, 200, nil)
	v, path := s.visitor(), s.public()+"files/"
	for name, data := range map[string]string{
		"a.png": "<svg onload=alert(1)>", "b.pdf": "MZ\x90\x00", "c.gif": "\x00",
		"d.jpg": "<!doctype html><script>",
	} {
		v.WantError(t, 400, "validation_error", "data", "POST", path, fileBody(name, []byte(data), ""))
	}
	v.WantError(t, 400, "validation_error", "data", "POST", path, `{"name": "a.gif", "data": "§"}`)
	v.WantError(t, 400, "validation_error", "name", "POST", path, `{"data": "R0lGODlh"}`)
	large := append([]byte("%PDF-1.7\n"), make([]byte, 3<<20)...)
	v.WantError(t, 413, "payload_too_large", "", "POST", path, fileBody("large.pdf", large, ""))
}

// TestFilesOfADay sends more than a session may in a day.
func TestFilesOfADay(t *testing.T) {
	s := serve(t)
	s.call(t, s.key, "PATCH", s.path(), `{"accept_files": true}`, 200, nil)
	v, path := s.visitor(), s.public()+"files/"
	data := append([]byte("%PDF-1.7\n"), make([]byte, 3<<20-9)...)
	more := `, "session_id": "11111111-2222-4333-8444-555555555555"`
	for range 5 {
		v.Want(t, 200, "POST", path, fileBody("a.pdf", data, more))
	}
	refused := v.WantError(t, 429, "rate_limited", "", "POST", path, fileBody("a.pdf", data, more))
	if refused.Header.Get("Retry-After") == "" {
		t.Errorf("headers %v", refused.Header)
	}
	v.Want(t, 200, "POST", s.public()+"send/", `{"message": "Words are fine"`+more+`}`)
	s.ahead.Store(int64(24 * time.Hour))
	v.Want(t, 200, "POST", path, fileBody("a.pdf", data, more))
}
