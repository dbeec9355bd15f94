package playbook

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// MaxImport is the limit of products in one import.
const MaxImport = 500

// importWrites is the limit of products in one transaction, which also writes the agent's summary.
const importWrites = table.MaxTransact - 1

// An ImportRow is a product of an import. It changes the agent's product with its SKU or, without one, with
// its name; if there is none, it creates one.
type ImportRow struct {
	SKU, Name string
	// Fill sets the row's fields on the stored or new product. Its error ends the import.
	Fill func(*Product) error
}

// Imported is the result of an import.
type Imported struct {
	Created   int `json:"created" example:"12"`
	Updated   int `json:"updated" example:"3"`
	Unchanged int `json:"unchanged" doc:"Rows that say what was so already." example:"0"`
}

// Import stores products in transactions of up to 99. An interrupted import may be repeated: products that
// were stored are found and unchanged. It returns ErrNotFound if the workspace has no such agent, and a
// validation_error before it stores anything if the agent would have more than MaxRows products.
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
		if done.Created+done.Updated > 0 { // the retry finds what was stored before
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

// An importChange is a product that an import creates or changes.
type importChange struct {
	write table.Write
	makes bool
}

// all reads the items of all rows. It returns ErrNotFound if the workspace has no such agent.
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

// A candidate is a product that is stored or that the import creates.
type candidate struct {
	product, before Product
	version         int64 // of the item; 0 for a new product
}

// merge finds the product of each row, and returns the changes to store.
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

// importChanges returns the writes of the candidates that changed.
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

// storeBatch stores products in one transaction and adds them to done.
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
