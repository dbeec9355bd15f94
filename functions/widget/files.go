package widget

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"path"
	"strings"
	"time"
	"unicode"

	"frontdesk/shared/api"
	"frontdesk/shared/assistant"
	"frontdesk/shared/attachment"
	"frontdesk/shared/auth"
	"frontdesk/shared/conversation"
	"frontdesk/shared/fault"
	"frontdesk/shared/message"
	"frontdesk/shared/rate"
	"frontdesk/shared/table"
)

const (
	// maxFile is the size limit of a visitor's file in bytes. Base64 is applied twice, in the JSON and by API
	// Gateway for Lambda, and the result must stay within Lambda's limit of 6 MB.
	maxFile = 3 << 20
	// maxFileBody is the size of the largest file in base64, with room for the other fields.
	maxFileBody = maxFile/3*4 + 64<<10
)

// Limits of what visitors may send in a UTC day, in bytes.
const (
	addressBytes = 60 << 20
	sessionBytes = 15 << 20
)

// fileBytes is the attribute that counts them.
const fileBytes = "bytes"

// fileKinds maps the content types that visitors may send, as detected from the content, to kinds of
// messages.
var fileKinds = map[string]conversation.Kind{
	"image/png": "image", "image/jpeg": "image", "image/gif": "image", "image/webp": "image",
	"application/pdf": "file",
}

type fileIn struct {
	embedIn
	Name      string `json:"name" check:"required,max=255" doc:"The name of the file." example:"receipt.pdf"`
	Data      string `json:"data" check:"required" doc:"The file in base64: a PNG, JPEG, GIF, WebP or PDF of at most 3 MiB, which its content must show." example:"JVBERi0xLjcKJcOkw7zDtsOf"`
	Message   string `json:"message" check:"null,max=4000" doc:"What the visitor says about it." example:"Here is my receipt."`
	SessionID string `json:"session_id" check:"null,format=uuid" doc:"Continues a session. Left out, a new one is begun."`
	PageURL   string `json:"page_url" check:"null,cut=2000" doc:"The page that the visitor is on; the AI gets to know it." example:"https://acme.example/prices"`
}

// file stores a visitor's file as a message and answers the reply. All checks that need no write come first;
// the file's bytes are counted before it is stored.
func (s *Service) file(ctx context.Context, in fileIn) (VisitorReply, error) {
	ctx, ref, err := s.take(ctx, in.EmbedKey, in.SessionID, writes)
	if err != nil {
		return VisitorReply{}, err
	}
	data, kind, err := in.read()
	if err != nil {
		return VisitorReply{}, err
	}
	a, err := s.agents().LoadSummary(ctx, ref.AccountID, ref.AgentID)
	if err != nil {
		return VisitorReply{}, err
	}
	if err := in.admit(ctx)(a); err != nil {
		return VisitorReply{}, err
	}
	if !a.Box().AcceptFiles {
		return VisitorReply{}, fault.New(fault.Forbidden, "This chat takes no files.")
	}
	if err := s.countFile(ctx, in, len(data)); err != nil {
		return VisitorReply{}, err
	}
	files := attachment.Store{Table: s.Table, Now: s.Now}
	id := "visitor-" + rand.Text()
	if err := files.Put(ctx, ref.AccountID, ref.AgentID, id, data); err != nil {
		return VisitorReply{}, err
	}
	reply, err := s.turn(ctx, ref, assistant.Message{
		Admit: in.admit(ctx), SessionID: in.SessionID, Text: in.Message, Context: in.PageURL,
		NeedsWords: strings.TrimSpace(in.Message) == "",
		Parts: []message.Part{{
			Kind:    fileKinds[kind],
			Content: strings.TrimSpace("[" + string(fileKinds[kind]) + "] " + in.Message),
			Attachments: []conversation.Attachment{{Type: fileKinds[kind], Name: in.fileName(),
				ContentType: kind}},
			Files: []conversation.File{{ID: id}},
		}},
	})
	if err != nil { // no message refers to the file
		err = errors.Join(err, files.Delete(ctx, ref.AccountID, ref.AgentID, id))
	}
	return reply, err
}

// read returns the content of the file and its type, which is detected from the content and not from the
// name.
func (in fileIn) read() (data []byte, kind string, err error) {
	data, err = base64.StdEncoding.DecodeString(in.Data)
	switch {
	case err != nil:
		return nil, "", fault.Invalid("data", "The field data must be a file in base64.")
	case len(data) > maxFile:
		return nil, "", fault.New(fault.PayloadTooLarge, "The file is over the limit of %d bytes.", maxFile)
	}
	kind = http.DetectContentType(data)
	if fileKinds[kind] == "" {
		return nil, "", fault.Invalid("data", "The file is no PNG, JPEG, GIF, WebP or PDF.")
	}
	return data, kind, nil
}

// fileName returns the last part of the name without control characters, or "file".
func (in fileIn) fileName() string {
	name := path.Base(strings.ReplaceAll(in.Name, `\`, "/"))
	return cmp.Or(strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return -1
		}
		return r
	}, name)), "file")
}

// countFile counts a file's bytes and refuses it above a limit of the day. It takes one round trip.
func (s *Service) countFile(ctx context.Context, in fileIn, size int) error {
	now := s.Now()
	day, ends := now.Unix()/86400, auth.NextDay(now)
	counts := []table.Write{table.AddAtMost(
		visitorKey(in.EmbedKey, rate.Network(api.CallerAddress(ctx)), day), fileBytes, int64(size),
		addressBytes)}
	if in.SessionID != "" {
		counts = append(counts, table.AddAtMost(
			visitorKey(in.EmbedKey, in.SessionID, day), fileBytes, int64(size), sessionBytes))
	}
	for i := range counts {
		counts[i].Item.Expires = ends.Add(time.Minute)
	}
	// Alone keeps this write out of the request's Idempotency-Key: a refused count must not mark the request
	// as carried out.
	err := s.Table.Transact(table.Alone(ctx), counts...)
	if table.IsConditionError(err) {
		e := fault.New(fault.RateLimited, "Too many files today. Try again tomorrow.")
		e.RetryAfter = ends.Sub(now)
		return e
	}
	return err
}
