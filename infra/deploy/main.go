// Command deploy builds the stack and deploys it to AWS by the SAM CLI, and asks nothing.
//
//	deploy            check that the account is ready, build, deploy, remember the settings
//	deploy preflight  check that the account is ready, and change nothing
//	deploy delete     delete the stack; its table stays, and EXISTING_TABLE of a later deployment adopts it
//	deploy rollback   deploy the previous release, or version TO, with the settings of the stack
//	deploy logs       print and follow the log of the functions; FILTER and SINCE narrow it, FOLLOW=no ends
//
// Settings come from the environment: STACK (the stack that was deployed last, at first "frontdesk"), REGION
// (the one that the stack was deployed to, at first that of the AWS configuration), and every parameter of
// template.yaml by its name in capitals, such as ALARM_EMAIL for AlarmEmail. What was given is remembered in
// .deploy.json and holds for the next deployment, until another value is given; an empty one brings the
// template's default back.
//
// SAM names the SAM CLI, "sam" where it is not set. AWS_ENDPOINT_URL and the credentials are those of the AWS
// SDK.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"frontdesk/infra/stack"
	"frontdesk/infra/template"
)

const (
	firstStack   = "frontdesk"
	templateFile = "template.yaml"
	buildFolder  = ".aws-sam/build"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "deploy:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	memory, err := stack.Read(".")
	if err != nil {
		return err
	}
	described, err := template.Read(templateFile)
	if err != nil {
		return err
	}
	d, err := resolve(memory, described.Parameters, os.LookupEnv)
	if err != nil {
		return err
	}
	var options []func(*config.LoadOptions) error
	if d.region != "" {
		options = append(options, config.WithRegion(d.region))
	}
	if d.settings, err = config.LoadDefaultConfig(ctx, options...); err != nil {
		return err
	}
	d.region, d.streamView = d.settings.Region, described.StreamView
	if len(args) == 0 || args[0] == "rollback" {
		if err := d.recall(ctx, &memory, described.Parameters); err != nil {
			return err
		}
	}
	d.misspelt = checkSpelling(os.Getenv("MAKEFLAGS"), described.Parameters)
	switch {
	case len(args) == 0:
		return d.deploy(ctx, memory)
	case len(args) == 1 && args[0] == "preflight":
		return d.preflight(ctx)
	case len(args) == 1 && args[0] == "delete":
		return d.delete(ctx, memory, described.Parameters)
	case len(args) == 1 && args[0] == "logs":
		return d.logs(ctx, os.Getenv)
	case len(args) == 1 && args[0] == "rollback":
		return d.rollback(ctx, os.Getenv)
	}
	return errors.New("the commands are preflight, delete, logs, rollback, or none to deploy")
}

// A deployment is a stack and the settings that it is deployed with.
type deployment struct {
	stack, region string
	given         map[string]string // parameters whose values are not the template's defaults
	values        map[string]string // all parameters
	standing      map[string]string // parameters that the stack was deployed with from here before
	settings      aws.Config
	misspelt      []finding // variables that are meant for a parameter
	// streamView is what the stream of the template's table shows of a change.
	streamView string
	stream     string // ARN of the stream of an adopted table
	// quota is the account's Lambda concurrency, 0 where it is not known, and unreserved what of it no
	// function reserves.
	quota, unreserved int
}

// resolve returns the deployment that the environment and the memory describe. Values of the environment win.
func resolve(memory stack.Memory, parameters []template.Parameter,
	env func(string) (string, bool)) (*deployment, error) {
	get := func(name string) string { v, _ := env(name); return v }
	d := &deployment{stack: cmp.Or(get("STACK"), memory.Last, firstStack), given: map[string]string{},
		values: map[string]string{}}
	remembered := memory.Stacks[d.stack]
	d.standing = remembered.Parameters
	d.region = cmp.Or(get("REGION"), remembered.Region)
	for _, p := range parameters {
		value, ok := env(variable(p.Name))
		if !ok {
			value, ok = remembered.Parameters[p.Name]
		}
		d.values[p.Name] = p.Default
		if ok && value != "" && value != p.Default {
			if !p.Allows(value) {
				return nil, fmt.Errorf("%s=%s is not allowed; allowed are %s", variable(p.Name), value,
					strings.Join(p.Allowed, ", "))
			}
			d.given[p.Name], d.values[p.Name] = value, value
		}
	}
	return d, nil
}

// variable returns the variable of the environment that sets a parameter: ALARM_EMAIL for AlarmEmail.
func variable(parameter string) string {
	var b strings.Builder
	for i, r := range parameter {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}

// deploy checks the account, and builds and deploys the stack. It stores the settings only once the stack is
// deployed, so that a wrong value of a failed attempt is not used again. It stores the region in any case,
// since the failed stack may have to be deleted.
func (d *deployment) deploy(ctx context.Context, memory stack.Memory) error {
	if err := d.preflight(ctx); err != nil {
		return err
	}
	if err := d.adopt(ctx); err != nil {
		return err
	}
	fmt.Println("Building the functions, which takes some minutes the first time")
	if err := d.command(ctx, "infra/sam/build", d.values["Architecture"], buildFolder); err != nil {
		return fmt.Errorf("building: %w", err)
	}
	args := []string{
		"deploy", "--template-file", buildFolder + "/template.yaml", "--stack-name", d.stack, "--region",
		d.region,
		"--resolve-s3", "--capabilities", "CAPABILITY_IAM", "--no-confirm-changeset",
		"--no-fail-on-empty-changeset",
		"--no-progressbar",
	}
	if overrides := d.overrides(); len(overrides) > 0 {
		args = append(args, "--parameter-overrides")
		for _, name := range slices.Sorted(maps.Keys(overrides)) {
			args = append(args, "ParameterKey="+name+",ParameterValue="+quote(overrides[name]))
		}
	}
	if err := d.remember(memory, memory.Stacks[d.stack].Parameters); err != nil {
		return err
	}
	if err := d.command(ctx, d.sam(), args...); err != nil {
		return fmt.Errorf("deploying: %w", err)
	}
	if err := d.remember(memory, d.given); err != nil {
		return err
	}
	return d.printAddress(ctx)
}

// adopt prepares the table of the parameter ExistingTable, if there is one, and finds its stream.
func (d *deployment) adopt(ctx context.Context) error {
	name := d.values["ExistingTable"]
	if used := d.standing["ExistingTable"]; name == "" && used != "" {
		fmt.Printf("The stack gets a new, empty table. The one that it uses, %s, stays; to go back to it: "+
			"make deploy STACK=%s EXISTING_TABLE=%s\n", used, d.stack, used)
	}
	if name == "" {
		return nil
	}
	a := &adoption{dynamodb.NewFromConfig(d.settings), name, types.StreamViewType(d.streamView)}
	stream, err := a.prepare(ctx)
	if err != nil {
		return fmt.Errorf("adopting: %w", err)
	}
	fmt.Println("The stack uses the existing table", name)
	d.stream = stream
	return nil
}

// overrides returns the parameters to deploy with: the given ones, those derived from the account and the
// table, and the template's defaults of those that were given before. Other parameters keep the values of the
// deployed stack, so that a checkout without stored settings does not change them.
func (d *deployment) overrides() map[string]string {
	all := maps.Clone(d.given)
	for name := range d.standing {
		value, known := d.values[name]
		if _, ok := all[name]; known && !ok {
			all[name] = value
		}
	}
	if d.stream != "" {
		all["ExistingTableStream"] = d.stream
	}
	if _, ok := all["ConcurrencyAlarm"]; !ok && d.quota > 0 {
		all["ConcurrencyAlarm"] = strconv.Itoa(max(1, d.quota*4/5))
	}
	return all
}

func (d *deployment) remember(memory stack.Memory, parameters map[string]string) error {
	stacks := maps.Clone(memory.Stacks)
	if stacks == nil {
		stacks = map[string]stack.Stack{}
	}
	stacks[d.stack] = stack.Stack{Region: d.region, Parameters: parameters}
	return stack.Memory{Last: d.stack, Stacks: stacks}.Write(".")
}

// delete deletes the stack and its stored settings. The template retains the table.
func (d *deployment) delete(
	ctx context.Context, memory stack.Memory, parameters []template.Parameter,
) error {
	standing, err := stack.Describe(ctx, d.settings, d.stack)
	if err != nil {
		return err
	}
	table := standing.Outputs["TableName"] // "" of a stack that is half there
	if err := d.command(ctx, d.sam(), "delete", "--stack-name", d.stack, "--region", d.region,
		"--no-prompts"); err != nil {
		return fmt.Errorf("deleting: %w", err)
	}
	stacks := maps.Clone(memory.Stacks)
	delete(stacks, d.stack)
	last := memory.Last
	if last == d.stack {
		last = ""
	}
	if err := (stack.Memory{Last: last, Stacks: stacks}).Write("."); err != nil {
		return err
	}
	if table != "" {
		settings := changed(standing.Parameters, parameters)
		settings["ExistingTable"] = table
		fmt.Printf("The table %s is kept. To use it again: %s\n", table, d.commandLine(settings))
	}
	return nil
}

// commandLine returns the command that deploys the stack with the settings.
func (d *deployment) commandLine(settings map[string]string) string {
	line := "make deploy STACK=" + d.stack + " REGION=" + d.region
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		value := settings[name]
		if strings.ContainsAny(value, " \t\"'\\$&;|<>()*?[]#~`!") {
			value = "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
		}
		line += " " + variable(name) + "=" + value
	}
	return line
}

// logs prints the log of the functions, which is one group for all of them.
func (d *deployment) logs(ctx context.Context, env func(string) string) error {
	// The SAM CLI answers with a trace of its own where the log is missing.
	if _, err := stack.Describe(ctx, d.settings, d.stack); err != nil {
		return err
	}
	args := []string{
		"logs", "--cw-log-group", "/frontdesk/" + d.stack, "--region", d.region,
		"--start-time", cmp.Or(env("SINCE"), "10min ago"),
	}
	if filter := env("FILTER"); filter != "" {
		args = append(args, "--filter", filter)
	}
	if env("FOLLOW") != "no" {
		args = append(args, "--tail")
	}
	err := d.command(ctx, d.sam(), args...)
	if ctx.Err() != nil {
		return nil // Ctrl-C is how one stops following
	}
	return err
}

func (d *deployment) sam() string {
	if sam := os.Getenv("SAM"); sam != "" {
		return sam
	}
	return "sam"
}

// command runs a program with this one's output. It has no input, so that nothing can wait for an answer.
func (d *deployment) command(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "AWS_DEFAULT_REGION="+d.region, "AWS_REGION="+d.region)
	return cmd.Run()
}

// printAddress prints the address of the API.
func (d *deployment) printAddress(ctx context.Context) error {
	standing, err := stack.Describe(ctx, d.settings, d.stack)
	if err == nil {
		fmt.Println("The API is at", standing.Outputs["ApiUrl"])
	}
	return err
}

// quote returns a parameter's value as the SAM CLI takes it: in quotation marks where it is empty or has
// characters that its own parser would read.
func quote(value string) string {
	if value == "" || strings.ContainsAny(value, ` ,"'\`) {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
	}
	return value
}
