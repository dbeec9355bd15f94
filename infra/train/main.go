// Command train learns to understand messages from the phrasings in shared/language, and writes the models of
// shared/understand. The same phrasings give the same models, byte for byte.
package main

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"frontdesk/infra/phrasing"
	"frontdesk/shared/language"
	"frontdesk/shared/understand"
)

func main() {
	root := flag.String("root", ".", "the project's folder")
	flag.Parse()
	if err := run(*root); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	start := time.Now()
	lines, err := phrasing.Load(filepath.Join(root, "shared/language"))
	if err != nil {
		return err
	}
	digest, err := Digest(root)
	if err != nil {
		return err
	}
	skills := trainSkills(lines, digest).Encode()
	languages := trainLanguages(lines, digest).Encode()
	for name, model := range map[string][]byte{"skills": skills, "languages": languages} {
		file := filepath.Join(root, "shared/understand", name+".model")
		if err := os.WriteFile(file, model, 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d phrasings, %d and %d bytes, %v\n", len(lines), len(skills), len(languages),
		time.Since(start).Round(time.Second))
	return nil
}

// Digest returns the hash of everything that the models are made from: the phrasings, the words and texts,
// this program and the code that extracts features.
func Digest(root string) (string, error) {
	var files []string
	for _, pattern := range []string{
		"shared/language/*/*.txt", "shared/understand/classify/feature.go", "infra/train/*.go",
		"infra/train/*.txt", "infra/phrasing/*.go",
	} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return "", err
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	h := sha256.New()
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") || strings.HasSuffix(f, "industries.txt") {
			continue
		}
		content, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n", filepath.Base(f), len(content))
		h.Write(content)
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}

var (
	classes   = understand.Classes()
	languages = language.Tags()
	// tongues are the classes of the model of languages: those of the product, and one for all others.
	tongues = append(slices.Clone(languages), understand.OtherLanguage)
)

// others are messages in languages that the product does not speak.
//
//go:embed others.txt
var others string
