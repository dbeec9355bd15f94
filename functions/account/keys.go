package account

import (
	"context"
	"net/http"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// keyRoutes registers the endpoints for API keys and the audit log.
func (s *Service) keyRoutes(r *api.Router) {
	api.Handle(r, "GET /api-keys/", api.Doc{
		ID:      "listAPIKeys",
		Summary: "List the API keys of the workspace", Description: "Oldest first, without those that were " +
			"revoked.", Admin: true,
	}, s.keys)
	api.Handle(r, "POST /api-keys/", api.Doc{
		ID:      "createAPIKey",
		Summary: "Make an API key", Description: "The key is in this answer only. It works for 90 days, " +
			"and may do what an admin may.",
		Status: http.StatusCreated, Admin: true, Sealed: true, Errors: []fault.Code{fault.PlanLimit},
	}, s.makeKey)
	api.Handle(r, "DELETE /api-keys/{id}/", api.Doc{
		ID:      "deleteAPIKey",
		Summary: "Revoke an API key", Description: "It ends at once. A key may revoke itself.",
		Status: http.StatusNoContent, Admin: true,
	}, s.revokeKey)
	api.Handle(r, "GET /audit/", api.Doc{
		ID:      "listAuditEntries",
		Summary: "List who did what",
		Description: "Newest first: sign-ins, every change that a member made, and what API keys changed " +
			"of members, keys and channels. What people said in conversations is not here, since messages " +
			"and notes name their authors.",
		Admin: true,
	}, s.audit)
}

func showKey(k auth.Key) APIKey { return APIKey{k.ID, k.Name, k.CreatedAt, k.ExpiresAt()} }

// keys lists the keys that are not revoked. Revoked keys stay in the table, marked as such.
func (s *Service) keys(ctx context.Context, in api.PageIn) (api.List[APIKey], error) {
	account := auth.CallerOf(ctx).Account.ID
	return api.Paginate(ctx, s.Table, in, api.Listing[APIKey]{
		Query: auth.KeysQuery(account),
		Keep: func(item table.Item) (bool, error) {
			k, err := auth.ReadKey(item)
			return !k.Revoked, err
		},
		Count: func(ctx context.Context) (int64, error) {
			all, err := s.workspaces().List(ctx, account)
			return int64(len(auth.Valid(all))), err
		},
		Item: func(item table.Item) (APIKey, error) {
			k, err := auth.ReadKey(item)
			return showKey(k.Key), err
		},
	})
}

type makeKeyIn struct {
	Name string `json:"name" check:"required,trim,max=100" example:"Shop"`
}

// A NewAPIKey is an API key with its text, which is stored as a hash only.
type NewAPIKey struct {
	APIKey
	Key string `json:"api_key" doc:"The text of the key, which is shown once." example:"fd_3k9m2x7q5v1n8c4j6s0t2w4y6z"`
}

// makeKey issues a key. Concurrent calls may exceed MaxKeys slightly: the number of keys is read before the
// key is written.
func (s *Service) makeKey(ctx context.Context, in makeKeyIn) (NewAPIKey, error) {
	account := auth.CallerOf(ctx).Account.ID
	all, err := s.workspaces().List(ctx, account)
	if err != nil {
		return NewAPIKey{}, err
	}
	if len(auth.Valid(all)) >= auth.MaxKeys {
		return NewAPIKey{}, fault.New(fault.PlanLimit, "A workspace may have at most %d API keys. Revoke "+
			"one first.", auth.MaxKeys)
	}
	issued, err := s.workspaces().Issue(ctx, account, in.Name)
	return NewAPIKey{showKey(issued.Key), issued.Text}, err
}

func (s *Service) revokeKey(ctx context.Context, in idIn) (api.None, error) {
	return api.None{}, notFound(s.workspaces().Revoke(ctx, auth.CallerOf(ctx).Account.ID, in.ID))
}

// An AuditEntry describes one change and who made it.
type AuditEntry = auth.AuditEntry

// audit answers a page of the audit log, newest first. Its entries are counted in an index of their keys.
func (s *Service) audit(ctx context.Context, in api.PageIn) (api.List[AuditEntry], error) {
	account := auth.CallerOf(ctx).Account.ID
	return api.Paginate(ctx, s.Table, in, api.Listing[AuditEntry]{
		Query: auth.AuditQuery(account),
		Count: func(ctx context.Context) (int64, error) {
			page, err := s.Table.Query(ctx, auth.AuditCountQuery(account))
			return int64(len(page.Items)), err
		},
		Item: auth.ReadAudit,
	})
}
