package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/opt"
	"frontdesk/shared/wire"
)

// A Schema is the subset of JSON Schema 2020-12 that the API's types use. Zero fields are left out.
type Schema struct {
	Ref         string
	Type        string
	Nullable    bool // the type or null
	Format      string
	Pattern     string
	Enum        []string
	MaxLength   int
	MinItems    int
	MaxItems    int
	Minimum     *float64
	Maximum     *float64
	Items       *Schema
	Values      *Schema // of an object's values, whatever their names
	Properties  map[string]*Schema
	Required    []string
	Description string
	Note        string // appended to the description by a rule
	Example     any
}

// MarshalJSON implements json.Marshaler.
func (s *Schema) MarshalJSON() ([]byte, error) {
	if s.Ref != "" && !s.Nullable {
		return wire.Marshal(map[string]any{"$ref": s.Ref})
	}
	m := map[string]any{}
	set := func(key string, value any, is bool) {
		if is {
			m[key] = value
		}
	}
	switch {
	case s.Ref != "":
		m["anyOf"] = []any{map[string]any{"$ref": s.Ref}, map[string]any{"type": "null"}}
	case s.Nullable:
		m["type"] = []string{s.Type, "null"}
	default:
		set("type", s.Type, s.Type != "")
	}
	set("format", s.Format, s.Format != "")
	set("pattern", s.Pattern, s.Pattern != "")
	if len(s.Enum) > 0 {
		values := []any{}
		for _, v := range s.Enum {
			values = append(values, v)
		}
		if s.Nullable {
			values = append(values, nil)
		}
		m["enum"] = values
	}
	set("maxLength", s.MaxLength, s.MaxLength > 0)
	set("minItems", s.MinItems, s.MinItems > 0)
	set("maxItems", s.MaxItems, s.MaxItems > 0)
	set("minimum", s.Minimum, s.Minimum != nil)
	set("maximum", s.Maximum, s.Maximum != nil)
	set("items", s.Items, s.Items != nil)
	set("additionalProperties", s.Values, s.Values != nil)
	set("properties", s.Properties, len(s.Properties) > 0)
	set("required", s.Required, len(s.Required) > 0)
	text := strings.TrimSpace(s.Description + " " + s.Note)
	set("description", text, text != "")
	set("example", s.Example, s.Example != nil)
	return wire.Marshal(m)
}

// A describer collects the components of an OpenAPI document.
type describer struct {
	schemas  map[string]*Schema
	types    map[string]reflect.Type // types by their names in the document
	failures map[string]any          // error responses by name
}

// named returns a reference to the schema of a struct type, and adds the schema if it is new. It panics if
// two types have one name.
func (d *describer) named(t reflect.Type) *Schema {
	name := typeName(t)
	if known, ok := d.types[name]; ok && known != t {
		panic(fmt.Sprintf("api: two types are called %s: %v and %v", name, known, t))
	}
	if _, ok := d.types[name]; !ok {
		d.types[name] = t
		d.schemas[name] = d.object(t, func(f field) bool { return f.in == "json" }, false)
	}
	return &Schema{Ref: "#/components/schemas/" + name, Example: d.schemas[name].Example}
}

// typeName returns a type's name in the document: List[agents.Summary] is SummaryList.
func typeName(t reflect.Type) string {
	name, arg, generic := strings.Cut(t.Name(), "[")
	if generic {
		arg = strings.TrimSuffix(arg, "]")
		name = arg[strings.LastIndex(arg, ".")+1:] + name
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// object returns the schema of a struct. In a request, fields are required by their rules; in a response, all
// fields are required except those with omitempty or omitzero.
func (d *describer) object(t reflect.Type, use func(field) bool, sent bool) *Schema {
	s := &Schema{Type: "object", Properties: map[string]*Schema{}}
	example := map[string]any{}
	for _, f := range fieldsOf(t) {
		if !use(f) {
			continue
		}
		p := d.field(f, sent)
		s.Properties[f.name] = p
		optional := strings.Contains(f.tag.Get("json"), ",omit")
		if sent && hasRule(f.check, "required") || !sent && !optional {
			s.Required = append(s.Required, f.name)
		}
		if p.Example != nil || p.Nullable && !sent {
			example[f.name] = p.Example
		}
	}
	slices.Sort(s.Required)
	if len(example) > 0 {
		s.Example = example
	}
	return s
}

// field returns the schema of one field with its rules, description and example.
func (d *describer) field(f field, sent bool) *Schema {
	s := d.typ(f.typ, sent)
	for name, arg := range tagRules(f.check) {
		target := s
		if s.Type == "array" && name != "items" && name != "required" && name != "null" {
			target = s.Items
		}
		rules[name].schema(target, arg)
	}
	if sent && s.Type == "string" && f.in == "json" && hasRule(f.check, "format") &&
		!hasRule(f.check, "required") && !hasRule(f.check, "filled") {
		// An empty string means that there is no value, and no format allows it.
		s.Format, s.Pattern = "", strings.Replace(s.Pattern, "^", "^$|^", 1)
	}
	s.Description = f.tag.Get("doc")
	if text, ok := f.tag.Lookup("example"); ok {
		s.Example = exampleOf(s, text)
	}
	return s
}

// exampleOf parses an example tag: as JSON unless the field is a string.
func exampleOf(s *Schema, text string) any {
	if s.Type == "string" && text != "null" {
		return text
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		panic(fmt.Sprintf("api: example %q: %v", text, err))
	}
	return v
}

// typ returns the schema of a Go type. It panics on kinds that the API does not use.
func (d *describer) typ(t reflect.Type, sent bool) *Schema {
	if inner, ok := opt.TypeOf(t); ok {
		return d.typ(inner, sent)
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		return &Schema{Type: "string", Format: "date-time", Example: "2026-03-02T09:30:00Z"}
	case t == reflect.TypeFor[json.RawMessage](), t == reflect.TypeFor[Compressed]():
		return &Schema{Type: "object"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		s := d.typ(t.Elem(), sent)
		s.Nullable = true
		return s
	case reflect.String:
		s := &Schema{Type: "string", Enum: enumOf(t)}
		if e, ok := openEnumOf(reflect.Zero(t)); ok {
			s.Pattern = e.Pattern()
		}
		return s
	case reflect.Bool:
		return &Schema{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		return &Schema{Type: "integer"}
	case reflect.Float64:
		return &Schema{Type: "number"}
	case reflect.Slice:
		items := d.typ(t.Elem(), sent)
		s := &Schema{Type: "array", Items: items}
		if items.Example != nil {
			s.Example = []any{items.Example}
		}
		return s
	case reflect.Map:
		return &Schema{Type: "object", Values: d.typ(t.Elem(), sent)}
	case reflect.Struct:
		if sent {
			return d.object(t, func(f field) bool { return f.in == "json" }, true)
		}
		return d.named(t)
	}
	panic(fmt.Sprintf("api: no schema for %v", t))
}

// Document returns the OpenAPI 3.1 document of all endpoints of the routers, as JSON.
func Document(routers ...*Router) ([]byte, error) {
	d := &describer{schemas: map[string]*Schema{}, types: map[string]reflect.Type{},
		failures: map[string]any{}}
	d.schemas["Error"] = errorSchema()
	paths := map[string]map[string]any{}
	tags := map[string]bool{}
	for _, r := range routers {
		for _, route := range r.routes {
			path, ok := strings.CutPrefix(route.path, Prefix)
			if !ok {
				continue
			}
			path = strings.Replace(path, greedySuffix+"}", "}", 1)
			item := paths[path]
			if item == nil {
				item = map[string]any{}
				paths[path] = item
			}
			op, tag := d.operation(route)
			tags[tag] = true
			item[strings.ToLower(route.method)] = op
		}
	}
	var tagList []any
	for _, tag := range slices.Sorted(maps.Keys(tags)) {
		tagList = append(tagList, map[string]any{"name": tag, "description": tagTexts[tag]})
	}
	doc := map[string]any{
		"openapi": "3.1.0",
		"info": map[string]any{
			"title":   "Frontdesk API",
			"version": "1.0.0",
			"description": "Configurable AI assistants that answer the people who write to a business. " +
				"Unknown keys in bodies are ignored, so a document that was just read can be sent back.",
			"license": map[string]any{"name": "Proprietary", "url": "https://example.com/license"},
		},
		"servers":  []any{map[string]any{"url": "/api/v1", "description": "This service"}},
		"security": []any{map[string]any{"apiKey": []string{}}, map[string]any{"session": []string{}}},
		"tags":     tagList,
		"paths":    paths,
		"components": map[string]any{
			"schemas":    d.schemas,
			"responses":  d.failures,
			"parameters": map[string]any{"IdempotencyKey": idempotencyKeyParameter()},
			"securitySchemes": map[string]any{"apiKey": map[string]any{
				"type": "http", "scheme": "bearer",
				"description": "An API key of the workspace. It expires 90 days after its creation. In the " +
					"last 14 of them answers have the header X-API-Key-Expires, which says when.",
			}, "session": map[string]any{
				"type": "apiKey", "in": "cookie", "name": "__Host-frontdesk",
				"description": "The session of a member, from POST /session/, for pages of the same " +
					"origin. On localhost the cookie is called frontdesk.",
			}},
		},
	}
	var text bytes.Buffer
	err := lines(&text, doc, 3)
	return text.Bytes(), err
}

// lines writes JSON with one line for each operation and schema, so that a diff shows what changed. Objects
// are broken into lines down to the given number of levels.
func lines(to *bytes.Buffer, value any, levels int) error {
	text, err := wire.Marshal(value)
	if err != nil {
		return err
	}
	var members map[string]json.RawMessage
	if levels == 0 || json.Unmarshal(text, &members) != nil || len(members) == 0 {
		to.Write(text)
		return nil
	}
	between := "{\n"
	for _, name := range slices.Sorted(maps.Keys(members)) {
		fmt.Fprintf(to, "%s%q: ", between, name)
		if err := lines(to, members[name], levels-1); err != nil {
			return err
		}
		between = ",\n"
	}
	to.WriteString("\n}")
	return nil
}

// idempotencyKeyParameter describes the header that every POST takes.
func idempotencyKeyParameter() map[string]any {
	return map[string]any{
		"name": IdempotencyKeyHeader, "in": "header", "required": false,
		"description": "A text of the caller's own, such as a UUID, that makes it safe to send the request " +
			"again. " +
			"For 24 hours the first answer is given again, with the header " + ReplayedHeader + "; " +
			"another body under the same key is refused. Answers of the statuses 429 and 5xx are not kept. " +
			"Calls of the public widget are told apart by their session_id too, and without one by the " +
			"caller's address; their refusals (4xx) are not kept either.",
		"schema": &Schema{Type: "string", MaxLength: maxIdempotencyKey},
	}
}

// errorSchema describes the body of every error.
func errorSchema() *Schema {
	return &Schema{
		Type: "object",
		Properties: map[string]*Schema{
			"error":  {Type: "string", Description: "A code for programs."},
			"detail": {Type: "string", Description: "The same for people."},
			"field":  {Type: "string", Description: "The field at fault, where there is one."},
			"resets_at": {Type: "string", Format: "date-time",
				Description: "When the period's AI replies begin anew; with ai_quota_exceeded."},
		},
		Required: []string{"detail", "error"},
	}
}

// operation describes one endpoint and returns the tag that it belongs to.
func (d *describer) operation(r *route) (map[string]any, string) {
	tag := tagOf(strings.TrimPrefix(r.path, Prefix))
	op := map[string]any{
		"operationId": operationID(r),
		"summary":     r.doc.Summary,
		"tags":        []string{tag},
	}
	if r.doc.Description != "" {
		op["description"] = r.doc.Description
	}
	codes := slices.Clone(r.doc.Errors)
	codes = append(codes, fault.RateLimited) // of public endpoints too, since the gateway has its own limit
	if r.doc.Public {
		op["security"] = []any{}
	} else {
		codes = append(codes, fault.AuthenticationRequired, fault.InvalidAPIKey, fault.APIKeyExpired,
			fault.Forbidden)
	}
	var params []any
	if r.method == http.MethodPost && !r.raw() {
		// The body is compared with that of the first sending, whether or not the endpoint reads it.
		codes = append(codes, fault.ValidationError, fault.PayloadTooLarge)
		params = append(params, map[string]any{"$ref": "#/components/parameters/IdempotencyKey"})
	}
	body := false
	for _, f := range fieldsOf(r.in) {
		if f.in == "json" {
			body = true
			continue
		}
		param, code := d.parameter(f)
		params, codes = append(params, param), append(codes, code)
	}
	if params != nil {
		op["parameters"] = params
	}
	if body {
		codes = append(codes, fault.BadRequest, fault.ValidationError, fault.PayloadTooLarge)
		s := d.object(r.in, func(f field) bool { return f.in == "json" }, true)
		op["requestBody"] = map[string]any{"required": len(s.Required) > 0, "content": content(s)}
	}
	if len(r.doc.Accepts) > 0 {
		codes = append(codes, fault.BadRequest, fault.PayloadTooLarge)
		op["requestBody"] = map[string]any{"required": true, "content": rawContent(r.doc.Accepts)}
	}
	op["responses"] = d.responses(r, codes)
	return op, tag
}

// parameter describes a field of the path or the query, and the error for values that are not allowed.
func (d *describer) parameter(f field) (map[string]any, fault.Code) {
	s := d.field(f, true)
	if f.in == "path" {
		if s.Type == "integer" {
			one, most := 1.0, float64(id.Max)
			s.Minimum, s.Maximum = &one, &most
		}
		return parameter(f, s, true), fault.NotFoundCode
	}
	if s.Type == "integer" && s.Maximum == nil {
		least, most := -float64(id.Max), float64(id.Max)
		s.Minimum, s.Maximum = &least, &most
	}
	if f.name == "page" {
		s = &Schema{Type: "integer", Minimum: new(float64), Example: 1, Description: s.Description}
		*s.Minimum = 1
	}
	code := fault.ValidationError
	if hasRule(f.check, "place") {
		code = fault.NotFoundCode
	}
	return parameter(f, s, hasRule(f.check, "required")), code
}

func parameter(f field, s *Schema, required bool) map[string]any {
	p := map[string]any{"name": f.name, "in": f.in, "required": required}
	if f.in == "query" && !required {
		p["allowEmptyValue"] = true // an empty parameter counts as missing
	}
	if text := strings.TrimSpace(s.Description + " " + s.Note); text != "" {
		p["description"] = text
	}
	if s.Example != nil {
		p["example"] = s.Example
	}
	s.Description, s.Note, s.Example = "", "", nil
	p["schema"] = s
	return p
}

// content describes a JSON body, with its example beside the schema.
func content(s *Schema) map[string]any {
	media := map[string]any{"schema": s}
	if s.Example != nil {
		media["example"] = s.Example
		if s.Ref == "" {
			s.Example = nil
		}
	}
	return map[string]any{"application/json": media}
}

// responses describes an endpoint's responses: each success status, and one for each error status.
func (d *describer) responses(r *route, codes []fault.Code) map[string]any {
	responses := map[string]any{}
	statuses := []int{r.doc.Status}
	if s, ok := reflect.Zero(r.out).Interface().(Statuser); ok {
		statuses = append(statuses, s.HTTPStatuses()...)
	}
	for _, status := range statuses {
		success := map[string]any{"description": http.StatusText(status)}
		switch r.out {
		case reflect.TypeFor[None]():
		case reflect.TypeFor[RawAnswer]():
			success["content"] = rawContent(r.doc.Answers)
		case reflect.TypeFor[Download]():
			success["content"] = rawContent([]string{octets, anyType})
		default:
			success["content"] = content(d.typ(r.out, false))
		}
		responses[strconv.Itoa(status)] = success
	}
	byStatus := map[int][]string{}
	for _, code := range codes {
		byStatus[statusOf(code)] = append(byStatus[statusOf(code)], string(code))
	}
	for status, names := range byStatus {
		slices.Sort(names)
		responses[strconv.Itoa(status)] = map[string]any{"$ref": "#/components/responses/" +
			d.failure(status, slices.Compact(names))}
	}
	return responses
}

// failure adds the response of a status with the given codes to the components and returns its name.
func (d *describer) failure(status int, codes []string) string {
	name := strings.Join(codes, ".")
	d.failures[name] = map[string]any{
		"description": http.StatusText(status) + ": " + strings.Join(codes, ", "),
		"content": map[string]any{"application/json": map[string]any{
			"schema": map[string]any{"allOf": []any{
				&Schema{Ref: "#/components/schemas/Error"},
				map[string]any{"type": "object",
					"properties": map[string]any{"error": map[string]any{"enum": codes}}},
			}},
			"example": map[string]any{"error": codes[0], "detail": http.StatusText(status) + "."},
		}},
	}
	return name
}

// operationID returns the operation's id. Without one in the Doc it is derived from the method and the nouns
// of the path below the agent: PATCH /agents/{agent_id}/funnels/{funnel_id}/steps/{id}/ is updateFunnelStep.
func operationID(r *route) string {
	if r.doc.ID != "" {
		return r.doc.ID
	}
	verb := map[string]string{
		http.MethodGet: "get", http.MethodPost: "create", http.MethodPatch: "update",
		http.MethodDelete: "delete",
	}[r.method]
	list := strings.HasPrefix(r.out.Name(), "List[")
	if list {
		verb = "list"
	}
	var nouns []string
	for part := range strings.SplitSeq(strings.Trim(strings.TrimPrefix(r.path, Prefix), "/"), "/") {
		if !strings.HasPrefix(part, "{") {
			nouns = append(nouns, part)
		}
	}
	if len(nouns) > 1 && nouns[0] == "agents" {
		nouns = nouns[1:]
	}
	name := verb
	for i, noun := range nouns {
		if !list || i < len(nouns)-1 {
			noun = strings.TrimSuffix(noun, "s")
		}
		for word := range strings.SplitSeq(noun, "-") {
			name += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return name
}

// tagOf returns the tag of an endpoint: the first fixed part of the path that is a tag, or the next one
// where that is agents. It panics if there is none.
func tagOf(path string) string {
	tag := ""
	for part := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if _, ok := tagTexts[part]; ok && (tag == "" || tag == "agents") {
			tag = part
		}
	}
	if tag == "" {
		panic("api: no tag for " + path)
	}
	return tag
}

// tagTexts are the descriptions of the tags.
var tagTexts = map[string]string{
	"me":             "The caller's workspace, plan and limits.",
	"session":        "Signing in to the dashboard and out.",
	"sessions":       "The browsers in which members are signed in.",
	"passkeys":       "What members sign in with in place of a link.",
	"members":        "The people who work in the workspace.",
	"api-keys":       "The keys that programs call the API with.",
	"audit":          "Who did what.",
	"agents":         "The assistants.",
	"widget":         "The chat box on the business's website.",
	"changes":        "What changed since a moment.",
	"chat":           "Talking to an agent.",
	"conversations":  "What people and agents say to each other.",
	"messages":       "What is sent to contacts over WhatsApp, and every message that was said.",
	"contacts":       "The people who write to agents.",
	"appointments":   "What contacts arrange with the business.",
	"analytics":      "What agents did in a period.",
	"knowledge":      "What the business taught an agent.",
	"websites":       "The websites that an agent learns from.",
	"channels":       "Where else people write to an agent.",
	"inbound":        "What the platforms of channels call.",
	"ecommerce":      "The online shop that an agent helps with.",
	"products":       "What the business sells.",
	"funnels":        "Series of steps that an agent leads contacts through.",
	"quick-answers":  "Texts that people insert by their shortcuts.",
	"procedures":     "How an agent handles concerns of one kind.",
	"guidance":       "Rules of conduct for an agent.",
	"actions":        "What the service does by itself when something happens.",
	"roles":          "The parts that an agent plays.",
	"webhooks":       "Addresses that an agent's events are sent to.",
	"journey-stages": "The stages of a contact's way.",
	"openapi.json":   "This document.",
}
