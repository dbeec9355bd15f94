package emulator

import (
	"cmp"
	_ "embed"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

//go:embed elasticmq.pom.xml
var elasticmqPOM []byte

// A Queue is a queue that an ElasticMQ creates at its start.
type Queue struct {
	Name       string
	Delay      time.Duration // default for messages, in whole seconds
	Visibility time.Duration // default for receivers, in whole seconds; 0 is 30 seconds, as in SQS
	// MaxReceives is how often a message is received before it goes to the queue DeadLetters; 0 is without
	// end.
	MaxReceives int
	DeadLetters string
}

// ElasticMQ is ElasticMQ with the limits of SQS and these queues. One that runs already keeps the queues that
// it has. It takes any region and access key. It listens on all addresses, since containers do not reach the
// local one.
func ElasticMQ(queues ...Queue) Emulator {
	var ready []string
	for _, q := range queues {
		// It answers before it has created the queues.
		ready = append(ready, "/?Action=GetQueueUrl&QueueName="+url.QueryEscape(q.Name))
	}
	return Emulator{
		Name:     "elasticmq",
		Variable: "ELASTICMQ_ENDPOINT",
		pom:      elasticmqPOM,
		command: func(lib, temp string, port int) ([]string, error) {
			config := filepath.Join(temp, "elasticmq.conf")
			if err := os.WriteFile(config, []byte(elasticmqConfig(port, queues)), 0o644); err != nil {
				return nil, err
			}
			return []string{
				// It runs for a short time: compiling it well takes longer than it gains.
				"-XX:TieredStopAtLevel=1", "-Xmx256m",
				"-Dconfig.file=" + config, "-cp", filepath.Join(lib, "*"),
				"org.elasticmq.server.Main",
			}, nil
		},
		ready: ready,
	}
}

// elasticmqConfig returns the server's configuration in HOCON.
func elasticmqConfig(port int, queues []Queue) string {
	var b strings.Builder
	fmt.Fprintf(&b, `include classpath("application.conf")
node-address { protocol = http, host = 127.0.0.1, port = %[1]d, context-path = "" }
rest-sqs { enabled = true, bind-port = %[1]d, bind-hostname = "0.0.0.0", sqs-limits = strict }
rest-stats { enabled = false }
queues {
`, port)
	for _, q := range queues {
		fmt.Fprintf(&b, "  %q { delay = %d seconds, defaultVisibilityTimeout = %d seconds",
			q.Name, int(q.Delay.Seconds()), int(cmp.Or(q.Visibility, 30*time.Second).Seconds()))
		if q.MaxReceives > 0 {
			fmt.Fprintf(&b, ", deadLettersQueue { name = %q, maxReceiveCount = %d }", q.DeadLetters,
				q.MaxReceives)
		}
		b.WriteString(" }\n")
	}
	b.WriteString("}\n")
	return b.String()
}
