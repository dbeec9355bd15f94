// Package template reads template.yaml: which functions there are and what calls them. The local runner, the
// stand-in for event source mappings and the tests take it from there, so that nothing is listed twice.
package template

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Template holds the functions and queues of template.yaml.
type Template struct {
	Parameters []Parameter      // in the order of the file
	Functions  []Function       // in the order of the file
	Queues     map[string]Queue // by logical name
	// StreamView is what the stream of the table shows of a change; "" where there is no table.
	StreamView string
}

// A Function is one Lambda.
type Function struct {
	Name        string // the logical name
	Group       string // the folder under functions/
	Timeout     int    // seconds
	Paths       []string
	Queues      []QueueEvent
	Streams     []StreamEvent
	Schedules   []ScheduleEvent
	Environment map[string]string // variables whose value is a plain text
	// QueueURLs are the variables that hold the address of a queue, with the queue's logical name.
	QueueURLs map[string]string
}

// A QueueEvent is an event source mapping from a queue.
type QueueEvent struct {
	Queue           string // the logical name
	BatchSize       int
	Concurrency     int  // calls at a time; 0 where the template names no limit
	PartialFailures bool // the function reports what failed of a batch
}

// A StreamEvent is an event source mapping from the table's stream.
type StreamEvent struct {
	BatchSize       int
	Filters         []string // patterns; none lets every change through
	PartialFailures bool     // the function reports what failed of a batch
	Bisect          bool     // a batch that failed is halved
	Retries         int      // of a batch that failed; -1 is without end
	OnFailure       string   // the logical name of the queue that is told of what was given up; "" for none
}

// A ScheduleEvent calls the function at times.
type ScheduleEvent struct {
	Name, Expression string
	Input            string // what the function is handed; "" is EventBridge's own event
}

// A Queue is a queue of the stack.
type Queue struct {
	Delay             int    // seconds, of messages that name none
	VisibilityTimeout int    // seconds
	MaxReceives       int    // 0 for a queue without dead letters
	DeadLetters       string // the logical name of the queue that they go to
}

// Defaults of Lambda and SQS for what a template leaves out.
const (
	defaultTimeout     = 3
	defaultQueueBatch  = 10
	defaultStreamBatch = 100
	defaultVisibility  = 30
)

type document struct {
	Globals struct {
		Function properties `yaml:"Function"`
	} `yaml:"Globals"`
	Parameters yaml.Node `yaml:"Parameters"`
	Resources  yaml.Node `yaml:"Resources"`
}

type environment struct {
	Variables map[string]yaml.Node `yaml:"Variables"`
}

type resource struct {
	Type       string     `yaml:"Type"`
	Properties properties `yaml:"Properties"`
}

type properties struct {
	CodeURI           string      `yaml:"CodeUri"`
	Timeout           int         `yaml:"Timeout"`
	Environment       environment `yaml:"Environment"`
	Events            yaml.Node   `yaml:"Events"`
	DelaySeconds      int         `yaml:"DelaySeconds"`
	VisibilityTimeout int         `yaml:"VisibilityTimeout"`

	StreamSpecification struct {
		ViewType string `yaml:"StreamViewType"`
	} `yaml:"StreamSpecification"`
	RedrivePolicy struct {
		DeadLetterTargetArn yaml.Node `yaml:"deadLetterTargetArn"`
		MaxReceiveCount     int       `yaml:"maxReceiveCount"`
	} `yaml:"RedrivePolicy"`
}

type event struct {
	Type       string `yaml:"Type"`
	Properties struct {
		Path          string    `yaml:"Path"`
		Queue         yaml.Node `yaml:"Queue"`
		BatchSize     int       `yaml:"BatchSize"`
		Schedule      string    `yaml:"Schedule"`
		Input         string    `yaml:"Input"`
		ScalingConfig struct {
			MaximumConcurrency int `yaml:"MaximumConcurrency"`
		} `yaml:"ScalingConfig"`
		FunctionResponseTypes      []string `yaml:"FunctionResponseTypes"`
		BisectBatchOnFunctionError bool     `yaml:"BisectBatchOnFunctionError"`
		MaximumRetryAttempts       *int     `yaml:"MaximumRetryAttempts"`
		DestinationConfig          struct {
			OnFailure struct {
				Destination yaml.Node `yaml:"Destination"`
			} `yaml:"OnFailure"`
		} `yaml:"DestinationConfig"`
		FilterCriteria struct {
			Filters []struct {
				Pattern string `yaml:"Pattern"`
			} `yaml:"Filters"`
		} `yaml:"FilterCriteria"`
	} `yaml:"Properties"`
}

// Read reads a template.
func Read(file string) (Template, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return Template{}, err
	}
	t, err := Parse(text)
	if err != nil {
		return Template{}, fmt.Errorf("%s: %w", file, err)
	}
	return t, nil
}

// Parse reads the text of a template.
func Parse(text []byte) (Template, error) {
	var doc document
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return Template{}, err
	}
	parameters, err := readParameters(&doc.Parameters)
	if err != nil {
		return Template{}, err
	}
	t := Template{Parameters: parameters, Queues: map[string]Queue{}}
	for name, node := range pairs(&doc.Resources) {
		var kind struct {
			Type string `yaml:"Type"`
		}
		if err := node.Decode(&kind); err != nil {
			return Template{}, fmt.Errorf("%s: %w", name, err)
		}
		switch kind.Type {
		case "AWS::Serverless::Function", "AWS::SQS::Queue", "AWS::DynamoDB::Table":
		default:
			continue
		}
		var r resource
		if err := node.Decode(&r); err != nil {
			return Template{}, fmt.Errorf("%s: %w", name, err)
		}
		if r.Type == "AWS::SQS::Queue" {
			t.Queues[name] = readQueue(r)
			continue
		}
		if r.Type == "AWS::DynamoDB::Table" {
			t.StreamView = r.Properties.StreamSpecification.ViewType
			continue
		}
		f, err := readFunction(name, doc, r)
		if err != nil {
			return Template{}, fmt.Errorf("%s: %w", name, err)
		}
		t.Functions = append(t.Functions, f)
	}
	return t, nil
}

func readQueue(r resource) Queue {
	q := Queue{Delay: r.Properties.DelaySeconds, VisibilityTimeout: r.Properties.VisibilityTimeout}
	if q.VisibilityTimeout == 0 {
		q.VisibilityTimeout = defaultVisibility
	}
	if target := resourceOf(&r.Properties.RedrivePolicy.DeadLetterTargetArn); target != "" {
		q.DeadLetters, q.MaxReceives = target, r.Properties.RedrivePolicy.MaxReceiveCount
	}
	return q
}

func readFunction(name string, doc document, r resource) (Function, error) {
	f := Function{Name: name, Group: path.Base(path.Dir(r.Properties.CodeURI)), Timeout: r.Properties.Timeout,
		Environment: map[string]string{}, QueueURLs: map[string]string{}}
	if f.Timeout == 0 {
		f.Timeout = doc.Globals.Function.Timeout
	}
	if f.Timeout == 0 {
		f.Timeout = defaultTimeout
	}
	for _, e := range []environment{doc.Globals.Function.Environment, r.Properties.Environment} {
		for variable, node := range e.Variables {
			if node.Tag == "!!str" {
				f.Environment[variable] = node.Value
			} else if strings.HasSuffix(variable, "_QUEUE_URL") {
				f.QueueURLs[variable] = resourceOf(&node)
			}
		}
	}
	for eventName, node := range pairs(&r.Properties.Events) {
		var e event
		if err := node.Decode(&e); err != nil {
			return Function{}, fmt.Errorf("event %s: %w", eventName, err)
		}
		partial := slices.Contains(e.Properties.FunctionResponseTypes, "ReportBatchItemFailures")
		switch e.Type {
		case "Api":
			f.Paths = append(f.Paths, e.Properties.Path)
		case "SQS":
			f.Queues = append(f.Queues, QueueEvent{
				Queue:       resourceOf(&e.Properties.Queue),
				BatchSize:   orElse(e.Properties.BatchSize, defaultQueueBatch),
				Concurrency: e.Properties.ScalingConfig.MaximumConcurrency, PartialFailures: partial,
			})
		case "DynamoDB":
			s := StreamEvent{
				BatchSize: orElse(e.Properties.BatchSize, defaultStreamBatch), PartialFailures: partial,
				Bisect: e.Properties.BisectBatchOnFunctionError, Retries: -1,
				OnFailure: resourceOf(&e.Properties.DestinationConfig.OnFailure.Destination),
			}
			if n := e.Properties.MaximumRetryAttempts; n != nil {
				s.Retries = *n
			}
			for _, filter := range e.Properties.FilterCriteria.Filters {
				s.Filters = append(s.Filters, filter.Pattern)
			}
			f.Streams = append(f.Streams, s)
		case "Schedule", "ScheduleV2":
			f.Schedules = append(f.Schedules,
				ScheduleEvent{eventName, e.Properties.Schedule, e.Properties.Input})
		default:
			return Function{}, fmt.Errorf("event %s: events of type %s are not known here", eventName, e.Type)
		}
	}
	return f, nil
}

// resourceOf returns the logical name in !Ref X or !GetAtt X.Arn, or "" if the node is neither.
func resourceOf(node *yaml.Node) string {
	switch node.Tag {
	case "!Ref":
		return node.Value
	case "!GetAtt":
		name, _, _ := strings.Cut(node.Value, ".")
		return name
	}
	return ""
}

// pairs goes through a mapping in the order of the file.
func pairs(mapping *yaml.Node) func(yield func(string, *yaml.Node) bool) {
	return func(yield func(string, *yaml.Node) bool) {
		for pair := range slices.Chunk(mapping.Content, 2) {
			if !yield(pair[0].Value, pair[1]) {
				return
			}
		}
	}
}

func orElse(n, other int) int {
	if n == 0 {
		return other
	}
	return n
}
