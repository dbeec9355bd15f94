// Package upload implements the endpoint that turns an uploaded file into a knowledge document. It is
// separate from package knowledge since the PDF reader makes a process start slower.
package upload

import (
	"context"
	"encoding/base64"
	"errors"
	"path"
	"strings"
	"time"

	"frontdesk/shared/api"
	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/knowledge/document"
	"frontdesk/shared/opt"
	"frontdesk/shared/table"
	"frontdesk/shared/text"
	"frontdesk/shared/upload"
)

// Service implements the upload endpoint. It is safe for concurrent use.
type Service struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
	Read  upload.Reader
}

// maxBody is the size in bytes of the largest file in base64, with 16 KiB for the other fields.
const maxBody = upload.MaxFile/3*4 + 16<<10

// Routes registers the endpoint.
func (s *Service) Routes(r *api.Router) {
	api.Handle(r, "POST /agents/{agent_id}/knowledge/upload/", api.Doc{
		ID:      "uploadDocument",
		Summary: "Add a file to an agent's knowledge",
		Description: "The text of a PDF, DOCX, HTML, TXT or MD file of at most 3 MiB becomes a document of " +
			"doc_type `file`, which is in the index when the answer comes. A file that is encrypted, " +
			"damaged, scanned or of another kind is refused with 400 on `data`, and the detail says why.",
		Status: 201, MaxBody: maxBody,
	}, s.create)
}

type createIn struct {
	AgentID  int64           `path:"agent_id"`
	Name     string          `json:"name" check:"required,max=255" doc:"The name of the file. Its ending tells the kind." example:"prices.txt"`
	Data     string          `json:"data" check:"required" doc:"The file in base64." example:"QSBoYWlyY3V0IGNvc3RzIDQ1IGV1cm9zLg=="`
	Title    string          `json:"title" check:"null,cut=300" doc:"By default what the file calls itself, or else its name." example:"Our prices"`
	IsActive opt.Value[bool] `json:"is_active" doc:"Default true." example:"true"`
}

// create checks the size before reading the file, and the size of the text before storing it. What is wrong
// with the file itself is an error of the field data.
func (s *Service) create(ctx context.Context, in createIn) (document.Document, error) {
	var none document.Document
	data, err := base64.StdEncoding.DecodeString(in.Data)
	if err != nil {
		return none, fault.Invalid("data", "The field data must be a file in base64.")
	}
	if len(data) > upload.MaxFile {
		return none, fault.New(fault.PayloadTooLarge, "The file is over the limit of %d bytes.",
			upload.MaxFile)
	}
	p, err := s.Read(ctx, in.Name, data)
	var problem upload.Error
	if errors.As(err, &problem) {
		return none, fault.Invalid("data", "%s", problem)
	}
	if err != nil {
		return none, err
	}
	if len(p.Text) > knowledge.MaxContent {
		return none, fault.Invalid("data", "The file holds more than 1 MiB of text. Divide it.")
	}
	store := knowledge.Store{Table: s.Table, Now: s.Now, IDs: s.IDs}
	d, err := store.Create(ctx, auth.CallerOf(ctx).Account.ID, knowledge.Document{
		AgentID: in.AgentID, Title: titleOf(in, p.Title), Type: knowledge.File, Content: p.Text,
		Active: in.IsActive.Or(true),
	})
	return document.Show(d), err
}

// maxTitle is the length of a title in characters.
const maxTitle = 300

// titleOf returns the first title that is not empty: the caller's, the file's own, or its name without the
// extension.
func titleOf(in createIn, own string) string {
	for _, title := range []string{in.Title, own, strings.TrimSuffix(path.Base(in.Name), path.Ext(in.Name))} {
		if title = strings.TrimSpace(title); title != "" {
			return text.Truncate(title, maxTitle)
		}
	}
	return in.Name
}
