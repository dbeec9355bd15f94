package api

import (
	"cmp"
	"net/http"
	"net/url"
	"path"
	"reflect"
	"slices"
	"strings"

	"frontdesk/shared/fault"
)

// A route is one endpoint: a method and a path. The path begins with Prefix, except that of a file, which has
// no types either.
type route struct {
	method, path string
	doc          Doc
	in, out      reflect.Type
	serve        http.HandlerFunc

	parts []part
	names []string // names of the wildcards in their order
}

// A part is the text between two slashes of a path. The part after a trailing slash is empty.
type part struct {
	kind partKind
	text string // of a literal
}

// partKind is the kind of a part, most specific first. Of two routes that match a path, the one wins whose
// first different part is more specific.
type partKind int

const (
	literal  partKind = iota
	wildcard          // any text except the empty one
	greedy            // matches slashes too; only the trailing slash follows it
)

// greedySuffix ends the name of a greedy wildcard.
const greedySuffix = "..."

// split parses the path into parts and names.
func (r *route) split() {
	for text := range strings.SplitSeq(r.path, "/") {
		name, open := strings.CutPrefix(text, "{")
		if !open {
			r.parts = append(r.parts, part{literal, text})
			continue
		}
		kind := wildcard
		name, isGreedy := strings.CutSuffix(strings.TrimSuffix(name, "}"), greedySuffix)
		if isGreedy {
			kind = greedy
		}
		r.parts, r.names = append(r.parts, part{kind: kind}), append(r.names, name)
	}
}

// matches reports whether the route matches a path, which is split at its slashes and then unescaped.
func (r *route) matches(asked []string) bool {
	for i, part := range r.parts {
		if i == len(asked) {
			return false
		}
		switch part.kind {
		case literal:
			if asked[i] != part.text {
				return false
			}
		case wildcard:
			if asked[i] == "" {
				return false
			}
		case greedy:
			return asked[i] != "" && len(asked) > i+1 && asked[len(asked)-1] == ""
		}
	}
	return len(asked) == len(r.parts)
}

// setValues sets the request's path values from the route's wildcards.
func (r *route) setValues(req *http.Request, asked []string) {
	names := r.names
	for i, part := range r.parts {
		if part.kind == literal {
			continue
		}
		value := asked[i]
		if part.kind == greedy {
			value = strings.Join(asked[i:len(asked)-1], "/")
		}
		req.SetPathValue(names[0], value)
		names = names[1:]
	}
}

// add adds a route with the wrappers that its Doc asks for. It panics where the Router has the route already.
//
// The Router matches paths itself, since [http.ServeMux] redirects, answers errors in plain text and takes a
// path with other methods for an id. Registering many patterns with it also took a tenth of a cold start.
func (r *Router) add(added route) {
	added.split()
	for _, known := range r.routes {
		if known.method == added.method && slices.Equal(known.parts, added.parts) {
			panic("api: " + added.method + " " + added.path + " is served already")
		}
	}
	// Wrappers run in the reverse order of this list: a request is authenticated before its body is read, and
	// its body is limited before it is stored for an Idempotency-Key.
	if added.method == http.MethodPost && !added.raw() {
		added.serve = r.once(added.serve, added.doc)
	}
	if !added.raw() {
		added.serve = limited(added.serve, cmp.Or(added.doc.MaxBody, MaxBody))
	}
	if !added.doc.Public {
		added.serve = r.authenticated(added.serve, added.doc)
	}
	if added.doc.CrossOrigin {
		added.serve = crossOrigin(added.serve)
	}
	r.routes = append(r.routes, &added)
}

// limited bounds the request's body to so many bytes.
func limited(serve http.HandlerFunc, most int64) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		req.Body = http.MaxBytesReader(w, req.Body, most)
		serve(w, req)
	}
}

// match returns the routes of all methods for the most specific path that matches.
func (r *Router) match(asked []string) []*route {
	var best []*route
	for _, route := range r.routes {
		if !route.matches(asked) {
			continue
		}
		order := 0
		if best != nil {
			order = slices.CompareFunc(route.parts, best[0].parts,
				func(a, b part) int { return int(a.kind) - int(b.kind) })
		}
		if order < 0 {
			best = nil
		}
		if order <= 0 {
			best = append(best, route)
		}
	}
	return best
}

// route serves a request. It answers 404 for a path without routes, and 405 with an empty body and Allow for
// a method that the path does not have.
func (r *Router) route(w http.ResponseWriter, req *http.Request) {
	escaped := req.URL.EscapedPath()
	// Paths with "." or "//" are not found. They are not redirected, as a redirect would turn a POST into a
	// GET.
	if clean := path.Clean(escaped); clean != escaped && clean+"/" != escaped {
		r.fail(w, req, fault.NotFound())
		return
	}
	// Parts are unescaped one by one, so that an escaped slash does not divide a part.
	asked := strings.Split(escaped, "/")
	for i, text := range asked {
		if plain, err := url.PathUnescape(text); err == nil {
			asked[i] = plain
		}
	}
	routes := r.match(asked)
	if len(routes) == 0 {
		r.fail(w, req, fault.NotFound())
		return
	}
	method := req.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for _, route := range routes {
		if route.method == method {
			req.Pattern = route.method + " " + route.path
			route.setValues(req, asked)
			route.serve(w, req)
			return
		}
	}
	refuseMethod(w, req, routes)
}

// refuseMethod answers 405, or a CORS preflight where pages of other sites may use the path.
func refuseMethod(w http.ResponseWriter, req *http.Request, routes []*route) {
	var methods []string
	shared := false
	for _, route := range routes {
		methods = append(methods, route.method)
		if route.method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
		shared = shared || route.doc.CrossOrigin
	}
	slices.Sort(methods)
	allowed := strings.Join(methods, ", ")
	if !shared {
		w.Header().Set("Allow", allowed)
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	crossOrigin(func(w http.ResponseWriter, req *http.Request) { preflight(w, req, allowed) })(w, req)
}
