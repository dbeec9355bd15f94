package table

import (
	"fmt"
	"strconv"
	"strings"
)

// The packages that own items build their keys, each in its keys.go. A partition key begins with the
// package's Prefix and then names the workspace, so that code cannot build a key without saying whose item it
// is: nobody reads another workspace's item by guessing an id. docs/data-model.md lists the keys, with what
// each access costs.

// Prefix is the first word of the partition keys of one kind of item. Every package declares its own as
// constants; infra/habits holds them unique and finds keys that are built without one.
type Prefix string

// Of returns the partition key of the parts, which are joined by slashes.
func (p Prefix) Of(parts ...any) string {
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

// SortPrefix begins the sort keys of one kind of item in a partition that holds several kinds. infra/habits
// holds them unique too, since several packages keep items in an agent's partition.
type SortPrefix string

// Of returns the sort key of the parts, which follow each other as they are.
func (p SortPrefix) Of(parts ...string) string { return string(p) + strings.Join(parts, "") }

// PadID writes an id with 16 digits, so that sort keys order by number, which is by the time of creation.
func PadID(id int64) string { return fmt.Sprintf("%016d", id) }
