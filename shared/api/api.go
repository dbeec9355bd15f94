// Package api turns plain Go functions into the endpoints of the REST API.
//
//	api.Handle(r, "POST /agents/{agent_id}/knowledge/", api.Doc{Summary: "Add a document", Status: 201},
//		h.create)
//
// Here create is func(ctx context.Context, in CreateIn) (Document, error). This package does the same for all
// endpoints: decoding, validation, authentication, encoding, errors, limits and logs. The OpenAPI document is
// made of the same types and tags (see [Document]).
//
// A type In is a struct. Tags say where each field comes from: `path:"agent_id"`, `query:"status"`, or
// `json:"name"` for the body. Fields of embedded structs count as fields of the struct. The tag `check` has
// the field's rules (see check.go); `doc` and `example` describe it in the OpenAPI document.
package api

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/logline"
	"frontdesk/shared/release"
	"frontdesk/shared/table"
	"frontdesk/shared/wire"
)

// Prefix begins the path of every endpoint. It contains the version.
const Prefix = "/api/v1"

// MaxBody is the size limit of a request's body in bytes, unless the endpoint's Doc has another.
const MaxBody = 1 << 20

// An Authenticator finds out who makes a request.
type Authenticator interface {
	// Authenticate identifies the caller of an endpoint, or returns an error if the call is not allowed.
	// The context that it returns is the handler's. The headers are added to the response, also when there is
	// an error.
	Authenticate(call auth.Call) (context.Context, http.Header, error)
	// Account returns the id of the workspace that a context returned by Authenticate belongs to.
	Account(ctx context.Context) int64
}

// A Router serves the endpoints that were added by Handle, HandleFile and HandleRaw. Its fields are set and
// its endpoints added before the first request; then it is safe for concurrent use.
type Router struct {
	// Auth is asked before every endpoint that is not public.
	Auth Authenticator
	// Log gets one line for each request.
	Log *slog.Logger
	// Front describes how a request arrived. nil means that clients call the service directly, or through a
	// proxy that keeps Host and sets X-Forwarded-Proto.
	Front func(*http.Request) Front
	// PublicURL is the address at which outsiders reach the service, such as that of a proxy or a tunnel,
	// without a slash at the end. "" means the address that a request was sent to.
	PublicURL string
	// Answers stores the answers to requests with an Idempotency-Key. nil ignores that header.
	Answers *Answers

	routes []*route
}

// A Front describes how a request arrived.
type Front struct {
	// Base is the address of the service as the caller sees it, without Prefix and without a slash at the
	// end.
	Base string
	// RequestID identifies the request in logs.
	RequestID string
	// Address is the caller's IP address.
	Address string
	// Edge is the base URL of a cache before the service, from which pages load the chat box; "" for none.
	Edge string
}

// direct is the Front of a service that has nothing in front of it, except perhaps a proxy that terminates
// TLS.
func direct(req *http.Request) Front {
	scheme := "http"
	if req.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	address, _, _ := net.SplitHostPort(req.RemoteAddr)
	return Front{Base: scheme + "://" + req.Host, RequestID: rand.Text(), Address: address}
}

// A Doc describes an endpoint beyond what its types say.
type Doc struct {
	ID          string       // operation id; "" derives it from the route (see operationID)
	Summary     string       // one line
	Description string       // Markdown; may be empty
	Status      int          // of a successful answer; 0 means 200
	Errors      []fault.Code // besides those that every endpoint of its kind has
	Public      bool         // needs no API key or session
	Admin       bool         // not for members with the role agent
	Unaudited   bool         // writes no entry of the audit log
	CrossOrigin bool         // pages of any site may call it
	// MaxAge is how long caches may reuse a successful answer; 0 forbids it. Only public answers that depend
	// on nothing but the URL may have one. Errors are never cached.
	MaxAge time.Duration
	// Sealed encrypts an answer that is stored for an Idempotency-Key, since it contains a secret.
	Sealed bool
	// MaxBody is the size limit of a request's body in bytes; 0 means the package's MaxBody. API Gateway
	// passes about 4.5 MB to Lambda at most.
	MaxBody int64
	// Accepts and Answers are the content types of a raw endpoint's request, none if it has no body, and of
	// its response.
	Accepts, Answers []string
}

// None is the In of an endpoint that takes nothing, and the Out of one whose answer has no body.
type None struct{}

// Handle adds an endpoint. The pattern is a method and a path without Prefix, as in "GET
// /agents/{agent_id}/". The last part of the path may be {name...}, which matches slashes too, since some
// gateways decode %2F before they route. Handle panics on a pattern that the Router already has.
func Handle[In, Out any](r *Router, pattern string, doc Doc, fn func(context.Context, In) (Out, error)) {
	method, path, _ := strings.Cut(pattern, " ")
	if doc.Status == 0 {
		doc.Status = http.StatusOK
	}
	serve := func(w http.ResponseWriter, req *http.Request) {
		var in In
		if err := bind(req, reflect.ValueOf(&in).Elem()); err != nil {
			r.fail(w, req, err)
			return
		}
		out, err := fn(req.Context(), in)
		if err != nil {
			r.fail(w, req, err)
			return
		}
		if doc.MaxAge > 0 {
			w.Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d, s-maxage=%d",
				int(doc.MaxAge.Seconds()), int(min(doc.MaxAge, sharedAge).Seconds())))
			if doc.CrossOrigin {
				w.Header().Add("Vary", "Origin") // some sites may be refused
			}
		}
		r.answer(w, req, doc.Status, out)
	}
	r.add(route{method: method, path: Prefix + path, doc: doc, in: reflect.TypeFor[In](),
		out: reflect.TypeFor[Out](), serve: serve})
}

// authenticated wraps an endpoint so that the Authenticator identifies the caller first. The headers that it
// returns, such as rate limits, are part of refusals too.
func (r *Router) authenticated(serve http.HandlerFunc, doc Doc) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		ctx, header, err := r.Auth.Authenticate(auth.Call{
			Request: req, Base: SiteURL(req.Context()), Address: CallerAddress(req.Context()),
			Path: strings.TrimPrefix(req.URL.Path, Prefix), Action: doc.Summary, Admin: doc.Admin,
			Unaudited: doc.Unaudited,
		})
		for name, values := range header {
			w.Header()[name] = values
		}
		if err != nil {
			r.fail(w, req, err)
			return
		}
		serve(w, req.WithContext(ctx))
	}
}

// Paths returns the distinct paths that the Router serves. Those of endpoints begin with Prefix.
func (r *Router) Paths() []string {
	var paths []string
	for _, route := range r.routes {
		if !slices.Contains(paths, route.path) {
			paths = append(paths, route.path)
		}
	}
	return paths
}

// Public returns the endpoints that need no key, as "GET /api/v1/openapi.json".
func (r *Router) Public() []string {
	var public []string
	for _, route := range r.routes {
		if route.doc.Public {
			public = append(public, route.method+" "+route.path)
		}
	}
	return public
}

// A request is the state of one request while it is served.
type request struct {
	Front
	public string        // as in Router
	url    string        // path and query, without the base address
	served *http.Request // as it arrived
	header http.Header   // of the response
}

type requestKey struct{}

func requestOf(ctx context.Context) *request {
	if rec, ok := ctx.Value(requestKey{}).(*request); ok {
		return rec
	}
	return new(request)
}

// BaseURL returns the address that the API's paths are relative to, as the caller of this request sees it. It
// ends in a slash.
func BaseURL(ctx context.Context) string { return requestOf(ctx).Base + Prefix + "/" }

// sharedAge is for how long a cache that many share, such as one at the edge, may keep a success.
const sharedAge = time.Minute

// EdgeURL returns as SiteURL does the address of a cache before the service, from which pages load the chat
// box; "" if there is none.
func EdgeURL(ctx context.Context) string { return requestOf(ctx).Edge }

// SiteURL returns BaseURL without Prefix and without a slash at the end. The chat box's script is served
// there.
func SiteURL(ctx context.Context) string { return requestOf(ctx).Base }

// PublicURL returns the address at which outsiders reach the service: platforms, visitors of websites and
// invited members. It has no Prefix and no slash at the end. It is SiteURL unless the Router has a PublicURL.
func PublicURL(ctx context.Context) string {
	of := requestOf(ctx)
	return cmp.Or(of.public, of.Base)
}

// PublicBaseURL returns PublicURL with Prefix and a slash at the end.
func PublicBaseURL(ctx context.Context) string { return PublicURL(ctx) + Prefix + "/" }

// CallerAddress returns the IP address that the request came from, or "" if it is not known.
func CallerAddress(ctx context.Context) string { return requestOf(ctx).Address }

// RequestOf returns the request that ctx belongs to, or nil outside of one. It is for what cannot be a field
// of an In, such as cookies.
func RequestOf(ctx context.Context) *http.Request { return requestOf(ctx).served }

// AddHeader adds a header to the response of the request that ctx belongs to. An answer that is replayed for
// an Idempotency-Key does not have it.
func AddHeader(ctx context.Context, name, value string) {
	if header := requestOf(ctx).header; header != nil {
		header.Add(name, value)
	}
}

// RequestIDHeader is the response header with the request's id, for people who report a fault.
const RequestIDHeader = "X-Request-Id"

// ServeHTTP routes and serves a request. An unknown path answers 404 in the API's form, an unknown method 405
// with an empty body and Allow. It never redirects.
func (r *Router) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	start := time.Now()
	front := direct
	if r.Front != nil {
		front = r.Front
	}
	rec := &request{Front: front(req), public: r.PublicURL, url: req.URL.RequestURI(), header: w.Header()}
	ctx, line := logline.With(context.WithValue(req.Context(), requestKey{}, rec))
	ctx, meter := table.WithMeter(ctx)
	req = req.WithContext(ctx)
	rec.served = req
	out := &recorder{ResponseWriter: w}
	out.Header().Set(RequestIDHeader, rec.RequestID)
	out.Header().Set("Cache-Control", "no-store")
	out.Header().Set("X-Content-Type-Options", "nosniff")
	defer func() {
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler {
				panic(p)
			}
			r.fail(out, req, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}
		cost := meter.Cost()
		attrs := append([]slog.Attr{
			slog.String("request_id", rec.RequestID),
			slog.String("route", req.Pattern),
			slog.String("method", req.Method),
			slog.Int("status", out.status),
			slog.Float64("duration_ms", float64(time.Since(start).Microseconds())/1000),
			slog.Int("round_trips", cost.Trips),
			slog.Float64("read_units", cost.ReadUnits),
			slog.Float64("write_units", cost.WriteUnits),
			slog.String("frontdesk_version", release.Version),
		}, line.Attrs()...)
		r.Log.LogAttrs(ctx, slog.LevelInfo, "request", attrs...)
	}()
	r.route(out, req)
}

// A Statuser is an Out with its own status. HTTPStatuses returns all possible ones, for the OpenAPI
// document.
type Statuser interface {
	HTTPStatus() int
	HTTPStatuses() []int
}

// Upserted is embedded in the Out of an endpoint that creates something or changes what exists. It is a
// Statuser: 201 if Created was called with true, otherwise 200.
type Upserted struct{ created bool }

// Created returns the Upserted for something that is new, or was there before.
func Created(isNew bool) Upserted { return Upserted{isNew} }

// HTTPStatus implements Statuser.
func (u Upserted) HTTPStatus() int {
	if u.created {
		return http.StatusCreated
	}
	return http.StatusOK
}

// HTTPStatuses implements Statuser.
func (Upserted) HTTPStatuses() []int { return []int{http.StatusOK, http.StatusCreated} }

// answer writes a successful response.
func (r *Router) answer(w http.ResponseWriter, req *http.Request, status int, out any) {
	if s, ok := out.(Statuser); ok {
		status = s.HTTPStatus()
	}
	if _, none := out.(None); none {
		w.WriteHeader(status)
		return
	}
	if raw, ok := out.(json.RawMessage); ok {
		write(w, status, raw)
		return
	}
	if compressed, ok := out.(Compressed); ok {
		if err := compressed.serve(w, req, status); err != nil {
			r.fail(w, req, err)
		}
		return
	}
	if file, ok := out.(Download); ok {
		file.write(w)
		return
	}
	body, err := wire.Marshal(out)
	if err != nil {
		r.fail(w, req, err)
		return
	}
	write(w, status, body)
}

// fail writes an error. An error that is not a [fault.Error] is logged in full and answered without its text.
func (r *Router) fail(w http.ResponseWriter, req *http.Request, err error) {
	if errors.Is(err, errReplayed) {
		return // execute sends the answer
	}
	if rec, ok := w.(*recorder); ok && rec.status != 0 {
		r.Log.LogAttrs(req.Context(), slog.LevelError, "failed after the answer began",
			slog.String("error", err.Error()))
		return
	}
	e, status := faultOf(err)
	if e.Err != nil {
		r.Log.LogAttrs(req.Context(), slog.LevelError, "request failed",
			slog.String("request_id", requestOf(req.Context()).RequestID), slog.String("error", err.Error()))
	}
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(e.RetryAfter.Seconds()))))
	}
	if status == http.StatusUnauthorized && w.Header().Get("WWW-Authenticate") == "" {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	body, err := wire.Marshal(errorBody(e))
	if err != nil {
		panic(err) // an Error's Extra holds plain values only
	}
	write(w, status, body)
}

// faultOf returns the fault to show for an error, and its status.
func faultOf(err error) (*fault.Error, int) {
	var e *fault.Error
	switch {
	case errors.As(err, &e):
	case errors.Is(err, table.ErrBusy):
		e = &fault.Error{Code: fault.Unavailable, Detail: "The service is busy. Try again in a moment.",
			RetryAfter: time.Second, Err: err}
	case errors.Is(err, table.ErrUnavailable):
		e = &fault.Error{Code: fault.ServerError,
			Detail:     "The service cannot store anything now. Try again later.",
			RetryAfter: storeRetry, Err: err}
		return e, http.StatusServiceUnavailable // statusOf gives 502, which is for faults of other services
	default:
		e = &fault.Error{Code: fault.InternalError, Detail: "An internal error occurred.", Err: err}
	}
	return e, statusOf(e.Code)
}

// storeRetry is the Retry-After while the store cannot be written: an operator has to act first.
const storeRetry = time.Minute

func write(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body) // an error means that the caller has gone
}

// A recorder is a ResponseWriter that remembers the status.
type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	return r.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the underlying writer.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
