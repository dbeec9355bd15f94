// Package wire encodes the JSON that leaves the service: in responses, webhooks and outgoing requests.
package wire

import (
	"bytes"
	"encoding/json"
)

// Marshal is json.Marshal without escaping <, > and &, since the JSON is never part of HTML.
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
