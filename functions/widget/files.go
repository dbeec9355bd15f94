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
	// maxFile is how many bytes a visitor's file may have: in base64 twice, once in JSON and once as API
	// Gateway hands bodies to Lambda, it is within the 6 MB of a call.
	maxFile = 3 << 20
	// maxFileBody is the largest file in base64 with room for the other fields.
	maxFileBody = maxFile/3*4 + 64<<10
)

// What visitors may send in a day of UTC, in bytes.
const (
	addressBytes = 60 << 20
	sessionBytes = 15 << 20
)

// fileBytes is the number of the items that count them.
const fileBytes = "bytes"

// fileKinds are the content types that visitors may send, as the content shows them, with what a message is
// with one.
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

// file takes a file of a visitor in as a message, and answers what is said about it.
func (s *Service) file(ctx context.Context, in fileIn) (VisitorReply, error) {
	ctx, ref, err := s.take(ctx, in.EmbedKey, in.SessionID)
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
	if err != nil { // no message leads to the file
		err = errors.Join(err, files.Delete(ctx, ref.AccountID, ref.AgentID, id))
	}
	return reply, err
}

// read is the content of the file and its type, by the content and not by the name.
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

// fileName is the last part of the name, without what is no character to read.
func (in fileIn) fileName() string {
	name := path.Base(strings.ReplaceAll(in.Name, `\`, "/"))
	return cmp.Or(strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return -1
		}
		return r
	}, name)), "file")
}

// countFile counts what a visitor sends, and refuses it where there was too much in this day. It takes one
// trip.
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
	err := s.Table.Transact(table.Alone(ctx), counts...)
	if table.IsConditionError(err) {
		e := fault.New(fault.RateLimited, "Too many files today. Try again tomorrow.")
		e.RetryAfter = ends.Sub(now)
		return e
	}
	return err
}
