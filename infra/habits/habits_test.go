// Package habits checks rules that span the packages of the project.
package habits

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/token"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/infra/product"
	"frontdesk/infra/template"
)

const module = "frontdesk/"

type pkg struct {
	ImportPath, Doc string
	Imports, Deps   []string
	GoFiles         []string
}

// packages lists the project's own packages.
func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Doc,Imports,Deps,GoFiles", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		if len(p.GoFiles) > 0 {
			all = append(all, p)
		}
	}
}

// TestImports checks that functions do not import each other, that shared packages do not import their users,
// that the domain does not import HTTP, and that Lambdas import nothing that is slow to start or local.
func TestImports(t *testing.T) {
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module)
		top, rest, _ := strings.Cut(path, "/")
		group, _, _ := strings.Cut(rest, "/")
		for _, imported := range p.Imports {
			own, ours := strings.CutPrefix(imported, module)
			switch {
			case top == "functions" && strings.HasPrefix(own+"/", "functions/") &&
				!strings.HasPrefix(own+"/", "functions/"+group+"/"):
				t.Errorf("%s imports %s: functions stand alone", path, own)
			case top != "infra" && ours && strings.HasPrefix(own, "infra/"):
				t.Errorf("%s imports %s: infra is for machines that build and run the product", path, own)
			case top == "shared" && ours && strings.HasPrefix(own, "functions/"):
				t.Errorf("%s imports %s: what is shared knows no function", path, own)
			case top == "shared" && own == "shared/api" && group != "api" && group != "cloud" &&
				!strings.HasSuffix(path, "test"):
				t.Errorf("%s imports %s: the domain knows no HTTP; its errors are those of shared/fault",
					path, own)
			case strings.HasPrefix(imported, "github.com/aws/aws-sdk-go-v2/service/dynamodb") &&
				top != "infra" &&
				!strings.HasPrefix(path, "shared/table/dynamo") && path != "shared/cloud/store":
				t.Errorf("%s imports %s: only the table knows DynamoDB", path, imported)
			case strings.HasPrefix(imported, "github.com/go-webauthn/") && path != "functions/account":
				t.Errorf("%s imports %s: 3 MB that signing in alone is to carry", path, imported)
			}
		}
		if !strings.HasSuffix(path, "/lambda") || top != "functions" {
			continue
		}
		for _, dep := range p.Deps {
			for _, unwanted := range []string{"modernc.org/", "github.com/nyaruka/",
				"github.com/aws/aws-lambda-go/lambda", "github.com/aws/aws-sdk-go-v2/config",
				"github.com/aws/aws-sdk-go-v2/service/ssm", "testing"} {
				if dep == unwanted || strings.HasSuffix(unwanted, "/") && strings.HasPrefix(dep, unwanted) {
					t.Errorf("%s links %s", path, dep)
				}
			}
			if isPlatformSDK(dep) {
				t.Errorf("%s links %s: platforms are called by what stands in shared/channel", path, dep)
			}
			if strings.HasPrefix(dep, "github.com/aws/") && strings.HasSuffix(dep, "/schemas") {
				t.Errorf("%s links %s, which takes most of a millisecond at every process start", path, dep)
			}
		}
	}
}

// platformNames are in the names of the clients that platforms of channels give out, and of those that others
// wrote for them.
var platformNames = regexp.MustCompile(`twilio|facebook|whatsapp|messenger|instagram|sendgrid|mailgun|postmark|smtp`)

// isPlatformSDK reports whether a package is a client of a channel's platform that is not our own. Of AWS's
// services a function has the clients of its table and of its queues alone.
func isPlatformSDK(dep string) bool {
	if service, ok := strings.CutPrefix(dep, "github.com/aws/aws-sdk-go-v2/service/"); ok {
		name, _, _ := strings.Cut(service, "/")
		return name != "dynamodb" && name != "sqs" && name != "internal"
	}
	return strings.Contains(dep, ".") && platformNames.MatchString(dep)
}

// TestStarts has every function check its parts when it starts, as cloud.Serve and cloud.Work do, and the
// template give it the queues that it asks its environment for.
func TestStarts(t *testing.T) {
	stack, err := template.Read("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	queue := regexp.MustCompile(`cloud\.Env\("(\w+)"\)`)
	start := regexp.MustCompile(`cloud\.(Serve|ServeWithMail|Work)\(`)
	for _, f := range stack.Functions {
		file := "../../functions/" + f.Group + "/lambda/main.go"
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !start.Match(text) {
			t.Errorf("%s calls neither cloud.Serve nor cloud.Work", file)
		}
		for _, match := range queue.FindAllSubmatch(text, -1) {
			if f.QueueURLs[string(match[1])] == "" {
				t.Errorf("%s needs %s, which template.yaml does not set to the address of a queue", file,
					match[1])
			}
		}
	}
}

func TestPackagesAreDocumented(t *testing.T) {
	for _, p := range packages(t) {
		if p.Doc == "" {
			t.Errorf("%s has no package comment", p.ImportPath)
		}
	}
}

// TestRoutes checks that the template routes exactly those paths to each function that the function serves.
func TestRoutes(t *testing.T) {
	stack, err := template.Read("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string][]string{}
	for _, f := range stack.Functions {
		var paths []string
		for _, path := range f.Paths {
			if !strings.Contains(path, "{proxy+}") && path != "/api/v1" {
				paths = append(paths, path)
			}
		}
		slices.Sort(paths)
		declared[f.Group] = paths
	}
	served := map[string][]string{}
	for group, router := range product.Endpoints(product.Parts{}) {
		for _, path := range router.Paths() {
			served[group] = append(served[group],
				strings.Replace(strings.TrimSuffix(path, "/"), "...}", "+}", 1))
		}
		slices.Sort(served[group])
	}
	for group := range product.Workers(product.Parts{}) {
		served[group] = nil
	}
	if diff := cmp.Diff(served, declared); diff != "" {
		t.Errorf("functions serve (-), template.yaml declares (+):\n%s", diff)
	}
}

// TestNothingIsCompiledAtStart finds regular expressions that a package compiles when its program starts:
// each costs every cold start some hundredths of a millisecond, needed or not. sync.OnceValue puts it off.
func TestNothingIsCompiledAtStart(t *testing.T) {
	declarations(t, func(path string, _ *token.FileSet, file *ast.File) {
		top, _, _ := strings.Cut(path, "/")
		if top != "shared" && top != "functions" || strings.HasSuffix(file.Name.Name, "test") {
			return
		}
		for _, decl := range file.Decls {
			if variables, ok := decl.(*ast.GenDecl); ok && compiles(variables) {
				t.Errorf("%s compiles a regular expression at the start", path)
			}
		}
	})
}

// compiles reports whether a declaration compiles a regular expression outside of a function.
func compiles(decl ast.Node) (found bool) {
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "regexp" && n.Sel.Name == "MustCompile" {
				found = true
			}
		}
		return true
	})
	return found
}
