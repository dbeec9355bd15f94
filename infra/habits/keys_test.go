package habits

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// withoutResource are the packages that own items and need no resource of their own, with the reason.
var withoutResource = map[string]string{
	"functions/widget": "expires within minutes",
	"shared/api":       "expires within a day",
	"shared/auth":      "below a workspace",
	"shared/change":    "goes with what changed, or expires within a day",
	"shared/channel":   "in the agent's own partition",
	"shared/delivery":  "purged with webhooks and actions",
	"shared/event":     "expires within a week",
	"shared/inbox":     "expires within eight days",
	"shared/website":   "in the agent's own partition",
}

// TestResources has every package that owns items say how they are deleted with an agent, by a Resource in
// functions/jobs/purge/resources.go, or stand among those that need none.
func TestResources(t *testing.T) {
	const list = "functions/jobs/purge/resources.go"
	text, err := os.ReadFile("../../" + list)
	if err != nil {
		t.Fatal(err)
	}
	registered := map[string]bool{}
	for _, match := range regexp.MustCompile(`(\w+)\.Resource\(\)`).FindAllSubmatch(text, -1) {
		registered["shared/"+string(match[1])] = true
	}
	goFiles(t, func(path string, text []byte) {
		folder := filepath.ToSlash(filepath.Dir(path))
		if filepath.Base(path) != "keys.go" || !bytes.Contains(text, []byte("table.Key{")) {
			return
		}
		if _, exempt := withoutResource[folder]; registered[folder] == exempt {
			t.Errorf("%s owns items: it needs a Resource in %s, or a reason in withoutResource, and not both",
				folder, list)
		}
	})
	if len(registered) < 5 {
		t.Errorf("only %d packages are registered", len(registered))
	}
}

// TestKeys holds the prefixes of stored keys unique and documented, and finds keys that are built elsewhere
// than in the keys.go of the package that owns the items.
func TestKeys(t *testing.T) {
	owners := map[string]string{} // of a kind of prefix and its text
	page, err := os.ReadFile("../../docs/data-model.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, top := range []string{"shared", "functions"} {
		err := filepath.WalkDir("../../"+top, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				strings.Contains(path, "shared/table/") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			keysFile := filepath.Base(path) == "keys.go"
			ast.Inspect(file, func(node ast.Node) bool {
				switch node := node.(type) {
				case *ast.CompositeLit:
					if isTable(node.Type, "Key") && len(node.Elts) > 0 && !keysFile {
						t.Errorf("%s builds a table.Key: only keys.go does", path)
					}
				case *ast.ValueSpec:
					kind, ok := prefixKind(node.Type)
					if !ok {
						return true
					}
					if !keysFile {
						t.Errorf("%s declares the prefix %s: only keys.go does", path, node.Names[0])
					}
					for _, value := range node.Values {
						text, err := strconv.Unquote(value.(*ast.BasicLit).Value)
						if err != nil {
							t.Fatal(err)
						}
						if owner, taken := owners[kind+text]; taken {
							t.Errorf("%s and %s both have the %s %q", owner, path, kind, text)
						}
						owners[kind+text] = path
						if kind == "Prefix" && !bytes.Contains(page, []byte("`"+text+"/")) {
							t.Errorf("docs/data-model.md does not list the items of %s under %s/", path,
								text)
						}
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(owners) < 30 {
		t.Errorf("only %d prefixes were found: %v", len(owners), owners)
	}
}

// prefixKind returns Prefix or SortPrefix where the expression is that type of package table.
func prefixKind(e ast.Expr) (string, bool) {
	for _, kind := range []string{"Prefix", "SortPrefix"} {
		if isTable(e, kind) {
			return kind, true
		}
	}
	return "", false
}

// isTable reports whether the expression is table.name.
func isTable(e ast.Expr, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == "table"
}
