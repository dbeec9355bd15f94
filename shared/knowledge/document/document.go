// Package document is how the API shows a knowledge document, to the functions that have endpoints for them.
package document

import (
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/knowledge"
)

// A Document is what the API shows of a knowledge document.
type Document struct {
	ID               int64          `json:"id" example:"219482113060864"`
	AgentID          int64          `json:"agent_id" example:"219482113000001"`
	Title            string         `json:"title" example:"Opening hours"`
	DocType          knowledge.Type `json:"doc_type" example:"text"`
	Content          string         `json:"content" example:"We are open Monday to Friday from 9:00 to 17:00."`
	ContentTruncated bool           `json:"content_truncated,omitempty" doc:"True where content is the beginning of a longer one, in lists."`
	SourceURL        string         `json:"source_url" doc:"Empty unless doc_type is url." example:""`
	IsActive         bool           `json:"is_active" doc:"Whether included in searches." example:"true"`
	ChunkCount       int            `json:"chunk_count" doc:"Number of indexed chunks." example:"1"`
	IndexError       string         `json:"index_error,omitempty" doc:"Why the page of a url could not be indexed."`
	CreatedAt        time.Time      `json:"created_at"`
	UpdatedAt        time.Time      `json:"updated_at"`
	// Warnings are what the agent cannot use of it.
	Warnings []agent.Warning `json:"warnings" doc:"What the agent cannot use of it; empty where it can use all." example:"[]"`
}

// Show returns a document as the API shows it.
func Show(d knowledge.Document) Document {
	return Document{
		ID: d.ID, AgentID: d.AgentID, Title: d.Title, DocType: d.Type, Content: d.Content,
		ContentTruncated: d.Truncated,
		SourceURL:        d.SourceURL, IsActive: d.Active, ChunkCount: d.Chunks, IndexError: d.IndexError,
		CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt, Warnings: warningsOf(d),
	}
}

// warningsOf returns what the agent cannot use of a document.
func warningsOf(d knowledge.Document) []agent.Warning {
	if !d.Empty() {
		return []agent.Warning{}
	}
	w := agent.Warning{
		Code: agent.DocumentWithoutText, Field: "content", Values: []string{},
		Detail: "The document holds no text that the agent could answer from.",
	}
	if d.Type == knowledge.URL {
		w.Field = "url"
	}
	if d.IndexError != "" {
		w.Detail = "The page holds no text for the agent: " + d.IndexError
	}
	return []agent.Warning{w}
}
