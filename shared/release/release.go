// Package release says which release of Frontdesk this is.
package release

// Version is that of the newest release in CHANGELOG.md, which a test holds it to. A build of a later commit
// has the same.
const Version = "0.1.0"
