package booking

import (
	"testing"

	"frontdesk/shared/text"
)

func TestPricedService(t *testing.T) {
	salon := []string{"Corte de cabelo, 45 minutos, 25 €", "Coloração, 120 minutos, 70 €",
		"Aconselhamento, 15 minutos"}
	garage := []string{"Yağ değişimi, 45 dakika, 1500 TL", "Lastik değişimi, 60 dakika, 800 TL"}
	for _, tt := range []struct {
		language string
		services []string
		message  string
		want     string
	}{
		{"pt", salon, "quanto custa um corte?", salon[0]},
		{"pt", salon, "qual é o preço da coloração", salon[1]},
		{"pt", salon, "quanto custa um corte para crianças?", ""},
		{"pt", salon, "quanto custa o aconselhamento?", ""},
		{"pt", salon, "quanto custa um champô?", ""},
		{"tr", garage, "yağ değişimi ne kadar?", garage[0]},
		{"tr", garage, "değişim ne kadar?", ""},
	} {
		if got, _ := PricedService(tt.language, tt.services,
			text.Tokens(tt.language, tt.message)); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.message, got, tt.want)
		}
	}
}

// TestMeantByBrackets tests that a synonym that also fits the text in brackets of another service decides for
// neither.
func TestMeantByBrackets(t *testing.T) {
	services := []string{"Repairs at home (taps, leaks), 60 minutes", "Blocked sink or drain, 60 minutes"}
	for words, want := range map[string]string{
		"water is running down the wall": "", "my drain smells": "Blocked sink or drain",
	} {
		if got, _ := Named("en", services, "en", words); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
