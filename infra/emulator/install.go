package emulator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// copyDependencies is the goal of Maven that puts a project's libraries into a folder. Its version is named
// so that an old Maven takes the same one.
const copyDependencies = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"

// install returns the folder of the emulator's libraries. If it is missing, install fills a temporary folder
// and renames it, so that several processes may install at once and a killed one leaves no partial folder.
func (e Emulator) install(ctx context.Context) (string, error) {
	root, err := repository()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(e.pom)
	cache := filepath.Join(root, ".cache")
	place := filepath.Join(cache, e.Name+"-"+hex.EncodeToString(sum[:6]))
	if _, err := os.Stat(place); err == nil {
		return place, nil
	}
	if err := e.need("mvn", "java"); err != nil {
		return "", err
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp(cache, e.Name+"-install-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	if err := os.WriteFile(filepath.Join(temp, "pom.xml"), e.pom, 0o644); err != nil {
		return "", err
	}
	mvn := exec.CommandContext(ctx, "mvn", "-B", "-q", copyDependencies, "-DincludeScope=runtime",
		"-DoutputDirectory=lib")
	mvn.Dir = temp
	if out, err := mvn.CombinedOutput(); err != nil {
		return "", fmt.Errorf("emulator: install %s: mvn: %w\n%s", e.Name, err, out)
	}
	err = os.Rename(filepath.Join(temp, "lib"), place)
	if _, exists := os.Stat(place); exists == nil {
		return place, nil // by us or by another process at the same time
	}
	return "", fmt.Errorf("emulator: install %s: %w", e.Name, err)
}

// repository returns the folder of the go.mod above the working directory.
func repository() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("emulator: the working directory is in no Go module")
		}
		dir = parent
	}
}
