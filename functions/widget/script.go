package widget

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// script is the chat box, which has no dependencies. compressed is the same in gzip. `make box` builds both
// from the modules in the folder box.
//
//go:embed dist/widget.js
var script []byte

//go:embed dist/widget.js.gz
var compressed []byte

// scriptAge is how long browsers use the script without revalidation.
const scriptAge = time.Hour

// loaderAge is how long pages may cache the loader, and so use an old embed key.
const loaderAge = time.Minute

const javaScript = "text/javascript; charset=utf-8"

// scriptRoutes registers the script and the loaders, at the addresses that agent.Widget returns.
func (s *Service) scriptRoutes(r *api.Router) {
	api.HandleFile(r, "GET /widget/widget.js", func(context.Context, api.None) (api.File, error) {
		return api.File{Type: javaScript, Body: script, Encoded: map[string][]byte{"gzip": compressed},
			MaxAge: scriptAge}, nil
	})
	api.HandleFile(r, "GET /widget/loader/{file}", s.loader)
}

type loaderIn struct {
	File string `path:"file"` // an agent's id and ".js"
}

// loader answers a script that adds the agent's script tag to its page. It identifies the agent by id, so it
// keeps working when the embed key is rotated; browsers get the new key within loaderAge.
func (s *Service) loader(ctx context.Context, in loaderIn) (api.File, error) {
	name, ok := strings.CutSuffix(in.File, ".js")
	id, err := strconv.ParseInt(name, 10, 64)
	if !ok || err != nil {
		return api.File{}, fault.NotFound()
	}
	var item table.Item
	err = table.Parallel(ctx, func(ctx context.Context) (err error) {
		if item, err = s.Table.Get(ctx, agent.OwnerKey(id)); errors.Is(err, table.ErrNotFound) {
			return fault.NotFound()
		}
		return err
	}, func(ctx context.Context) error {
		return s.count(ctx, "loader/"+name, "", reads)
	})
	if err != nil {
		return api.File{}, err
	}
	ref, err := agent.ReadRef(item)
	if err != nil {
		return api.File{}, err
	}
	a, err := s.agents().LoadSummary(ctx, ref.AccountID, ref.AgentID)
	if err != nil {
		return api.File{}, err
	}
	if !a.WidgetEnabled {
		return api.File{}, fault.New(fault.Forbidden, "The chat is switched off.")
	}
	data := map[string]string{"agent": a.EmbedKey, "color": a.Branding.PrimaryColor}
	if api.EdgeURL(ctx) != "" {
		data["api"] = api.PublicBaseURL(ctx)
	}
	tag, err := json.Marshal(data)
	if err != nil {
		return api.File{}, err
	}
	return api.File{Type: javaScript, Body: fmt.Appendf(nil, loaderScript, tag), MaxAge: loaderAge}, nil
}

// loaderScript is the template of a loader; %s is the data of the tag as JSON.
const loaderScript = `(() => {
  const { src, nonce } = document.currentScript;
  const tag = Object.assign(document.createElement("script"), { src: new URL("../widget.js", src), nonce });
  Object.assign(tag.dataset, %s);
  document.head.append(tag);
})();
`
