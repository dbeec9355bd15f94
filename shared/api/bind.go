package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/opt"
)

// A field is one field of an In, or of an object in a body.
type field struct {
	index []int
	in    string // "path", "query" or "json"
	name  string
	check string
	tag   reflect.StructTag
	typ   reflect.Type
}

// fieldsOf returns a struct's fields, those of embedded structs in their place. Fields without one of the
// tags are left out. The result is cached and must not be changed.
func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldCache.Load(t); ok {
		return known.([]field)
	}
	var fields []field
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue
		}
		for _, in := range []string{"path", "query", "json"} {
			name, ok := f.Tag.Lookup(in)
			if name, _, _ = strings.Cut(name, ","); ok && name != "-" && name != "" {
				fields = append(fields, field{f.Index, in, name, f.Tag.Get("check"), f.Tag, f.Type})
			}
		}
	}
	fieldCache.Store(t, fields)
	return fields
}

// fieldCache has the results of fieldsOf by reflect.Type.
var fieldCache sync.Map

// bind fills an In from a request. The body is read only if the In has a json field.
func bind(req *http.Request, dst reflect.Value) error {
	fields := fieldsOf(dst.Type())
	var query url.Values
	var body map[string]any
	for _, f := range fields {
		switch f.in {
		case "query":
			if query == nil {
				query = req.URL.Query()
			}
		case "json":
			if body != nil {
				continue
			}
			var err error
			if body, err = readBody(req); err != nil {
				return err
			}
		}
	}
	// Fields are checked in the struct's order, so the first wrong field of a request is always the same.
	for _, f := range fields {
		var err error
		switch f.in {
		case "path":
			err = bindPath(dst.FieldByIndex(f.index), req.PathValue(f.name))
		case "query":
			err = bindQuery(dst.FieldByIndex(f.index), f, query)
		case "json":
			value, sent := body[f.name]
			err = bindJSON(dst.FieldByIndex(f.index), f.name, f.check, value, sent)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readBody reads a JSON object. A missing body is an empty object, so that the error names the missing field.
func readBody(req *http.Request) (map[string]any, error) {
	text, err := readAll(req)
	if err != nil {
		return nil, err
	}
	body := map[string]any{}
	if len(bytes.TrimSpace(text)) == 0 {
		return body, nil
	}
	if !utf8.Valid(text) {
		return nil, fault.New(fault.BadRequest, "The body is not valid JSON: it is not UTF-8.")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, fault.New(fault.BadRequest, "The body is not valid JSON: %v.", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fault.New(fault.BadRequest, "The body is not valid JSON: something follows the object.")
	}
	body, ok := value.(map[string]any)
	if !ok {
		return nil, fault.New(fault.BadRequest, "The body must be a JSON object, not %s.", kindOf(value))
	}
	return body, nil
}

// readAll reads the body up to the endpoint's limit.
func readAll(req *http.Request) ([]byte, error) {
	text, err := io.ReadAll(req.Body)
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, fault.New(fault.PayloadTooLarge, "The body is over the limit of %d bytes.",
			tooLarge.Limit)
	}
	if err != nil {
		return nil, fault.New(fault.BadRequest, "The body could not be read.")
	}
	return text, nil
}

// bindPath fills a field from the path. A text that is not spelled like an id is not found.
func bindPath(dst reflect.Value, text string) error {
	if dst.Kind() == reflect.String {
		dst.SetString(text)
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	// "+1" and "01" are numbers, but no id is spelled so.
	if err != nil || n < 1 || n > id.Max || strconv.FormatInt(n, 10) != text {
		return fault.NotFound()
	}
	dst.SetInt(n)
	return nil
}

// bindQuery fills a field from the query. An empty parameter counts as missing.
func bindQuery(dst reflect.Value, f field, query url.Values) error {
	text := query.Get(f.name)
	if text == "" {
		if hasRule(f.check, "required") {
			return fault.Invalid(f.name, "The parameter %s is required.", f.name)
		}
		return nil
	}
	if field, ok := dst.Addr().Interface().(opt.Field); ok {
		dst = field.Open(false)
	}
	switch dst.Kind() {
	case reflect.String:
		if !utf8.ValidString(text) && hasRule(f.check, "place") {
			return fault.NotFound()
		}
		if !utf8.ValidString(text) {
			return fault.Invalid(f.name, "The parameter %s is not UTF-8.", f.name)
		}
		dst.SetString(text)
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n > id.Max || n < -id.Max {
			return fault.Invalid(f.name, "The parameter %s must be an integer.", f.name)
		}
		dst.SetInt(n)
	case reflect.Bool:
		if text != "true" && text != "false" {
			return fault.Invalid(f.name, "The parameter %s must be true or false.", f.name)
		}
		dst.SetBool(text == "true")
	default:
		panic("api: no parameter can be a " + dst.Kind().String())
	}
	if problem := check(dst, f.check); problem != "" {
		return fault.Invalid(f.name, "The parameter %s %s.", f.name, problem)
	}
	return nil
}

// bindJSON fills a field from a value of the body. name is the field's path from the root of the body.
func bindJSON(dst reflect.Value, name, rules string, value any, sent bool) error {
	if !sent {
		if hasRule(rules, "required") {
			return fault.Invalid(name, "The field %s is required.", name)
		}
		return nil
	}
	// An opt field records whether it was sent, and whether it was null if null is allowed.
	nullable := hasRule(rules, "null")
	if field, ok := dst.Addr().Interface().(opt.Field); ok {
		dst = field.Open(value == nil && nullable)
	}
	if value == nil && nullable {
		return nil
	}
	if err := assign(dst, name, value); err != nil {
		return err
	}
	if problem := check(dst, rules); problem != "" {
		return fault.Invalid(name, "The field %s %s.", name, problem)
	}
	return nil
}

// assign stores a JSON value in dst and applies the rules of the fields inside it.
func assign(dst reflect.Value, name string, value any) error {
	wrong := func(want string) error {
		return fault.New(fault.BadRequest, "The field %s must be %s, not %s.", name, want, kindOf(value))
	}
	switch value := value.(type) {
	case string:
		if dst.Kind() != reflect.String {
			break
		}
		dst.SetString(value)
		return nil
	case bool:
		if dst.Kind() != reflect.Bool {
			break
		}
		dst.SetBool(value)
		return nil
	case json.Number:
		return assignNumber(dst, name, value)
	case []any:
		if dst.Kind() != reflect.Slice {
			break
		}
		list := reflect.MakeSlice(dst.Type(), len(value), len(value))
		for i, v := range value {
			at := name + "." + strconv.Itoa(i)
			if err := assign(list.Index(i), at, v); err != nil {
				return ofList(err, name, list.Index(i).Kind())
			}
			if values := enumOf(list.Index(i).Type()); values != nil &&
				!oneOf(list.Index(i).String(), values) {
				return fault.Invalid(name, "The field %s must be one of: %s.", at, strings.Join(values, ", "))
			}
		}
		dst.Set(list)
		return nil
	case map[string]any:
		if dst.Kind() != reflect.Struct {
			break
		}
		for _, f := range fieldsOf(dst.Type()) {
			v, sent := value[f.name]
			if err := bindJSON(dst.FieldByIndex(f.index), name+"."+f.name, f.check, v, sent); err != nil {
				return err
			}
		}
		return nil
	}
	return wrong(kindWanted(dst.Type()))
}

// ofList makes the list the field of an error about one of its entries. Entries that are objects keep the
// names of their own fields.
func ofList(err error, name string, entry reflect.Kind) error {
	var f *fault.Error
	if entry != reflect.Struct && errors.As(err, &f) && f.Field != "" {
		f.Field = name
	}
	return err
}

// assignNumber stores a number in an integer or floating-point field. 5.0 and 5e0 count as integers, as in
// JSON Schema.
func assignNumber(dst reflect.Value, name string, value json.Number) error {
	switch dst.Kind() {
	case reflect.Int, reflect.Int64:
		n, err := value.Int64()
		if err != nil {
			f, err := value.Float64()
			if err == nil && f != math.Trunc(f) {
				return fault.New(fault.BadRequest, "The field %s must be an integer, not a fraction.", name)
			}
			n = int64(f)
			if err != nil || math.Abs(f) > id.Max {
				return fault.Invalid(name, "The field %s is out of range.", name)
			}
		}
		dst.SetInt(n)
		return nil
	case reflect.Float64:
		f, err := value.Float64()
		if err != nil {
			return fault.Invalid(name, "The field %s is out of range.", name)
		}
		dst.SetFloat(f)
		return nil
	}
	return fault.New(fault.BadRequest, "The field %s must be %s, not a number.", name, kindWanted(dst.Type()))
}

// kindOf returns the JSON type of a value for an error message.
func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case json.Number:
		return "a number"
	case []any:
		return "an array"
	}
	return "an object"
}

// kindWanted returns the JSON type that a Go type takes for an error message.
func kindWanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "an integer"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "an array"
	}
	return "an object"
}
