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

// A route is one endpoint: a method and a path. The path begins with Prefix, except that of a file, which is
// served beside the API and has no types.
type route struct {
	method, path string
	doc          Doc
	in, out      reflect.Type
	serve        http.HandlerFunc

	parts []part
	names []string // of the wildcards, in their order
}

// A part is what stands between two slashes of a path. The part after a slash at the end is empty.
type part struct {
	kind partKind
	text string // of a literal
}

// The kinds of parts, the most specific one first: of two paths that match a request, the one serves it whose
// first part of another kind is the more specific.
type partKind int

const (
	literal  partKind = iota
	wildcard          // any text but the empty one
	greedy            // a wildcard that takes slashes too; what follows it is the slash that ends the path
)

// greedySuffix ends the name of a greedy wildcard.
const greedySuffix = "..."

// split fills the parts and the names of the wildcards from the path.
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

// matches reports whether the path of a request, unescaped between its slashes, is the route's.
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

// setValues gives a request the values of the route's wildcards.
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

// add adds a route, behind what its Doc asks for. It panics where the Router has the route already.
//
// The Router matches paths itself since [http.ServeMux] redirects to paths that it likes better, answers in
// plain text and takes a path that has other methods for an id. Registering patterns with it also took a
// tenth of the cold start of a function with many of them.
func (r *Router) add(added route) {
	added.split()
	for _, known := range r.routes {
		if known.method == added.method && slices.Equal(known.parts, added.parts) {
			panic("api: " + added.method + " " + added.path + " is served already")
		}
	}
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

// limited has the reading of a body end at so many bytes.
func limited(serve http.HandlerFunc, most int64) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		req.Body = http.MaxBytesReader(w, req.Body, most)
		serve(w, req)
	}
}

// match returns the routes, of whatever method, whose path serves a request: the most specific one that
// matches.
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

// route serves the endpoint that a request asks for, or says why there is none: 404 for a path that nothing
// serves, and 405 with an empty body and Allow for a method that the path lacks.
func (r *Router) route(w http.ResponseWriter, req *http.Request) {
	escaped := req.URL.EscapedPath()
	if clean := path.Clean(escaped); clean != escaped && clean+"/" != escaped {
		r.fail(w, req, fault.NotFound())
		return
	}
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

// refuseMethod answers a request by a method that the routes of a path lack. Where pages of other sites may
// use the path, it answers their browsers' preflight requests.
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
