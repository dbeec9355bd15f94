package api

import (
	"net/http"
	"strings"
)

// preflightAge is for how many seconds a browser may remember what a preflight request told it: the longest
// that browsers keep to.
const preflightAge = "7200"

// crossOrigin lets pages of any site read the answer, errors too.
func crossOrigin(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Expose-Headers", "Retry-After, "+ReplayedHeader+", "+RequestIDHeader)
		serve(w, req)
	}
}

// shareAmongOrigins adds a method to those that pages of other sites may use at a pattern. The first one
// makes the pattern answer all the methods that it does not have: OPTIONS as a preflight request, others 405.
func (r *Router) shareAmongOrigins(pattern, method string) {
	if r.shared == nil {
		r.shared = map[string][]string{}
	}
	_, known := r.shared[pattern]
	r.shared[pattern] = append(r.shared[pattern], method)
	if method == http.MethodGet {
		r.shared[pattern] = append(r.shared[pattern], http.MethodHead)
	}
	if known {
		return
	}
	r.mux.HandleFunc(pattern, crossOrigin(func(w http.ResponseWriter, req *http.Request) {
		methods := strings.Join(r.shared[pattern], ", ")
		if req.Method != http.MethodOptions {
			w.Header().Set("Allow", methods+", OPTIONS")
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Access-Control-Allow-Methods", methods)
		w.Header().Set("Access-Control-Allow-Headers", "Content-Type, "+IdempotencyKeyHeader)
		w.Header().Set("Access-Control-Max-Age", preflightAge)
		w.WriteHeader(http.StatusNoContent)
	}))
}
