package product

import (
	"fmt"
	"net/http"
	"path"
	"strings"

	"frontdesk/infra/template"
)

// Front is what API Gateway is on AWS: it brings a request to the function whose path in the template it
// matches, with and without a slash at the end. Like there, a path that no function has answers 404 when the
// template has a catch-all above it.
func Front[H http.Handler](t template.Template, endpoints map[string]H) (http.Handler, error) {
	mux := http.NewServeMux()
	served := map[string]bool{}
	var catchAll http.Handler
	for _, f := range t.Functions {
		for _, p := range f.Paths {
			handler, ok := endpoints[f.Group]
			if !ok {
				return nil, fmt.Errorf("%s: no function is in functions/%s", f.Name, f.Group)
			}
			served[f.Group] = true
			if before, greedy := strings.CutSuffix(p, "{proxy+}"); greedy {
				mux.Handle(before+"{proxy...}", handler)
				catchAll = handler
				continue
			}
			if before, greedy := strings.CutSuffix(p, "+}"); greedy {
				mux.Handle(before+"...}", handler)
				continue
			}
			mux.Handle(p, handler)
			mux.Handle(p+"/{$}", handler)
		}
	}
	for group := range endpoints {
		if !served[group] {
			return nil, fmt.Errorf("functions/%s has no path in the template", group)
		}
	}
	if catchAll == nil {
		return nil, fmt.Errorf("the template has no catch-all path")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		handler, pattern := mux.Handler(req)
		// The mux would redirect to a tidier path. API Gateway does not, so what is untidy is unknown.
		asked := req.URL.EscapedPath()
		if clean := path.Clean(asked); pattern == "" || clean != asked && clean+"/" != asked {
			handler = catchAll
		}
		handler.ServeHTTP(w, req)
	}), nil
}
