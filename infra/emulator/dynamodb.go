package emulator

import (
	_ "embed"
	"path/filepath"
	"strconv"
)

//go:embed dynamodb.pom.xml
var dynamodbPOM []byte

// DynamoDB is DynamoDB Local: tables and streams in memory, the same for every region and access key. It
// takes some 600 MB. Its answers lack the checksums that DynamoDB's have, so a client sets
// DisableValidateResponseChecksum for it.
func DynamoDB() Emulator {
	return Emulator{
		Name:     "dynamodb",
		Variable: "DYNAMODB_ENDPOINT",
		pom:      dynamodbPOM,
		command: func(lib, _ string, port int) ([]string, error) {
			return []string{
				"-Djava.library.path=" + lib, "-cp", filepath.Join(lib, "*"),
				"com.amazonaws.services.dynamodbv2.local.main.ServerRunner",
				"-inMemory", "-sharedDb", "-disableTelemetry", "-port", strconv.Itoa(port),
			}, nil
		},
	}
}
