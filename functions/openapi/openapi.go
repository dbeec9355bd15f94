// Package openapi serves the OpenAPI document of the API, and 404 for every path that no other function has.
package openapi

import (
	"context"
	_ "embed"

	"frontdesk/shared/api"
)

// document is openapi.json compressed with gzip. `make openapi` generates both from the routes and types of
// all functions.
//
//go:embed openapi.json.gz
var document []byte

// Document returns the OpenAPI document as JSON compressed with gzip. The caller must not change it.
func Document() []byte { return document }

// Service serves the OpenAPI document.
type Service struct{}

// Routes registers the endpoint. Other paths get the router's own 404.
func (s *Service) Routes(r *api.Router) {
	api.Handle(r, "GET /openapi.json", api.Doc{
		ID:      "getOpenAPI",
		Summary: "Read this document",
		Public:  true,
	}, s.read)
}

func (s *Service) read(context.Context, api.None) (api.Compressed, error) { return document, nil }
