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

// IdempotencyKeyHeader is the header by which a caller makes a POST safe to send again; ReplayedHeader marks
// an answer that was given before.
const (
	IdempotencyKeyHeader = "Idempotency-Key"
	ReplayedHeader       = "Idempotent-Replayed"
)

// maxIdempotencyKey is how many characters an Idempotency-Key may have.
const maxIdempotencyKey = 255

const (
	// keepAnswers is how long an answer is kept.
	keepAnswers = 24 * time.Hour
	// lease is how long a request may be under way, and longer than any can be: after 29 s API Gateway and
	// Lambda end it. One that has no answer by then was cut off.
	lease = 40 * time.Second
	// firstPause is how long a request waits at first for the one that came before it, and twice as long each
	// time. After so many lookups it is refused.
	firstPause = 25 * time.Millisecond
	lookups    = 8 // some 3 s in all
	// answerPart is how many bytes of an answer an item takes. The rest of the item needs some hundred.
	answerPart = 300 << 10
)

// Answers keeps the first answers to POST requests that carry an Idempotency-Key, by workspace, path and key;
// those of public endpoints by path, key, and who is likely to know the answer: see clientKey, and without
// those that refuse a request that changed nothing. A request is first noted down as under way, and its
// answer put there before the caller gets it. That it took effect is noted in the transaction of the effect
// itself, the first of the request. So a request takes effect once however often it is sent and whenever the
// process dies: one that was cut off before is carried out anew, one that was cut off between the effect and
// its answer is not, and whoever sends it again hears just that.
type Answers struct {
	Table table.Table
	Now   func() time.Time
}

// A noted request is one that carried an Idempotency-Key, as it is stored in the first part of its answer.
type noted struct {
	Body   string    `json:"body"`             // hash of the request's body
	At     time.Time `json:"at"`               // when it began
	Effect bool      `json:"effect,omitempty"` // it has changed something
	Status int       `json:"status,omitempty"`
	// how many items the answer takes; 0 while the request is under way
	Parts int `json:"parts,omitempty"`

	account int64
	request string // hash of path and key, and of who calls where there is no workspace
	version int64
	seal    *seal // of the answer, nil where it holds no secret
}

// once serves a request that carries an Idempotency-Key no more than once. An answer that is sealed is kept
// encrypted.
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
		n := &noted{Body: hash(body), request: hash([]byte(request))}
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
		r.carryOut(w, req, &attempt{answers: r.Answers, noted: n, public: doc.Public}, serve)
	}
}

// Once is called by the handler of a public endpoint as soon as it knows that the request is worth keeping an
// answer of, and before it changes anything: anybody can send such requests, so those that lead nowhere or
// are too many must cost nothing. It returns the context to go on with. The handler must return its error as
// it is: where the request was answered before, that answer is given instead. A public endpoint that does not
// call it ignores Idempotency-Key. It does nothing for requests without the header and for those with an API
// key, which are noted before their handler is called.
func Once(ctx context.Context) (context.Context, error) {
	a, ok := ctx.Value(attemptKey{}).(*attempt)
	if !ok || a.effect != nil {
		return ctx, nil
	}
	return a.begin(ctx)
}

// An attempt is one sending of a request that carries an Idempotency-Key.
type attempt struct {
	answers *Answers
	noted   *noted
	public  bool             // the handler says when it is noted, by Once
	before  *answer          // that it had before, nil for none
	effect  *table.Companion // nil before it is noted
}

type attemptKey struct{}

// errReplayed ends a request that was answered before.
var errReplayed = errors.New("api: answered before")

// begin notes the request and returns the context to serve it in, or errReplayed where it has an answer.
func (a *attempt) begin(ctx context.Context) (context.Context, error) {
	before, err := a.answers.begin(ctx, a.noted)
	if err != nil {
		return ctx, err
	}
	if before != nil {
		a.before = before
		return ctx, errReplayed
	}
	// The caller may go away; the request and its record are brought to an end all the same.
	ctx, a.effect, err = a.answers.watch(context.WithoutCancel(ctx), a.noted)
	return ctx, err
}

// carryOut serves a request no more than once, keeps its answer, and then sends it.
func (r *Router) carryOut(w http.ResponseWriter, req *http.Request, a *attempt, serve http.HandlerFunc) {
	ctx, err := context.WithValue(req.Context(), attemptKey{}, a), error(nil)
	if !a.public {
		ctx, err = a.begin(ctx)
	}
	answer := &answer{header: w.Header()}
	switch {
	case err == nil:
		r.keepAnswer(answer, req.WithContext(ctx), a, serve)
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

// keepAnswer serves a request and keeps its answer where it was noted, after a panic too.
func (r *Router) keepAnswer(w *answer, req *http.Request, a *attempt, serve http.HandlerFunc) {
	defer func() {
		if a.effect == nil {
			return
		}
		happened := a.effect.CarriedOut()
		if happened {
			a.noted.version++
		}
		ctx := table.Alone(context.WithoutCancel(req.Context()))
		if err := a.answers.finish(ctx, a.noted, w, a.public && !happened); err != nil {
			r.Log.LogAttrs(ctx, slog.LevelError, "an answer could not be kept",
				slog.String("request_id", requestOf(ctx).RequestID), slog.String("error", err.Error()))
		}
	}()
	serve(w, req)
}

// clientKey tells callers of a public endpoint apart, so that none gets the answer to another's request by
// guessing its key: by the session that the body names, which nobody else knows, or else by the address. It
// is "" where neither is known.
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

// begin notes the request as under way, or returns the answer that it had before. It waits a moment for one
// that is under way elsewhere.
func (a *Answers) begin(ctx context.Context, n *noted) (*answer, error) {
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
			return nil, answerLost()
		case before.At.Before(n.At.Add(-lease)):
			n.version = before.version
			continue
		case i >= lookups-1:
			return nil, underWay()
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// note writes that the request is under way: where nothing is stored, or in the place of the version that was
// found.
func (a *Answers) note(ctx context.Context, n *noted) error {
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

// watch returns the context to serve a request in that was noted: its first transaction notes that it had an
// effect. The transaction fails when the request was taken for cut off meanwhile, and carried out elsewhere.
func (a *Answers) watch(ctx context.Context, n *noted) (context.Context, *table.Companion, error) {
	after := *n
	after.Effect = true
	item, err := a.item(&after)
	if err != nil {
		return nil, nil, err
	}
	ctx, effect := table.WithCompanion(ctx, table.PutIfVersion(item))
	return ctx, effect, nil
}

// find returns the request that was noted before and its answer, nil while there is none.
func (a *Answers) find(ctx context.Context, n *noted) (noted, *answer, error) {
	page, err := a.Table.Query(ctx, table.Query{PK: answerKey(n.account, n.request, 0).PK})
	if err != nil || len(page.Items) == 0 {
		return noted{At: n.At}, nil, err // gone in this moment: it can be noted now
	}
	before := noted{version: page.Items[0].Version}
	if err := json.Unmarshal(page.Items[0].Doc, &before); err != nil {
		return noted{}, nil, fmt.Errorf("api: answer %s: %w", page.Items[0].PK, err)
	}
	if before.Body != n.Body {
		return noted{}, nil, fault.Invalid(IdempotencyKeyHeader,
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
		return noted{}, nil, fault.Invalid(IdempotencyKeyHeader,
			"The header %s was sent before with another API key, and the answer "+
				"holds a secret that is shown to that one only.", IdempotencyKeyHeader)
	}
	found := &answer{header: http.Header{}, status: before.Status}
	found.body.Write(body)
	return before, found, nil
}

// finish keeps the answer of a request that was noted, or forgets the request where it is to be tried again.
// Refusals are forgotten too where the caller asks for it.
func (a *Answers) finish(ctx context.Context, n *noted, answer *answer, forgetRefusals bool) error {
	var err error
	if answer.status == 0 || answer.status == http.StatusTooManyRequests ||
		answer.status >= http.StatusInternalServerError ||
		forgetRefusals && answer.status >= http.StatusBadRequest {
		err = a.Table.Transact(ctx, table.DeleteIfVersion(answerKey(n.account, n.request, 0), n.version))
	} else {
		err = a.keep(ctx, n, answer)
	}
	if table.IsConditionError(err) {
		return nil // it was taken for cut off, and carried out anew elsewhere
	}
	return err
}

// keep stores the answer of a request that was noted.
func (a *Answers) keep(ctx context.Context, n *noted, answer *answer) error {
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

// item is the first part of what is stored of a request, without its answer.
func (a *Answers) item(n *noted) (table.Item, error) {
	doc, err := json.Marshal(n)
	return table.Item{
		Key:     answerKey(n.account, n.request, 0),
		Doc:     doc,
		Expires: n.At.Add(keepAnswers).Truncate(time.Second),
		Version: n.version,
	}, err
}

// underWay is the answer to a request while the first of its key has none.
func underWay() error {
	e := fault.New(fault.RateLimited, "A request with this %s is under way. Try again in a few seconds.",
		IdempotencyKeyHeader)
	e.RetryAfter = 5 * time.Second
	return e
}

// answerLost is the answer to a request whose first sending took effect and was then cut off.
func answerLost() error {
	return fault.Invalid(IdempotencyKeyHeader,
		"The request took effect when it was first sent with this %s, but its answer was lost when "+
			"the service was interrupted. It is not carried out again: read what it changed.",
		IdempotencyKeyHeader)
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// An answer is a ResponseWriter that holds back what is written.
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

// send writes the answer.
func (a *answer) send(w http.ResponseWriter) {
	if a.body.Len() == 0 {
		w.WriteHeader(a.status)
		return
	}
	write(w, a.status, a.body.Bytes())
}
