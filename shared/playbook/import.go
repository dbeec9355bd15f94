package playbook

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// MaxImport is how many products one import may bring.
const MaxImport = 500

// importWrites is how many products one transaction writes, beside the agent's count.
const importWrites = table.MaxTransact - 1

// An ImportRow is a product of an import. The agent's product with the same SKU is changed or, where the row
// has none, the one of the same name; where there is no such product, one is made.
type ImportRow struct {
	SKU, Name string
	// Fill puts what the row says into the product, which is as it was, or new. Its error ends the import.
	Fill func(*Product) error
}

// Imported is what became of the rows of an import.
type Imported struct {
	Created   int `json:"created" example:"12"`
	Updated   int `json:"updated" example:"3"`
	Unchanged int `json:"unchanged" doc:"Rows that say what was so already." example:"0"`
}

// Import stores products, in transactions of up to 99. An import that is cut off can be sent again: what it
// had stored is found and stays as it is. ErrNotFound where the workspace has no such agent; a
// validation_error where it would have more products than it may have, before anything is stored.
func Import(ctx context.Context, s Store[Product, *Product], account, agentID int64,
	rows []ImportRow) (Imported,
	error) {
	var done Imported
	err := table.Retry(ctx, func() error {
		known, err := s.all(ctx, account, agentID)
		if err != nil {
			return err
		}
		changes, result, err := s.merge(account, agentID, known, rows)
		if err != nil {
			return err
		}
		if done.Created+done.Updated > 0 { // a retry finds what was stored before
			result.Created, result.Updated = result.Created+done.Created, result.Updated+done.Updated
			result.Unchanged = len(rows) - result.Created - result.Updated
		}
		for begin := 0; begin < len(changes); begin += importWrites {
			batch := changes[begin:min(begin+importWrites, len(changes))]
			if err := s.storeBatch(ctx, account, agentID, batch, &done); err != nil {
				return err
			}
		}
		done = result
		return nil
	})
	return done, err
}

// An importChange is a product that an import makes or changes.
type importChange struct {
	write table.Write
	makes bool
}

// all reads the agent's rows with their items. ErrNotFound where the workspace has no such agent.
func (s Store[T, P]) all(ctx context.Context, account, agentID int64) ([]table.Item, error) {
	var page table.Page
	err := table.Parallel(ctx, func(ctx context.Context) error {
		_, err := s.Count(ctx, account, agentID)
		return err
	}, func(ctx context.Context) (err error) {
		page, err = s.Table.Query(ctx, s.Query(account, agentID))
		return err
	})
	return page.Items, err
}

// A candidate is a product as an import finds or makes it.
type candidate struct {
	product, before Product
	version         int64 // of the item; 0 where the import makes it
}

// merge finds the product of each row, and returns what is to be stored.
func (s Store[T, P]) merge(account, agentID int64, known []table.Item, rows []ImportRow) ([]importChange,
	Imported, error) {
	var all []*candidate
	bySKU, byName := map[string]*candidate{}, map[string]*candidate{}
	index := func(c *candidate) {
		all = append(all, c)
		if c.product.SKU != "" {
			bySKU[c.product.SKU] = c
		}
		byName[c.product.Name] = c
	}
	for _, item := range known {
		p, err := Read[Product](item)
		if err != nil {
			return nil, Imported{}, err
		}
		index(&candidate{p, p, item.Version})
	}
	for _, row := range rows {
		c := bySKU[row.SKU]
		if row.SKU == "" {
			c = byName[row.Name]
		}
		if c == nil {
			now := s.now()
			c = &candidate{product: Product{Row: Row{
				ID: s.IDs.Next(), AgentID: agentID, CreatedAt: now, UpdatedAt: now,
			}}}
			if err := row.Fill(&c.product); err != nil {
				return nil, Imported{}, err
			}
			index(c)
			continue
		}
		if err := row.Fill(&c.product); err != nil {
			return nil, Imported{}, err
		}
	}
	if len(all) > MaxRows {
		return nil, Imported{}, fault.New(fault.ValidationError,
			"An agent may have at most %d %s; with these "+
				"it would have %d.", MaxRows, Products, len(all))
	}
	return s.importChanges(account, all, len(rows))
}

// importChanges are the writes of the candidates that changed.
func (s Store[T, P]) importChanges(account int64, all []*candidate,
	rows int) ([]importChange, Imported, error) {
	var changes []importChange
	var result Imported
	for _, c := range all {
		makes := c.version == 0
		if c.product == c.before {
			continue
		}
		c.product.UpdatedAt = s.now()
		places, err := placesOf[Product](account, c.product, c.version)
		if err != nil {
			return nil, result, err
		}
		write := table.PutIfVersion(places[0])
		if makes {
			write = table.PutIfAbsent(places[0])
			result.Created++
		} else {
			result.Updated++
		}
		changes = append(changes, importChange{write, makes})
	}
	result.Unchanged = max(0, rows-result.Created-result.Updated)
	return changes, result, nil
}

// storeBatch stores some products in one transaction and adds them to what is done.
func (s Store[T, P]) storeBatch(ctx context.Context, account, agentID int64, batch []importChange,
	done *Imported) error {
	created := 0
	writes := []table.Write{{}}
	for _, change := range batch {
		if change.makes {
			created++
		}
		writes = append(writes, change.write)
	}
	count := revise(account, agentID)
	if created > 0 {
		count = table.AddAtMost(agent.Key(account, agentID), string(Products), int64(created),
			MaxRows).Existing()
		count.Add[revision] = 1
	}
	writes[0] = count
	if err := s.Table.Transact(ctx, writes...); err != nil {
		return err
	}
	done.Created += created
	done.Updated += len(batch) - created
	return nil
}
