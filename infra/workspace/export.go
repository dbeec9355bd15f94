package workspace

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"frontdesk/shared/release"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// Format is the version of the form of an export, which docs/operating.md describes.
const Format = 1

// A header is the first line of an export.
type header struct {
	Format     int       `json:"frontdesk_export"`
	Version    string    `json:"frontdesk_version"` // that wrote it
	Account    int64     `json:"account_id"`
	ExportedAt time.Time `json:"exported_at"`
}

// A line is an item of the table. Fields that are absent are empty.
type line struct {
	PK      string           `json:"pk"`
	SK      string           `json:"sk"`
	Doc     json.RawMessage  `json:"doc,omitempty"`
	Blob    []byte           `json:"blob,omitempty"` // in base64
	Numbers map[string]int64 `json:"numbers,omitempty"`
	Index1  []string         `json:"index_1,omitempty"` // partition key and sort key, as of the others
	Index2  []string         `json:"index_2,omitempty"`
	Index3  []string         `json:"index_3,omitempty"`
	Index4  []string         `json:"index_4,omitempty"`
	Expires time.Time        `json:"expires,omitzero"`
}

// A footer is the last line of an export. One without it was cut short.
type footer struct {
	Items int `json:"end_of_export"` // how many lines there are before it, without the header
}

// A Summary is what was exported or imported.
type Summary struct {
	Account int64 `json:"account_id"`
	Items   int   `json:"items"`
	Secrets int   `json:"secrets"` // how many were sealed anew
	// Lost is how many secrets were left as they are, since the key that they are sealed with is gone.
	Lost int `json:"lost_secrets,omitempty"`
}

// Export writes a workspace as lines of JSON: a header, its items in no order, a footer. Its secrets are
// sealed anew under the key that it returns, the only one that opens them in the export. What is written to
// the workspace meanwhile may be in the export or not. ErrUnknown where there is no such workspace.
func (s Store) Export(
	ctx context.Context, account int64, now time.Time, to io.Writer,
) (sum Summary, key string, err error) {
	if err := s.exists(ctx, account); err != nil {
		return Summary{}, "", err
	}
	key = secret.NewKey()
	keys := &secret.Keys{Read: secret.Static(key)}
	out := bufio.NewWriter(to)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	sum.Account = account
	head := header{Format, release.Version, account, now.UTC().Truncate(time.Second)}
	if err := lines.Encode(head); err != nil {
		return sum, "", err
	}
	err = s.each(ctx, account, func(item table.Item, k kind) error {
		if !moves(item, k) {
			return nil
		}
		doc, resealed, lost, err := secret.Reseal(ctx, s.Keys, keys, item.PK, item.SK, item.Doc)
		if err != nil {
			return fmt.Errorf("workspace: %s %s: %w", item.PK, item.SK, err)
		}
		item.Doc = doc
		sum.Items, sum.Secrets, sum.Lost = sum.Items+1, sum.Secrets+resealed, sum.Lost+lost
		return lines.Encode(lineOf(item))
	})
	if err != nil {
		return sum, "", err
	}
	if err := lines.Encode(footer{sum.Items}); err != nil {
		return sum, "", err
	}
	return sum, key, out.Flush()
}

func lineOf(item table.Item) line {
	return line{
		PK: item.PK, SK: item.SK, Doc: item.Doc, Blob: item.Blob, Numbers: item.Numbers,
		Expires: item.Expires,
		Index1:  pair(item.Index1), Index2: pair(item.Index2), Index3: pair(item.Index3),
		Index4: pair(item.Index4),
	}
}

func pair(key table.Key) []string {
	if key == (table.Key{}) {
		return nil
	}
	return []string{key.PK, key.SK}
}
