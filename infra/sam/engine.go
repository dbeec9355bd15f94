package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// An engine is a container engine that speaks Docker's API.
type engine struct {
	host        string   // its address, as in DOCKER_HOST
	thisMachine string   // what containers call this machine
	arguments   []string // what the SAM CLI needs to be told so that they know that name
	podman      *process // nil when it ran already
	state       string   // the folder of our own
}

// dockerSocket is where Docker listens when DOCKER_HOST does not say.
const dockerSocket = "unix:///var/run/docker.sock"

// engineTime is how long a Podman of our own may take to answer, its installation included.
const engineTime = 5 * time.Minute

// findEngine returns the engine that DOCKER_HOST names, else Docker, else a Podman that it starts.
func findEngine(ctx context.Context) (*engine, error) {
	host := os.Getenv("DOCKER_HOST")
	if host != "" {
		e, err := askEngine(ctx, host)
		if err != nil {
			return nil, fmt.Errorf("DOCKER_HOST: %w", err)
		}
		return e, nil
	}
	if e, err := askEngine(ctx, dockerSocket); err == nil {
		return e, nil
	}
	return startPodman(ctx)
}

// askEngine asks the engine at an address what it is.
func askEngine(ctx context.Context, host string) (*engine, error) {
	address, err := url.Parse(host)
	if err != nil {
		return nil, err
	}
	network, place := "tcp", address.Host
	if address.Scheme == "unix" {
		network, place = "unix", address.Path
	}
	client := http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _,
		_ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, place)
	}}}
	defer client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://engine/version", nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("no container engine answers at %s: %w", host, err)
	}
	defer response.Body.Close()
	var version struct{ Components []struct{ Name string } }
	if err := json.NewDecoder(response.Body).Decode(&version); err != nil {
		return nil, fmt.Errorf("what answers at %s is no container engine: %w", host, err)
	}
	for _, component := range version.Components {
		if strings.HasPrefix(component.Name, "Podman") {
			return &engine{host: host, thisMachine: "host.containers.internal"}, nil
		}
	}
	const name = "host.docker.internal"
	return &engine{host: host, thisMachine: name, arguments: []string{"--add-host", name + ":host-gateway"}},
		nil
}

// startPodman runs a Podman, which the script podman installs where it is missing.
func startPodman(ctx context.Context) (*engine, error) {
	say("no container engine answers: starting Podman")
	// The path of a socket is short: a hundred characters on most systems, so it cannot be below this folder.
	// Each run has its own, so that one that ends takes no other's engine along.
	state, err := os.MkdirTemp("", "frontdesk-podman-")
	if err != nil {
		return nil, err
	}
	socket := filepath.Join(state, "podman.sock")
	var out bytes.Buffer
	podman, err := start(exec.Command("infra/sam/podman", socket, architecture()), &out)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, engineTime)
	defer cancel()
	for {
		e, err := askEngine(ctx, "unix://"+socket)
		if err == nil {
			e.podman, e.state = podman, state
			return e, nil
		}
		select {
		case <-podman.ended:
			return nil, errors.New("the Podman of this program ended at its start:\n" + out.String())
		case <-ctx.Done():
			podman.stop()
			return nil, fmt.Errorf("the Podman of this program does not answer: %w", err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// stop ends the engine when it is our own.
func (e *engine) stop() {
	if e.podman != nil {
		e.podman.stop()
		os.RemoveAll(e.state)
	}
}
