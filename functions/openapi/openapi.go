// Package openapi serves the description of the API, and answers what no other function is there for.
package openapi

import (
	"context"
	_ "embed"
	"encoding/json"

	"frontdesk/shared/api"
)

// document is written from the routes and types of all groups: run `make openapi`.
//
//go:embed openapi.json
var document []byte

// Document is the description of the API, as JSON. It must not be changed.
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

func (s *Service) read(context.Context, api.None) (json.RawMessage, error) { return document, nil }
