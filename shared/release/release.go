// Package release says which release of Frontdesk this is.
package release

// Version is that of the newest release in CHANGELOG.md, which a test holds it to. A build of a later commit
// has the same.
const Version = "0.2.0"

// Previous is the commit of the release before. A test has the two read each other's data, and `make
// rollback` goes back to it.
const Previous = "ae38e7a4b558847dcd49d9aa07522f207ae4afb6"
