package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ssm"
	"github.com/aws/aws-sdk-go-v2/service/ssm/types"

	"frontdesk/shared/secret"
)

// makeSecretsKey makes the key that a deployed stack seals credentials with, where it has none: the parameter
// that template.yaml names. It never changes one, since what is sealed under it would be lost. For a table
// that another stack has used it takes over the key of that stack.
func makeSecretsKey(ctx context.Context, o options, out *json.Encoder) error {
	if o.stack == "" || o.stack == samLocal {
		return errors.New("name a deployed stack with -stack; this machine makes its key by itself")
	}
	settings, err := settingsOf(ctx, o.stack)
	if err == nil && settings.Region == "" && o.from != "" {
		// A stack that is still to be deployed will be where the table of the other is.
		settings, err = settingsOf(ctx, o.from)
	}
	if err != nil {
		return err
	}
	client, name, key := ssm.NewFromConfig(settings), secretsKeyName(o.stack), secret.NewKey()
	if o.from != "" {
		if key, err = readSecretsKey(ctx, client, o.from); err != nil {
			return err
		}
	}
	put := &ssm.PutParameterInput{
		Name: &name, Type: types.ParameterTypeSecureString, Value: &key,
		Overwrite:   aws.Bool(false),
		Description: aws.String("Seals the credentials in the table. Without it they are lost."),
	}
	if o.kmsKey != "" {
		put.KeyId = &o.kmsKey
	}
	_, err = client.PutParameter(ctx, put)
	var there *types.ParameterAlreadyExists
	if err != nil && !errors.As(err, &there) {
		return fmt.Errorf("the key of secrets: %w", err)
	}
	return out.Encode(struct {
		Parameter string `json:"parameter"`
		Made      bool   `json:"made"`
	}{name, err == nil})
}

// secretsKeyName returns the name of the parameter with a stack's secrets key, as in template.yaml.
func secretsKeyName(stack string) string { return "/frontdesk/" + stack + "/secrets-key" }

// readSecretsKey returns a stack's secrets key.
func readSecretsKey(ctx context.Context, client *ssm.Client, stack string) (string, error) {
	name := secretsKeyName(stack)
	found, err := client.GetParameter(ctx,
		&ssm.GetParameterInput{Name: &name, WithDecryption: aws.Bool(true)})
	if err != nil {
		return "", fmt.Errorf("the key of secrets of %s: %w", stack, err)
	}
	return aws.ToString(found.Parameter.Value), nil
}

// replaceSecretsKey stores other keys in a stack's parameter, encrypted under the key of KMS that it has.
func replaceSecretsKey(ctx context.Context, client *ssm.Client, stack, text string) error {
	name := secretsKeyName(stack)
	described, err := client.DescribeParameters(ctx, &ssm.DescribeParametersInput{
		ParameterFilters: []types.ParameterStringFilter{{Key: aws.String("Name"), Values: []string{name}}},
	})
	if err != nil {
		return fmt.Errorf("the key of secrets of %s: %w", stack, err)
	}
	put := &ssm.PutParameterInput{
		Name: &name, Type: types.ParameterTypeSecureString, Value: &text, Overwrite: aws.Bool(true),
	}
	for _, p := range described.Parameters {
		put.KeyId = p.KeyId
	}
	_, err = client.PutParameter(ctx, put)
	return err
}

// storeOpenAIKey stores the key of the service of language models that a deployed stack calls, from
// OPENAI_API_KEY: in the parameter that template.yaml names. A key that is there is replaced.
func storeOpenAIKey(ctx context.Context, o options, out *json.Encoder) error {
	key := os.Getenv("OPENAI_API_KEY")
	if o.stack == "" || o.stack == samLocal {
		return errors.New("name a deployed stack with -stack; on this machine the service reads " +
			"OPENAI_API_KEY itself")
	}
	if key == "" {
		return errors.New("put the key into OPENAI_API_KEY")
	}
	settings, err := settingsOf(ctx, o.stack)
	if err != nil {
		return err
	}
	name := "/frontdesk/" + o.stack + "/openai-api-key"
	put := &ssm.PutParameterInput{
		Name: &name, Type: types.ParameterTypeSecureString, Value: &key, Overwrite: aws.Bool(true),
		Description: aws.String("Key of the service of language models that agents answer by."),
	}
	if o.kmsKey != "" {
		put.KeyId = &o.kmsKey
	}
	if _, err := ssm.NewFromConfig(settings).PutParameter(ctx, put); err != nil {
		return fmt.Errorf("the key of language models: %w", err)
	}
	return out.Encode(struct {
		Parameter string `json:"parameter"`
	}{name})
}
