package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"frontdesk/infra/stack"
	"frontdesk/infra/template"
	"frontdesk/shared/release"
)

// rollback deploys version TO of this repository, or the previous release if TO is not set, from a separate
// checkout and with the settings of the stack. It returns an error if that version lacks one of the settings,
// since an adopted table, for example, would be replaced by an empty one.
func (d *deployment) rollback(ctx context.Context, env func(string) string) error {
	to := cmp.Or(env("TO"), release.Previous)
	if _, err := stack.Describe(ctx, d.settings, d.stack); err != nil {
		return err
	}
	fmt.Printf("Deploying %s to stack %s, from a checkout of its own\n", to, d.stack)
	folder, err := os.MkdirTemp("", "frontdesk-rollback-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	checkout := filepath.Join(folder, "checkout")
	if err := d.command(ctx, "git", "worktree", "add", "--quiet", "--detach", checkout, to); err != nil {
		return fmt.Errorf("checking %s out: %w", to, err)
	}
	defer d.command(context.WithoutCancel(ctx), "git", "worktree", "remove", "--force", checkout)
	described, err := template.Read(filepath.Join(checkout, templateFile))
	if err != nil {
		return err
	}
	if unknown := d.unknownTo(described.Parameters); len(unknown) > 0 {
		return fmt.Errorf(
			"that version does not know %s, which the stack is deployed with; it can be deployed "+
				"without them alone, by `make deploy` in a checkout of it", strings.Join(unknown, ", "))
	}
	memory, err := filepath.Abs(cmp.Or(env(stack.FileVariable), stack.File))
	if err != nil {
		return err
	}
	// What is installed already, the SAM CLI among it, is used there too.
	if err := shareTools(checkout); err != nil {
		return err
	}
	err = d.command(ctx, "make", "-C", checkout, "deploy", "STACK="+d.stack, "REGION="+d.region,
		stack.FileVariable+"="+memory)
	if err != nil {
		return fmt.Errorf("deploying %s: %w", to, err)
	}
	return nil
}

// unknownTo returns the settings of the stack that are not among the parameters.
func (d *deployment) unknownTo(parameters []template.Parameter) []string {
	known := map[string]bool{}
	for _, p := range parameters {
		known[p.Name] = true
	}
	var unknown []string
	for name := range d.standing {
		if !known[name] {
			unknown = append(unknown, name)
		}
	}
	return unknown
}

func shareTools(checkout string) error {
	tools, err := filepath.Abs(".cache/tools")
	if err != nil {
		return err
	}
	if _, err := os.Stat(tools); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err := os.MkdirAll(filepath.Join(checkout, ".cache"), 0o755); err != nil {
		return err
	}
	return os.Symlink(tools, filepath.Join(checkout, ".cache", "tools"))
}
