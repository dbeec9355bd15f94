package local

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"frontdesk/shared/secret"
)

// secretsKey returns the key of secrets of the store in a folder. It is a file that the first to ask makes, which only
// its owner may read; without it the credentials in the store are lost.
func secretsKey(dir string) (string, error) {
	file := filepath.Join(dir, "secrets.key")
	text, err := os.ReadFile(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return string(text), err
	}
	// Written whole under another name first: two processes may start at once.
	made, err := os.CreateTemp(dir, "secrets.key.*") // with mode 0600
	if err != nil {
		return "", err
	}
	defer os.Remove(made.Name())
	_, err = made.WriteString(secret.NewKey() + "\n")
	if err := errors.Join(err, made.Sync(), made.Close()); err != nil {
		return "", err
	}
	if err := os.Link(made.Name(), file); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	text, err = os.ReadFile(file)
	return string(text), err
}
