// Package release says which release of Frontdesk this is.
package release

// Version is that of the newest release in CHANGELOG.md, which a test holds it to. A build of a later commit
// has the same.
const Version = "0.2.0"

// Previous is the commit of the release before, or the last one since by which things are stored in another
// form. A test has the two read each other's data, and `make rollback` goes back to it.
const Previous = "6657a1f46bc7d74136337404d0ebf31f880becbb"
