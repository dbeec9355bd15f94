package habits

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestKeys holds the prefixes of stored keys unique, and finds keys that are built elsewhere than in the
// keys.go of the package that owns the items.
func TestKeys(t *testing.T) {
	owners := map[string]string{} // of a kind of prefix and its text
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
