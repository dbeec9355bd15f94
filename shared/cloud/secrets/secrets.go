// Package secrets provides the keys of secrets to functions on AWS. It is separate from package cloud so
// that only functions with secrets link the client.
package secrets

import (
	"os"
	"time"

	"frontdesk/shared/cloud"
	"frontdesk/shared/cloud/parameter"
	"frontdesk/shared/secret"
)

// Keys returns the keys in the variable SECRETS_KEY, or else in the parameter of Systems Manager that
// SECRETS_KEY_PARAMETER names. The parameter is read when a secret is first sealed or opened, not at the
// start.
func Keys() *secret.Keys {
	if text := os.Getenv("SECRETS_KEY"); text != "" {
		return &secret.Keys{Read: secret.Static(text)}
	}
	name := os.Getenv("SECRETS_KEY_PARAMETER")
	stored := parameter.New(name, cloud.Config("SSM"), time.Now)
	return &secret.Keys{Read: stored.Value, Fresh: stored.Fresh}
}
