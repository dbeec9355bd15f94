// Command bill prints what a stack costs at AWS in a month, from what each request was measured to cost:
//
//	go run ./infra/bill -visits 20000 -conversations 300
//
// It makes no network calls: it runs the product over an embedded table and uses list prices.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"frontdesk/infra/costs"
	"frontdesk/infra/template"
	"frontdesk/shared/table/sqlite"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bill:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	t, err := parse(args)
	if err != nil {
		return err
	}
	m, err := measure(ctx, "template.yaml")
	if err != nil {
		return err
	}
	text, err := m.print(t)
	fmt.Print(text)
	return err
}

// parse reads the traffic from arguments.
func parse(args []string) (traffic, error) {
	var t traffic
	flags := flag.NewFlagSet("bill", flag.ContinueOnError)
	for _, f := range []struct {
		value   *float64
		name    string
		initial float64
		usage   string
	}{
		{&t.visits, "visits", 20_000, "page views with a chat box, a month"},
		{&t.conversations, "conversations", 300, "conversations in the chat box, a month"},
		{&t.messages, "messages", 4, "messages of the visitor in a conversation"},
		{&t.looks, "looks", 1, "looks of the chat box for news, for each message"},
		{&t.deliveries, "deliveries", 2, "deliveries to webhooks for a conversation"},
		{&t.people, "people", 3, "people who work with the dashboard, on 22 days of 8 hours"},
		{&t.months, "months", 12, "months for which conversations have been kept"},
	} {
		flags.Float64Var(f.value, f.name, f.initial, f.usage)
	}
	return t, flags.Parse(args)
}

// measure plays the product over an empty table.
func measure(ctx context.Context, templateFile string) (m measured, err error) {
	stack, err := template.Read(templateFile)
	if err != nil {
		return m, err
	}
	for _, f := range stack.Functions {
		for _, q := range f.Queues {
			m.pollers += pollers(q)
		}
	}
	dir, err := os.MkdirTemp("", "frontdesk-bill-")
	if err != nil {
		return m, err
	}
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(filepath.Join(dir, "table.db"), time.Now)
	if err != nil {
		return m, err
	}
	defer store.Close()
	if m.requests, err = costs.MeasureRequests(ctx, templateFile, store); err != nil {
		return m, err
	}
	deliveries, err := costs.MeasureDeliveries(ctx, store)
	if err != nil {
		return m, err
	}
	m.delivery = deliveries[0]
	return m, nil
}

// print writes the bill of a month as a table in Markdown.
func (m measured) print(t traffic) (string, error) {
	charges, err := m.bill(t)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| what | how many | $ a million | $ a month |\n|---|---|---|---|\n")
	total := 0.0
	for _, c := range charges {
		total += c.total()
		fmt.Fprintf(&b, "| %s | %s | %.2f | %.2f |\n", c.what, count(c.count), c.each*1e6, c.total())
	}
	fmt.Fprintf(&b, "| **together** | | | **%.2f** |\n", total)
	return b.String(), nil
}

// shown are the requests that docs/operating.md has the prices of.
var shown = []struct{ name, request string }{
	{"a read, as of a conversation", "GET /conversations/{id}/"},
	{"a turn of a chat, by the API", "POST /agents/{agent_id}/chat/ (next)"},
	{"a turn in the chat box", "POST /widget/{embed_key}/send/ (with an Idempotency-Key)"},
	{"a look of the chat box for news", "GET /widget/{embed_key}/history/ (after the last)"},
	{"how a chat box looks, for a page", "GET /widget/{embed_key}/config/"},
}

// printRequests writes what requests cost as the rows of a table in Markdown.
func (m measured) printRequests() (string, error) {
	var b strings.Builder
	for _, s := range shown {
		r, err := m.row(s.request)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "| %s | %.2f | %.2f | %.2f | %v: %.2f | %v: %.2f | **%.2f** |\n", s.name,
			1e6*gatewayCall, 1e6*functionTime(r), 1e6*logLine*logByte, r.ReadUnits, 1e6*r.ReadUnits*readUnit,
			r.WriteUnits, 1e6*r.WriteUnits*writeUnit, 1e6*ofRequest(r))
	}
	return b.String(), nil
}

// count writes a number with commas between its thousands.
func count(n float64) string {
	if n != float64(int64(n)) {
		return fmt.Sprintf("%.2f", n)
	}
	digits := fmt.Sprintf("%.0f", n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
