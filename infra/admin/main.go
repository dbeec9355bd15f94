// Command admin is the operator's way to workspaces and their API keys, on this machine's store or on a
// deployed stack.
//
//	admin create -name acme -plan free     make a workspace and print its key, which is shown this once
//	admin login -account 1                 print a link that signs the workspace's owner in to the dashboard
//	admin show -account 1                  print a workspace
//	admin plan -account 1 -plan pro        move a workspace to another plan
//	admin keys -account 1                  list its keys
//	admin issue -account 1 -name laptop    make another key and print it
//	admin revoke -account 1 -key 2         end a key at once
//	admin export -account 1 -file F        write a workspace to a file, and the key of its secrets to F.key
//	admin import -file F                   store a workspace from such files
//	admin delete -account 1 -name acme     delete a workspace and all that belongs to it
//	admin secrets-key -stack NAME          make the key of a stack's secrets, if it has none
//	admin restore -stack NAME -at TIME     make a table of what the stack's held at a moment
//	admin rotate-key -stack NAME           replace the key of secrets, and seal all that is stored anew
//	admin openai-key -stack NAME           store the key of a stack's language models, from OPENAI_API_KEY
//	admin replay -stack NAME               publish the events of dispatch's dead letters again
//	admin local                            make sure of the workspace Local, whose key is local-dev-key
//
// The workspace Local can be called by its name: -account local. Each prints lines of JSON. With -stack NAME,
// or STACK in the environment, it speaks to that stack, with the credentials that the AWS command line would
// use; without, to the store in DATA_DIR (default .data), whose clock it moves by CLOCK_OFFSET as `make run`
// does.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk/infra/local"
	"frontdesk/shared/auth"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

func main() {
	err := run(context.Background(), os.Args[1:], os.Stdout)
	if errors.Is(err, flag.ErrHelp) {
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "admin:", err)
		os.Exit(1)
	}
}

// options holds the values of the commands' flags.
type options struct {
	stack, name, plan, kmsKey string
	at, from, file            string
	account, key              int64
	wait                      *time.Duration // before what is stored is sealed anew; nil is as long as needed
	site                      string         // the address of the dashboard, without a slash at the end
}

// A command prints what it found or made.
type command struct {
	needs []string // flags that must be given
	run   func(context.Context, *auth.Workspaces, options, *json.Encoder) error
	// whole is in the place of run where a command is about a stack or a store and not about its workspaces.
	whole func(context.Context, options, *json.Encoder) error
	// store is in the place of run where a command is about all that is stored of a workspace.
	store func(context.Context, *store, options, *json.Encoder) error
}

var commands = map[string]command{
	"create":      {needs: []string{"name", "plan"}, run: create},
	"login":       {needs: []string{"account"}, run: login},
	"show":        {needs: []string{"account"}, run: show},
	"plan":        {needs: []string{"account", "plan"}, run: setPlan},
	"keys":        {needs: []string{"account"}, run: listKeys},
	"issue":       {needs: []string{"account", "name"}, run: issue},
	"revoke":      {needs: []string{"account", "key"}, run: revoke},
	"export":      {needs: []string{"account", "file"}, store: exportWorkspace},
	"import":      {needs: []string{"file"}, store: importWorkspace},
	"delete":      {needs: []string{"account", "name"}, store: deleteWorkspace},
	"rotate-key":  {store: rotateKey},
	"secrets-key": {whole: makeSecretsKey},
	"openai-key":  {whole: storeOpenAIKey},
	"replay":      {whole: replay},
	"restore":     {whole: restore},
	"local":       {run: ensureLocal},
}

func run(ctx context.Context, args []string, out io.Writer) error {
	names := strings.Join(slices.Sorted(maps.Keys(commands)), ", ")
	if len(args) == 0 {
		return errors.New("name a command: " + names)
	}
	cmd, ok := commands[args[0]]
	if !ok {
		return fmt.Errorf("there is no command %q; the commands are %s", args[0], names)
	}
	o, accountText, err := parse(args[0], cmd, args[1:])
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if cmd.whole != nil {
		return cmd.whole(ctx, o, encoder)
	}
	opened, err := open(ctx, o.stack)
	if err != nil {
		return err
	}
	defer opened.close()
	w := &auth.Workspaces{Table: opened.table, Now: opened.now, IDs: id.NewSource(opened.now)}
	if o.account, err = accountID(ctx, w, o.stack, accountText); err != nil {
		return err
	}
	if cmd.store != nil {
		return cmd.store(ctx, opened, o, encoder)
	}
	if o.site, err = site(ctx, o.stack); err != nil {
		return err
	}
	err = cmd.run(ctx, w, o, encoder)
	if errors.Is(err, table.ErrNotFound) {
		return errors.New("there is no such workspace or key")
	}
	return err
}

// parse reads the flags of a command. account is the value of -account, which may be a name.
func parse(name string, cmd command, args []string) (o options, account string, err error) {
	flags := flag.NewFlagSet("admin "+name, flag.ContinueOnError)
	flags.StringVar(&o.stack, "stack", os.Getenv("STACK"), "the deployed stack; empty is this machine")
	flags.StringVar(&o.name, "name", "", "name of the workspace or key")
	flags.StringVar(&o.plan, "plan", "", "widget, free, starter, pro or enterprise")
	flags.StringVar(&account, "account", "", "id of the workspace, or local")
	flags.Int64Var(&o.key, "key", 0, "id of the key")
	flags.StringVar(&o.kmsKey, "kms-key", "",
		"key of KMS to encrypt the key of secrets under; empty is that of Systems Manager, which is free")
	flags.StringVar(&o.at, "at", "", "moment to restore, such as 2026-03-02T09:30:00Z; empty is the latest")
	flags.Func("wait", "how long other processes may seal with the old key, such as 6m",
		func(text string) error {
			wait, err := time.ParseDuration(text)
			o.wait = &wait
			return err
		})
	flags.StringVar(&o.file, "file", "", "file of an export")
	flags.StringVar(&o.from, "from", "", "deleted or standing stack whose key of secrets is taken over")
	if err := flags.Parse(args); err != nil {
		return o, "", err
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for _, needed := range cmd.needs {
		if !given[needed] {
			return o, "", fmt.Errorf("%s needs -%s", name, needed)
		}
	}
	return o, account, nil
}

// accountID reads the id of a workspace, 0 where none is named.
func accountID(ctx context.Context, w *auth.Workspaces, stack, text string) (int64, error) {
	switch {
	case text == "":
		return 0, nil
	case text == "local" && (stack == "" || stack == samLocal):
		account, err := w.EnsureLocal(ctx, local.Key, time.Now())
		return account.ID, err
	}
	account, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("-account: %q is no id of a workspace", text)
	}
	return account, nil
}

func create(ctx context.Context, w *auth.Workspaces, o options, out *json.Encoder) error {
	account, issued, err := w.Create(ctx, o.name, o.plan)
	if err != nil {
		return err
	}
	link, err := w.OwnerLink(ctx, account.ID)
	if err != nil {
		return err
	}
	return out.Encode(struct {
		AccountID    int64  `json:"account_id"`
		Plan         string `json:"plan"`
		APIKey       string `json:"api_key"`
		DashboardURL string `json:"dashboard_url"`
	}{account.ID, account.Plan, issued.Text, link.URL(o.site)})
}

// login prints a link that signs the workspace's owner in.
func login(ctx context.Context, w *auth.Workspaces, o options, out *json.Encoder) error {
	link, err := w.OwnerLink(ctx, o.account)
	if err != nil {
		return err
	}
	return out.Encode(struct {
		AccountID    int64     `json:"account_id"`
		DashboardURL string    `json:"dashboard_url"`
		ExpiresAt    time.Time `json:"expires_at"`
	}{o.account, link.URL(o.site), link.ExpiresAt})
}

func show(ctx context.Context, w *auth.Workspaces, o options, out *json.Encoder) error {
	account, err := w.Account(ctx, o.account)
	if err != nil {
		return err
	}
	return out.Encode(account)
}

func setPlan(ctx context.Context, w *auth.Workspaces, o options, out *json.Encoder) error {
	account, err := w.SetPlan(ctx, o.account, o.plan)
	if err != nil {
		return err
	}
	return out.Encode(account)
}

// A keyLine is a key as the commands print it.
type keyLine struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"`
	Revoked   bool      `json:"revoked"`
	APIKey    string    `json:"api_key,omitempty"` // only when it has just been made
}

func listKeys(ctx context.Context, w *auth.Workspaces, o options, out *json.Encoder) error {
	keys, err := w.List(ctx, o.account)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if err := out.Encode(keyLine{k.ID, k.Name, k.CreatedAt, k.ExpiresAt(), k.Revoked, ""}); err != nil {
			return err
		}
	}
	return nil
}

func issue(ctx context.Context, w *auth.Workspaces, o options, out *json.Encoder) error {
	issued, err := w.Issue(ctx, o.account, o.name)
	if err != nil {
		return err
	}
	k := issued.Key
	return out.Encode(keyLine{k.ID, k.Name, k.CreatedAt, k.ExpiresAt(), false, issued.Text})
}

func revoke(ctx context.Context, w *auth.Workspaces, o options, out *json.Encoder) error {
	if err := w.Revoke(ctx, o.account, o.key); err != nil {
		return err
	}
	return out.Encode(map[string]any{"id": o.key, "revoked": true})
}

func ensureLocal(ctx context.Context, w *auth.Workspaces, o options, out *json.Encoder) error {
	if o.stack != "" && o.stack != samLocal {
		return errors.New("a deployed stack never has the local key")
	}
	account, err := w.EnsureLocal(ctx, local.Key, time.Now())
	if err != nil {
		return err
	}
	return out.Encode(account)
}
