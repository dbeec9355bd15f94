// Package console serves the dashboard: the page at /app/, and its scripts and styles beside it.
// `make console` makes them from the sources in app; they call the JSON API of the same origin and
// nothing else.
package console

import (
	"context"
	"embed"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"frontdesk/shared/api"
	"frontdesk/shared/fault"
)

//go:embed dist
var dist embed.FS

// Service answers the requests.
type Service struct{}

// Routes adds the page and its files to a router.
func (s *Service) Routes(r *api.Router) {
	api.HandleFile(r, "GET /app/", func(context.Context, api.None) (api.File, error) {
		file, err := read("index.html")
		file.Header = pageHeader
		return file, err
	})
	api.HandleFile(r, "GET /app/{file}", s.file)
}

// previewName is the page in which the dashboard frames the real chat box.
const previewName = "preview.html"

// previewHeader lets the dashboard alone frame the page, and lets only scripts of this origin run in it.
// Trusted types are left out, since they would refuse the address of the chat box's script.
var previewHeader = http.Header{
	"Content-Security-Policy": {"default-src 'none'; script-src 'self'; connect-src 'self'; " +
		"img-src https: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"},
	"Referrer-Policy":              {"no-referrer"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Permissions-Policy":           {"camera=(), microphone=(), geolocation=()"},
}

// pageHeader keeps scripts of others off the page, and the page out of others' frames.
var pageHeader = http.Header{
	"Content-Security-Policy": {"default-src 'none'; script-src 'self'; style-src 'self'; " +
		"connect-src 'self'; img-src 'self' https: data:; frame-src 'self'; base-uri 'none'; " +
		"form-action 'self'; frame-ancestors 'none'; " +
		"require-trusted-types-for 'script'; trusted-types 'none'"},
	"Referrer-Policy":              {"no-referrer"},
	"X-Frame-Options":              {"DENY"},
	"Cross-Origin-Opener-Policy":   {"same-origin"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Permissions-Policy":           {"camera=(), microphone=(), geolocation=()"},
}

type fileIn struct {
	File string `path:"file"`
}

// file serves a script or a style, whose names have hashes of their contents in them, or the preview.
func (s *Service) file(_ context.Context, in fileIn) (api.File, error) {
	if in.File == previewName {
		file, err := read(previewName)
		file.Header = previewHeader
		return file, err
	}
	if !fs.ValidPath(in.File) || types[path.Ext(in.File)] == "" || in.File == "index.html" {
		return api.File{}, fault.NotFound()
	}
	file, err := read(in.File)
	file.Immutable = true
	file.Header = http.Header{"Cross-Origin-Resource-Policy": {"same-origin"}}
	return file, err
}

// types are the media types of what is served, by the end of the name.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
}

// read reads a file of dist with its compressed forms. Not found where there is none.
func read(name string) (api.File, error) {
	body, err := dist.ReadFile("dist/" + name)
	if err != nil {
		return api.File{}, fault.NotFound()
	}
	file := api.File{Type: types[path.Ext(name)], Body: body, Encoded: map[string][]byte{}}
	for encoding, end := range map[string]string{"br": ".br", "gzip": ".gz"} {
		if encoded, err := dist.ReadFile("dist/" + name + end); err == nil {
			file.Encoded[encoding] = encoded
		}
	}
	return file, nil
}

// Names are the files that the page is made of, without their compressed forms, for tests.
func Names() ([]string, error) {
	entries, err := dist.ReadDir("dist")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".br") && !strings.HasSuffix(e.Name(), ".gz") {
			names = append(names, e.Name())
		}
	}
	return names, nil
}
