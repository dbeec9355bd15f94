package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// An operation is one method of one path, as the API's description has it.
type operation struct {
	method, path string // such as GET /agents/{agent_id}/
	public       bool
	parameters   []parameter
	body         *schema        // nil where it takes none
	example      map[string]any // of the body
	answers      map[int]answer
	// raw tells that body or answer is not JSON. Tests of their own call such operations.
	raw bool
}

func (o *operation) String() string { return o.method + " " + o.path }

// A parameter is one of the path or of the query.
type parameter struct {
	Ref      string `json:"$ref"`
	Name, In string
	Required bool
	Schema   schema
}

// query is a parameter of the query, nil where there is none of that name.
func (o *operation) query(name string) *parameter {
	for _, p := range o.parameters {
		if p.In == "query" && p.Name == name {
			return &p
		}
	}
	return nil
}

// once tells whether a request may carry an Idempotency-Key.
func (o *operation) once() bool { return o.method == http.MethodPost }

// An answer is what an operation may answer with one status.
type answer struct {
	codes  []string // of errors
	schema *jsonschema.Schema
}

// A schema is what of a JSON Schema the tests go by.
type schema struct {
	Type                types
	Enum                []string
	Format, Pattern     string
	MaxLength, MaxItems *int
	Minimum, Maximum    *float64
	Items               *schema
	Properties          map[string]*schema
	Required            []string
	Example             any
}

// types are the JSON types of a schema, one or several.
type types []string

func (t *types) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*t = types{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(t))
}

func (t types) has(name string) bool { return slices.Contains(t, name) }

// A description is what the API says of itself.
type description struct {
	operations []*operation // by path, then method; those that are not raw
	raw        []*operation
	paths      []pattern
}

// A pattern matches the requests to one path.
type pattern struct {
	path    string
	matches *regexp.Regexp
	methods []string
}

const descriptionFile = "../../functions/openapi/openapi.json"

// readDescription reads the API's description. A test holds it to what the service serves.
func readDescription() (*description, error) {
	text, err := os.ReadFile(descriptionFile)
	if err != nil {
		return nil, err
	}
	type operationText struct {
		Security   []any
		Parameters []parameter
		Body       *struct {
			Content map[string]struct {
				Schema  *schema
				Example map[string]any
			}
		} `json:"requestBody"`
		Responses map[string]struct {
			Ref     string `json:"$ref"`
			Content map[string]any
		}
	}
	type failure struct {
		Content map[string]struct {
			Schema struct {
				AllOf []schema
			}
		}
	}
	var doc struct {
		Paths      map[string]map[string]operationText
		Components struct {
			Responses map[string]failure
		}
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		return nil, err
	}
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	const address = "https://frontdesk.example/openapi.json"
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(address, whole); err != nil {
		return nil, err
	}
	var d description
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		expression := "^" + regexp.MustCompile(`\\\{[a-z_]+\\\}`).ReplaceAllString(regexp.QuoteMeta(path),
			"[^/]+") + "$"
		p := pattern{path: path, matches: regexp.MustCompile(expression)}
		for _, method := range slices.Sorted(maps.Keys(doc.Paths[path])) {
			from := doc.Paths[path][method]
			p.methods = append(p.methods, strings.ToUpper(method))
			o := &operation{method: strings.ToUpper(method), path: path, public: from.Security != nil &&
				len(from.Security) == 0, answers: map[int]answer{}}
			for _, q := range from.Parameters {
				if q.Ref == "" {
					o.parameters = append(o.parameters, q)
				}
			}
			if from.Body != nil {
				content := from.Body.Content["application/json"]
				o.body, o.example = content.Schema, content.Example
			}
			for status, response := range from.Responses {
				n, err := strconv.Atoi(status)
				if err != nil {
					return nil, err
				}
				var a answer
				at := "#/paths/" + pointer(path) + "/" + method + "/responses/" + status
				if response.Ref != "" {
					at = response.Ref
					for _, part := range doc.Components.Responses[strings.TrimPrefix(at,
						"#/components/responses/")].Content["application/json"].Schema.AllOf {
						if code := part.Properties["error"]; code != nil {
							a.codes = code.Enum
						}
					}
					if a.codes == nil {
						return nil, fmt.Errorf("%v: the answer %s has no error codes", o, at)
					}
				}
				if _, isJSON := response.Content["application/json"]; response.Content != nil && !isJSON {
					o.raw = true
				} else if response.Ref != "" || response.Content != nil {
					if a.schema, err = compiler.Compile(address + at +
						"/content/application~1json/schema"); err != nil {
						return nil, err
					}
				}
				o.answers[n] = a
			}
			if o.raw {
				d.raw = append(d.raw, o)
			} else {
				d.operations = append(d.operations, o)
			}
		}
		d.paths = append(d.paths, p)
	}
	return &d, nil
}

// pointer escapes a name for a JSON pointer in an address.
func pointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(name)
}

// find returns the path that a request goes to, and the operation if the path has the method. Of paths that
// fit, the one with the fewest names fits best.
func (d *description) find(method, path string) (*pattern, *operation) {
	var best *pattern
	for i, p := range d.paths {
		if p.matches.MatchString(path) && (best == nil ||
			strings.Count(p.path, "{") < strings.Count(best.path, "{")) {
			best = &d.paths[i]
		}
	}
	if best == nil {
		return nil, nil
	}
	for _, o := range slices.Concat(d.operations, d.raw) {
		if o.path == best.path && o.method == method {
			return best, o
		}
	}
	return best, nil
}
