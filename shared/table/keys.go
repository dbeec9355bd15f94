package table

import (
	"fmt"
	"strconv"
	"strings"
)

// Packages that own items build their keys, each in its keys.go. A partition key begins with the package's
// Prefix and then names the workspace, so that no key can be built without one, and guessing an id does not
// reveal another workspace's item. docs/data-model.md lists the keys and the cost of each access.

// Prefix is the first word of the partition keys of one kind of item. Each package declares its own as
// constants; infra/habits checks that they are unique and that no key is built without one.
type Prefix string

// Join returns the partition key with these parts, joined by slashes.
func (p Prefix) Join(parts ...any) string {
	text := append(make([]byte, 0, 64), p...)
	for _, part := range parts {
		text = append(text, '/')
		switch part := part.(type) {
		case int64:
			text = strconv.AppendInt(text, part, 10)
		case string:
			text = append(text, part...)
		default:
			text = fmt.Append(text, part)
		}
	}
	return string(text)
}

// SortPrefix begins the sort keys of one kind of item in a partition with several kinds. infra/habits checks
// that they are unique too, since several packages store items in an agent's partition.
type SortPrefix string

// Join returns the sort key with these parts, concatenated without separators.
func (p SortPrefix) Join(parts ...string) string { return string(p) + strings.Join(parts, "") }

// PadID formats an id with 16 digits, so that sort keys are in numeric order, which is that of creation.
func PadID(id int64) string { return fmt.Sprintf("%016d", id) }
