// Package openapi serves the description of the API, and answers what no other function is there for.
package openapi

import (
	"context"
	_ "embed"

	"frontdesk/shared/api"
)

// document is openapi.json, compressed: both are written from the routes and types of all groups by
// `make openapi`.
//
//go:embed openapi.json.gz
var document []byte

// Document is the description of the API, as JSON that is compressed by gzip. It must not be changed.
func Document() []byte { return document }

// Service answers the requests.
type Service struct{}

// Routes adds the endpoints to a router. Any other path gets the router's own 404.
func (s *Service) Routes(r *api.Router) {
	api.Handle(r, "GET /openapi.json", api.Doc{
		ID:      "getOpenAPI",
		Summary: "Read this document",
		Public:  true,
	}, s.read)
}

func (s *Service) read(context.Context, api.None) (api.Compressed, error) { return document, nil }
