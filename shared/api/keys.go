package api

import (
	"fmt"

	"frontdesk/shared/table"
)

const answers table.Prefix = "answer"

// answerKey returns the key of part n of a stored answer. request is a hash of path and key.
func answerKey(account int64, request string, n int) table.Key {
	return table.Key{PK: answers.Join(account, request), SK: fmt.Sprintf("%04d", n)}
}
