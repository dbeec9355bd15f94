// Command fit learns how sure the built-in engine is of its answers, and which sentence says what is
// asked, from questions whose answers are known: those of infra/answers, those of a folder of more
// businesses in the same form, and, from a folder of public data, XQuAD. It writes
// shared/ai/builtin/figures.go. Equal data give equal figures.
//
// Which sentence is best has a bearing on how sure an answer is, so the program runs the steps one
// after the other, each over the engine with the figures of those before: "make fit DATA=folder" does.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := flag.String("root", ".", "the project's folder")
	data := flag.String("data", "", "folder of the public data")
	more := flag.String("businesses", "", "folder of more businesses, in files as those of infra/answers")
	step := flag.String("step", "rank", "rank, sure, validate or measure")
	flag.Parse()
	if err := run(context.Background(), *root, *data, *more, *step); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root, data, more, step string) error {
	dir, err := os.MkdirTemp("", "frontdesk-fit-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c, err := newCollector(dir)
	if err != nil {
		return err
	}
	defer c.store.Close()
	if err := c.businesses(ctx, filepath.Join(root, "infra/answers/businesses")); err != nil {
		return err
	}
	if more != "" {
		if err := c.businesses(ctx, more); err != nil {
			return err
		}
	}
	if data != "" {
		if err := c.xquad(ctx, data); err != nil {
			return err
		}
	}
	f := currentFigures()
	switch step {
	case "validate":
		f.validate(c)
		return nil
	case "rank":
		f.rank(c)
	case "sure":
		f.sure(c)
	default:
		c.results.print()
		return nil
	}
	return f.write(filepath.Join(root, "shared/ai/builtin/figures.go"))
}
