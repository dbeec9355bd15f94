package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"

	"frontdesk/infra/stack"
	"frontdesk/infra/template"
)

// derived are the parameters that each deployment sets anew, from the account and the table, unless they are
// given.
var derived = []string{"ExistingTableStream", "ConcurrencyAlarm"}

// recall reads the parameters of a deployed stack from AWS if it was not deployed from this checkout but, for
// example, from a pipeline. Without them the functions could be built for the wrong processor, and a rollback
// would not know the table that the stack has adopted.
func (d *deployment) recall(ctx context.Context, memory *stack.Memory,
	parameters []template.Parameter) error {
	if _, known := memory.Stacks[d.stack]; known || d.region == "" {
		return nil
	}
	if d.checkCredentials(ctx).problem != "" {
		return nil // the preflight says so
	}
	standing, err := stack.Describe(ctx, d.settings, d.stack)
	if errors.Is(err, stack.ErrAbsent) {
		return nil
	}
	if err != nil {
		return err
	}
	d.standing = changed(standing.Parameters, parameters)
	if err := d.remember(*memory, d.standing); err != nil {
		return err
	}
	if *memory, err = stack.Read("."); err != nil {
		return err
	}
	again, err := resolve(*memory, parameters, os.LookupEnv)
	if err != nil {
		return err
	}
	d.given, d.values = again.given, again.values
	fmt.Printf("Stack %s stands already; its settings are taken over\n", d.stack)
	return nil
}

// changed returns the parameters of a stack whose values are not the template's defaults. A parameter that
// the template does not have is one of them.
func changed(standing map[string]string, parameters []template.Parameter) map[string]string {
	all := maps.Clone(standing)
	for _, name := range derived {
		delete(all, name)
	}
	for _, p := range parameters {
		if all[p.Name] == p.Default {
			delete(all, p.Name)
		}
	}
	return all
}

// checkSpelling looks for variables on make's command line that are meant for a parameter and would be
// ignored, such as AlarmEmail and ALARMEMAIL in place of ALARM_EMAIL. MAKEFLAGS is the variable by which make
// hands its command line on.
func checkSpelling(makeFlags string, parameters []template.Parameter) []finding {
	variables := map[string]string{} // by the letters alone
	exact := map[string]bool{}
	for _, p := range parameters {
		name := variable(p.Name)
		variables[strings.ReplaceAll(name, "_", "")], exact[name] = name, true
	}
	var all []finding
	_, definitions, _ := strings.Cut(" "+makeFlags, " -- ")
	for word := range strings.FieldsSeq(definitions) {
		given, value, ok := strings.Cut(word, "=")
		meant := variables[strings.ReplaceAll(strings.ToUpper(given), "_", "")]
		if !ok || meant == "" || exact[given] {
			continue
		}
		all = append(all, finding{
			what: given, problem: "no setting is called that", fatal: true,
			remedy: fmt.Sprintf("Write %s=%s.", meant, value),
		})
	}
	return all
}
