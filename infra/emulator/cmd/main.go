// Command cmd runs emulators in the foreground until it is interrupted or one of them ends.
//
//	go run ./infra/emulator/cmd dynamodb=8000 elasticmq=9324
//
// runs these two on these ports. Without arguments it runs all, on free ports. For each it prints a line
// NAME_ENDPOINT=address when it answers, as tests read it from the environment. With the flag -install it
// puts the emulators into the cache and ends.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"frontdesk/infra/emulator"
)

func main() {
	install := flag.Bool("install", false, "install the emulators and end")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, flag.Args(), *install); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run runs the emulators that the arguments name until ctx ends.
func run(ctx context.Context, args []string, install bool) error {
	wanted, err := parse(args)
	if err != nil {
		return err
	}
	serving, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	for _, w := range wanted {
		if install {
			if err := w.emulator.Install(ctx); err != nil {
				return err
			}
			continue
		}
		server, err := w.emulator.Start(ctx, w.port)
		if err != nil {
			return err
		}
		defer server.Stop()
		go func() {
			<-server.Ended()
			fail(fmt.Errorf("%s ended:\n%s", w.emulator.Name, server.Log()))
		}()
		fmt.Printf("%s=%s\n", w.emulator.Variable, server.Address)
	}
	if install {
		return nil
	}
	<-serving.Done()
	if ctx.Err() != nil {
		return nil
	}
	return context.Cause(serving)
}

// A choice is one argument: an emulator and its port, 0 for a free one.
type choice struct {
	emulator emulator.Emulator
	port     int
}

// parse reads arguments of the form name=port or name. None means all.
func parse(args []string) ([]choice, error) {
	var choices []choice
	if len(args) == 0 {
		for _, e := range emulator.All() {
			choices = append(choices, choice{emulator: e})
		}
		return choices, nil
	}
	for _, arg := range args {
		name, port, _ := strings.Cut(arg, "=")
		c := choice{}
		for _, e := range emulator.All() {
			if e.Name == name {
				c.emulator = e
			}
		}
		if c.emulator.Name == "" {
			return nil, fmt.Errorf("no emulator is called %q", name)
		}
		if port != "" {
			n, err := strconv.ParseUint(port, 10, 16)
			if err != nil {
				return nil, fmt.Errorf("%q is no port", port)
			}
			c.port = int(n)
		}
		choices = append(choices, c)
	}
	return choices, nil
}
