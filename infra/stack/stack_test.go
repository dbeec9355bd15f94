package stack

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMemory(t *testing.T) {
	folder := t.TempDir()
	if m, err := Read(folder); err != nil || m.Last != "" || m.Region("acme") != "" {
		t.Fatalf("before the first deployment: %+v, %v", m, err)
	}
	want := Memory{Last: "acme", Stacks: map[string]Stack{
		"acme": {Region: "eu-central-1", Parameters: map[string]string{"AlarmEmail": "ops@acme.example"}},
	}}
	if err := want.Write(folder); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(folder, "infra", "admin")
	if err := os.MkdirAll(below, 0o700); err != nil {
		t.Fatal(err)
	}
	got, err := Read(below)
	if err != nil || !cmp.Equal(got, want) {
		t.Fatalf("read from a folder below: %v, %s", err, cmp.Diff(want, got))
	}
	info, err := os.Stat(filepath.Join(folder, File))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestRegion(t *testing.T) {
	t.Setenv("REGION", "")
	t.Setenv("AWS_REGION", "us-east-1")
	m := Memory{Stacks: map[string]Stack{"acme": {Region: "eu-central-1"}}}
	if got := m.Region("acme"); got != "eu-central-1" {
		t.Errorf("the region that was deployed to is %q", got)
	}
	if got := m.Region("other"); got != "" {
		t.Errorf("region of a stack that was not deployed from here: %q", got)
	}
	t.Setenv("REGION", "us-west-2")
	if got := m.Region("acme"); got != "us-west-2" {
		t.Errorf("REGION does not win: %q", got)
	}
}

func TestBrokenFile(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, File), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(folder); err == nil {
		t.Error("a file that cannot be read is taken for none")
	}
}
