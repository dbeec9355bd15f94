package main

import (
	"testing"

	"frontdesk/shared/understand"
)

// TestModelsAreCurrent notices phrasings that changed after the last training.
func TestModelsAreCurrent(t *testing.T) {
	want, err := Digest("../..")
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := understand.Digests(); got != want {
		t.Errorf("the models were trained on %s, the phrasings are %s: run make train-understanding", got,
			want)
	}
}
