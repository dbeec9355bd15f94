package change

import (
	"encoding/base64"
	"encoding/binary"
	"errors"

	"frontdesk/shared/id"
)

// maxSeen is the limit of ids in a Cursor, so that its text stays below 1,000 characters.
const maxSeen = 100

// A Cursor is a position in the feed of a workspace.
type Cursor struct {
	At     int64   // entries up to this id were reported, except late ones
	Seen   []int64 // entries shortly before it that were reported, ascending
	Unread int64   // number of unread conversations at the time
}

// ErrBadCursor says that a text is not a cursor.
var ErrBadCursor = errors.New("change: no cursor")

// String returns the cursor as text for URLs, which ReadCursor parses.
func (c Cursor) String() string {
	b := binary.AppendUvarint(nil, uint64(c.At))
	b = binary.AppendUvarint(b, uint64(c.Unread))
	before := int64(0)
	for _, at := range c.Seen {
		b = binary.AppendUvarint(b, uint64(at-before))
		before = at
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// ReadCursor parses the text of a cursor. It returns ErrBadCursor for any other text.
func ReadCursor(text string) (Cursor, error) {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return Cursor{}, ErrBadCursor
	}
	var numbers []int64
	for len(b) > 0 {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > id.Max {
			return Cursor{}, ErrBadCursor
		}
		numbers, b = append(numbers, int64(n)), b[size:]
	}
	if len(numbers) < 2 || len(numbers) > 2+maxSeen {
		return Cursor{}, ErrBadCursor
	}
	c := Cursor{At: numbers[0], Unread: numbers[1], Seen: numbers[2:]}
	for i := 1; i < len(c.Seen); i++ {
		c.Seen[i] += c.Seen[i-1]
	}
	if n := len(c.Seen); n > 0 && c.Seen[n-1] > id.Max {
		return Cursor{}, ErrBadCursor
	}
	return c, nil
}
