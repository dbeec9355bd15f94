package main

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// update makes TestExamples write the computed bills into docs/operating.md.
var update = flag.Bool("update", false, "write the bills that are worked out into docs/operating.md")

const page = "../../docs/operating.md"

// pageAndPrices returns the text of docs/operating.md and the measured costs.
func pageAndPrices(t *testing.T) ([]byte, measured) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	m, err := measure(t.Context(), "../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return text, m
}

// TestExamples compares the bills of docs/operating.md with the measured costs.
func TestExamples(t *testing.T) {
	text, m := pageAndPrices(t)
	example := regexp.MustCompile("```sh\nmake costs (.+)\n```\n\n((?:\\|.*\n)+)")
	examples := example.FindAllStringSubmatch(string(text), -1)
	if len(examples) == 0 {
		t.Fatal("docs/operating.md has no example")
	}
	for _, example := range examples {
		var args []string
		for _, setting := range strings.Fields(example[1]) {
			name, value, _ := strings.Cut(setting, "=")
			args = append(args, "-"+strings.ToLower(name), value)
		}
		traffic, err := parse(args)
		if err != nil {
			t.Fatalf("%s: %v", example[1], err)
		}
		want, err := m.print(traffic)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case *update:
			text = bytes.Replace(text, []byte(example[2]), []byte(want), 1)
		case example[2] != want:
			t.Errorf("%s: docs/operating.md says\n%s\nmeasured\n%s", example[1], example[2], want)
		}
	}
	if *update {
		if err := os.WriteFile(page, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRequests compares the prices of requests in docs/operating.md with the measured costs.
func TestRequests(t *testing.T) {
	text, m := pageAndPrices(t)
	want, err := m.printRequests()
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| request \| gateway .*\n\|[-|]+\n((?:\|.*\n)*)`).FindSubmatchIndex(text)
	if rows == nil {
		t.Fatal("docs/operating.md has no table of requests")
	}
	got := string(text[rows[2]:rows[3]])
	switch {
	case *update:
		text = slices.Concat(text[:rows[2]], []byte(want), text[rows[3]:])
		if err := os.WriteFile(page, text, 0o644); err != nil {
			t.Fatal(err)
		}
	case got != want:
		t.Errorf("docs/operating.md says\n%s\nmeasured\n%s", got, want)
	}
}

// TestBill checks the charges of a bill without traffic.
func TestBill(t *testing.T) {
	m, err := measure(t.Context(), "../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	charges, err := m.bill(traffic{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range charges[:len(charges)-1] {
		if c.total() != 0 || c.each <= 0 {
			t.Errorf("%s: %v at %v with no traffic", c.what, c.count, c.each)
		}
	}
	if idle := charges[len(charges)-1].total(); idle <= 0 {
		t.Errorf("idle costs %v", idle)
	}
}
