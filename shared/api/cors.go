package api

import "net/http"

// preflightAge is how many seconds browsers may cache a preflight response: the most that Chromium allows.
const preflightAge = "7200"

// crossOrigin lets pages of any site read the response, errors too.
func crossOrigin(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Expose-Headers", "Retry-After, "+ReplayedHeader+", "+RequestIDHeader)
		serve(w, req)
	}
}

// preflight answers a CORS preflight request, and any other method with 405.
func preflight(w http.ResponseWriter, req *http.Request, methods string) {
	if req.Method != http.MethodOptions {
		w.Header().Set("Allow", methods+", OPTIONS")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Access-Control-Allow-Methods", methods)
	w.Header().Set("Access-Control-Allow-Headers", "Content-Type, "+IdempotencyKeyHeader)
	w.Header().Set("Access-Control-Max-Age", preflightAge)
	w.WriteHeader(http.StatusNoContent)
}
