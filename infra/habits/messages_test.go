package habits

import (
	"go/ast"
	"go/token"
	"path"
	"testing"
)

// TestMessages holds that package message alone writes messages. What is stored of one is made by three
// functions of package conversation, from a type that is not exported: they are used nowhere else, tests
// aside.
func TestMessages(t *testing.T) {
	const owner, home = "shared/message", "shared/conversation"
	// and how often the owner uses them
	makers := map[string]int{"AddMessage": 0, "MessageItem": 0, "Pair": 0}
	declarations(t, func(file string, fset *token.FileSet, parsed *ast.File) {
		folder := path.Dir(file)
		ast.Inspect(parsed, func(node ast.Node) bool {
			selector, ok := node.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if _, makes := makers[selector.Sel.Name]; !makes {
				return true
			}
			if folder == owner {
				makers[selector.Sel.Name]++
			} else {
				t.Errorf("%s uses %s: only %s writes messages", fset.Position(selector.Pos()),
					selector.Sel.Name, owner)
			}
			return true
		})
		if folder != home {
			return
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !ast.IsExported(f.Name.Name) || f.Name.Name == "ReadMessage" {
				continue
			}
			if _, makes := makers[f.Name.Name]; !makes && mentions(f, "storedMessage", "MessageItem") {
				t.Errorf("%s.%s makes the item of a message: have it listed here", home, f.Name.Name)
			}
		}
	})
	for name, uses := range makers {
		if uses == 0 {
			t.Errorf("%s does not use %s: this test no longer finds what writes messages", owner, name)
		}
	}
}

// mentions reports whether a function's body uses one of the names.
func mentions(f *ast.FuncDecl, names ...string) bool {
	found := false
	ast.Inspect(f, func(node ast.Node) bool {
		if id, ok := node.(*ast.Ident); ok {
			for _, name := range names {
				found = found || id.Name == name
			}
		}
		return !found
	})
	return found
}
