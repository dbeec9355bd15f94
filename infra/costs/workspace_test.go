package costs

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/infra/workspace"
	"frontdesk/shared/auth"
	"frontdesk/shared/id"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// tell plays the story without its deletions to a new workspace, so that it has something of everything. It
// returns the workspace, its API key and what serves it.
func tell(t *testing.T, store *sqlite.Table,
	keys *secret.Keys) (account int64, key string, service http.Handler) {
	t.Helper()
	service, _, err := serve("../../template.yaml", store, keys, id.NewSource(time.Now))
	if err != nil {
		t.Fatal(err)
	}
	workspaces := &auth.Workspaces{Table: store, Now: time.Now, IDs: id.NewSource(time.Now)}
	made, issued, err := workspaces.Create(t.Context(), "Acme", "pro")
	if err != nil {
		t.Fatal(err)
	}
	p := newPlay(Workspace{store, made.ID, issued.Text})
	all, err := steps()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if s.method == "DELETE" {
			continue
		}
		if err := p.do(t.Context(), service, s); err != nil {
			t.Fatal(err)
		}
	}
	return made.ID, issued.Text, service
}

// A shop is a store with what seals its secrets.
type shop struct {
	workspace.Store
	file *sqlite.Table
}

func newShop(t *testing.T) shop {
	t.Helper()
	file, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	keys := &secret.Keys{Read: secret.Static(secret.NewKey())}
	return shop{workspace.Store{Table: file, Scan: file.Scan, Keys: keys}, file}
}

// items are all that the shop stores. Secrets are sealed under one key for all shops, by which they compare.
func (s shop) items(t *testing.T) map[table.Key]table.Item {
	t.Helper()
	all := map[table.Key]table.Item{}
	err := s.Scan(t.Context(), "", func(item table.Item) error {
		item.Version = 0 // a store of its own counts anew
		all[item.Key] = item
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// status is what an endpoint answers to an API key.
func status(t *testing.T, service http.Handler, key, path string) int {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), "GET", "/api/v1"+path, nil)
	req.Header.Set("Authorization", "Bearer "+key)
	answer := httptest.NewRecorder()
	service.ServeHTTP(answer, req)
	return answer.Code
}

// TestWorkspaceMoves moves a workspace that has something of everything to another store and back, deletes it
// in between, and expects nothing to be lost, nothing to be left, and another workspace to be untouched.
func TestWorkspaceMoves(t *testing.T) {
	here, there := newShop(t), newShop(t)
	account, key, service := tell(t, here.file, here.Keys)
	other, otherKey, _ := tell(t, here.file, here.Keys)
	before := here.items(t)

	var file bytes.Buffer
	sum, fileKey, err := here.Export(t.Context(), account, time.Now(), &file)
	if err != nil || sum.Secrets < 5 || sum.Lost != 0 {
		t.Fatalf("exported %+v, %v", sum, err)
	}
	for _, text := range []string{key, fileKey, strconv.FormatInt(other, 10)} {
		if strings.Contains(file.String(), text) {
			t.Errorf("the export has %s", text)
		}
	}
	movedFront, _, err := serve("../../template.yaml", there.Table, there.Keys, id.NewSource(time.Now))
	if err != nil {
		t.Fatal(err)
	}
	// An import that is cut short leaves nothing that can be used, and is begun again.
	part := io.LimitReader(bytes.NewReader(file.Bytes()), int64(file.Len()*9/10))
	if _, err := there.Import(t.Context(), part, fileKey, time.Now()); err == nil {
		t.Error("a part of an export is imported")
	}
	if got := status(t, movedFront, key, "/me/"); got != http.StatusUnauthorized {
		t.Errorf("half imported, the key is answered %d", got)
	}
	again, err := there.Import(t.Context(), bytes.NewReader(file.Bytes()), fileKey, time.Now())
	if err != nil || again != sum {
		t.Fatalf("imported %+v, exported %+v: %v", again, sum, err)
	}
	if _, err := there.Import(t.Context(), &file, fileKey, time.Now()); !errors.Is(err, workspace.ErrThere) {
		t.Errorf("imported twice: %v", err)
	}
	for _, path := range []string{"/me/", "/agents/", "/contacts/", "/conversations/", "/audit/"} {
		if got := status(t, movedFront, key, path); got != http.StatusOK {
			t.Errorf("%s of the moved workspace: %d", path, got)
		}
	}

	if _, err := here.Delete(t.Context(), account); err != nil {
		t.Fatal(err)
	}
	if got := status(t, service, key, "/me/"); got != http.StatusUnauthorized {
		t.Errorf("the key of a deleted workspace is answered %d", got)
	}
	if got := status(t, service, otherKey, "/agents/"); got != http.StatusOK {
		t.Errorf("the other workspace is answered %d", got)
	}
	for k, item := range here.items(t) {
		if names(item, strconv.FormatInt(account, 10)) {
			t.Errorf("of a deleted workspace there is still %s %s: %s", k.PK, k.SK, item.Doc)
		}
	}

	file.Reset()
	back, fileKey, err := there.Export(t.Context(), account, time.Now(), &file)
	if err != nil || back.Items != sum.Items || back.Secrets != sum.Secrets {
		t.Fatalf("exported back %+v, before %+v: %v", back, sum, err)
	}
	if _, err := here.Import(t.Context(), &file, fileKey, time.Now()); err != nil {
		t.Fatal(err)
	}
	compare(t, before, here.items(t))
}

// compare expects all items to be as they were, but those that do not move, and the secrets, whose every
// sealing is another.
func compare(t *testing.T, before, after map[table.Key]table.Item) {
	t.Helper()
	for key := range maps.Keys(before) {
		item, ok := after[key]
		if !ok {
			if !stays(key) {
				t.Errorf("%s %s is lost", key.PK, key.SK)
			}
			continue
		}
		was := before[key]
		if bytes.Contains(was.Doc, []byte(`"v1.`)) {
			was.Doc, item.Doc = nil, nil
		}
		if key.PK[:4] == "key/" || strings.HasPrefix(key.PK, "counter/") {
			was.Numbers, item.Numbers = nil, nil // which the requests since have changed
		}
		if diff := cmp.Diff(was, item, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s %s: %s", key.PK, key.SK, diff)
		}
	}
}

// stays reports whether an item does not move with its workspace.
func stays(key table.Key) bool {
	kind, _, _ := strings.Cut(key.PK, "/")
	switch kind {
	case "outbox", "lane", "seen", "answer", "signed-in", "sign-in", "visitor":
		return true
	}
	return auth.IsSession(key)
}
