package contract

import (
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/infra/local"
	"frontdesk/infra/platforms"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/auth"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/cloud/store"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// A Service is what is tested.
type Service struct {
	Base       string // ends in /api/v1/
	Table      table.Table
	workspaces *auth.Workspaces
	// callback is what the service calls the machine of the tests.
	callback string
	// standIns stand in for the platforms of channels. Elsewhere than here all tests share them.
	standIns platforms.StandIns
	// public is the address by which platforms reach the service, through a proxy, without a slash at its
	// end; "" where they reach it as the tests do.
	public string
	// graph stands in for Meta's API for this test alone; nil where other tests have it called, too.
	graph *platforms.Graph
	// moved is how far the service's clock is moved on; nil where the tests have no say in it.
	moved *atomic.Int64
}

// Open returns the service to test.
func Open(t testing.TB) *Service {
	t.Helper()
	if base := os.Getenv("BASE_URL"); base != "" {
		store := store.Table()
		standIns, err := sharedStandIns()
		if err != nil {
			t.Fatal(err)
		}
		return &Service{
			Base: base, Table: store, callback: os.Getenv("CALLBACK_HOST"), standIns: standIns,
			public:     os.Getenv("PUBLIC_URL"),
			workspaces: &auth.Workspaces{Table: store, Now: time.Now, IDs: id.NewSource(time.Now)},
		}
	}
	moved, standIns := new(atomic.Int64), platforms.NewStandIns(t)
	server := httptest.NewUnstartedServer(nil)
	address := "http://" + server.Listener.Addr().String()
	proxy, err := newProxy(address)
	if err != nil {
		t.Fatal(err)
	}
	public := httptest.NewServer(proxy)
	t.Cleanup(public.Close)
	service, err := local.Start(t.Context(), local.Config{
		Template: "../../template.yaml", DataDir: t.TempDir(), AllowHosts: "127.0.0.1",
		Platforms: registry.Addresses{
			Graph: standIns.Graph.URL, InstagramGraph: standIns.Instagram.URL,
			Twilio: standIns.Twilio.URL, SMTP: standIns.Mail.URL,
		},
		PublicURL: public.URL,
		Now:       func() time.Time { return time.Now().Add(time.Duration(moved.Load())) },
		Log:       slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(service.Close)
	server.Config.Handler = service
	server.Start()
	t.Cleanup(server.Close)
	return &Service{
		Base: address + "/api/v1/", public: public.URL,
		Table: service.Workspaces.Table, workspaces: service.Workspaces,
		callback: "127.0.0.1", standIns: standIns, graph: standIns.Graph, moved: moved,
	}
}

// sharedStandIns are those that a service elsewhere calls, by the addresses that it was told; they are served
// for as long as the tests run. So is a proxy before the service, at PUBLIC_URL where that is set.
var sharedStandIns = sync.OnceValues(func() (platforms.StandIns, error) {
	standIns, _, err := platforms.ServeAt(os.Getenv("CALLBACK_HOST"), os.Getenv("META_GRAPH_URL"),
		os.Getenv("INSTAGRAM_GRAPH_URL"), os.Getenv("TWILIO_API_URL"), os.Getenv("AWS_ENDPOINT_URL_SESV2"))
	if err != nil {
		return standIns, err
	}
	return standIns, serveProxy(os.Getenv("PUBLIC_URL"), os.Getenv("BASE_URL"))
})

// serveProxy passes on what comes to one address to another, for as long as the tests run. Where the first is
// "" it does nothing.
func serveProxy(at, to string) error {
	if at == "" {
		return nil
	}
	proxy, err := newProxy(to)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", strings.TrimPrefix(at, "http://"))
	if err != nil {
		return err
	}
	go http.Serve(listener, proxy)
	return nil
}

// newProxy passes requests on to the host of an address, which does not learn where they came to.
func newProxy(address string) (http.Handler, error) {
	to, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	to.Path = ""
	return &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }}, nil
}

// Pass lets some time go by on the service's clock, where the tests can move it. Elsewhere it goes by itself.
func (s *Service) Pass(d time.Duration) {
	if s.moved != nil {
		s.moved.Add(int64(d))
	}
}

// times are what a stored document has as the time of something.
var times = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[0-9:.]+Z"`)

// Age makes what is stored under a key older: every time in it is moved back. It stands for time that goes by
// where the tests have no say in the service's clock.
func (s *Service) Age(t testing.TB, key table.Key, by time.Duration) {
	t.Helper()
	err := table.Retry(t.Context(), func() error {
		item, err := s.Table.Get(t.Context(), key)
		if err != nil {
			return err
		}
		item.Doc = times.ReplaceAllFunc(item.Doc, func(text []byte) []byte {
			at, err := time.Parse(`"`+time.RFC3339Nano+`"`, string(text))
			if err != nil || at.IsZero() {
				return text
			}
			return []byte(at.Add(-by).Format(`"` + time.RFC3339Nano + `"`))
		})
		return s.Table.Transact(t.Context(), table.PutIfVersion(item))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Caller is a client with a key; "" is none.
func (s *Service) Caller(key string) *apitest.Client {
	return &apitest.Client{Base: s.Base, Key: key, Transport: answers}
}

// A Client calls the service with the key of one workspace.
type Client struct {
	apitest.Client
}

// Client makes a workspace on a plan.
func (s *Service) Client(t testing.TB, plan string) *Client {
	t.Helper()
	return s.client(t, s.workspaces, plan)
}

// Expired makes a workspace whose key is too old.
func (s *Service) Expired(t testing.TB) *Client {
	t.Helper()
	long := func() time.Time { return time.Now().AddDate(0, 0, -91) }
	return s.client(t, &auth.Workspaces{Table: s.Table, Now: long, IDs: id.NewSource(long)}, "enterprise")
}

func (s *Service) client(t testing.TB, workspaces *auth.Workspaces, plan string) *Client {
	t.Helper()
	account, issued, err := workspaces.Create(t.Context(), "Acme", plan)
	if err != nil {
		t.Fatal(err)
	}
	c := &Client{*s.Caller(issued.Text)}
	c.Account = account.ID
	return c
}

// Agent makes an agent and returns the path that begins everything of it.
func (c *Client) Agent(t testing.TB, fields map[string]any) string {
	t.Helper()
	body := map[string]any{"name": "Ada"}
	for k, v := range fields {
		body[k] = v
	}
	return "/agents/" + c.Want(t, http.StatusCreated, "POST", "/agents/", body).Number("id") + "/"
}
