package secret

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// Place returns the place that a text in an item is sealed for: the keys of the item and the path of names in
// its document, separated by dots. The names are "" if the document is the text itself.
func Place(pk, sk, names string) string { return pk + "/" + sk + "/" + names }

// sealedText matches a Sealed in a document. Text written by users may match too.
var sealedText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + version + `\.[0-9a-f]{12}\.[A-Za-z0-9_-]+$`)
})

// Reseal opens with from and seals with to what is sealed in an item's JSON document. It returns the new
// document and the number of texts resealed. Texts already sealed under the current key of to are unchanged,
// and so are texts that only look sealed, or whose key from does not have; lost counts the latter.
func Reseal(
	ctx context.Context, from, to *Keys, pk, sk string, doc []byte,
) (out []byte, resealed, lost int, err error) {
	if !bytes.Contains(doc, []byte(`"`+version+`.`)) {
		return doc, 0, 0, nil
	}
	var value any
	if err := json.Unmarshal(doc, &value); err != nil {
		return nil, 0, 0, fmt.Errorf("secret: %s %s: %w", pk, sk, err)
	}
	current, err := to.current(ctx)
	if err != nil {
		return nil, 0, 0, err
	}
	out = doc
	err = walk(value, nil, func(names []string, text string) error {
		if !sealedText().MatchString(text) || strings.Split(text, ".")[1] == current.id {
			return nil
		}
		place := Place(pk, sk, strings.Join(names, "."))
		plain, err := from.Open(ctx, place, Sealed(text))
		switch {
		case errors.Is(err, ErrBroken):
			return nil
		case errors.Is(err, ErrKeyGone):
			lost++
			return nil
		case err != nil:
			return err
		}
		again, err := to.Seal(ctx, place, plain)
		if err != nil {
			return err
		}
		// The nonce makes the text unique in the document, and it has no characters that JSON escapes.
		out = bytes.ReplaceAll(out, []byte(text), []byte(again))
		resealed++
		return nil
	})
	return out, resealed, lost, err
}

// walk calls do with every string in a JSON value and the path of names to it. List elements add no name.
func walk(value any, names []string, do func(names []string, text string) error) error {
	switch value := value.(type) {
	case string:
		return do(names, value)
	case []any:
		for _, element := range value {
			if err := walk(element, names, do); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, field := range value {
			if err := walk(field, append(names[:len(names):len(names)], name), do); err != nil {
				return err
			}
		}
	}
	return nil
}
