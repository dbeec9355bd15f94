package faq

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// questions makes them of lines, each with examples that have commas between.
func questions(lines ...string) []Question {
	var out []Question
	for _, line := range lines {
		examples := strings.Split(line, ", ")
		out = append(out, Question{ID(examples), examples})
	}
	return out
}

var corpora = map[string][]Question{
	"en": questions(
		"How do I return an order?, I want my money back, Can I send the shoes back?, return policy",
		"Where is my parcel?, track my order, My delivery has not arrived, When will my package come?",
		"Do you have a shop I can visit?, Where is your store?, store locations, nearest outlet",
		"Can I pay with a card?, Which payment methods do you take?, Do you accept PayPal?, pay by invoice",
	),
	"de": questions(
		"Wie kann ich etwas zurückgeben?, Ich möchte mein Geld zurück, Rückgabe, Kann ich die Schuhe "+
			"umtauschen?",
		"Wo ist mein Paket?, Sendung verfolgen, Meine Lieferung ist nicht angekommen, Wann kommt meine "+
			"Bestellung?",
		"Haben Sie ein Ladengeschäft?, Wo ist Ihr Laden?, Filialen in meiner Nähe",
		"Kann ich mit Karte zahlen?, Welche Zahlungsarten gibt es?, Auf Rechnung bezahlen",
	),
	"es": questions(
		"¿Cómo devuelvo un pedido?, Quiero que me devuelvan el dinero, política de devoluciones",
		"¿Dónde está mi paquete?, rastrear mi pedido, Mi envío no ha llegado, ¿Cuándo llega mi pedido?",
		"¿Tienen una tienda física?, ¿Dónde está su tienda?, tiendas cerca de mí",
		"¿Puedo pagar con tarjeta?, ¿Qué formas de pago aceptan?, pagar a plazos",
	),
}

func TestMatch(t *testing.T) {
	const none = -1
	for _, tt := range []struct {
		language, message string
		want              int // the question's place
	}{
		{"en", "how can i return my shoes", 0},
		{"en", "can i have my mony back", 0},
		{"en", "my pacakge has still not come", 1},
		{"en", "trak my order", 1},
		{"en", "is there a store near me", 2},
		{"en", "do u take paypal", 3},
		{"en", "Sing me a song about penguins", none},
		{"en", "what is the meaning of life", none},
		{"en", "", none},
		{"de", "Kann ich Schuhe zurückgeben", 0},
		{"de", "wann kommt mein packet", 1},
		{"de", "gibt es eine Filiale in Köln", 2},
		{"de", "Kreditkarten zahlung", 3},
		{"de", "Wie wird das Wetter morgen?", none},
		{"es", "quiero devolver mi pedido", 0},
		{"es", "no ha llegado el paquete", 1},
		{"es", "hay tienda en Valencia", 2},
		{"es", "formas de pago", 3},
		{"es", "cuéntame un chiste de gatos", none},
	} {
		got := none
		if m := Fit(tt.language, corpora[tt.language]).Match(tt.message); len(m) > 0 &&
			m[0].Confidence >= 0.5 {
			for i, q := range corpora[tt.language] {
				if q.ID == m[0].ID {
					got = i
				}
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q asks question %d, want %d", tt.language, tt.message, got, tt.want)
		}
	}
}

func TestStored(t *testing.T) {
	m := Fit("en", corpora["en"])
	b, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var again Model
	if err := again.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	for _, message := range []string{"return my order", "where is the store", "xyz"} {
		if diff := cmp.Diff(m.Match(message), again.Match(message),
			cmpopts.EquateApprox(0, 0.001)); diff != "" {
			t.Errorf("matches of %q before (-) and after (+):\n%s", message, diff)
		}
	}
	if !again.Knows(corpora["en"][0].ID) || again.Knows(1) {
		t.Error("the model that was stored knows other questions")
	}
	for _, broken := range [][]byte{nil, b[:len(b)/2], []byte("no model")} {
		if err := new(Model).UnmarshalBinary(broken); err == nil {
			t.Errorf("%d bytes that are no model were read as one", len(broken))
		}
	}
}

// TestStoredSize holds that the largest model fits an item of the table.
func TestStoredSize(t *testing.T) {
	var all []Question
	for i := range maxWeights / MaxExamples {
		var examples []string
		for j := range MaxExamples * MaxExamples / maxWeights {
			examples = append(examples, fmt.Sprintf("%s %d %d?", strings.Repeat("an example ", 3), i, j))
		}
		all = append(all, Question{ID(examples), examples})
	}
	if !Fits(all) {
		t.Fatal("the largest model does not fit")
	}
	if Fits(append(all, all...)) || Fits(nil) {
		t.Error("a model of more than the most, or of nothing, fits")
	}
	b, err := Fit("en", all).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if len(b) > 390<<10 {
		t.Errorf("the model has %d bytes", len(b))
	}
}

func TestDistinct(t *testing.T) {
	en := corpora["en"]
	if diff := cmp.Diff(en[:2], Distinct([]Question{en[0], en[1], en[0]})); diff != "" {
		t.Error(diff)
	}
}

func TestSolve(t *testing.T) {
	m := newSymmetric(3)
	for i, row := range [][]float64{{4}, {2, 5}, {0.6, 1, 3}} {
		for j, x := range row {
			m.set(i, j, x)
		}
	}
	m.factor()
	b := []float64{4*1 + 2*2 + 0.6*3, 2*1 + 5*2 + 1*3, 0.6*1 + 1*2 + 3*3}
	m.solve(b)
	for i, x := range b {
		if math.Abs(x-float64(i+1)) > 1e-12 {
			t.Errorf("x[%d] is %v, want %d", i, x, i+1)
		}
	}
}

// BenchmarkFit measures what a training costs: six hundred examples.
func BenchmarkFit(b *testing.B) {
	var all []Question
	for i := range 40 {
		var examples []string
		for j := range 15 {
			examples = append(examples, fmt.Sprintf("%s number %d", corpora["en"][i%4].Examples[j%4], 15*i+j))
		}
		all = append(all, Question{ID(examples), examples})
	}
	for b.Loop() {
		Fit("en", all)
	}
}
