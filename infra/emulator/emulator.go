// Package emulator installs and runs servers that emulate AWS services on one machine: Amazon's DynamoDB
// Local, and ElasticMQ for SQS. Tests and the stack under sam local use them.
//
// They are installed once from Maven Central into the folder .cache of the repository, and need java and mvn.
// A server ends when the process that started it ends, for whatever reason.
package emulator

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
)

// An Emulator is one of the servers that this package can run.
type Emulator struct {
	// Name is what the emulator is called on the command line and in the cache.
	Name string
	// Variable is the name of the environment variable that holds the address of a running emulator, if
	// there is one.
	Variable string

	pom []byte // the Maven project whose dependencies are the server
	// command returns the arguments of java, for a server of the libraries in lib that listens on the port.
	// It may write files into the folder temp, which lasts as long as the server and is its working
	// directory.
	command func(lib, temp string, port int) ([]string, error)
	// ready are paths that answer 200 once the server is ready. Without any it is ready when it answers at
	// all.
	ready []string
}

// All returns every emulator of this package.
func All() []Emulator { return []Emulator{DynamoDB(), ElasticMQ()} }

// ErrNoTools says that java or mvn is missing.
var ErrNoTools = errors.New("emulator: java (17 or newer) and mvn are needed")

// need returns ErrNoTools with the missing tool unless all tools are installed.
func (e Emulator) need(tools ...string) error {
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("%w to run %s: %w", ErrNoTools, e.Name, err)
		}
	}
	return nil
}

// Install downloads the emulator's libraries into the cache unless they are there already.
func (e Emulator) Install(ctx context.Context) error {
	_, err := e.install(ctx)
	return err
}

// Start installs the emulator if necessary and runs it on the port, or on a free one if port is 0. It returns
// when the server answers. The caller must stop it.
func (e Emulator) Start(ctx context.Context, port int) (*Server, error) {
	if err := e.need("java"); err != nil {
		return nil, err
	}
	lib, err := e.install(ctx)
	if err != nil {
		return nil, err
	}
	if port == 0 {
		if port, err = freePort(); err != nil {
			return nil, err
		}
	}
	temp, err := os.MkdirTemp("", e.Name+"-")
	if err != nil {
		return nil, err
	}
	args, err := e.command(lib, temp, port)
	if err != nil {
		os.RemoveAll(temp)
		return nil, err
	}
	return e.serve(ctx, args, temp, port)
}

// freePort returns a port that is currently unused.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
