package api

import (
	"fmt"

	"frontdesk/shared/table"
)

const answers table.Prefix = "answer"

// answerKey is the key of part n of the answer to a request that carried an Idempotency-Key. The request is a
// hash of its path and key.
func answerKey(account int64, request string, n int) table.Key {
	return table.Key{PK: answers.Of(account, request), SK: fmt.Sprintf("%04d", n)}
}
