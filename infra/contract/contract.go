// Package contract holds the service to its API from outside: its tests need an address and a key, and a
// table to make workspaces in. They start a local service of their own, or test the one that BASE_URL and
// API_KEY in the environment name, with its table named as the functions have it. So the same tests run on
// the local runner, on `sam local` and on a deployed stack.
//
// Tests of two kinds add up to the whole. Those of a group of endpoints (agents_test.go and so on) tell what
// its calls do. Those in every_test.go and bounds_test.go are written once and hold for each operation of the
// API's description: keys, ids, methods, bodies, limits. What they need of an operation is an example of its
// body, which the description has, and its ids, which a fixture makes (fixture_test.go).
//
// A recorder (recorder_test.go) reads every answer that any test gets. It holds each to the description: the
// status, the error's code, the body's schema. In the end it names what the description promises and no test
// has seen.
package contract
