// Package wire encodes JSON as it leaves the service: in answers, webhooks and requests to others.
package wire

import (
	"bytes"
	"encoding/json"
)

// Marshal encodes v like json.Marshal, but leaves <, > and & as they are: the JSON never stands inside HTML.
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
