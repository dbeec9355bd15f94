package text

import "testing"

func TestWrittenIn(t *testing.T) {
	for _, test := range []struct{ expected, text, want string }{
		{"de", "How much is a professional cleaning?", "en"},
		{"de", "Thank you, bye!", "en"},
		{"de", "Was kostet eine Zahnreinigung bei Ihnen?", ""},
		{"de", "Machen Sie auch Bleaching?", ""},
		{"en", "¿Tienen mesas libres para el sábado por la noche?", "es"},
		{"en", "Avez-vous une table pour deux ce soir ?", "fr"},
		{"en", "Haben Sie am Samstag einen Tisch für zwei?", "de"},
		{"en", "Do you have la vida loca?", ""},
		{"fr", "ok", ""},
		{"es", "Avete un tavolo per sabato sera?", "it"},
		{"es", "Tavolo sabato?", ""}, // too little tells
		{"de", "", ""},
		{"de", "Ada Lovelace", ""},
	} {
		if got := WrittenIn(test.expected, test.text); got != test.want {
			t.Errorf("WrittenIn(%s, %q) = %q, want %q", test.expected, test.text, got, test.want)
		}
	}
}
