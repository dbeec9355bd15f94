package template

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"go.yaml.in/yaml/v3"
)

// freeDashboardMetrics is how many metrics a free dashboard of CloudWatch may show.
const freeDashboardMetrics = 50

// TestDashboard expects the dashboard to be JSON that CloudWatch takes, about resources that the stack has,
// and to cost nothing.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var stack struct {
		Resources map[string]yaml.Node `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &stack); err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Properties struct {
			Body []yaml.Node `yaml:"DashboardBody"`
		} `yaml:"Properties"`
	}
	node := stack.Resources["Dashboard"]
	if err := node.Decode(&dashboard); err != nil || len(dashboard.Properties.Body) != 2 {
		t.Fatalf("the dashboard: %v", err)
	}
	body := dashboard.Properties.Body[0].Value
	for _, match := range regexp.MustCompile(`\$\{(\w+)(\.\w+)?\}`).FindAllStringSubmatch(body, -1) {
		name := match[1]
		if _, ok := stack.Resources[name]; !ok && name != "TableName" && name != "StageName" {
			t.Errorf("the stack has no %s", name)
		}
	}
	var read struct {
		Widgets []struct {
			Properties struct {
				Title   string
				Metrics [][]any
				Query   string
			}
		}
	}
	plain := regexp.MustCompile(`\$\{AWS::\w+\}`).ReplaceAllString(body, "x")
	if err := json.Unmarshal([]byte(plain), &read); err != nil {
		t.Fatal(err)
	}
	metrics := 0
	for _, w := range read.Widgets {
		metrics += len(w.Properties.Metrics)
		if w.Properties.Title == "" || len(w.Properties.Metrics) == 0 && w.Properties.Query == "" {
			t.Errorf("a widget shows nothing: %+v", w)
		}
	}
	if metrics < 20 || metrics > freeDashboardMetrics {
		t.Errorf("the dashboard shows %d metrics", metrics)
	}
}
