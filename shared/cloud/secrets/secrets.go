// Package secrets is where a function on AWS has the keys of secrets from. It is apart from package cloud so
// that only functions with secrets link what reads them.
package secrets

import (
	"os"
	"time"

	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/parameter"
	"frontdesk/shared/secret"
)

// Keys are those of the variable SECRETS_KEY, or else of the parameter of Systems Manager that
// SECRETS_KEY_PARAMETER names. The parameter is read when a secret is first sealed or opened, so a start
// costs nothing.
func Keys() *secret.Keys {
	if text := os.Getenv("SECRETS_KEY"); text != "" {
		return &secret.Keys{Read: secret.Static(text)}
	}
	name := os.Getenv("SECRETS_KEY_PARAMETER")
	stored := parameter.New(name, cloud.Config("SSM"), time.Now)
	return &secret.Keys{Read: stored.Value, Fresh: stored.Fresh}
}
