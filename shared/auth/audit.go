package auth

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// An ActorKind says what an Actor is.
type ActorKind string

// The kinds of actors.
const (
	ActorMember ActorKind = "member"
	ActorAPIKey ActorKind = "api_key"
	// ActorService is the service itself, which carries out what takes a while. Its id is 0.
	ActorService ActorKind = "service"
)

// Values lists the kinds.
func (ActorKind) Values() []string {
	return []string{string(ActorMember), string(ActorAPIKey), string(ActorService)}
}

// An Actor is who did something: a member, or whoever has an API key.
type Actor struct {
	Kind ActorKind `json:"kind" example:"member"`
	ID   int64     `json:"id" doc:"The id of the member or of the API key." example:"219482112000003"`
	Name string    `json:"name" example:"Ada Lovelace"`
}

// An AuditEntry tells of one change that somebody made.
type AuditEntry struct {
	ID      int64     `json:"id" example:"219482113099777"`
	At      time.Time `json:"at"`
	Actor   Actor     `json:"actor"`
	Action  string    `json:"action" doc:"What was done, in words." example:"Add a member"`
	Method  string    `json:"method" example:"POST"`
	Path    string    `json:"path" doc:"The path that was called, without /api/v1." example:"/members/"`
	Address string    `json:"address" doc:"The IP address that the request came from." example:"203.0.113.24"`
}

// ReadAudit is the entry that an item holds.
func ReadAudit(item table.Item) (AuditEntry, error) {
	var e AuditEntry
	if err := json.Unmarshal(item.Doc, &e); err != nil {
		return AuditEntry{}, fmt.Errorf("auth: audit entry %s: %w", item.SK, err)
	}
	return e, nil
}

// AuditOfService is the entry of what the service did by itself. The id is that of the event which asked for
// it, so that there is one entry however often it is done.
func AuditOfService(event int64, at time.Time, action, path string) AuditEntry {
	return AuditEntry{
		ID: event, At: at.UTC().Truncate(time.Millisecond),
		Actor:  Actor{Kind: ActorService, Name: "Frontdesk"},
		Action: action, Method: http.MethodDelete, Path: path,
	}
}

// Write stores the entry. Its key has random bits behind the id, since several processes may make one id; the
// key in Index3 is for counting.
func (e AuditEntry) Write(account int64) (table.Write, error) {
	doc, err := json.Marshal(e)
	key := auditKey(account, e.ID, e.Actor.Kind)
	return table.Put(table.Item{Key: key, Doc: doc, Index3: key}), err
}

// auditOf is the entry of a request.
func auditOf(call Call, by Actor, at time.Time) AuditEntry {
	return AuditEntry{
		ID: id.NewSource(
			func() time.Time { return at }).Next(), At: at.UTC().Truncate(time.Millisecond), Actor: by,
		Action: call.Action, Method: call.Method, Path: call.Path, Address: call.Address,
	}
}
