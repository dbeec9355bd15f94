package auth

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// An ActorKind is the kind of an Actor.
type ActorKind string

// The kinds of actors.
const (
	ActorMember ActorKind = "member"
	ActorAPIKey ActorKind = "api_key"
	// ActorService is the service itself, for work in the background. Its id is 0.
	ActorService ActorKind = "service"
)

// Values implements api.Enum.
func (ActorKind) Values() []string {
	return []string{string(ActorMember), string(ActorAPIKey), string(ActorService)}
}

// An Actor is the member, API key or service that made a change.
type Actor struct {
	Kind ActorKind `json:"kind" example:"member"`
	ID   int64     `json:"id" doc:"The id of the member or of the API key." example:"219482112000003"`
	Name string    `json:"name" example:"Ada Lovelace"`
}

// An AuditEntry describes one change and who made it.
type AuditEntry struct {
	ID      int64     `json:"id" example:"219482113099777"`
	At      time.Time `json:"at"`
	Actor   Actor     `json:"actor"`
	Action  string    `json:"action" doc:"What was done, in words." example:"Add a member"`
	Method  string    `json:"method" example:"POST"`
	Path    string    `json:"path" doc:"The path that was called, without /api/v1." example:"/members/"`
	Address string    `json:"address" doc:"The IP address that the request came from." example:"203.0.113.24"`
}

// ReadAudit decodes an entry of the audit log.
func ReadAudit(item table.Item) (AuditEntry, error) {
	var e AuditEntry
	if err := json.Unmarshal(item.Doc, &e); err != nil {
		return AuditEntry{}, fmt.Errorf("auth: audit entry %s: %w", item.SK, err)
	}
	return e, nil
}

// AuditOfService returns the entry of work in the background. Its id is that of the event that requested the
// work, so repeating the work adds no second entry.
func AuditOfService(event int64, at time.Time, action, path string) AuditEntry {
	return AuditEntry{
		ID: event, At: at.UTC().Truncate(time.Millisecond),
		Actor:  Actor{Kind: ActorService, Name: "Frontdesk"},
		Action: action, Method: http.MethodDelete, Path: path,
	}
}

// Write returns the write that stores the entry. The key in Index3 lets AuditCountQuery read keys alone.
func (e AuditEntry) Write(account int64) (table.Write, error) {
	doc, err := json.Marshal(e)
	key := auditKey(account, e.ID, e.Actor.Kind)
	return table.Put(table.Item{Key: key, Doc: doc, Index3: key}), err
}

// auditOf returns the entry of a request.
func auditOf(call Call, by Actor, at time.Time) AuditEntry {
	return AuditEntry{
		ID: id.NewSource(
			func() time.Time { return at }).Next(), At: at.UTC().Truncate(time.Millisecond), Actor: by,
		Action: call.Action, Method: call.Method, Path: call.Path, Address: call.Address,
	}
}
