package skill

import (
	"testing"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/knowledge"
)

// TestIntroduced tests names that are written in passing, in the style of phone messages, and messages
// without a name.
func TestIntroduced(t *testing.T) {
	for _, c := range []struct {
		language agent.Language
		asked    bool
		message  string
		want     string
	}{
		{"nl", false, "dinsdag 1 dec om 9u graag, Bram Kuipers bram@example.org", "Bram Kuipers"},
		{"nl", false, "morgen om 3 is prima. sanne de wit 0612345678", "Sanne de Wit"},
		{"nl", true, "moet ik eigen handdoeken meenemen", ""},
		{"nl", true, "kan ik ook pinnen bij jullie", ""},
		{"nl", true, "joost", "Joost"},
		{"sv", false, "kan jag få torsdag 3 dec kl 14 Elsa Lindqvist 070-7654321", "Elsa Lindqvist"},
		{"sv", true, "måste jag ta med egen matta", ""},
		{"de", false, "ölwechsel am montag um 9 für Renate Vogt tel 0171 2345678", "Renate Vogt"},
		{"de", false, "guten tag, hier ist Dieter Krause, ich bräuchte einen termin", "Dieter Krause"},
		{"de", false, "Frau Wolters, 0221 99 88 70", "Wolters"},
		{"de", true, "brauche ich dafür Sportschuhe", ""},
		{"de", false, "Freitag 15 Uhr passt. Jana Brandt, jana.brandt@example.de", "Jana Brandt"},
		{"it", false, "segnami giovedì 26 alle 16, Paolo Ferri paolo@example.it", "Paolo Ferri"},
		{"it", true, "boh. venerdì 10:00. Marta Gallo 3401234567", "Marta Gallo"},
		{"it", true, "ma devo portare i documenti", ""},
		{"fr", false, "mardi 1er décembre à 11h pour Claire Dubois 06 12 34 56 78", "Claire Dubois"},
		{"fr", true, "il faut venir à jeun ?", ""},
		{"es", false, "el viernes a las 12 vale, lucía ramos lucia@example.es", "Lucía Ramos"},
		{"es", true, "tengo que llevar zapatillas propias", ""},
		{"pt", false, "amanhã às 15h, Rui Matos 912 345 678", "Rui Matos"},
		{"da", false, "fredag kl 10 er fint, Mette Holm 20 12 34 56", "Mette Holm"},
		{"no", false, "onsdag 2. desember kl 12, Kari Berge kari@example.no", "Kari Berge"},
		{"fi", false, "perjantaina klo 10, Aino Laine 040 1234567", "Aino Laine"},
		{"ro", false, "vineri la 10, Ana Popescu ana@example.ro", "Ana Popescu"},
		{"hu", false, "péntek 10 óra, Kovács Anna anna@example.hu", "Kovács Anna"},
		{"tr", false, "cuma saat 10, Ayşe Yılmaz 0532 123 45 67", "Ayşe Yılmaz"},
		{"ru", false, "в пятницу в 10, Анна Петрова anna@example.ru", "Анна Петрова"},
		{"ar", true, "يوم الجمعة الساعة 10، ليلى حداد laila@example.com", "ليلى حداد"},
		{"en", false, "fri 27th at 4 works, pete marsh pete@example.com", "Pete Marsh"},
		{"en", false, "can i come in tomorrow at 9? Joan Webb 07700 900111", "Joan Webb"},
		{"en", true, "do i have to bring my own racket", ""},
		{"en", true, "hmm. friday 3pm. Nora Quinn 07700 900112", "Nora Quinn"},
		{"en", true, "for my nan, Betty Shaw", "Betty Shaw"},
		{"en", false, "I WANT A NEW TYRE TOMORROW 07700 900113", ""},
		{"en", true, "it's jo", "Jo"},
		{"fr", false, "Marie Petit, marie@example.fr", "Marie Petit"},
		{"de", false, "Neue Bremsen bitte 0171 2345678", ""},
		{"en", false, "i need new brake pads 07700 900114", ""},
		{"en", true, "whats the difference between the two", ""},
		{"en", true, "ugh. thursday at 3 then, the 26th", ""},
		{"en", true, "oh. make that tuesday 5pm", ""},
		{"en", true, "soz. wednesday 11am instead", ""},
		{"en", true, "brill. friday at noon", ""},
		{"en", true, "much obliged", ""},
		{"en", true, "cheers pal", ""},
		{"en", true, "owen 07700 900115", "Owen"},
		{"en", true, "owen clerk owen.clerk@example.com", "Owen Clerk"},
		{"en", false, "Miss Ida Booker, 0161 496 0100", "Ida Booker"},
		{"en", true, "mrs booker", "Booker"},
		{"de", true, "ach. dann mittwoch um 11 uhr", ""},
		{"de", true, "ups. donnerstag um 9 uhr, der 26.", ""},
		{"de", true, "genau", ""},
		{"de", true, "passt perfekt", ""},
		{"de", true, "ronja 0171 2345679", "Ronja"},
		{"de", true, "herr dankert", "Dankert"},
		{"de", true, "Familie Thoma, unser Hund heißt Bruno, 0171 2345680", "Thoma"},
		{"it", true, "marco bruni 347 7654322", "Marco Bruni"},
		{"de", true, "Fam. Thoma 0171 2345680", "Thoma"},
		{"nl", true, "Fam. Hoekstra 030 7654321", "Hoekstra"},
		{"nl", true, "familie hoekstra 030 7654321", "Hoekstra"},
		{"fr", true, "famille Lambert, 06 12 34 56 80", "Lambert"},
		{"en", true, "the Naylor family 07700 900116", "Naylor"},
		{"en", true, "tom carr 07700900117", "Tom Carr"},
		{"it", true, "luca serri 347 7654321", "Luca Serri"},
		{"fr", true, "ah zut. jeudi à 9h alors", ""},
		{"fr", true, "mince. mardi 10h plutôt, le 1er", ""},
		{"fr", true, "c'est bon", ""},
		{"fr", true, "c bon pour moi", ""},
		{"fr", true, "zoé mercier zoe.mercier@example.fr", "Zoé Mercier"},
		{"fr", true, "Mlle Okafor, 06 12 34 56 79", "Okafor"},
		{"es", true, "uy. el martes a las 6 de la tarde", ""},
		{"es", true, "vaya. pues el lunes a las 10", ""},
		{"es", true, "vale perfecto", ""},
		{"es", true, "venga guapa", ""},
		{"es", true, "nico 644 55 66 78", "Nico"},
		{"it", true, "uffa. mercoledì alle 10 allora", ""},
		{"it", true, "figurati", ""},
		{"it", true, "gaia 340 1234568", "Gaia"},
		{"nl", true, "oeps. dinsdag om 3 uur dan", ""},
		{"nl", true, "komt goed", ""},
		{"pt", true, "ai. quinta às 15h então", ""},
		{"sv", true, "oj. onsdag kl 10 då", ""},
		{"da", true, "øv. torsdag kl 9 så", ""},
		{"no", true, "huff. fredag kl 12 da", ""},
		{"fi", true, "hups. tiistaina klo 10 sitten", ""},
		{"hu", true, "jaj. akkor kedden 10-kor", ""},
		{"ro", true, "vai. atunci marți la 10", ""},
		{"tr", true, "hay allah. salı saat 10 o zaman", ""},
		{"ru", true, "ой. тогда во вторник в 10", ""},
		{"ar", true, "يا إلهي. الثلاثاء الساعة 10", ""},
	} {
		s := &State{
			Engine: builtin.New(), Now: time.Date(2026, 11, 24, 9, 40, 0, 0, time.UTC), Text: c.message,
			Agent: agent.Agent{},
		}
		s.Agent.Language, s.Agent.BookingEnabled, s.Agent.Timezone = c.language, true, "Europe/Berlin"
		s.Agent.PhoneNumber = map[agent.Language]string{
			"nl": "+31201234567", "sv": "+46812345678", "de": "+4930123456", "it": "+39061234567",
			"fr": "+33478000111",
			"pt": "+351211234567", "da": "+4533123456", "fi": "+358912345678",
			"tr": "+902121234567", "en": "+441174960123",
		}[c.language]
		s.Reading = s.Engine.Read(s.Language(), c.message)
		s.Details = s.ReadDetails(false)
		if got := s.Introduced(c.asked).Name; got != c.want {
			t.Errorf("%s %t %q: %q, want %q", c.language, c.asked, c.message, got, c.want)
		}
	}
}

// TestHomonym tests names in lower case whose first name is also a common word of the language or of the
// business's knowledge.
func TestHomonym(t *testing.T) {
	for _, c := range []struct{ message, stem, want string }{
		{"rob carr 07700900118", "rob", "Rob Carr"},
		{"grant ives grant@example.com", "grant", "Grant Ives"},
		{"rob 07700900118", "rob", ""},
		{"do robes cost extra 07700900118", "rob", ""},
	} {
		s := &State{
			Engine: builtin.New(), Now: time.Date(2026, 11, 24, 9, 40, 0, 0, time.UTC), Text: c.message,
			Found: knowledge.Result{Weights: map[string]float64{c.stem: 1}},
		}
		s.Agent.Language, s.Agent.BookingEnabled, s.Agent.Timezone = "en", true, "Europe/London"
		s.Agent.PhoneNumber = "+441174960123"
		s.Reading = s.Engine.Read(s.Language(), c.message)
		s.Details = s.ReadDetails(false)
		if got := s.Introduced(true).Name; got != c.want {
			t.Errorf("%q: %q, want %q", c.message, got, c.want)
		}
	}
}
