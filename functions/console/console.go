// Package console serves the dashboard: the page at /app/ with its scripts and styles. `make console` builds
// them from the sources in app. They call only the JSON API of the same origin.
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

// Service serves the dashboard's files. It is safe for concurrent use.
type Service struct{}

// Routes registers the page and its files.
func (s *Service) Routes(r *api.Router) {
	api.HandleFile(r, "GET /app/", func(context.Context, api.None) (api.File, error) {
		file, err := read("index.html")
		file.Header = pageHeader
		return file, err
	})
	api.HandleFile(r, "GET /app/{file}", s.file)
}

// previewName is the page that the dashboard shows in a frame to preview the chat box.
const previewName = "preview.html"

// previewHeader allows only the dashboard to frame the page, and only scripts of this origin to run in it. It
// requires no Trusted Types, which would refuse the address of the chat box's script.
var previewHeader = http.Header{
	"Content-Security-Policy": {"default-src 'none'; script-src 'self'; connect-src 'self'; " +
		"img-src https: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"},
	"Referrer-Policy":              {"no-referrer"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Permissions-Policy":           {"camera=(), microphone=(), geolocation=()"},
}

// pageHeader allows only scripts of this origin, and forbids framing the page.
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

// file serves a script or a style, or the preview page. Names of scripts and styles contain hashes of their
// contents, so browsers may cache them forever.
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

// types maps the extensions of the files that are served to their media types. Other files are not found.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
}

// read returns a file of dist with its precompressed forms, or NotFound.
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

// Names returns the names of the embedded files without their compressed forms. Tests use it.
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
