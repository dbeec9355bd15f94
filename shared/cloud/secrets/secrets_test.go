package secrets

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// TestParameter has the real client read a parameter, over HTTP as Systems Manager answers it.
func TestParameter(t *testing.T) {
	key := secret.NewKey()
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		asked = append(asked, req.Header.Get("X-Amz-Target")+" "+string(body))
		var in struct{ Name string }
		json.Unmarshal(body, &in)
		w.Header().Set("Content-Type", "application/x-amz-json-1.1")
		if in.Name != "/frontdesk/test/secrets-key" {
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"__type":"ParameterNotFound"}`)
			return
		}
		json.NewEncoder(w).Encode(map[string]any{"Parameter": map[string]any{"Name": in.Name,
			"Type": "SecureString", "Value": key}})
	}))
	defer server.Close()
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL_SSM": server.URL, "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "x",
		"AWS_SECRET_ACCESS_KEY": "x",
		"SECRETS_KEY":           "", "SECRETS_KEY_PARAMETER": "/frontdesk/test/secrets-key",
	} {
		t.Setenv(name, value)
	}

	keys := Keys()
	if len(asked) != 0 {
		t.Errorf("asked before any secret: %q", asked)
	}
	ctx, meter := table.WithMeter(t.Context())
	for range 3 {
		sealed, err := keys.Seal(ctx, "place", "text")
		if err != nil {
			t.Fatal(err)
		}
		if plain, err := (&secret.Keys{Read: secret.Static(key)}).Open(ctx, "place", sealed); err != nil ||
			string(plain) != "text" {
			t.Errorf("%q, %v", string(plain), err)
		}
	}
	want := `AmazonSSM.GetParameter {"Name":"/frontdesk/test/secrets-key","WithDecryption":true}`
	if len(asked) != 1 || asked[0] != want {
		t.Errorf("asked %q, want once %s", asked, want)
	}
	if trips := meter.Cost().Trips; trips != 1 {
		t.Errorf("%d trips", trips)
	}

	t.Setenv("SECRETS_KEY_PARAMETER", "/frontdesk/other/secrets-key")
	if _, err := Keys().Seal(t.Context(), "place", "text"); err == nil ||
		!strings.Contains(err.Error(), "ParameterNotFound") {
		t.Errorf("without the parameter: %v", err)
	}
	asked = nil
	t.Setenv("SECRETS_KEY", key)
	if _, err := Keys().Seal(t.Context(), "place", "text"); err != nil || len(asked) != 0 {
		t.Errorf("with the key itself: %v, asked %q", err, asked)
	}
}
