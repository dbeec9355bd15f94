package delivery

import (
	"fmt"
	"time"

	"frontdesk/shared/table"
)

const (
	partitions table.Prefix = "delivery"
	// budgets begins the partition keys of the items that count a workspace's attempts in progress.
	budgets table.Prefix = "delivery-budget"

	// KeyPrefix begins the sort keys of the deliveries to a receiver.
	KeyPrefix table.SortPrefix = "delivery/"
	// counts begins the sort keys of the items that count the deliveries to a receiver by day.
	counts table.SortPrefix = "count/"
)

// Partition returns the partition of the deliveries to a receiver of an agent, and of their daily counts.
// The receiver is its kind and id, such as "webhook/5".
func Partition(account, agent int64, receiver string) string {
	return partitions.Join(account, agent, receiver)
}

// Key returns the key of a delivery.
func Key(account, agent int64, receiver string, delivery int64) table.Key {
	return table.Key{PK: Partition(account, agent, receiver), SK: KeyPrefix.Join(table.PadID(delivery))}
}

// CountKey returns the key of one of the items that count the deliveries to a receiver on a day, in UTC.
func CountKey(account, agent int64, receiver string, day time.Time, shard int) table.Key {
	return table.Key{
		PK: Partition(account, agent, receiver),
		SK: counts.Join(fmt.Sprintf("%s/%02d", day.UTC().Format(time.DateOnly), shard)),
	}
}

// BudgetKey returns the key of the item in which a TableBudget counts the attempts of a workspace.
func BudgetKey(account int64) table.Key { return table.Key{PK: budgets.Join(account), SK: "budget"} }
