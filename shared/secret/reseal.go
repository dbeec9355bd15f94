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

// Place is what a text of an item is sealed for: the keys of the item, and the names that lead to the text in
// its document, with dots between. The names are empty where the document is the text itself.
func Place(pk, sk, names string) string { return pk + "/" + sk + "/" + names }

// sealedText is the form of a Sealed in a document. Somebody may have written a text that looks like one.
var sealedText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + version + `\.[0-9a-f]{12}\.[A-Za-z0-9_-]+$`)
})

// Reseal returns a JSON document in which what is sealed for the item under from is sealed under to, and how
// many texts that were. What is sealed already under the key that to seals with stays. So does a text that
// only looks sealed, or whose key from does not have; those of the latter kind are counted in lost.
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
		// Its nonce makes the text the only one of its kind, and it has no character that JSON escapes.
		out = bytes.ReplaceAll(out, []byte(text), []byte(again))
		resealed++
		return nil
	})
	return out, resealed, lost, err
}

// walk calls do with every text in a JSON value and the names that lead to it. Elements of lists have none.
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
