// Command seed stores very many conversations in a local service's data, for the tests of the dashboard.
//
//	seed DATA_DIR ACCOUNT_ID AGENT_ID COUNT
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "seed:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("four arguments are needed, not %d", len(args))
	}
	var n [3]int64
	for i := range n {
		var err error
		if n[i], err = strconv.ParseInt(args[i+1], 10, 64); err != nil {
			return err
		}
	}
	store, err := sqlite.Open(filepath.Join(args[0], "table.db"), time.Now)
	if err != nil {
		return err
	}
	defer store.Close()
	return seed(ctx, store, n[0], n[1], int(n[2]))
}

// seed stores a contact of an agent with so many conversations, as lists show them.
func seed(ctx context.Context, store table.Table, account, agent int64, count int) error {
	ids := id.NewSource(time.Now)
	with := contact.New(ids.Next(), agent, time.Now().UTC())
	with.Name = "Somebody"
	var changes []counter.Change
	var writes []table.Write
	for i := range count {
		age := count - 1 - i // the last one has the greatest id, and spoke last
		c := conversation.New(ids.Next(), agent, conversation.WebChat, with.Partner())
		c.Preview = fmt.Sprintf("Question %d", age)
		c.LastMessageAt = time.Now().UTC().Add(-time.Duration(age) * time.Minute)
		item, err := c.Item(account, 0)
		if err != nil {
			return err
		}
		writes = append(writes, table.Set(item))
		changes = append(changes, conversation.Recount(nil, &c))
		with.Join(c.ID)
	}
	item, err := with.Item(account, 0)
	if err != nil {
		return err
	}
	writes = append(writes, table.Set(item))
	if err := store.WriteAll(ctx, writes...); err != nil {
		return err
	}
	changes = append(changes, contact.Recount(nil, &with))
	return store.Transact(ctx, counter.Add(account, agent, 0, changes...)...)
}
