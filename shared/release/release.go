// Package release has the version of Frontdesk.
package release

// Version is the newest release in CHANGELOG.md, as a test checks. Builds of later commits have it too.
const Version = "0.2.0"

// Previous is the commit of the previous release, or of the last change of the storage format since. A test
// checks that both versions read each other's data, and `make rollback` returns to it.
const Previous = "2a70d11d4f9245a4c309f32a0db475e4761b3896"
