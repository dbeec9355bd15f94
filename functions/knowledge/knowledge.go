// Package knowledge implements the REST endpoints for an agent's documents and websites.
package knowledge

import (
	"context"
	"strings"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/counter"
	"frontdesk/shared/egress"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/knowledge/document"
	"frontdesk/shared/opt"
	"frontdesk/shared/page"
	"frontdesk/shared/table"
	"frontdesk/shared/unanswered"
)

// Service implements the knowledge endpoints. It is safe for concurrent use.
type Service struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
	Web   *egress.Client // fetches pages of url documents; refuses private addresses
}

// Routes registers the endpoints.
func (s *Service) Routes(r *api.Router) {
	s.documentRoutes(r)
	s.websiteRoutes(r)
}

// documentRoutes registers the endpoints for documents and unanswered questions.
func (s *Service) documentRoutes(r *api.Router) {
	api.Handle(r, "GET /agents/{agent_id}/knowledge/", api.Doc{
		ID:      "listDocuments",
		Summary: "List the documents of an agent",
		Description: "Newest first. Of a long document the list has the beginning of `content`, some 14 " +
			"KB, and says so by " +
			"`content_truncated`.",
	}, s.list)
	api.Handle(r, "POST /agents/{agent_id}/knowledge/", api.Doc{
		ID:      "createDocument",
		Summary: "Add a document to an agent",
		Description: "The document is in the index when the answer comes. The `content` of a `faq` is " +
			"blocks parted by blank lines, " +
			"each of one or more lines `Q: question` and then `A: answer`, which may run over lines; each " +
			"block is one chunk. A `url` " +
			"that cannot be fetched is stored all the same, with `chunk_count` 0 and the reason in " +
			"`index_error`.",
		Status: 201,
	}, s.create)
	api.Handle(r, "GET /agents/{agent_id}/knowledge/unanswered/", api.Doc{
		ID:      "listUnansweredQuestions",
		Summary: "List the questions that an agent had no answer to",
		Description: "The one that was asked last comes first. Questions of the same words, whatever their " +
			"order and endings, are one " +
			"and counted. One that the agent has answered when it was asked again is not on the list any " +
			"more; what asks nothing, small " +
			"talk, and what was handed over to a person at once never is.",
	}, s.unanswered)
	api.Handle(r, "DELETE /agents/{agent_id}/knowledge/unanswered/{question_id}/", api.Doc{
		ID:      "deleteUnansweredQuestion",
		Summary: "Take a question off that list",
		Description: "For one that you have dealt with. When it is asked again and there is still no " +
			"answer it comes anew.",
		Status: 204,
	}, s.dismiss)
	api.Handle(r, "GET /knowledge/{id}/", api.Doc{
		ID:      "getDocument",
		Summary: "Read a document",
	}, s.read)
	api.Handle(r, "PATCH /knowledge/{id}/", api.Doc{
		ID:      "updateDocument",
		Summary: "Change a document",
		Description: "What is not sent stays. A document that has `content_truncated`, as lists show it, " +
			"can be sent back: its " +
			"`content` is not taken. The `content` of a `url` may be changed too, and stays so until it is " +
			"reindexed.",
	}, s.update)
	api.Handle(r, "DELETE /knowledge/{id}/", api.Doc{
		ID:      "deleteDocument",
		Summary: "Delete a document",
		Status:  204,
	}, s.delete)
	api.Handle(r, "POST /knowledge/{id}/reindex/", api.Doc{
		ID:      "reindexDocument",
		Summary: "Index a document anew",
		Description: "A `url` is fetched again. Where that fails the document stays as it was, `reindexed` " +
			"is false, and the " +
			"document's `index_error` says why.",
	}, s.reindex)
}

func (s *Service) store() *knowledge.Store {
	return &knowledge.Store{Table: s.Table, Now: s.Now, IDs: s.IDs}
}

type listIn struct {
	AgentID int64 `path:"agent_id"`
	api.PageIn
}

// list answers a page of an agent's documents, newest first.
func (s *Service) list(ctx context.Context, in listIn) (api.List[document.Document], error) {
	account := auth.CallerOf(ctx).Account.ID
	return api.Paginate(ctx, s.Table, in.PageIn, api.Listing[document.Document]{
		Query: table.Query{
			Index: table.Index1, PK: knowledge.DocumentKeyByAgent(account, in.AgentID, 0).PK,
			Descending: true,
		},
		// The agent's summary has the count, and is ErrNotFound if the workspace has no such agent.
		Count: func(ctx context.Context) (int64, error) {
			summary, err := (&agent.Store{Table: s.Table}).LoadSummary(ctx, account, in.AgentID)
			return summary.KnowledgeCount, err
		},
		Item: func(item table.Item) (document.Document, error) {
			d, err := knowledge.Read(item)
			return document.Show(d), err
		},
	})
}

// unanswered answers a page of the questions that the agent had no answer to. Their number is a counter of
// the agent.
func (s *Service) unanswered(ctx context.Context, in listIn) (api.List[unanswered.Question], error) {
	account := auth.CallerOf(ctx).Account.ID
	return api.Paginate(ctx, s.Table, in.PageIn, api.Listing[unanswered.Question]{
		Query: unanswered.Query(account, in.AgentID),
		Count: func(ctx context.Context) (int64, error) {
			counts, err := counter.OfAgent(ctx, s.Table, account, in.AgentID)
			return unanswered.Count(counts), err
		},
		Item: unanswered.Read,
	})
}

// questionIn names an unanswered question by its agent and id.
type questionIn struct {
	AgentID    int64 `path:"agent_id"`
	QuestionID int64 `path:"question_id"`
}

func (s *Service) dismiss(ctx context.Context, in questionIn) (api.None, error) {
	return api.None{}, unanswered.Delete(ctx, s.Table, auth.CallerOf(ctx).Account.ID, in.AgentID,
		in.QuestionID)
}

type createIn struct {
	AgentID  int64           `path:"agent_id"`
	Title    string          `json:"title" check:"required,cut=300" example:"Opening hours"`
	DocType  knowledge.Type  `json:"doc_type" doc:"Default text. The content of a file is its text." example:"text"`
	Content  string          `json:"content" check:"null" doc:"Required unless doc_type is url, where it is not used." example:"We are open Monday to Friday from 9:00 to 17:00."`
	URL      string          `json:"url" check:"null,format=url" doc:"Required where doc_type is url, else not used." example:"https://example.com/about"`
	IsActive opt.Value[bool] `json:"is_active" doc:"Default true." example:"true"`
}

// create stores a document and its chunks in the index. A page is fetched within the request; when that fails
// the document is stored without text, and its index_error says why.
func (s *Service) create(ctx context.Context, in createIn) (document.Document, error) {
	account := auth.CallerOf(ctx).Account.ID
	d := knowledge.Document{
		AgentID: in.AgentID, Title: in.Title, Type: in.DocType, Content: in.Content,
		Active: in.IsActive.Or(true),
	}
	switch d.Type {
	case "":
		d.Type = knowledge.Text
	case knowledge.URL:
		if in.URL == "" {
			return document.Document{}, fault.Invalid("url", "The field url is required for doc_type url.")
		}
		// Refuse an unknown agent before fetching: outsiders' pages are not called for nothing.
		if _, err := (&agent.Store{Table: s.Table}).LoadSummary(ctx, account, in.AgentID); err != nil {
			return document.Document{}, err
		}
		d.SourceURL = in.URL
		var err error
		if d.Content, d.IndexError, err = s.fetch(ctx, in.URL); err != nil {
			return document.Document{}, err
		}
	}
	if err := checkContent(d.Type, d.Content); err != nil {
		return document.Document{}, err
	}
	d, err := s.store().Create(ctx, account, d)
	return document.Show(d), err
}

// checkContent refuses empty content, except for a url document, which has none until its page was fetched.
func checkContent(t knowledge.Type, content string) error {
	if t != knowledge.URL && strings.TrimSpace(content) == "" {
		return fault.Invalid("content", "The field content is required for doc_type %s and may not be empty.",
			t)
	}
	return nil
}

// fetch returns the text of a page, or a problem to show to the user if it has none. err is set only if the
// request was cancelled.
func (s *Service) fetch(ctx context.Context, address string) (content, problem string, err error) {
	p, err := page.Fetch(ctx, s.Web, address)
	switch {
	case ctx.Err() != nil:
		return "", "", ctx.Err()
	case err != nil:
		return "", err.Error(), nil
	case len(p.Text) > knowledge.MaxContent:
		return "", "The page holds more than 1 MiB of text.", nil
	}
	return p.Text, "", nil
}

type documentIn struct {
	ID int64 `path:"id"`
}

func (s *Service) read(ctx context.Context, in documentIn) (document.Document, error) {
	d, err := s.store().Load(ctx, auth.CallerOf(ctx).Account.ID, in.ID)
	return document.Show(d), err
}

type updateIn struct {
	documentIn
	Title            opt.Value[string] `json:"title" check:"cut=300" example:"Opening hours"`
	Content          opt.Value[string] `json:"content" example:"We are open Monday to Saturday from 9:00 to 17:00."`
	ContentTruncated opt.Value[bool]   `json:"content_truncated" doc:"True leaves content as it is." example:"false"`
	IsActive         opt.Value[bool]   `json:"is_active" example:"true"`
}

// update changes what was sent. Content that equals the stored content is not indexed again.
func (s *Service) update(ctx context.Context, in updateIn) (document.Document, error) {
	if in.Title.Set && in.Title.Value == "" {
		return document.Document{}, fault.Invalid("title", "The field title may not be empty.")
	}
	// content_truncated marks a document copied from a list, which has only the beginning of its content.
	if in.ContentTruncated.Value {
		in.Content = opt.Value[string]{}
	}
	d, err := s.store().Change(ctx, auth.CallerOf(ctx).Account.ID, in.ID,
		func(d knowledge.Document) (knowledge.Edit, error) {
			var e knowledge.Edit
			if in.Title.Set {
				e.Title = &in.Title.Value
			}
			if in.IsActive.Set {
				e.Active = &in.IsActive.Value
			}
			if in.Content.Set && in.Content.Value != d.Content {
				if err := checkContent(d.Type, in.Content.Value); err != nil {
					return e, err
				}
				e.Content, e.IndexError = &in.Content.Value, new(string)
			}
			return e, nil
		})
	return document.Show(d), err
}

func (s *Service) delete(ctx context.Context, in documentIn) (api.None, error) {
	return api.None{}, s.store().Delete(ctx, auth.CallerOf(ctx).Account.ID, in.ID)
}

// Reindexed is the result of indexing a document again.
type Reindexed struct {
	ID         int64 `json:"id" example:"219482113060864"`
	Reindexed  bool  `json:"reindexed" doc:"False where the page of a url could not be fetched." example:"true"`
	ChunkCount int   `json:"chunk_count" example:"1"`
}

// reindex indexes a document again, after fetching the page of a url document. When the fetch fails the
// indexed content stays, and index_error says why.
func (s *Service) reindex(ctx context.Context, in documentIn) (Reindexed, error) {
	var content, problem string
	fetched := false // fetch once, even if a conflict makes Change call edit again
	d, err := s.store().Change(ctx, auth.CallerOf(ctx).Account.ID, in.ID,
		func(d knowledge.Document) (knowledge.Edit, error) {
			if d.Type != knowledge.URL {
				return knowledge.Edit{Reindex: true}, nil
			}
			if !fetched {
				var err error
				if content, problem, err = s.fetch(ctx, d.SourceURL); err != nil {
					return knowledge.Edit{}, err
				}
				fetched = true
			}
			e := knowledge.Edit{IndexError: &problem}
			if problem == "" {
				e.Content, e.Reindex = &content, true
			}
			return e, nil
		})
	return Reindexed{d.ID, err == nil && problem == "", d.Chunks}, err
}
