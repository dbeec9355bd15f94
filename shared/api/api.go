// Package api is the HTTP kit of the REST API: it turns plain Go functions into endpoints.
//
//	api.Handle(r, "POST /agents/{agent_id}/knowledge/", api.Doc{Summary: "Add a document", Status: 201}, h.create)
//
// where create is func(ctx context.Context, in CreateIn) (Document, error). Decoding, validation,
// authentication, encoding, errors, limits and logs happen here, once and the same for all. The same types
// and tags give the OpenAPI document (see [Document]).
//
// A type In is a struct. Its fields say by tags where they come from: `path:"agent_id"`, `query:"status"` or
// `json:"name"` for the body; embedded structs count as their fields. The tag `check` holds the field's rules
// (see check.go), `doc` and `example` describe it for readers.
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

// Prefix begins the path of every endpoint; it carries the version.
const Prefix = "/api/v1"

// MaxBody is how many bytes a request's body may have, unless the endpoint's Doc says otherwise.
const MaxBody = 1 << 20

// An Authenticator says who makes a request.
type Authenticator interface {
	// Authenticate says who makes a request to an endpoint, and refuses who may not. It returns the context
	// for the handler, from which the handler learns who the caller is, and headers for the answer, also
	// beside an error.
	Authenticate(call auth.Call) (context.Context, http.Header, error)
	// Account returns the id of the workspace that the context of Authenticate belongs to.
	Account(ctx context.Context) int64
}

// A Router serves the endpoints that were given to Handle. The zero value with its fields set is ready.
type Router struct {
	// Auth is asked before every endpoint that is not public.
	Auth Authenticator
	// Log gets one line for every request.
	Log *slog.Logger
	// Front says how a request came in. Nil is for a service that clients call by itself or through a proxy
	// that keeps the Host and sets X-Forwarded-Proto.
	Front func(*http.Request) Front
	// PublicURL is the address by which the outside reaches the service, such as a proxy's or a tunnel's,
	// without a slash at its end; where it is "", the one that a request came to.
	PublicURL string
	// Answers keeps the answers to requests with an Idempotency-Key. Without it the header has no meaning.
	Answers *Answers

	routes []*route
}

// A Front is how a request came in.
type Front struct {
	// Base is the address of the service as the caller sees it, without Prefix and without a slash at the
	// end.
	Base string
	// RequestID names the request in logs.
	RequestID string
	// Address is the caller's IP address.
	Address string
}

// direct is the Front of a service without anything in front of it, but perhaps a proxy that speaks TLS for
// it.
func direct(req *http.Request) Front {
	scheme := "http"
	if req.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	address, _, _ := net.SplitHostPort(req.RemoteAddr)
	return Front{Base: scheme + "://" + req.Host, RequestID: rand.Text(), Address: address}
}

// A Doc is what the OpenAPI document says of an endpoint beyond its types.
type Doc struct {
	ID          string       // names the operation; "" where operationID makes it of the route
	Summary     string       // one line
	Description string       // more, in Markdown; may be empty
	Status      int          // of the answer when all is well; 0 is 200
	Errors      []fault.Code // beyond those that every endpoint of its kind has
	Public      bool         // needs no API key
	Admin       bool         // not for members of the role agent
	Unaudited   bool         // what is changed says itself who changed it, or does not matter to an audit
	CrossOrigin bool         // may be called by the pages of any site
	// MaxAge is for how long anybody may keep a success and use it without asking again; 0 is not at all. It
	// is for public answers that depend on nothing but the address. Errors are never kept.
	MaxAge time.Duration
	// the answer holds a secret, and is encrypted where it is kept for an Idempotency-Key
	Sealed bool
	// MaxBody is how many bytes a request's body may have; 0 is the usual. API Gateway hands some 4.5 MB to
	// Lambda.
	MaxBody int64
	// of a raw endpoint: the content types of its body, none where it takes none, and of its answer
	Accepts, Answers []string
}

// None is the In of an endpoint that takes nothing, and the Out of one that answers without a body.
type None struct{}

// Handle adds an endpoint. The pattern is a method and a path without Prefix, as in "GET
// /agents/{agent_id}/". The last part of the path may be {name...}, which takes slashes too: some gateways
// decode them before they find the endpoint. It panics on a pattern that the Router has already or that does
// not parse.
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
			w.Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d", int(doc.MaxAge.Seconds())))
		}
		r.answer(w, req, doc.Status, out)
	}
	r.add(route{method: method, path: Prefix + path, doc: doc, in: reflect.TypeFor[In](),
		out: reflect.TypeFor[Out](), serve: serve})
}

// authenticated has the Authenticator say who calls before the request is served.
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

// Paths lists the paths of what the Router serves, Prefix included where they have it, each once.
func (r *Router) Paths() []string {
	var paths []string
	for _, route := range r.routes {
		if !slices.Contains(paths, route.path) {
			paths = append(paths, route.path)
		}
	}
	return paths
}

// Public lists what anybody may call without a key, as "GET /api/v1/openapi.json": method and path, Prefix
// included where it has it.
func (r *Router) Public() []string {
	var public []string
	for _, route := range r.routes {
		if route.doc.Public {
			public = append(public, route.method+" "+route.path)
		}
	}
	return public
}

// A request is what is kept of one request while it is served.
type request struct {
	Front
	public string        // Router.PublicURL
	url    string        // path and query, without the base
	served *http.Request // as it came
	header http.Header   // of the answer
}

type requestKey struct{}

func requestOf(ctx context.Context) *request {
	if rec, ok := ctx.Value(requestKey{}).(*request); ok {
		return rec
	}
	return new(request)
}

// BaseURL is the address that the API's paths are relative to, as the caller of this request sees it. It ends
// in a slash.
func BaseURL(ctx context.Context) string { return requestOf(ctx).Base + Prefix + "/" }

// SiteURL is BaseURL without the API's prefix and without a slash at the end: where the widget's script is
// served.
func SiteURL(ctx context.Context) string { return requestOf(ctx).Base }

// PublicURL is the address by which the outside reaches the service, without the API's prefix and without a
// slash at the end: platforms, visitors of websites, and people who are invited. It is SiteURL unless the
// Router has another.
func PublicURL(ctx context.Context) string {
	of := requestOf(ctx)
	return cmp.Or(of.public, of.Base)
}

// PublicBaseURL is BaseURL at the PublicURL.
func PublicBaseURL(ctx context.Context) string { return PublicURL(ctx) + Prefix + "/" }

// CallerAddress is the IP address that the request came from, "" where it is not known.
func CallerAddress(ctx context.Context) string { return requestOf(ctx).Address }

// RequestOf is the request that ctx belongs to, for what handlers cannot take by fields of an In, such as
// cookies. It is nil outside of one.
func RequestOf(ctx context.Context) *http.Request { return requestOf(ctx).served }

// AddHeader adds a header to the answer of the request that ctx belongs to. Answers that are given again for
// an Idempotency-Key are without it.
func AddHeader(ctx context.Context, name, value string) {
	if header := requestOf(ctx).header; header != nil {
		header.Add(name, value)
	}
}

// RequestIDHeader carries the id of a request in answers, for people who report a fault.
const RequestIDHeader = "X-Request-Id"

// ServeHTTP finds the endpoint and serves it. Unknown paths answer 404 in the API's form, unknown methods 405
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

// A Statuser is an Out that says itself which status its answer has, and which it can have.
type Statuser interface {
	HTTPStatus() int
	HTTPStatuses() []int
}

// answer writes a success.
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

// fail writes an error. What is no [fault.Error] is logged whole and answered without its text.
func (r *Router) fail(w http.ResponseWriter, req *http.Request, err error) {
	if errors.Is(err, errReplayed) {
		return // carryOut sends the answer
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

// faultOf returns what a caller is told of an error, and the status.
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
		return e, http.StatusServiceUnavailable // statusOf has the one for faults of others
	default:
		e = &fault.Error{Code: fault.InternalError, Detail: "An internal error occurred.", Err: err}
	}
	return e, statusOf(e.Code)
}

// storeRetry is when a request may be worth another try while the store cannot write: an operator has to act.
const storeRetry = time.Minute

func write(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body) // an error means that the caller has gone
}

// A recorder remembers the status that was written.
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

// Unwrap lets http.ResponseController reach the writer below.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
