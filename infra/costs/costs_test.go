package costs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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

// documented reads the figures from the page that has them: rows of a table, the request in backquotes.
func documented(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../docs/data-model.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` ?([^|]*)\\| (\\d+) \\| ([\\d.]+) \\| ([\\d.]+) \\|")
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
	if diff := cmp.Diff(documented(t), measured(t, store)); diff != "" {
		t.Errorf("docs/data-model.md says (-), measured (+):\n%s", diff)
	}
}

// trips leaves out the units: those that DynamoDB Local tells of transactions are not DynamoDB's.
func trips(rows []string) []string {
	var all []string
	for _, row := range rows {
		words := strings.Fields(row)
		all = append(all, strings.Join(words[:len(words)-2], " "))
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
