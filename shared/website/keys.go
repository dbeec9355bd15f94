package website

import (
	"crypto/sha256"
	"encoding/hex"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

const (
	// websites begins the sort keys of an agent's websites, in its partition.
	websites table.SortPrefix = "website/"
	// pages begins those of the websites' pages, which continue with the website and a hash of the URL.
	pages table.SortPrefix = "webpage/"
)

// Key returns the key of a website.
func Key(account, agentID, website int64) table.Key {
	return table.Key{PK: agent.Partition(account, agentID), SK: websites.Join(table.PadID(website))}
}

// pagesOf begins the sort keys of the pages of one website.
func pagesOf(website int64) table.SortPrefix {
	return table.SortPrefix(pages.Join(table.PadID(website), "/"))
}

// pageKey returns the key of a page.
func pageKey(account, agentID, website int64, address string) table.Key {
	sum := sha256.Sum256([]byte(address))
	return table.Key{PK: agent.Partition(account, agentID),
		SK: pagesOf(website).Join(hex.EncodeToString(sum[:16]))}
}
