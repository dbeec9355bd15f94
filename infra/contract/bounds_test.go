package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"frontdesk/shared/api/apitest"
)

// TestMalformedBodies sends what is no JSON object, and what is too large, to each operation with a body.
func TestMalformedBodies(t *testing.T) {
	t.Parallel()
	s := Open(t)
	w := s.fixture(t)
	w.makeAll(t)
	for _, o := range answers.description.operations {
		limit := 1 << 20
		switch o.path {
		case "/agents/{agent_id}/knowledge/upload/":
			limit = 4<<20 + 16<<10
		case "/widget/{embed_key}/files/":
			limit = 4<<20 + 64<<10
		}
		large := `{"name": "` + strings.Repeat("a", limit) + `"}`
		if o.once() {
			c := w.Client.Client
			c.Header = http.Header{"Idempotency-Key": {"1"}}
			wantError(t, o, c.Call(t, o.method, w.path(t, o.path), large), 413, "payload_too_large", "")
			c.Header = http.Header{"Idempotency-Key": {strings.Repeat("k", 256)}}
			wantError(t, o, c.Call(t, o.method, w.path(t, o.path), nil), 400, "validation_error",
				"Idempotency-Key")
		}
		if o.body == nil {
			continue
		}
		for _, text := range []string{`{`, `[]`, `"text"`, `5`, `null`, `{} {}`, `{"a": 1,}`,
			"{\"name\": \"\xff\"}", "{\"name\": \"\\x\"}"} {
			wantError(t, fmt.Sprintf("%v %q", o, text), w.Call(t, o.method, w.path(t, o.path), text), 400,
				"bad_request", "")
		}
		if !o.once() {
			wantError(t, o, w.Call(t, o.method, w.path(t, o.path), large), 413, "payload_too_large", "")
		}
	}
}

// A trial is a value for one field of a body.
type trial struct {
	name  string // the field as an error names it
	what  string
	value any
	code  string // of the error; "" where the value is allowed
}

// absent is the value of a field that is left out.
type absent struct{}

// trials derives from a schema what its fields must refuse and what they must take, at any depth. It calls
// try with the whole body for each.
func trials(s *schema, sample any, name string, set func(any) any, try func(trial, any)) {
	put := func(what string, value any, code string) { try(trial{name, what, value, code}, set(value)) }
	for kind, value := range map[string]any{"string": "x", "number": 5, "boolean": true, "array": []any{},
		"object": map[string]any{}, "null": nil} {
		if !s.Type.has(kind) && !(kind == "number" && s.Type.has("integer")) && len(s.Type) > 0 {
			put("a value of the type "+kind, value, "bad_request")
		}
	}
	if s.Type.has("integer") {
		put("a fraction", 1.5, "bad_request")
		put("a number too large for JSON", json.Number("1e400"), "validation_error")
	}
	if s.Enum != nil {
		put("a value that is not listed", "nonsense", "validation_error")
		for _, value := range []string{s.Enum[0], s.Enum[len(s.Enum)-1]} {
			put("the value "+value, value, "")
		}
	}
	if s.Minimum != nil {
		put("the least", number(plain(*s.Minimum)), "")
		put("less than the least", number(plain(*s.Minimum-1)), "validation_error")
	}
	if s.Maximum != nil {
		put("the most", number(plain(*s.Maximum)), "")
		if *s.Maximum < 1<<53-1 {
			put("more than the most", number(plain(*s.Maximum+1)), "validation_error")
		}
	}
	if s.MaxLength != nil {
		put("a text too long", strings.Repeat("é", *s.MaxLength+1), "validation_error")
		if s.Format == "" && (s.Pattern == "" || s.Pattern == `\S`) {
			put("the longest text", strings.Repeat("é", *s.MaxLength), "")
		}
	}
	if s.Pattern == `\S` {
		put("white space", " \n\t", "validation_error")
	} else if s.Type.has("string") && s.Pattern != "" {
		put("a text of another form", "\x01 not this\x7f", "validation_error")
	}
	if s.Type.has("string") && s.MaxLength == nil && s.Format == "" && s.Pattern == "" && s.Enum == nil {
		put("a long text", strings.Repeat("é ", 20_000), "")
	}
	if s.Items != nil {
		trialsOfItems(s, sample, name, set, put, try)
	}
	trialsOfFields(s, sample, name, set, try)
}

func trialsOfItems(s *schema, sample any, name string, set func(any) any, put func(string, any, string),
	try func(trial, any)) {
	item := s.Items.Example
	if list, _ := sample.([]any); len(list) > 0 {
		item = list[0]
	}
	if s.MaxItems != nil && item != nil {
		put("the most entries", distinct(item, *s.MaxItems), "")
		put("too many entries", distinct(item, *s.MaxItems+1), "validation_error")
	}
	if s.Items.Properties != nil {
		trials(s.Items, item, name+".0", func(v any) any { return set([]any{v}) }, try)
		return
	}
	trials(s.Items, item, name, func(v any) any { return set([]any{v}) }, func(tr trial, body any) {
		if tr.code == "bad_request" {
			tr.name += ".0"
		}
		try(tr, body)
	})
}

func trialsOfFields(s *schema, sample any, name string, set func(any) any, try func(trial, any)) {
	fields, _ := sample.(map[string]any)
	for _, field := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[field]
		at := strings.TrimPrefix(name+"."+field, ".")
		with := func(v any) any {
			all, _ := clone(any(fields)).(map[string]any)
			if all == nil {
				all = map[string]any{}
			}
			all[field] = v
			if _, gone := v.(absent); gone {
				delete(all, field)
			}
			return set(all)
		}
		if slices.Contains(s.Required, field) {
			try(trial{at, "nothing", absent{}, "validation_error"}, with(absent{}))
		}
		if p.Type.has("null") {
			try(trial{at, "null", nil, ""}, with(nil))
		}
		value, ok := fields[field]
		if !ok {
			value = p.Example
		}
		trials(p, value, at, with, try)
	}
}

// distinct is a list of n values like one.
func distinct(value any, n int) []any {
	list := make([]any, n)
	for i := range list {
		switch v := clone(value).(type) {
		case string:
			list[i] = v + strconv.Itoa(i)
		default:
			list[i] = v
		}
	}
	return list
}

// plain writes a number without an exponent.
func plain(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// narrower are the fields that take less than their schemas say, by what no schema can say.
var narrower = map[string]string{
	"POST /agents/ timezone":                                "the name of a time zone",
	"PATCH /agents/{agent_id}/ timezone":                    "the name of a time zone",
	"POST /agents/{agent_id}/channels/ config.access_token": "required for some types of channels",
	"POST /agents/{agent_id}/channels/ config.phone_number_id": "required for some types of channels, " +
		"which ask for digits",
	"POST /agents/{agent_id}/knowledge/ content":            "required for some types of documents",
	"PATCH /agents/{agent_id}/ecommerce/ storefront.domain": "a host name",
	"PATCH /appointments/{id}/ status": "an appointment that was cancelled or " +
		"completed stays so",
	"POST /agents/{agent_id}/messages/ text":      "required for a text",
	"POST /members/ role":                         "only an owner makes one, and a key is none",
	"PATCH /members/{id}/ role":                   "the same",
	"POST /session/ token":                        "a token that was made",
	"POST /passkeys/ name":                        "a member adds one, and a key is none",
	"POST /passkeys/ credential_id":               "the same",
	"POST /passkeys/ client_data":                 "the same",
	"POST /passkeys/ attestation_object":          "the same",
	"POST /session/passkey/ credential_id":        "what a device signed",
	"POST /session/passkey/ client_data":          "the same",
	"POST /session/passkey/ authenticator_data":   "the same",
	"POST /session/passkey/ signature":            "the same",
	"POST /session/passkey/ user_handle":          "the same",
	"POST /widget/{embed_key}/visitor/ signature": "that of the other fields",
	"POST /contacts/{id}/tags/ tags":              "a contact has at most 100 in all",
}

// TestBounds tries each field of each body at the edges that the description gives it.
func TestBounds(t *testing.T) {
	s := Open(t)
	for _, o := range answers.description.operations {
		if o.body == nil {
			continue
		}
		t.Run(o.String(), func(t *testing.T) {
			t.Parallel()
			w := s.fixture(t)
			if o.sends() {
				w.connect(t)
			}
			sample := w.body(t, o)
			trials(o.body, any(sample), "", func(v any) any { return v }, func(tr trial, fields any) {
				if tr.name == "" {
					return // the whole body, of which TestMalformedBodies tells
				}
				a := w.Call(t, o.method, w.path(t, o.path)+w.query(t, o), fields)
				if o.sends() && s.graph == nil && a.Status == 502 {
					return // it was taken, and WhatsApp is not to be reached
				}
				if problem := tr.problem(a); problem != "" &&
					(tr.code != "" || narrower[o.String()+" "+tr.name] == "") {
					t.Errorf("%s = %s: %d %.200s, want %s", tr.name, tr.what, a.Status, a.Body, problem)
				}
			})
		})
	}
}

// problem says what an answer should have been; "" where it is right. A value that is allowed may be refused
// for what another field is, but not for itself.
func (tr trial) problem(a apitest.Answer) string {
	switch {
	case tr.code == "" && (a.Status < 300 || a.Status == 404 || a.Status == 400 &&
		a.Text("error") == "validation_error" && a.Text("field") != tr.name):
		return ""
	case tr.code == "":
		return "it to be taken"
	case tr.code == "bad_request" && a.Status == 400 && a.Text("error") == tr.code &&
		strings.Contains(a.Text("detail"), tr.name):
		return ""
	case tr.code == "validation_error" && a.Status == 400 && a.Text("error") == tr.code &&
		a.Text("field") == tr.name:
		return ""
	}
	return "400 " + tr.code
}

// TestQueries tries each parameter of each query at its edges.
func TestQueries(t *testing.T) {
	s := Open(t)
	w := s.fixture(t)
	w.makeAll(t)
	for _, o := range answers.description.operations {
		for _, p := range o.parameters {
			if p.In != "query" || p.Name == "page" || p.Name == "cursor" || p.Name == "after" &&
				o.path == "/changes/" {
				continue
			}
			path := w.path(t, o.path)
			refused := []string{"%ff"}
			// These take any text, and a gateway may have decoded it to some.
			if p.Name == "q" || p.Name == "language" {
				refused = nil
			}
			if p.Required {
				refused = append(refused, "")
			}
			var taken []string
			switch {
			case p.Schema.Type.has("integer"):
				refused = append(refused, "x", "1.5", "9007199254740992", "99999999999999999999")
			case p.Schema.Enum != nil:
				refused, taken = append(refused, "nonsense"), p.Schema.Enum
			case p.Schema.Format != "" || p.Schema.Pattern != "":
				refused = append(refused, "nonsense", "2026-13-01T00:00:00Z")
			}
			if knownIDs[p.Name] != "" {
				taken = append(taken, w.name(t, knownIDs[p.Name]))
			} else if p.Schema.Minimum != nil {
				refused, taken = append(refused, plain(*p.Schema.Minimum-1)),
					append(taken, plain(*p.Schema.Minimum))
			}
			if knownIDs[p.Name] == "" && p.Schema.Maximum != nil {
				refused, taken = append(refused, plain(*p.Schema.Maximum+1)),
					append(taken, plain(*p.Schema.Maximum))
			}
			for _, value := range refused {
				query := "?" + p.Name + "=" + value
				wantError(t, o.String()+query,
					w.Call(t, o.method, path+query+and(w.query(t, o), p.Name), nil), 400, "validation_error",
					p.Name)
			}
			for _, value := range taken {
				query := "?" + p.Name + "=" + value + and(w.query(t, o), p.Name)
				if a := w.Call(t, o.method, path+query, nil); a.Status != 200 {
					t.Errorf("%v%s: %d %s", o, query, a.Status, a.Body)
				}
			}
		}
	}
}

// and makes a query go on another one, unless it is of the parameter named.
func and(query, name string) string {
	if strings.HasPrefix(query, "?"+name+"=") {
		return ""
	}
	return strings.Replace(query, "?", "&", 1)
}
