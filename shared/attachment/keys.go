package attachment

import (
	"fmt"

	"frontdesk/shared/table"
)

const files table.Prefix = "file"

// partition holds the files of an agent.
func partition(account, agent int64) string { return files.Join(account, agent) }

// pieces begins the sort keys of the pieces of a file.
func pieces(id string) table.SortPrefix { return table.SortPrefix(id + "/") }

// key returns the key of a piece of a file. Pieces are numbered from 0.
func key(account, agent int64, id string, piece int) table.Key {
	return table.Key{PK: partition(account, agent), SK: pieces(id).Join(fmt.Sprintf("%03d", piece))}
}
