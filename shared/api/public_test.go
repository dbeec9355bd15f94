package api_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/api"
	"frontdesk/shared/fault"
)

// servePublic has endpoints that pages of other sites may call, one that they may not, and a file.
func servePublic() *api.Router {
	r := &api.Router{Auth: open{}, Log: slog.New(slog.DiscardHandler)}
	nothing := func(context.Context, api.None) (api.None, error) { return api.None{}, nil }
	shared := api.Doc{Public: true, CrossOrigin: true}
	api.Handle(r, "GET /shared/", shared, nothing)
	api.Handle(r, "POST /shared/", shared, func(context.Context, api.None) (api.None,
		error) {
		panic("broken")
	})
	api.Handle(r, "GET /limited/", shared, func(context.Context, api.None) (api.None, error) {
		e := fault.New(fault.RateLimited, "Wait.")
		e.RetryAfter = 1500 * time.Millisecond
		return api.None{}, e
	})
	api.Handle(r, "GET /own/", api.Doc{Public: true}, nothing)
	api.HandleFile(r, "GET /files/{name}", func(_ context.Context, in struct {
		Name string `path:"name"`
	}) (api.File, error) {
		if in.Name != "a.js" {
			return api.File{}, fault.NotFound()
		}
		return api.File{Type: "text/javascript; charset=utf-8", Body: []byte("alert()"), MaxAge: time.Minute},
			nil
	})
	return r
}

func TestCrossOrigin(t *testing.T) {
	r := servePublic()
	type result struct {
		Status                                  int
		Origin, Methods, Headers, Allow, Expose string
		RetryAfter                              string
	}
	const expose = "Retry-After, Idempotent-Replayed, X-Request-Id"
	for _, test := range []struct {
		method, path string
		want         result
	}{
		{"GET", "/shared/", result{200, "*", "", "", "", expose, ""}},
		{"POST", "/shared/", result{500, "*", "", "", "", expose, ""}},
		{"GET", "/limited/", result{429, "*", "", "", "", expose, "2"}},
		{"OPTIONS", "/shared/", result{204, "*", "GET, HEAD, POST", "Content-Type, Idempotency-Key", "",
			expose, ""}},
		{"DELETE", "/shared/", result{405, "*", "", "", "GET, HEAD, POST, OPTIONS", expose, ""}},
		{"GET", "/own/", result{200, "", "", "", "", "", ""}},
		{"OPTIONS", "/own/", result{405, "", "", "", "GET, HEAD", "", ""}},
		{"OPTIONS", "/shared", result{404, "", "", "", "", "", ""}},
	} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(test.method, api.Prefix+test.path, nil))
		h := w.Header()
		got := result{
			w.Code, h.Get("Access-Control-Allow-Origin"), h.Get("Access-Control-Allow-Methods"),
			h.Get("Access-Control-Allow-Headers"),
			h.Get("Allow"), h.Get("Access-Control-Expose-Headers"), h.Get("Retry-After"),
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s %s: %s", test.method, test.path, diff)
		}
		if (w.Code == 204 || w.Code == 405) && w.Body.Len() > 0 {
			t.Errorf("%s %s: body %q", test.method, test.path, w.Body)
		}
	}
}

func TestFile(t *testing.T) {
	r := servePublic()
	get := func(method, path, etag string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		req := httptest.NewRequest(method, path, nil)
		req.Header.Set("If-None-Match", etag)
		r.ServeHTTP(w, req)
		return w
	}
	w := get("GET", "/files/a.js", "")
	h := w.Header()
	if w.Code != 200 || w.Body.String() != "alert()" ||
		h.Get("Content-Type") != "text/javascript; charset=utf-8" ||
		h.Get("Cache-Control") != "public, max-age=60, must-revalidate" ||
		h.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%d %q %v", w.Code, w.Body, h)
	}
	if w := get("GET", "/files/a.js", h.Get("ETag")); w.Code != 304 || w.Body.Len() > 0 {
		t.Errorf("with its ETag: %d %q", w.Code, w.Body)
	}
	for path, want := range map[string]int{"/files/b.js": 404, "/files/a.js/": 404, "/files/": 404,
		api.Prefix + "/files/a.js": 404} {
		if w := get("GET", path, ""); w.Code != want || !strings.Contains(w.Body.String(), "not_found") {
			t.Errorf("%s: %d %q", path, w.Code, w.Body)
		}
	}
	if w := get("POST", "/files/a.js", ""); w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d, Allow %q", w.Code, w.Header().Get("Allow"))
	}
	if diff := cmp.Diff([]string{"/api/v1/shared/", "/api/v1/limited/", "/api/v1/own/", "/files/{name}"},
		r.Paths()); diff != "" {
		t.Errorf("paths: %s", diff)
	}
}
