package product

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/channel/registry"
	"frontdesk/shared/egress"
	"frontdesk/shared/id"
	"frontdesk/shared/queue"
	"frontdesk/shared/secret"
	"frontdesk/shared/table/sqlite"
	"frontdesk/shared/wiring"
)

// TestWiring takes the parts from every function, one at a time, and looks for the name of each in what is
// said then.
func TestWiring(t *testing.T) {
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	var q struct{ queue.Sender }
	parts := Parts{
		Table: store, Deliveries: q, Jobs: q, Inbox: q,
		DeadLetters: q, Now: time.Now,
		IDs: id.NewSource(time.Now), Log: slog.New(slog.DiscardHandler), Web: egress.New(egress.Config{}),
		Secrets:  &secret.Keys{Read: secret.Static(secret.NewKey())},
		Channels: registry.New(registry.Addresses{}),
	}
	if err := Check(parts); err != nil {
		t.Errorf("with all parts: %v", err)
	}
	// Without a part of all, every function that has it says so.
	for field, value := range reflect.ValueOf(&parts).Elem().Fields() {
		switch field.Name {
		case "Models", "AloneSince", "PublicURL", "ReadUpload":
			continue
		}
		old := reflect.ValueOf(value.Interface())
		value.SetZero()
		if err := Check(parts); err == nil {
			t.Errorf("nobody misses %s", field.Name)
		}
		value.Set(old)
	}
	for _, service := range services(parts) {
		v := reflect.ValueOf(service).Elem()
		checked := 0
		for field, value := range v.Fields() {
			switch field.Type.Kind() {
			case reflect.Pointer, reflect.Interface, reflect.Func:
			default:
				continue
			}
			checked++
			old := reflect.ValueOf(value.Interface())
			value.SetZero()
			want := fmt.Sprintf("%s lacks %s", v.Type(), field.Name)
			if err := wiring.Check(service); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
			value.Set(old)
		}
		if kind := v.Type().String(); checked == 0 && kind != "openapi.Service" && kind != "console.Service" {
			t.Errorf("%s has no parts", v.Type())
		}
	}
}
