package delivery

import (
	"fmt"
	"time"

	"frontdesk/shared/table"
)

const (
	partitions table.Prefix = "delivery"
	// budgets begins the items that count what is under way for a workspace.
	budgets table.Prefix = "delivery-budget"

	// KeyPrefix begins the sort keys of the deliveries to a receiver.
	KeyPrefix table.SortPrefix = "delivery/"
	// counts begins the sort keys of the items that count the deliveries to a receiver by day.
	counts table.SortPrefix = "count/"
)

// Partition holds the deliveries to one receiver of an agent, and how many there are of each day. The
// receiver is its kind and its id, such as "webhook/5".
func Partition(account, agent int64, receiver string) string {
	return partitions.Of(account, agent, receiver)
}

// Key is the key of a delivery.
func Key(account, agent int64, receiver string, delivery int64) table.Key {
	return table.Key{PK: Partition(account, agent, receiver), SK: KeyPrefix.Of(table.PadID(delivery))}
}

// CountKey is the key of one of the items that count the deliveries to a receiver of one day, in UTC.
func CountKey(account, agent int64, receiver string, day time.Time, shard int) table.Key {
	return table.Key{
		PK: Partition(account, agent, receiver),
		SK: counts.Of(fmt.Sprintf("%s/%02d", day.UTC().Format(time.DateOnly), shard)),
	}
}

// BudgetKey is the key of the item by which a TableBudget counts the attempts of a workspace.
func BudgetKey(account int64) table.Key { return table.Key{PK: budgets.Of(account), SK: "budget"} }
