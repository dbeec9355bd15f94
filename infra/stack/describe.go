package stack

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/smithy-go"
)

// ErrAbsent says that an account has no stack of a name in a region.
var ErrAbsent = errors.New("there is no such stack")

// A Standing is a deployed stack as CloudFormation describes it.
type Standing struct {
	Parameters map[string]string // what it was deployed with, by the template's names, defaults included
	Outputs    map[string]string // by the template's names
}

// Describe asks CloudFormation for a stack of the region that the settings name. The error is ErrAbsent, with
// the stack and its region in the text, where there is none. Without a region it says how to name one.
func Describe(ctx context.Context, settings aws.Config, name string) (Standing, error) {
	if settings.Region == "" {
		return Standing{}, fmt.Errorf(
			"the region of stack %s is not known here; name it, as in REGION=eu-central-1", name)
	}
	found, err := cloudformation.NewFromConfig(settings).DescribeStacks(ctx,
		&cloudformation.DescribeStacksInput{StackName: &name})
	var answer smithy.APIError
	switch {
	case errors.As(err, &answer) && strings.HasSuffix(answer.ErrorMessage(), "does not exist"):
		return Standing{}, fmt.Errorf("%w: %s in region %s", ErrAbsent, name, settings.Region)
	case err != nil:
		return Standing{}, fmt.Errorf("stack %s: %w", name, err)
	case len(found.Stacks) == 0 || found.Stacks[0].StackStatus == types.StackStatusDeleteComplete:
		return Standing{}, fmt.Errorf("%w: %s in region %s", ErrAbsent, name, settings.Region)
	}
	s := Standing{Parameters: map[string]string{}, Outputs: map[string]string{}}
	for _, p := range found.Stacks[0].Parameters {
		s.Parameters[aws.ToString(p.ParameterKey)] = aws.ToString(p.ParameterValue)
	}
	for _, o := range found.Stacks[0].Outputs {
		s.Outputs[aws.ToString(o.OutputKey)] = aws.ToString(o.OutputValue)
	}
	return s, nil
}
