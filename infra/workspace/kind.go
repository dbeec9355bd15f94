package workspace

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"frontdesk/shared/table"
)

// A kind is how the items of one prefix of partition keys belong to workspaces.
type kind struct {
	// owner returns the workspace that an item belongs to, 0 where it belongs to none.
	owner func(table.Item) (int64, error)
	// moves tells that the items go along to another store. Others are about what is under way here.
	moves bool
	// door tells that a workspace is entered by the items: it is theirs that make an imported one usable.
	door bool
}

// kinds are those of all items, by the prefix of their partition keys. docs/data-model.md lists what each is.
var kinds = map[table.Prefix]kind{
	"account":      {owner: byKey, moves: true, door: true},
	"usage":        {owner: byKey, moves: true},
	"visits":       {owner: byKey, moves: true},
	"audit":        {owner: byKey, moves: true},
	"agents":       {owner: byKey, moves: true},
	"agent":        {owner: byKey, moves: true},
	"counter":      {owner: byKey, moves: true},
	"delivery":     {owner: byKey, moves: true},
	"document":     {owner: byKey, moves: true},
	"index":        {owner: byKey, moves: true},
	"contact":      {owner: byKey, moves: true},
	"phone":        {owner: byKey, moves: true},
	"email":        {owner: byKey, moves: true},
	"external":     {owner: byKey, moves: true},
	"session":      {owner: byKey, moves: true},
	"conversation": {owner: byKey, moves: true},
	"address":      {owner: byKey, moves: true},
	"appointment":  {owner: byKey, moves: true},
	"busy":         {owner: byKey, moves: true},
	"playbook":     {owner: byKey, moves: true},
	"unanswered":   {owner: byKey, moves: true},
	"file":         {owner: byKey, moves: true},

	"key":   {owner: byAccount, moves: true, door: true},
	"owner": {owner: byAccountID, moves: true, door: true},
	"embed": {owner: byAccountID, moves: true, door: true},

	"retention": {owner: byAccountID, moves: true},
	"renewal":   {owner: byAccountID, moves: true},

	"signed-in":        {owner: byAccount}, // a cookie is the other site's
	"sign-in":          {owner: byAccountID},
	"outbox":           {owner: byKey},
	"lane":             {owner: byKey},
	"seen":             {owner: byKey},
	"answer":           {owner: byKey}, // those of a chat box's visitors are workspace 0's, for a day
	"delivery-budget":  {owner: byKey},
	"challenge":        {owner: nobody}, // for five minutes
	"visitor":          {owner: nobody}, // for two minutes
	"sign-in-attempts": {owner: nobody}, // for two minutes
}

// kindOf returns the kind of an item. An item whose kind is not listed is an error, so that nothing of a
// workspace is forgotten.
func kindOf(item table.Item) (kind, error) {
	prefix, _, _ := strings.Cut(item.PK, "/")
	k, ok := kinds[table.Prefix(prefix)]
	if !ok {
		return k, fmt.Errorf("workspace: nothing is known of items such as %s %s", item.PK, item.SK)
	}
	return k, nil
}

// byKey returns the owner of an item whose partition key has the workspace's id after the prefix.
func byKey(item table.Item) (int64, error) {
	_, rest, _ := strings.Cut(item.PK, "/")
	text, _, _ := strings.Cut(rest, "/")
	account, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("workspace: %s %s names no workspace", item.PK, item.SK)
	}
	return account, nil
}

// byAccountID returns the owner of an item whose document has the workspace's id.
func byAccountID(item table.Item) (int64, error) {
	var doc struct {
		AccountID int64 `json:"account_id"`
	}
	err := json.Unmarshal(item.Doc, &doc)
	return named(item, doc.AccountID, err)
}

// byAccount returns the owner of an item whose document has a copy of the workspace.
func byAccount(item table.Item) (int64, error) {
	var doc struct {
		Account struct {
			ID int64 `json:"id"`
		} `json:"account"`
	}
	err := json.Unmarshal(item.Doc, &doc)
	return named(item, doc.Account.ID, err)
}

func named(item table.Item, account int64, err error) (int64, error) {
	if err != nil || account == 0 {
		return 0, fmt.Errorf("workspace: the document of %s %s names no workspace", item.PK, item.SK)
	}
	return account, nil
}

func nobody(table.Item) (int64, error) { return 0, nil }
