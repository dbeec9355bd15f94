// Package attachment stores the files of e-mails and those that visitors send in a chat box. Files of other
// channels stay on their platforms.
package attachment

import (
	"context"
	"time"

	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

const (
	// MaxSize is the limit of a file in bytes; larger ones are not stored. In base64 it is what fits into a
	// response of Lambda.
	MaxSize = 4 << 20
	// lifetime is how long a file is stored.
	lifetime = 90 * 24 * time.Hour
	// pieceSize is how many bytes an item holds: DynamoDB takes 400 KB.
	pieceSize = 350_000
)

// A Store stores files. It is safe for concurrent use.
type Store struct {
	Table table.Table
	Now   func() time.Time
}

// Put stores a file of an agent under an id for 90 days. It replaces a file with that id.
func (s Store) Put(ctx context.Context, account, agent int64, id string, content []byte) error {
	expires := s.Now().UTC().Add(lifetime).Truncate(time.Second)
	var writes []table.Write
	for n := 0; len(content) > 0; n++ {
		size := min(len(content), pieceSize)
		writes = append(writes, table.Set(table.Item{
			Key: key(account, agent, id, n), Blob: content[:size], Expires: expires,
		}))
		content = content[size:]
	}
	return s.Table.WriteAll(ctx, writes...)
}

// Get returns a file of an agent. It returns table.ErrNotFound if it does not exist or has expired.
func (s Store) Get(ctx context.Context, account, agent int64, id string) ([]byte, error) {
	page, err := s.Table.Query(ctx, table.Query{PK: partition(account, agent), Prefix: pieces(id)})
	if err != nil {
		return nil, err
	}
	if len(page.Items) == 0 {
		return nil, table.ErrNotFound
	}
	var content []byte
	for _, item := range page.Items {
		content = append(content, item.Blob...)
	}
	return content, nil
}

// Delete deletes a file of an agent. A missing file is no error.
func (s Store) Delete(ctx context.Context, account, agent int64, id string) error {
	return resource.DeletePartition(ctx, s.Table, partition(account, agent), pieces(id))
}

// Resource describes the files of an agent's e-mails and visitors.
func Resource() resource.Resource {
	return resource.Resource{Name: "files", Purge: []resource.Purge{resource.Partition(partition)}}
}
