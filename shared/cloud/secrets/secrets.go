// Package secrets is where a function on AWS has the keys of secrets from. It is apart from package cloud so
// that only functions with secrets link the client of Systems Manager, which takes a tenth of a millisecond
// of their start.
package secrets

import (
	"context"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ssm"

	"frontdesk/shared/cloud"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
)

// Keys are those of the variable SECRETS_KEY, or else of the parameter of Systems Manager that
// SECRETS_KEY_PARAMETER names. The parameter is read when a secret is first sealed or opened, so a start
// costs nothing.
func Keys() *secret.Keys {
	if text := os.Getenv("SECRETS_KEY"); text != "" {
		return &secret.Keys{Read: secret.Static(text)}
	}
	return &secret.Keys{Read: parameter(os.Getenv("SECRETS_KEY_PARAMETER"))}
}

// parameter returns a Read that decrypts and reads a parameter.
func parameter(name string) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		client := ssm.NewFromConfig(cloud.Config("SSM"))
		found, err := client.GetParameter(ctx,
			&ssm.GetParameterInput{Name: &name, WithDecryption: aws.Bool(true)})
		table.Count(ctx, 0, 0) // a trip that the request waits for
		if err != nil {
			return "", err
		}
		return aws.ToString(found.Parameter.Value), nil
	}
}
