package main

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"frontdesk/infra/local"
	"frontdesk/shared/auth"
)

// admin runs a command on the store in DATA_DIR and returns the lines that it printed.
func admin(t *testing.T, args ...string) ([]map[string]any, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), args, &out)
	var lines []map[string]any
	for dec := json.NewDecoder(&out); dec.More(); {
		dec.UseNumber()
		var line map[string]any
		if err := dec.Decode(&line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines, err
}

// one runs a command that must print one line, and returns that line.
func one(t *testing.T, args ...string) map[string]any {
	t.Helper()
	lines, err := admin(t, args...)
	if err != nil || len(lines) != 1 {
		t.Fatalf("%v: %v, %v", args, lines, err)
	}
	return lines[0]
}

// TestWorkspace goes through the life of a workspace, beside a store that is open already.
func TestWorkspace(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("DATA_DIR", dir)
	t.Setenv("STACK", "")
	t.Setenv("PORT", "")
	t.Setenv("PUBLIC_URL", "")
	store, err := local.OpenStore(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	keys := &auth.Keys{Table: store.Table, Now: time.Now}
	plan := func(key any) string {
		t.Helper()
		req := httptest.NewRequestWithContext(t.Context(), "GET", "/api/v1/me/", nil)
		req.Header.Set("Authorization", "Bearer "+key.(string))
		ctx, _, err := keys.Authenticate(auth.Call{Request: req})
		if err != nil {
			return err.Error()
		}
		return auth.CallerOf(ctx).Plan.Name
	}

	made := one(t, "create", "-name", "acme", "-plan", "free")
	account := made["account_id"].(json.Number).String()
	if made["plan"] != "free" || len(made) != 4 ||
		!strings.HasPrefix(made["dashboard_url"].(string), "http://localhost:3000/app/#token=") ||
		plan(made["api_key"]) != "free" {
		t.Errorf("created %v", made)
	}
	login := one(t, "login", "-account", account)
	if url, _ := login["dashboard_url"].(string); len(login) != 3 ||
		login["account_id"].(json.Number).String() != account || url == made["dashboard_url"] {
		t.Errorf("a link to sign in: %v", login)
	}
	if _, err := admin(t, "login", "-account", "5"); err == nil {
		t.Error("a link for no workspace")
	}
	if shown := one(t, "show", "-account", account); shown["name"] != "acme" || shown["plan"] != "free" {
		t.Errorf("shown %v", shown)
	}
	issued := one(t, "issue", "-account", account, "-name", "laptop")
	one(t, "plan", "-account", account, "-plan", "pro")
	if plan(made["api_key"]) != "pro" || plan(issued["api_key"]) != "pro" {
		t.Errorf("plans %s and %s", plan(made["api_key"]), plan(issued["api_key"]))
	}
	one(t, "revoke", "-account", account, "-key", issued["id"].(json.Number).String())
	if got := plan(issued["api_key"]); !strings.Contains(got, "revoked") {
		t.Errorf("with a revoked key: %s", got)
	}
	lines, err := admin(t, "keys", "-account", account)
	if err != nil || len(lines) != 2 || lines[0]["revoked"] != false || lines[1]["revoked"] != true ||
		lines[1]["name"] != "laptop" {
		t.Errorf("listed %v, %v", lines, err)
	}
	for _, line := range lines {
		if _, ok := line["api_key"]; ok {
			t.Errorf("a list shows a key: %v", line)
		}
	}
	if one(t, "local"); plan(local.Key) != "enterprise" {
		t.Errorf("the local key: %s", plan(local.Key))
	}
	for _, args := range [][]string{
		nil, {"nothing"}, {"create"}, {"create", "-name", "acme"}, {"create", "-name", " ", "-plan", "free"},
		{"create", "-name", strings.Repeat("a", 101), "-plan", "free"},
		{"create", "-name", "acme", "-plan", "golden"},
		{"show", "-account", "5"}, {"issue", "-account", "5", "-name", "x"},
		{"revoke", "-account", account, "-key", "5"},
		{"plan", "-account", account, "-plan", "golden"}, {"show", "-account", "x"},
	} {
		if lines, err := admin(t, args...); err == nil || lines != nil {
			t.Errorf("%q: %v, %v", args, lines, err)
		}
	}
}

// TestClockOffset expects a key to be dated by the moved clock, and a malformed CLOCK_OFFSET to be refused.
func TestClockOffset(t *testing.T) {
	t.Setenv("DATA_DIR", t.TempDir())
	t.Setenv("STACK", "")
	t.Setenv("CLOCK_OFFSET", "2184h")
	account := one(t, "create", "-name", "acme", "-plan", "free")["account_id"].(json.Number).String()
	keys, err := admin(t, "keys", "-account", account)
	if err != nil || len(keys) != 1 {
		t.Fatal(keys, err)
	}
	made, err := time.Parse(time.RFC3339, keys[0]["created_at"].(string))
	if err != nil || time.Until(made) < 2183*time.Hour {
		t.Errorf("made at %s, %v", made, err)
	}
	t.Setenv("CLOCK_OFFSET", "soon")
	if _, err := admin(t, "keys", "-account", account); err == nil {
		t.Error("CLOCK_OFFSET=soon is taken")
	}
}
