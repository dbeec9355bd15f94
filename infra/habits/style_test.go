package habits

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	maxColumns  = 110 // of a line, a tab counting for four
	maxFunction = 60  // lines of a function
	maxBranches = 20  // the cyclomatic complexity of a function
)

// goFiles calls visit for each Go file of the project, tests included, with its path from the root.
func goFiles(t *testing.T, visit func(path string, text []byte)) {
	t.Helper()
	const root = "../.."
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && file != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(file) != ".go" {
			return nil
		}
		text, err := os.ReadFile(file)
		if err == nil {
			visit(filepath.ToSlash(strings.TrimPrefix(file, root+"/")), text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestLines holds lines to a length that two files beside each other have room for. A literal in backquotes,
// such as a field's tag, may be longer.
func TestLines(t *testing.T) {
	goFiles(t, func(path string, text []byte) {
		raw := rawLines(path, text)
		for n, line := range strings.Split(string(text), "\n") {
			columns := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
			if columns > maxColumns && !raw[n+1] {
				t.Errorf("%s:%d has more than %d columns", path, n+1, maxColumns)
			}
		}
	})
}

// rawLines returns the numbers of the lines that have literals in backquotes.
func rawLines(path string, text []byte) map[int]bool {
	fset := token.NewFileSet()
	file := fset.AddFile(path, -1, len(text))
	var scan scanner.Scanner
	scan.Init(file, text, nil, 0)
	lines := map[int]bool{}
	for {
		pos, kind, literal := scan.Scan()
		if kind == token.EOF {
			return lines
		}
		if kind == token.STRING && literal[0] == '`' {
			first := file.Line(pos)
			for n := range strings.Count(literal, "\n") + 1 {
				lines[first+n] = true
			}
		}
	}
}

// declarations parses each Go file of the project that is no test.
func declarations(t *testing.T, visit func(path string, fset *token.FileSet, file *ast.File)) {
	t.Helper()
	goFiles(t, func(path string, text []byte) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, text, parser.ParseComments)
		if err != nil {
			t.Error(err)
			return
		}
		visit(path, fset, file)
	})
}

// TestFunctions holds functions to a length that is read at once. Suites of tests are lists, and may be
// longer.
func TestFunctions(t *testing.T) {
	holdFunctions(t, "lines", maxFunction, func(fset *token.FileSet, f *ast.FuncDecl) int {
		return fset.Position(f.End()).Line - fset.Position(f.Pos()).Line + 1
	})
}

// TestComplexity holds the cyclomatic complexity of functions: 1 and one more for each if, loop, case, && and
// ||. Suites of tests may be more complex.
func TestComplexity(t *testing.T) {
	holdFunctions(t, "of cyclomatic complexity", maxBranches,
		func(_ *token.FileSet, f *ast.FuncDecl) int { return complexity(f) })
}

// holdFunctions checks that a figure of every function is within a limit.
func holdFunctions(
	t *testing.T, what string, limit int, figure func(*token.FileSet, *ast.FuncDecl) int,
) {
	t.Helper()
	declarations(t, func(path string, fset *token.FileSet, file *ast.File) {
		if strings.HasSuffix(file.Name.Name, "test") {
			return
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			if n := figure(fset, f); n > limit {
				t.Errorf("%s: %s has %d %s, want at most %d", path, f.Name.Name, n, what, limit)
			}
		}
	})
}

// complexity returns the cyclomatic complexity of a function, including the functions inside it.
func complexity(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil {
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// TestExportsAreDocumented wants a comment on every exported type, function, method, and on every group of
// constants and variables or each of them.
func TestExportsAreDocumented(t *testing.T) {
	declarations(t, func(path string, fset *token.FileSet, file *ast.File) {
		if file.Name.Name == "main" {
			return
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Doc == nil && d.Name.IsExported() && receiverIsExported(d) {
					t.Errorf("%s: %s has no comment", fset.Position(d.Pos()), d.Name.Name)
				}
			case *ast.GenDecl:
				for _, name := range undocumented(d) {
					t.Errorf("%s: %s has no comment", fset.Position(d.Pos()), name)
				}
			}
		}
	})
}

// undocumented returns the exported names of a declaration that have no comment.
func undocumented(d *ast.GenDecl) []string {
	var names []string
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if d.Doc == nil && spec.Doc == nil && spec.Name.IsExported() {
				names = append(names, spec.Name.Name)
			}
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				if d.Doc == nil && spec.Doc == nil && spec.Comment == nil && name.IsExported() {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// receiverIsExported reports whether a function has no receiver, or one whose type is exported.
func receiverIsExported(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	typ := f.Recv.List[0].Type
	for {
		switch t := typ.(type) {
		case *ast.StarExpr:
			typ = t.X
		case *ast.IndexExpr:
			typ = t.X
		case *ast.IndexListExpr:
			typ = t.X
		case *ast.Ident:
			return t.IsExported()
		default:
			return false
		}
	}
}
