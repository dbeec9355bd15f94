package habits

import (
	"go/ast"
	"go/token"
	"path"
	"strings"
	"testing"
)

// TestEventsArePublished finds kinds of events that are declared and that no domain package publishes.
func TestEventsArePublished(t *testing.T) {
	const home = "shared/event"
	kinds := map[string]bool{}
	published := map[string]bool{} // what domain packages name of package event
	declarations(t, func(file string, _ *token.FileSet, parsed *ast.File) {
		folder := path.Dir(file)
		if file == home+"/declared.go" {
			ast.Inspect(parsed, func(node ast.Node) bool {
				spec, ok := node.(*ast.ValueSpec)
				if ok && isName(spec.Type, "Kind") {
					kinds[spec.Names[0].Name] = true
				}
				return true
			})
		}
		if folder == home || !strings.HasPrefix(folder, "shared/") {
			return
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			if s, ok := node.(*ast.SelectorExpr); ok && isName(s.X, "event") {
				published[s.Sel.Name] = true
			}
			return true
		})
	})
	for kind := range kinds {
		if !published[kind] {
			t.Errorf("no domain package publishes event.%s", kind)
		}
	}
	if len(kinds) < 15 {
		t.Errorf("only %d kinds were found", len(kinds))
	}
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}
