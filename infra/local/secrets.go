package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"frontdesk/shared/secret"
)

// secretsKey returns the key that the secrets of the store in a folder are sealed with. It is a file that
// only its owner may read, made before the first store of the folder. A file that holds no key and one that
// is missing beside a store are errors, which say what to do: with another key the stored secrets are lost.
func secretsKey(dir string) (string, error) {
	file := filepath.Join(dir, "secrets.key")
	// The store is looked for first. Another process may be making both, the key before the store.
	_, stored := os.Stat(filepath.Join(dir, "table.db"))
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		if stored == nil {
			return "", fmt.Errorf(
				"%s is missing, and the secrets in the store beside it are sealed with it: put it "+
					"back from a "+
					"backup, or give the stored secrets up and make a new key by: (umask 077; head -c 32 "+
					"/dev/urandom | base64 > %[1]s)", file)
		}
		if err := makeSecretsKey(dir, file); err != nil {
			return "", err
		}
		text, err = os.ReadFile(file)
	}
	if err != nil {
		return "", err
	}
	if err := (&secret.Keys{Read: secret.Static(string(text))}).Check(context.Background()); err != nil {
		return "", fmt.Errorf("%s holds no key (%w): put it back from a backup", file, err)
	}
	return string(text), nil
}

// makeSecretsKey makes the file with a new key where there is none.
func makeSecretsKey(dir, file string) error {
	// Written whole under another name first: two processes may start at once.
	made, err := writeSecretsKey(dir, secret.NewKey())
	if err != nil {
		return err
	}
	defer os.Remove(made)
	if err := os.Link(made, file); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// replaceSecretsKey puts other keys into the file.
func replaceSecretsKey(dir, text string) error {
	made, err := writeSecretsKey(dir, text)
	if err != nil {
		return err
	}
	if err := os.Rename(made, filepath.Join(dir, "secrets.key")); err != nil {
		return errors.Join(err, os.Remove(made))
	}
	return syncFolder(dir)
}

// syncFolder has the names of the files in a folder survive a crash of the machine.
func syncFolder(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// writeSecretsKey writes keys to a new file, of which it returns the name.
func writeSecretsKey(dir, text string) (string, error) {
	made, err := os.CreateTemp(dir, "secrets.key.*") // with mode 0600
	if err != nil {
		return "", err
	}
	_, err = made.WriteString(text + "\n")
	if err := errors.Join(err, made.Sync(), made.Close()); err != nil {
		return "", errors.Join(err, os.Remove(made.Name()))
	}
	return made.Name(), nil
}
