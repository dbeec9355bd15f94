package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/infra/local"
	"frontdesk/shared/agent"
	"frontdesk/shared/id"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/webhook"
)

// TestRotateKey replaces the key beside a service that has the store open, first in one go and then after an
// attempt that was interrupted when the new key was there and one of two webhooks was sealed anew.
func TestRotateKey(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("DATA_DIR", dir)
	t.Setenv("STACK", "")
	store, err := local.OpenStore(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ids, served := id.NewSource(time.Now), &secret.Keys{Read: store.SecretsKey}
	const account = 5
	a, err := (&agent.Store{Table: store.Table, Now: time.Now, IDs: ids}).Create(t.Context(), account,
		agent.Agent{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	hooks := webhook.Store{Table: store.Table, Now: time.Now, IDs: ids, Secrets: served}
	var made []webhook.Webhook
	for range 2 {
		hook, err := hooks.Create(t.Context(), account,
			webhook.Webhook{AgentID: a.ID, URL: "https://acme.example/"}, "hunter22hunter22")
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, hook)
	}
	if _, err := hooks.Rotate(t.Context(), account, a.ID, made[0].ID,
		"another one, long enough"); err != nil {
		t.Fatal(err)
	}
	opens := func(keys *secret.Keys) {
		t.Helper()
		for i, of := range made {
			item, err := store.Table.Get(t.Context(), webhook.Key(account, a.ID, of.ID))
			if err != nil {
				t.Fatal(err)
			}
			hook, err := webhook.Read(item)
			if err != nil {
				t.Fatal(err)
			}
			open, err := hook.Secrets(t.Context(), keys, time.Now())
			if err != nil || len(open) != 2-i || string(open[len(open)-1]) != "hunter22hunter22" {
				t.Errorf("webhook %d has %d secrets: %v", i, len(open), err)
			}
		}
	}
	key := func() string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, "secrets.key"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(text))
	}

	first := key()
	if line := one(t, "rotate-key"); line["resealed_secrets"].(interface{ String() string }).String() != "3" {
		t.Errorf("rotated: %v", line)
	}
	second := key()
	if second == first || strings.Contains(second, "\n") {
		t.Error("the key is the old one, or is not alone")
	}
	opens(served)
	opens(&secret.Keys{Read: secret.Static(second)})

	third := secret.NewKey()
	if err := store.SetSecretsKey(t.Context(), third+"\n"+second); err != nil {
		t.Fatal(err)
	}
	item, err := store.Table.Get(t.Context(), webhook.Key(account, a.ID, made[1].ID))
	if err != nil {
		t.Fatal(err)
	}
	both := &secret.Keys{Read: store.SecretsKey}
	if item.Doc, _, _, err = secret.Reseal(t.Context(), both, both, item.PK, item.SK, item.Doc); err != nil {
		t.Fatal(err)
	}
	if err := store.Table.Transact(t.Context(), table.PutIfVersion(item)); err != nil {
		t.Fatal(err)
	}
	opens(served)
	if line := one(t, "rotate-key"); line["resealed_secrets"].(interface{ String() string }).String() != "2" {
		t.Errorf("rotated in a second attempt: %v", line)
	}
	if key() != third {
		t.Error("the second attempt made a key of its own")
	}
	opens(served)
	opens(&secret.Keys{Read: secret.Static(third)})
	if line := one(t, "rotate-key"); line["lost_secrets"] != nil || key() == third {
		t.Errorf("rotated once more: %v", line)
	}
}
