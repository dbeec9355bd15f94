// A client in Go, as somebody makes it who uses the API: the package client is generated from the description by
// `make test-clients`. It is a module of its own, so that the product's stays small.
module frontdesk/infra/clients/go

go 1.26.0

require github.com/oapi-codegen/runtime v1.8.0

require (
	github.com/apapsch/go-jsonmerge/v2 v2.0.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
)
