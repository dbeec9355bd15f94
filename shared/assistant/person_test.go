package assistant

import "testing"

func TestPersonIn(t *testing.T) {
	for _, test := range []struct{ language, said, want string }{
		{"de", "Für Kinder ist Dr. Anna Weber da, montags und freitags.", "Dr. Anna Weber"},
		{"de", "Ist Frau Yilmaz morgen da?", "Frau Yilmaz"},
		{"en", "Please ask for Mr. Holroyd. He is in on Mondays.", "Mr. Holroyd"},
		{"fr", "Mme Leroy vous répond", "Mme Leroy"},
		{"de", "Die Frau am Empfang", ""},
		{"en", "is the doctor in? Dr?", ""},
		{"zh", "王小明", ""},
	} {
		if got := personIn(test.language, test.said); got != test.want {
			t.Errorf("%s: %q, want %q", test.said, got, test.want)
		}
	}
}
