package delivery

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"frontdesk/shared/table"
)

// A TableBudget is a Budget for workers on several machines, which share an item for each workspace. Take
// and Return make one request each. What a worker that died had taken counts for at most two windows.
type TableBudget struct {
	Table table.Table
	Now   func() time.Time
}

// budgetWindow is the period in which attempts are counted together. No attempt lasts longer, so those in
// progress began in this window or in the previous one.
const budgetWindow = Lease

// mostNumbers is the limit of numbers in the item before those of past windows are removed.
const mostNumbers = 60

// Take implements Budget. It does not wait.
func (b *TableBudget) Take(ctx context.Context, to Receiver, limits Limits, n int) (Loan, error) {
	now := b.Now()
	window, minute := now.UnixNano()/int64(budgetWindow), now.Unix()/60
	asked := int64(min(n, MaxLanes))
	add := map[string]int64{
		workspaceNumber(window): asked, receiverNumber(window, to): asked, minuteNumber(minute): int64(n),
	}
	item, err := b.add(ctx, to, add)
	if err != nil {
		return Loan{}, err
	}
	// Values before this call.
	underWay := func(number func(int64) string) int {
		return int(item.Numbers[number(window)] + item.Numbers[number(window-1)] - asked)
	}
	receiver := underWay(func(w int64) string { return receiverNumber(w, to) })
	begun := int(item.Numbers[minuteNumber(minute)]) - n
	lanes := limits.lanes(n, underWay(workspaceNumber), receiver, begun)
	back := int64(lanes) - asked
	add = map[string]int64{workspaceNumber(window): back, receiverNumber(window, to): back}
	if lanes == 0 {
		add[minuteNumber(minute)] = -int64(n)
	}
	if back != 0 {
		if _, err := b.add(ctx, to, add); err != nil {
			return Loan{}, err
		}
	}
	return Loan{to, lanes, window}, b.sweep(ctx, item, window, minute)
}

// Ended implements Budget. It does nothing, since Take does not wait.
func (b *TableBudget) Ended(Loan) {}

// Return implements Budget.
func (b *TableBudget) Return(ctx context.Context, loan Loan) error {
	_, err := b.add(ctx, loan.To, map[string]int64{
		workspaceNumber(loan.window): -1, receiverNumber(loan.window, loan.To): -1,
	})
	return err
}

// add adds to the numbers of a workspace and returns its item.
func (b *TableBudget) add(ctx context.Context, to Receiver, add map[string]int64) (table.Item, error) {
	update := table.Update{Key: BudgetKey(to.AccountID), Add: add}
	item, err := b.Table.Update(ctx, update)
	if !errors.Is(err, table.ErrNotFound) {
		return item, err
	}
	if err := b.Table.Transact(ctx, table.Add(update.Key, "made", 1)); err != nil {
		return table.Item{}, err
	}
	return b.Table.Update(ctx, update)
}

// sweep removes the numbers of past windows and minutes once there are many.
func (b *TableBudget) sweep(ctx context.Context, item table.Item, window, minute int64) error {
	if len(item.Numbers) <= mostNumbers {
		return nil
	}
	var past []string
	for name := range item.Numbers {
		kind, of, _ := strings.Cut(name, "-")
		of, _, _ = strings.Cut(of, "-")
		n, err := strconv.ParseInt(of, 10, 64)
		if err == nil && (kind == "minute" && n < minute || kind != "minute" && n < window-1) {
			past = append(past, name)
		}
	}
	if len(past) == 0 {
		return nil
	}
	_, err := b.Table.Update(ctx, table.Update{Key: item.Key, Remove: past})
	return err
}

// Names of the numbers.
func workspaceNumber(window int64) string { return fmt.Sprintf("all-%d", window) }
func minuteNumber(minute int64) string    { return fmt.Sprintf("minute-%d", minute) }

func receiverNumber(window int64, to Receiver) string {
	return fmt.Sprintf("to-%d-%d-%s", window, to.AgentID, to.name())
}
