package costs

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"frontdesk/infra/emulator"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
	"frontdesk/shared/table/dynamo/schema"
	"frontdesk/shared/table/sqlite"
)

// update has TestCostsOnSQLite write what it measures into the page that has the figures.
var update = flag.Bool("update", false, "write the figures that are measured into docs/data-model.md")

const page = "../../docs/data-model.md"

// row is a row of the page's table, the request in backquotes.
var row = regexp.MustCompile("(?m)^\\| `([^`]+)` ?([^|]*)\\| (\\d+) \\| ([\\d.]+) \\| ([\\d.]+) \\|")

// rewrite puts the rows in the place of those that the page has.
func rewrite(t *testing.T, rows []Row) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for _, r := range rows {
		request, special, _ := strings.Cut(r.Request, " (")
		if special != "" {
			special = "(" + special + " "
		}
		fmt.Fprintf(&lines, "| `%s` %s| %d | %v | %v |\n", request, special, r.RoundTrips, r.ReadUnits,
			r.WriteUnits)
	}
	places := row.FindAllIndex(text, -1)
	after := places[len(places)-1][1] + len("\n")
	text = slices.Concat(text[:places[0][0]], []byte(lines.String()), text[after:])
	if err := os.WriteFile(page, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// documented reads the figures from the page that has them.
func documented(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		rows = append(rows, fmt.Sprintf("%s %s %s %s", strings.TrimSpace(m[1]+" "+strings.TrimSpace(m[2])),
			m[3], m[4], m[5]))
	}
	return rows
}

// rows plays the story over a table.
func rows(t *testing.T, store table.Table) []Row {
	t.Helper()
	rows, err := MeasureRequests(t.Context(), "../../template.yaml", store)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func measured(t *testing.T, store table.Table) []string {
	t.Helper()
	var lines []string
	for _, r := range rows(t, store) {
		lines = append(lines, fmt.Sprintf("%s %d %v %v", r.Request, r.RoundTrips, r.ReadUnits, r.WriteUnits))
	}
	return lines
}

func TestCostsOnSQLite(t *testing.T) {
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if *update {
		rewrite(t, rows(t, store))
		return
	}
	if diff := cmp.Diff(documented(t), measured(t, store)); diff != "" {
		t.Errorf("docs/data-model.md says (-), measured (+):\n%s", diff)
	}
}

// trips leaves out the units, and rows that are equal then: the units that DynamoDB Local tells of
// transactions are not DynamoDB's.
func trips(rows []string) []string {
	var all []string
	for _, row := range rows {
		words := strings.Fields(row)
		if row = strings.Join(words[:len(words)-2], " "); !slices.Contains(all, row) {
			all = append(all, row)
		}
	}
	return all
}

func TestCostsOnDynamoDB(t *testing.T) {
	address := emulator.DynamoDB().Endpoint(t)
	client := dynamodb.New(dynamodb.Options{
		Region: "us-east-1", Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
		BaseEndpoint: &address, DisableValidateResponseChecksum: true,
	})
	name := "costs-" + fmt.Sprint(time.Now().UnixNano())
	if err := schema.Create(t.Context(), client, name); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(trips(documented(t)),
		trips(measured(t, dynamo.New(client, name, time.Now)))); diff != "" {
		t.Errorf("docs/data-model.md says (-), measured (+):\n%s", diff)
	}
}
