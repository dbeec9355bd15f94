// Command eval measures how well the built-in engine answers, through the API, and prints a table. The folder
// that it is given holds public data:
//
//   - hint3-*-train.csv and hint3-*-test.csv, of the HINT3 data set: the questions of a bot with phrasings,
//     and what visitors asked. The columns are sentence and label; NO_NODES_DETECTED is out of scope.
//   - clinc150.json, of the CLINC150 data set: lists of pairs of a sentence and an intent.
//   - xquad-en-*.json, in the format of SQuAD.
//   - customers: a folder with conversations, and the program run.py that plays and grades them with Python.
//
// Without a folder, and before all else, it measures the understanding of messages on the phrasings of the
// project that are kept from training. What is missing is left out. Equal data give equal tables, but for the
// times.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	data := flag.String("data", "", "folder of the data")
	misses := flag.Bool("misses", false, "list the phrasings whose skill is not seen")
	flag.Parse()
	if err := understanding(os.Stdout, ".", *misses); err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *data, *misses); err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, data string, misses bool) error {
	dir, err := os.MkdirTemp("", "frontdesk-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := serve(ctx, dir)
	if err != nil {
		return err
	}
	defer s.close()
	var said calibration
	if err := madeUp(s, "infra/answers/businesses", misses, &said); err != nil {
		return err
	}
	if data == "" {
		return nil
	}
	var ofCustomers calibration
	ran, err := customers(ctx, data, dir, &ofCustomers)
	if err != nil {
		return err
	}
	if ran {
		fmt.Printf("\nReplies to customers, by their confidence:\n%s  %s\n", ofCustomers.table(),
			ofCustomers.sure())
	}
	for _, part := range []func(*service, string, *calibration) (bool, error){hint3, clinc150, xquad} {
		found, err := part(s, data, &said)
		if err != nil {
			return err
		}
		ran = ran || found
	}
	if !ran {
		return fmt.Errorf("no data in the folder %q", data)
	}
	fmt.Printf("\nAll other answers together, by their confidence:\n%s  %s\n\nTime per question: %v\n",
		said.table(), said.sure(), s.timePerQuestion())
	return nil
}
