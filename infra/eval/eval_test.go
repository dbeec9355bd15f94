package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

func TestCorrelation(t *testing.T) {
	for _, tt := range []struct {
		name      string
		want, got []string
		mcc       float64
	}{
		{"all right", []string{"a", "b", "c", "a"}, []string{"a", "b", "c", "a"}, 1},
		{"all one class", []string{"a", "b"}, []string{"a", "a"}, 0},
		{"two classes turned round", []string{"a", "b"}, []string{"b", "a"}, -1},
		// Of two classes it is the usual coefficient: tp 3, tn 2, fp 1, fn 2.
		{"two classes", []string{"a", "a", "a", "b", "b", "b", "a", "a"},
			[]string{"a", "a", "a", "b", "b", "a", "b", "b"}, (3*2 - 1*2) / math.Sqrt(4*5*3*4)},
	} {
		if got := correlation(tt.want, tt.got); math.Abs(got-tt.mcc) > 1e-12 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.mcc)
		}
	}
}

// TestParts runs each kind of data through the product once.
func TestParts(t *testing.T) {
	t.Chdir("../..") // where the template is
	data := t.TempDir()
	for name, content := range map[string]string{
		"hint3-shop-train.csv": "sentence,label\nwhere is my parcel,TRACK\ntrack my order,TRACK\ncan I pay " +
			"by card,PAY\n",
		"hint3-shop-test.csv": "sentence,label\nmy parcel please,TRACK\nsing a song,NO_NODES_DETECTED\n",
		"clinc150.json":       `{"train": [["how old are you", "age"]], "test": [["how old are you", "age"]], "oos_test": [["sing a song", "oos"]]}`,
		"xquad-en-small.json": `{"data": [{"title": "Tea", "paragraphs": [{"context": "Tea came to Lisbon in 1662.", "qas": [{"question": "When did tea come to Lisbon?", "answers": [{"text": "1662"}]}]}]},
			{"title": "Rope", "paragraphs": [{"context": "A rope is made of hemp.", "qas": [{"question": "What is a rope made of?", "answers": [{"text": "hemp"}]}]}]}]}`,
	} {
		if err := os.WriteFile(filepath.Join(data, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := serve(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for i, part := range []func(*service, string, *calibration) (bool, error){hint3, clinc150, xquad} {
		var said calibration
		if found, err := part(s, data, &said); err != nil || !found {
			t.Errorf("part %d: found %v, %v", i, found, err)
		}
		if said == (calibration{}) {
			t.Errorf("part %d got no answer", i)
		}
		if found, err := part(s, t.TempDir(), &said); err != nil || found {
			t.Errorf("part %d of an empty folder: found %v, %v", i, found, err)
		}
	}
}
