package dynamo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"frontdesk/shared/table"
	"frontdesk/shared/table/internal/layout"
)

// Transact implements table.Table. The SDK repeats a request whose response is lost under the same client
// token, so DynamoDB carries it out once.
func (t *Table) Transact(ctx context.Context, writes ...table.Write) error {
	if len(writes) == 0 {
		return nil
	}
	writes, ended := table.Accompanied(ctx, writes)
	err := t.transact(ctx, writes)
	ended(err)
	return err
}

func (t *Table) transact(ctx context.Context, writes []table.Write) error {
	if err := layout.CheckTransact(writes); err != nil {
		return err
	}
	forms := make([]layout.Form, len(writes))
	for i, w := range writes {
		forms[i] = layout.FirstForm(w)
	}
	return t.retry(ctx, func() error { return t.transactOnce(ctx, writes, forms) })
}

// transactOnce sends the writes in their forms. If forms are wrong it corrects them and returns errForm.
func (t *Table) transactOnce(ctx context.Context, writes []table.Write, forms []layout.Form) error {
	now := t.now()
	items := make([]types.TransactWriteItem, len(writes))
	for i, w := range writes {
		items[i] = t.request(w, forms[i], now)
	}
	out, err := t.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems:          items,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		table.Count(ctx, 0, 0)
		return t.cancelled(err, writes, forms)
	}
	table.Count(ctx, 0, sum(out.ConsumedCapacity))
	return nil
}

// cancelled converts the error of a request to that of a Transact, and corrects wrong forms.
func (t *Table) cancelled(err error, writes []table.Write, forms []layout.Form) error {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return failure(err)
	}
	var failed []int
	changed, conflict := false, false
	for i, reason := range cancelled.CancellationReasons {
		switch aws.ToString(reason.Code) {
		case "", "None":
		case "ConditionalCheckFailed":
			if !layout.HasForms(writes[i]) {
				failed = append(failed, i)
				continue
			}
			item, err := t.live(reason.Item)
			if err != nil {
				return err
			}
			if !layout.WithinBounds(writes[i], layout.Added(item.Numbers, writes[i].Add)) {
				failed = append(failed, i)
				continue
			}
			forms[i] = layout.Create
			if item.PK != "" {
				forms[i] = layout.Amend
			}
			changed = true
		case "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded":
			conflict = true
		case "ValidationError":
			return invalid(aws.ToString(reason.Message), err)
		default:
			return fmt.Errorf("table: %w", err)
		}
	}
	switch {
	case failed != nil:
		return &table.ConditionError{Writes: failed}
	case conflict:
		return errConflict
	case changed:
		return errForm
	}
	return fmt.Errorf("table: %w", err)
}

// live converts attributes to an item; the zero Item if there are none or it has expired.
func (t *Table) live(attributes map[string]types.AttributeValue) (table.Item, error) {
	item, err := Unmarshal(attributes)
	if err != nil || layout.Expired(item, t.now()) {
		return table.Item{}, err
	}
	return item, nil
}

// invalid returns ErrTooLarge for DynamoDB's message about sizes, and err for others.
func invalid(message string, err error) error {
	if strings.Contains(message, "size") && strings.Contains(message, "exceed") {
		return fmt.Errorf("%w: %s", table.ErrTooLarge, message)
	}
	return fmt.Errorf("table: %w", err)
}
