package api

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// IdempotencyKeyHeader is the request header that makes a POST safe to send again. ReplayedHeader marks an
// answer that is given again.
const (
	IdempotencyKeyHeader = "Idempotency-Key"
	ReplayedHeader       = "Idempotent-Replayed"
)

// maxIdempotencyKey is the length limit of an Idempotency-Key in characters.
const maxIdempotencyKey = 255

const (
	// answerAge is how long an answer is stored.
	answerAge = 24 * time.Hour
	// lease is how long a request may be in progress. API Gateway and Lambda end one after 29 s, so a request
	// without an answer after the lease was interrupted.
	lease = 40 * time.Second
	// firstPause is how long a request first waits for an earlier one with its key. The pause doubles each
	// time. After that many lookups the request is refused.
	firstPause = 25 * time.Millisecond
	lookups    = 8 // about 3 s in all
	// answerPart is how many bytes of an answer one item has. DynamoDB allows 400 KB an item, and the rest of
	// the item needs some hundred bytes.
	answerPart = 300 << 10
)

// Answers stores the first answer to each POST with an Idempotency-Key, by workspace, path and key. For
// public endpoints it is by path, key and client (see clientKey), and refusals that changed nothing are not
// stored.
//
// A request is first stored as in progress, and its answer is stored before the caller gets it. The first
// transaction of the request also records that the request took effect. So a request takes effect once,
// however often it is sent and whenever the process dies: if it was interrupted before its effect, the next
// sending carries it out; if it was interrupted after it, the next sending is told so.
type Answers struct {
	Table table.Table
	Now   func() time.Time
}

// record is a request with an Idempotency-Key, as the first part of its answer stores it.
type record struct {
	Body   string    `json:"body"`             // hash of the request's body
	At     time.Time `json:"at"`               // when it began
	Effect bool      `json:"effect,omitempty"` // it has changed something
	Status int       `json:"status,omitempty"`
	// Parts is the number of items that the answer takes; 0 while the request is in progress.
	Parts int `json:"parts,omitempty"`

	account int64
	request string // hash of path and key, and of the client if there is no workspace
	version int64
	seal    *seal // encrypts the answer; nil if it has no secret
}

// once wraps an endpoint so that a request with an Idempotency-Key is carried out at most once. A sealed
// answer is stored encrypted.
func (r *Router) once(serve http.HandlerFunc, doc Doc) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		key := req.Header.Get(IdempotencyKeyHeader)
		if key == "" || r.Answers == nil {
			serve(w, req)
			return
		}
		if utf8.RuneCountInString(key) > maxIdempotencyKey {
			r.fail(w, req, fault.Invalid(IdempotencyKeyHeader,
				"The header %s may have at most %d characters.", IdempotencyKeyHeader, maxIdempotencyKey))
			return
		}
		// The whole body is compared with that of the first sending, so it is read before the handler does.
		body, err := readAll(req)
		if err != nil {
			r.fail(w, req, err)
			return
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		request := req.URL.Path + "\n" + key
		if doc.Public {
			who := clientKey(req, body)
			if who == "" {
				serve(w, req)
				return
			}
			request += "\n" + who
		}
		n := &record{Body: hash(body), request: hash([]byte(request))}
		if !doc.Public {
			n.account = r.Auth.Account(req.Context())
		}
		if doc.Sealed {
			if n.seal, err = sealFor(cmp.Or(req.Header.Get("Authorization"), req.Header.Get("Cookie")),
				n.request); err != nil {
				r.fail(w, req, err)
				return
			}
		}
		r.execute(w, req, &attempt{answers: r.Answers, record: n, public: doc.Public}, serve)
	}
}

// Once begins to record a request of a public endpoint. Its handler calls it once the request is known to be
// worth storing, and before it changes anything: anybody can send such requests, so invalid and rate-limited
// ones must not write. The handler continues with the returned context, and returns the error unchanged: if
// the request was answered before, the Router then sends that answer.
//
// A public endpoint that does not call Once ignores Idempotency-Key. Once does nothing for requests without
// the header, and for endpoints that need a key, whose requests are recorded before their handler runs.
func Once(ctx context.Context) (context.Context, error) {
	a, ok := ctx.Value(attemptKey{}).(*attempt)
	if !ok || a.effect != nil {
		return ctx, nil
	}
	return a.begin(ctx)
}

// An attempt is one sending of a request with an Idempotency-Key.
type attempt struct {
	answers *Answers
	record  *record
	public  bool             // the handler decides by Once when the request is recorded
	before  *answer          // the stored answer; nil if there is none
	effect  *table.Companion // nil until the request is recorded
}

type attemptKey struct{}

// errReplayed ends a request that has a stored answer.
var errReplayed = errors.New("api: answered before")

// begin records the request and returns the context to serve it in, or errReplayed if it has an answer.
func (a *attempt) begin(ctx context.Context) (context.Context, error) {
	before, err := a.answers.begin(ctx, a.record)
	if err != nil {
		return ctx, err
	}
	if before != nil {
		a.before = before
		return ctx, errReplayed
	}
	// The request is completed and recorded even if the caller disconnects.
	ctx, a.effect, err = a.answers.watch(context.WithoutCancel(ctx), a.record)
	return ctx, err
}

// execute serves a request at most once, stores its answer, and then sends it.
func (r *Router) execute(w http.ResponseWriter, req *http.Request, a *attempt, serve http.HandlerFunc) {
	ctx, err := context.WithValue(req.Context(), attemptKey{}, a), error(nil)
	if !a.public {
		ctx, err = a.begin(ctx)
	}
	answer := &answer{header: w.Header()}
	switch {
	case err == nil:
		r.serveAndStore(answer, req.WithContext(ctx), a, serve)
	case a.before == nil:
		r.fail(w, req, err)
		return
	}
	if a.before != nil {
		w.Header().Set(ReplayedHeader, "true")
		answer = a.before
	}
	answer.send(w)
}

// serveAndStore serves a request and stores its answer if the request was recorded, also after a panic.
func (r *Router) serveAndStore(w *answer, req *http.Request, a *attempt, serve http.HandlerFunc) {
	defer func() {
		if a.effect == nil {
			return
		}
		happened := a.effect.CarriedOut()
		if happened {
			// The effect's transaction has written the record, so its version is one higher.
			a.record.version++
		}
		ctx := table.Alone(context.WithoutCancel(req.Context()))
		if err := a.answers.finish(ctx, a.record, w, a.public && !happened); err != nil {
			r.Log.LogAttrs(ctx, slog.LevelError, "an answer could not be kept",
				slog.String("request_id", requestOf(ctx).RequestID), slog.String("error", err.Error()))
		}
	}()
	serve(w, req)
}

// clientKey distinguishes callers of a public endpoint, so that guessing a key does not reveal another's
// answer. It is the session id in the body, which only that client knows, or else the address, or "" if
// neither is known.
func clientKey(req *http.Request, body []byte) string {
	var in struct {
		SessionID string `json:"session_id"`
	}
	if err := json.Unmarshal(body, &in); err == nil && in.SessionID != "" {
		return "session " + in.SessionID
	}
	if address := CallerAddress(req.Context()); address != "" {
		return "address " + address
	}
	return ""
}

// begin records the request as in progress, or returns the answer it had before. It waits a few seconds for
// an earlier sending that is still in progress.
func (a *Answers) begin(ctx context.Context, n *record) (*answer, error) {
	n.At = a.Now().UTC()
	for i, pause := 0, firstPause; ; i, pause = i+1, 2*pause {
		err := a.note(ctx, n)
		if !table.IsConditionError(err) {
			return nil, err
		}
		before, answer, err := a.find(ctx, n)
		switch {
		case err != nil || answer != nil:
			return answer, err
		case before.At.Before(n.At.Add(-lease)) && before.Effect:
			return nil, errAnswerLost()
		// The earlier sending was interrupted before it changed anything: take over its record.
		case before.At.Before(n.At.Add(-lease)):
			n.version = before.version
			continue
		case i >= lookups-1:
			return nil, errInProgress()
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// note stores the request as in progress, on the condition that nothing is stored or that the stored version
// was not changed.
func (a *Answers) note(ctx context.Context, n *record) error {
	item, err := a.item(n)
	if err != nil {
		return err
	}
	write, version := table.PutKnown(item, a.Now())
	if err := a.Table.Transact(ctx, write); err != nil {
		n.version = 0
		return err
	}
	n.version = version
	return nil
}

// watch returns a context whose first transaction also records that the request took effect. That transaction
// fails if another sending took the record over in the meantime.
func (a *Answers) watch(ctx context.Context, n *record) (context.Context, *table.Companion, error) {
	after := *n
	after.Effect = true
	item, err := a.item(&after)
	if err != nil {
		return nil, nil, err
	}
	ctx, effect := table.WithCompanion(ctx, table.PutIfVersion(item))
	return ctx, effect, nil
}

// find returns the stored request and its answer, which is nil while the request is in progress.
func (a *Answers) find(ctx context.Context, n *record) (record, *answer, error) {
	page, err := a.Table.Query(ctx, table.Query{PK: answerKey(n.account, n.request, 0).PK})
	if err != nil || len(page.Items) == 0 {
		return record{At: n.At}, nil, err // it has just expired: store it again
	}
	before := record{version: page.Items[0].Version}
	if err := json.Unmarshal(page.Items[0].Doc, &before); err != nil {
		return record{}, nil, fmt.Errorf("api: answer %s: %w", page.Items[0].PK, err)
	}
	if before.Body != n.Body {
		return record{}, nil, fault.Invalid(IdempotencyKeyHeader,
			"The header %s was sent before with another body.", IdempotencyKeyHeader)
	}
	if before.Parts == 0 || before.Parts > len(page.Items) {
		return before, nil, nil
	}
	var kept []byte
	for _, item := range page.Items[:before.Parts] {
		kept = append(kept, item.Blob...)
	}
	body, ok := n.seal.open(kept)
	if !ok {
		return record{}, nil, fault.Invalid(IdempotencyKeyHeader,
			"The header %s was sent before with another API key, and the answer "+
				"holds a secret that is shown to that one only.", IdempotencyKeyHeader)
	}
	found := &answer{header: http.Header{}, status: before.Status}
	found.body.Write(body)
	return before, found, nil
}

// finish stores the answer of a recorded request. It removes the record if the request may be retried (429,
// 5xx, no answer), and with forgetRefusals after other errors too.
func (a *Answers) finish(ctx context.Context, n *record, answer *answer, forgetRefusals bool) error {
	var err error
	if answer.status == 0 || answer.status == http.StatusTooManyRequests ||
		answer.status >= http.StatusInternalServerError ||
		forgetRefusals && answer.status >= http.StatusBadRequest {
		err = a.Table.Transact(ctx, table.DeleteIfVersion(answerKey(n.account, n.request, 0), n.version))
	} else {
		err = a.keep(ctx, n, answer)
	}
	if table.IsConditionError(err) {
		return nil // the lease ended, and another sending carried it out
	}
	return err
}

// keep stores the answer of a recorded request, in as many items as it needs, in one transaction.
func (a *Answers) keep(ctx context.Context, n *record, answer *answer) error {
	parts := slices.Collect(slices.Chunk(n.seal.close(answer.body.Bytes()), answerPart))
	n.Status, n.Parts = answer.status, max(1, len(parts))
	first, err := a.item(n)
	if err != nil {
		return err
	}
	writes := []table.Write{table.PutIfVersion(first)}
	for i, part := range parts {
		if i == 0 {
			writes[0].Item.Blob = part
			continue
		}
		writes = append(writes, table.Put(table.Item{Key: answerKey(n.account, n.request, i), Blob: part,
			Expires: first.Expires}))
	}
	return a.Table.Transact(ctx, writes...)
}

// item returns the first item of what is stored of a request, without its answer.
func (a *Answers) item(n *record) (table.Item, error) {
	doc, err := json.Marshal(n)
	return table.Item{
		Key:     answerKey(n.account, n.request, 0),
		Doc:     doc,
		Expires: n.At.Add(answerAge).Truncate(time.Second),
		Version: n.version,
	}, err
}

// errInProgress is the error while the first sending is still in progress.
func errInProgress() error {
	e := fault.New(fault.RateLimited, "A request with this %s is under way. Try again in a few seconds.",
		IdempotencyKeyHeader)
	e.RetryAfter = 5 * time.Second
	return e
}

// errAnswerLost is the error if the first sending took effect and was interrupted before its answer was
// stored.
func errAnswerLost() error {
	return fault.Invalid(IdempotencyKeyHeader,
		"The request took effect when it was first sent with this %s, but its answer was lost when "+
			"the service was interrupted. It is not carried out again: read what it changed.",
		IdempotencyKeyHeader)
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// An answer is a ResponseWriter that buffers the response, so that it is stored before it is sent.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(p)
}

// send writes the buffered response.
func (a *answer) send(w http.ResponseWriter) {
	if a.body.Len() == 0 {
		w.WriteHeader(a.status)
		return
	}
	write(w, a.status, a.body.Bytes())
}
