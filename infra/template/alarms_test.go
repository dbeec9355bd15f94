package template

import (
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// freeAlarmMetrics is how many metrics the alarms of an account may read free of charge.
const freeAlarmMetrics = 10

// TestAlarms expects every alarm in the operator's page and none there that the stack does not have, and that
// all alarms together are free.
func TestAlarms(t *testing.T) {
	text, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	var stack struct {
		Resources map[string]struct {
			Type       string `yaml:"Type"`
			Condition  string `yaml:"Condition"`
			Properties struct {
				Actions yaml.Node `yaml:"AlarmActions"`
				Metric  string    `yaml:"MetricName"`
			} `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &stack); err != nil {
		t.Fatal(err)
	}
	metrics := 0
	for name, r := range stack.Resources {
		if r.Type != "AWS::CloudWatch::Alarm" {
			continue
		}
		if !strings.Contains(string(page), "| `"+name+"` |") {
			t.Errorf("docs/operating.md does not name %s", name)
		}
		if r.Properties.Actions.IsZero() {
			t.Errorf("%s tells nobody", name)
		}
		if r.Properties.Metric == "" {
			t.Errorf("%s reads no metric of its own; the emulator of the deployment knows no others", name)
		}
		if r.Condition == "" {
			metrics++
		}
	}
	if metrics == 0 || metrics > freeAlarmMetrics {
		t.Errorf("the alarms read %d metrics, want 1 to %d", metrics, freeAlarmMetrics)
	}
	described, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	parameters := map[string]bool{}
	for _, p := range described.Parameters {
		parameters[p.Name] = true
	}
	for line := range strings.Lines(string(page)) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "| `"), "`")
		if strings.HasPrefix(line, "| `") && strings.HasSuffix(name, "Alarm") && !parameters[name] &&
			stack.Resources[name].Type == "" {
			t.Errorf("docs/operating.md names %s, which the stack does not have", name)
		}
	}
}
