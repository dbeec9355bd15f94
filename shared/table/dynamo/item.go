package dynamo

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"frontdesk/shared/table"
	"frontdesk/shared/table/internal/layout"
)

// Marshal converts an item to attributes.
func Marshal(item table.Item) map[string]types.AttributeValue {
	attributes := marshalKey(item.Key)
	attributes[layout.Version] = number(item.Version)
	if len(item.Doc) > 0 {
		attributes[layout.Doc] = text(string(item.Doc))
	}
	if len(item.Blob) > 0 {
		attributes[layout.Blob] = &types.AttributeValueMemberB{Value: item.Blob}
	}
	if !item.Expires.IsZero() {
		attributes[layout.Expires] = number(item.Expires.Unix())
	}
	for name, value := range item.Numbers {
		attributes[layout.NumberPrefix+name] = number(value)
	}
	for _, index := range layout.Indexes {
		if key := item.In(index); key != (table.Key{}) {
			attributes[layout.IndexPK(index)] = text(key.PK)
			attributes[layout.IndexSK(index)] = text(key.SK)
		}
	}
	return attributes
}

// Unmarshal converts attributes from Marshal to an item. Unknown attributes are ignored.
func Unmarshal(attributes map[string]types.AttributeValue) (table.Item, error) {
	var item table.Item
	for name, value := range attributes {
		var err error
		switch value := value.(type) {
		case *types.AttributeValueMemberS:
			setText(&item, name, value.Value)
		case *types.AttributeValueMemberB:
			if name == layout.Blob {
				item.Blob = value.Value
			}
		case *types.AttributeValueMemberN:
			err = setNumber(&item, name, value.Value)
		}
		if err != nil {
			return table.Item{}, err
		}
	}
	return item, nil
}

// setText sets the part of the item that a string attribute has.
func setText(item *table.Item, name, value string) {
	switch name {
	case layout.PK:
		item.PK = value
	case layout.SK:
		item.SK = value
	case layout.Doc:
		item.Doc = []byte(value)
	case layout.IndexPK(table.Index1):
		item.Index1.PK = value
	case layout.IndexSK(table.Index1):
		item.Index1.SK = value
	case layout.IndexPK(table.Index2):
		item.Index2.PK = value
	case layout.IndexSK(table.Index2):
		item.Index2.SK = value
	case layout.IndexPK(table.Index3):
		item.Index3.PK = value
	case layout.IndexSK(table.Index3):
		item.Index3.SK = value
	case layout.IndexPK(table.Index4):
		item.Index4.PK = value
	case layout.IndexSK(table.Index4):
		item.Index4.SK = value
	}
}

// setNumber sets the part of the item that a number attribute has.
func setNumber(item *table.Item, name, value string) error {
	short, isNumber := strings.CutPrefix(name, layout.NumberPrefix)
	if !isNumber && name != layout.Version && name != layout.Expires {
		return nil
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return fmt.Errorf("table: attribute %s: %w", name, err)
	}
	switch name {
	case layout.Version:
		item.Version = n
	case layout.Expires:
		item.Expires = time.Unix(n, 0).UTC()
	default:
		if item.Numbers == nil {
			item.Numbers = map[string]int64{}
		}
		item.Numbers[short] = n
	}
	return nil
}

// marshalKey converts a key to attributes.
func marshalKey(key table.Key) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{layout.PK: text(key.PK), layout.SK: text(key.SK)}
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}
