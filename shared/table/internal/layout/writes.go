package layout

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"frontdesk/shared/table"
)

// Possible reports whether an item can have the key. A read of an impossible key finds nothing and is no
// error.
func Possible(key table.Key) bool {
	return possible(key.PK, table.MaxPartitionKey) && possible(key.SK, table.MaxSortKey)
}

// possible reports whether text can be part of a key of at most max bytes.
func possible(text string, max int) bool {
	return text != "" && len(text) <= max && utf8.ValidString(text)
}

// CheckTransact returns an error if the writes cannot be one Transact: ErrTooLarge above a limit, and other
// errors for mistakes of the caller.
func CheckTransact(writes []table.Write) error {
	if len(writes) > table.MaxTransact {
		return fmt.Errorf("%w: %d writes", table.ErrTooLarge, len(writes))
	}
	total := 0
	for i, w := range writes {
		if err := checkWrite(w); err != nil {
			return fmt.Errorf("write %d: %w", i, err)
		}
		total += Size(w.Item)
	}
	if total > table.MaxTransactSize {
		return fmt.Errorf("%w: a transaction of %d bytes", table.ErrTooLarge, total)
	}
	return checkDistinct(writes)
}

// CheckWriteAll returns an error if the writes cannot be one WriteAll.
func CheckWriteAll(writes []table.Write) error {
	for i, w := range writes {
		if w.Op != table.OpSet && w.Op != table.OpDelete || w.If != table.IfAny {
			return fmt.Errorf("table: write %d of WriteAll is neither Set nor Delete", i)
		}
		if err := checkWrite(w); err != nil {
			return fmt.Errorf("write %d: %w", i, err)
		}
	}
	return checkDistinct(writes)
}

// CheckUpdate returns an error if the update is invalid.
func CheckUpdate(u table.Update) error {
	for _, numbers := range []map[string]int64{u.Add, u.AtMost} {
		if err := checkNumbers(numbers); err != nil {
			return err
		}
	}
	for i, name := range u.Remove {
		if err := checkNumberName(name); err != nil {
			return err
		}
		if _, added := u.Add[name]; added || slices.Contains(u.Remove[:i], name) {
			return fmt.Errorf("table: number %q is named twice in one update", name)
		}
	}
	return nil
}

// checkWrite returns an error if the write is invalid.
func checkWrite(w table.Write) error {
	if err := checkKey(w.Item.Key); err != nil {
		return err
	}
	if w.Op == table.OpCheck && w.If == table.IfAny {
		return fmt.Errorf("table: a check of %v without a condition", w.Item.Key)
	}
	if w.Op == table.OpAdd && w.If == table.IfAbsent {
		return fmt.Errorf("table: an add to %v that must be absent", w.Item.Key)
	}
	for _, index := range Indexes {
		key := w.Item.In(index)
		if key == (table.Key{}) {
			continue
		}
		if err := checkKey(key); err != nil {
			return err
		}
		if !w.Item.Expires.IsZero() && index.Narrow() {
			return fmt.Errorf("table: %v expires and is in a narrow index", w.Item.Key)
		}
	}
	if !utf8.Valid(w.Item.Doc) {
		return fmt.Errorf("table: the document of %v is no text in UTF-8", w.Item.Key)
	}
	for _, numbers := range []map[string]int64{w.Item.Numbers, w.Add, w.AtMost, w.AtLeast} {
		if err := checkNumbers(numbers); err != nil {
			return err
		}
	}
	if size := Size(w.Item); size > table.MaxItemSize {
		return fmt.Errorf("%w: %v has %d bytes", table.ErrTooLarge, w.Item.Key, size)
	}
	return nil
}

// checkKey returns an error if no item can have the key.
func checkKey(key table.Key) error {
	if len(key.PK) > table.MaxPartitionKey || len(key.SK) > table.MaxSortKey {
		return fmt.Errorf("%w: a key of %d and %d bytes", table.ErrTooLarge, len(key.PK), len(key.SK))
	}
	if !Possible(key) {
		return fmt.Errorf("table: key %q is empty in part or no text in UTF-8", key)
	}
	return nil
}

func checkNumbers(numbers map[string]int64) error {
	for name := range numbers {
		if err := checkNumberName(name); err != nil {
			return err
		}
	}
	return nil
}

func checkNumberName(name string) error {
	if name == "" || !utf8.ValidString(name) {
		return fmt.Errorf("table: %q is no name of a number", name)
	}
	return nil
}

func checkDistinct(writes []table.Write) error {
	seen := make(map[table.Key]struct{}, len(writes))
	for _, w := range writes {
		if _, twice := seen[w.Item.Key]; twice {
			return fmt.Errorf("table: two writes of %v in one call", w.Item.Key)
		}
		seen[w.Item.Key] = struct{}{}
	}
	return nil
}
