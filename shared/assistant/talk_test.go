package assistant_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"frontdesk/shared/agent"
	"frontdesk/shared/appointment"
)

// A talk is a conversation with the expected replies and the appointments that are stored in the end. It
// takes place in newSalon.
type talk struct {
	name     string
	language agent.Language // "" for English
	hours    string         // "" for Monday to Friday, 9 to 18
	services string         // separated by ";"
	says     []string       // each with a part of the expected reply after a "|"
	stored   []string
}

// talks are conversations in the style of phone messages. Each is a regression test.
var talks = []talk{
	{
		name: "a wish without a word for an appointment", services: "Tap repair, 60 min;Boiler check, 60 min",
		says: []string{
			"hey our boiler check is due, when could u fit us in|Which day",
			"nah mornings don't work, after 3 on friday|Friday, 27 November",
			"3 oclock will do|What name",
			"for my gran, Edna Moss, 07700 900345|Booked: Boiler check",
			"could we do tuesday? she's at the doctors friday|Tuesday, 1 December at 15:00",
			"yes please|all set",
		},
		stored: []string{"2026-12-01 15:00 confirmed Boiler check, Edna Moss"},
	},
	{
		name: "what is wrong tells the service", services: "Leak repair, 60 min;Boiler check, 60 min",
		says: []string{
			"my kitchen tap keeps dripping, can somebody come tomorrow|Leak repair",
			"10|Thursday, 26 November at 10:00",
			"Al Moss al@example.com|Booked: Leak repair",
		},
		stored: []string{"2026-11-26 10:00 confirmed Leak repair, Al Moss"},
	},
	{
		name: "a day from the question before", services: "Leak repair, 60 min;Boiler check, 60 min",
		says: []string{
			"are you open on friday|Friday",
			"boiler check at 3pm then please|Friday, 27 November at 15:00",
			"Ida Moss ida@example.com|Booked: Boiler check",
		},
		stored: []string{"2026-11-27 15:00 confirmed Boiler check, Ida Moss"},
	},
	{
		name: "leaving while a question is open", services: "Tap repair, 60 min;Boiler check, 60 min",
		says: []string{
			"can somebody come for the boiler check on friday|Friday, 27 November",
			"lovely thanks, heading out now|Goodbye",
		},
	},
	{
		name: "an ok before a wish", services: "Tap repair, 60 min;Boiler check, 60 min",
		says: []string{
			"how long does a boiler check take|60 min",
			"ok pop me in for friday 3pm then|Friday, 27 November at 15:00",
		},
	},
	{
		name: "a party that grows", hours: "Tue-Sun 12-15 and 19-23", services: "Table, 120 min",
		says: []string{
			"table for 3 tomorrow night|19:00",
			"at 8|Thursday, 26 November at 20:00",
			"Ruth Adler 07700 900346|Booked: Table (3 people)",
			"we'll be 5 after all|Changed: Table (5 people)",
			"and could we make it half past 8|20:30",
			"yes|all set",
		},
		stored: []string{"2026-11-26 20:30 confirmed Table (5 people), Ruth Adler"},
	},
	{
		name: "a closed day, and the last table before the kitchen closes", hours: "Tue-Sun 12-15 and 19-23",
		services: "Table, 120 min",
		says: []string{
			"got space for two on monday evening|closed on Monday",
			"then sunday lunch, 2pm|Sunday, 29 November at 14:00",
			"Ruth ruth@example.com|Booked: Table (2 people)",
		},
		stored: []string{"2026-11-29 14:00 confirmed Table (2 people), Ruth"},
	},
	{
		name: "refused days", services: "Haircut, 30 min;Beard trim, 15 min",
		says: []string{
			"can i book a beard trim next week|These times are free",
			"not monday, not tuesday|Wednesday, 2 December",
			"in the afternoon|Wednesday, 2 December",
			"wednesday at 2ish|Wednesday, 2 December at 14:00",
			"Sorry|What name",
			"its Moe Green, 07700 900347|Booked: Beard trim",
		},
		stored: []string{"2026-12-02 14:00 confirmed Beard trim, Moe Green"},
	},
	{
		name: "another service for the same time", services: "Haircut, 30 min;Beard trim, 15 min",
		says: []string{
			"haircut tomorrow at 9 please|Thursday, 26 November at 09:00",
			"Moe 07700 900348|Booked: Haircut",
			"can it be a beard trim instead of the haircut|Changed: Beard trim",
			"whoops wont make it, cancel|Cancelled: Beard trim",
			"yep|It's cancelled",
		},
	},
	{
		name: "an appointment that is not here", services: "Haircut, 30 min",
		says: []string{
			"gotta cancel my appointment on friday|I find no coming appointment",
			"its under Zelda Fitz|A colleague will look for it",
			"number is 07700 900349|Thank you, Zelda Fitz",
		},
	},
	{
		name: "nobody gives a number who does not want to", services: "Haircut, 30 min",
		says: []string{
			"haircut on friday at 4 pls|16:00",
			"Lou|Booked: Haircut",
			"no i dont want to give you my number|All right",
		},
		stored: []string{"2026-11-27 16:00 confirmed Haircut, Lou"},
	},
	{
		name: "an answer that nobody understands", services: "Haircut, 30 min",
		says: []string{
			"i need a haircut|Which day",
			"bla bli blub|Which day",
			"tomorrow 11|11:00",
		},
	},
	{
		name: "a question beside the wish", services: "Haircut, 30 min, 20 €;Beard trim, 15 min, 9 €",
		says: []string{
			"Can I have a haircut on Friday at 3? And are dogs welcome?|Dogs are welcome",
			"Moe Green, moe@example.com|Booked: Haircut",
		},
		stored: []string{"2026-11-27 15:00 confirmed Haircut, Moe Green"},
	},
	{
		name: "Donnerstag doch nicht", language: "de", hours: "Mo-Fr 9-18 Uhr",
		services: "Massage, 30 min;Fango, 30 min",
		says: []string{
			"habt ihr am donnerstag was frei für fango|Donnerstag, 26. November",
			"oh donnerstag geht nicht, lieber freitag|Freitag, 27. November",
			"halb drei|14:30",
			"passt|Auf welchen Namen",
			"Ina Lang, 0170 5556667|Eingetragen: Fango",
		},
		stored: []string{"2026-11-27 14:30 confirmed Fango, Ina Lang"},
	},
	{
		name: "el día que se ofreció", language: "es", hours: "Lun-Vie 7-23",
		services: "Masaje, 60 min;Mesa, 90 min",
		says: []string{
			"hola, mesa para dos el viernes por la noche|viernes 27 de noviembre",
			"a las 9|21:00",
			"Eva Sanz 612 345 679|Reservado: Mesa (2 personas)",
			"uy, mejor el jueves a la misma hora|jueves 26 de noviembre a las 21:00",
			"si|Queda reservado",
		},
		stored: []string{"2026-11-26 21:00 confirmed Mesa (2 personas), Eva Sanz"},
	},
	{
		name: "même heure", language: "fr", hours: "Lun-Ven 9h-19h",
		services: "Examen de vue, 30 min;Essai de lentilles, 45 min",
		says: []string{
			"j'aimerais faire contrôler ma vue mardi vers 18h|ardi 1er décembre à 18h00",
			"plutôt mercredi en fait|ercredi 2 décembre à 18h00",
			"Ana Roy 06 11 22 33 44|C'est réservé : Examen de vue",
			"je peux pas mercredi finalement|Quel autre jour",
			"jeudi même heure|jeudi 3 décembre à 18h00",
			"oui|Déplacé : Examen de vue",
		},
		stored: []string{"2026-12-03 18:00 confirmed Examen de vue, Ana Roy"},
	},
	{
		name: "tijd en naam in één bericht", language: "nl", hours: "ma-vr 9-18 uur",
		services: "Massage, 30 min;Pedicure, 30 min",
		says: []string{
			"hoi heb je vrijdag nog plek voor pedicure|vrijdag 27 november",
			"om 11 uur is goed, Bram Kuipers bram@example.org|Pedicure",
		},
		stored: []string{"2026-11-27 11:00 confirmed Pedicure, Bram Kuipers"},
	},
	{
		name: "allt på en gång", language: "sv", hours: "mån-fre 9-18",
		services: "Klippning, 30 min;Massage, 60 min",
		says: []string{
			"hej vill boka klippning torsdag 3 dec kl 14 Elsa Lindqvist 070-7654321|Klippning",
		},
		stored: []string{"2026-12-03 14:00 confirmed Klippning, Elsa Lindqvist"},
	},
	{
		name: "für jemanden, mit Nummer", language: "de", hours: "Mo-Fr 9-18 Uhr",
		services: "Massage, 30 min;Fango, 30 min",
		says: []string{
			"bitte fango am montag um 9 für Renate Vogt tel 0171 2345678|9:00",
			"ja gern, muss ich ein handtuch mitbringen?|Ist eingetragen",
		},
		stored: []string{"2026-11-30 09:00 confirmed Fango, Renate Vogt"},
	},
	{
		name: "segnami", language: "it", hours: "lun-ven 9-18", services: "Taglio, 30 min;Piega, 30 min",
		says: []string{
			"prenotami un taglio giovedì 26 alle 16, Paolo Ferri paolo@example.it|Taglio",
		},
		stored: []string{"2026-11-26 16:00 confirmed Taglio, Paolo Ferri"},
	},
	{
		name: "a closed day put right", services: "Haircut, 30 min;Beard trim, 15 min",
		says: []string{
			"haircut on the 29th at ten pls|closed on Sunday",
			"ah right thats a sunday, then the 4th of december at eleven|4 December at 11:00",
			"Kit Dunn kit@example.com|Booked: Haircut",
		},
		stored: []string{"2026-12-04 11:00 confirmed Haircut, Kit Dunn"},
	},
	{
		name: "yes, and a question", services: "Haircut, 30 min, 20 €;Beard trim, 15 min, 9 €",
		says: []string{
			"beard trim tomorrow 9am for Kit Dunn, kit@example.com|Booked: Beard trim",
			"ok yes. how much is that btw|all set",
		},
		stored: []string{"2026-11-26 09:00 confirmed Beard trim, Kit Dunn"},
	},
	{
		name:     "a name and a number beside a question for a time",
		services: "Haircut, 30 min;Beard trim, 15 min",
		says: []string{
			"can I come tomorrow at 9? a haircut. Kit Dunn 07700 900123|Booked: Haircut",
			"yes|all set",
			"actually I mean friday|Moved: Haircut, now Friday",
		},
		stored: []string{"2026-11-27 09:00 confirmed Haircut, Kit Dunn"},
	},
	{
		name: "thinks better of a cancellation", services: "Haircut, 30 min;Beard trim, 15 min",
		says: []string{
			"beard trim tomorrow 9am for Kit Dunn, kit@example.com|Booked: Beard trim",
			"scrap that|Cancelled: Beard trim",
			"no, wait, can we move it?|Which day and time",
			"friday at 10|Booked: Beard trim, Friday",
		},
		stored: []string{"2026-11-27 10:00 confirmed Beard trim, Kit Dunn"},
	},
	{
		name: "a question is no name", services: "Haircut, 30 min;Beard trim, 15 min",
		says: []string{
			"haircut tomorrow at 9 please|What name",
			"do i need to wash my hair before|",
			"kit dunn kit@example.com|Booked: Haircut",
		},
		stored: []string{"2026-11-26 09:00 confirmed Haircut, Kit Dunn"},
	},
	{
		name: "what it was about before", services: "Leak repair, 60 min;Boiler check, 60 min",
		says: []string{
			"do you do dripping taps|",
			"tomorrow at 3pm then|Leak repair",
			"kit dunn 07700 900350|Booked: Leak repair",
		},
		stored: []string{"2026-11-26 15:00 confirmed Leak repair, Kit Dunn"},
	},
	{
		name: "la pregunta no es un nombre", language: "es", hours: "Lun-Vie 9-18",
		services: "Masaje, 60 min;Corte, 30 min",
		says: []string{
			"quiero un corte el viernes a las 12|nombre",
			"tengo que llevar algo|",
			"lucía ramos lucia@example.es|Reservado: Corte",
		},
		stored: []string{"2026-11-27 12:00 confirmed Corte, Lucía Ramos"},
	},
	{
		name: "tout de suite", language: "fr", hours: "Lun-Ven 9h-19h",
		services: "Coupe, 30 min;Couleur, 60 min",
		says: []string{
			"une coupe mardi 1er décembre à 11h pour Claire Dubois 06 12 34 56 78|11h00",
			"oui|bien réservé",
		},
		stored: []string{"2026-12-01 11:00 confirmed Coupe, Claire Dubois"},
	},
	{
		name: "somebody is angry", services: "Haircut, 30 min;Beard trim, 15 min",
		says: []string{
			"haircut on friday|These times are free",
			"this is ridiculous, my order should have been ready yesterday and i called you 4 " +
				"times|sorry to hear",
		},
	},
}

// serviceTalks test which service is booked if a message refers to an earlier one.
var serviceTalks = []talk{
	{
		name: "an answer about something else leaves the service", services: "Oil change, 45 min, 60 €;" +
			"Brake inspection, 30 min, 25 €;Wheel balancing, 30 min, 30 €",
		says: []string{
			"how much is a brake inspection|Brake inspection",
			"are dogs welcome|Dogs",
			"ok book me in friday at 10, Una Reed una@example.com|Booked: Brake inspection",
		},
		stored: []string{"2026-11-27 10:00 confirmed Brake inspection, Una Reed"},
	},
	{
		name:     "one of two that are called alike",
		services: "Deep massage, 60 min;Light massage, 30 min;Sauna, 90 min",
		says: []string{
			"can i book a massage for friday at 11|1. Deep massage\n2. Light massage",
			"the deep|What name",
			"Una Reed una@example.com|Booked: Deep massage",
		},
		stored: []string{"2026-11-27 11:00 confirmed Deep massage, Una Reed"},
	},
	{
		name: "eine von zweien", language: "de", hours: "Mo-Fr 9-18 Uhr",
		services: "Kleine Inspektion, 60 min;Große Inspektion, 120 min;Lackpolitur, 90 min",
		says: []string{
			"ich bräuchte am freitag um 10 einen termin für die inspektion|" +
				"1. Kleine Inspektion\n2. Große Inspektion",
			"die große bitte|Auf welchen Namen",
			"Ute Kern, ute@example.com|Eingetragen: Große Inspektion",
		},
		stored: []string{"2026-11-27 10:00 confirmed Große Inspektion, Ute Kern"},
	},
	{
		name: "que des mots vagues", language: "fr", hours: "Lun-Ven 9h-18h",
		services: "Coupe, 30 min;Couleur, 90 min",
		says: []string{
			"allez vendredi 10h|C'est pour quoi",
			"Zoé Petit zoe@example.com|C'est pour quoi ?",
			"une couleur|réservé : Couleur",
		},
		stored: []string{"2026-11-27 10:00 confirmed Couleur, Zoé Petit"},
	},
	{
		name: "by its initials", services: "Personal training, 60 min;Gym tour, 15 min",
		says: []string{
			"pt friday 9am?|What name",
			"Una Reed una@example.com|Booked: Personal training",
		},
		stored: []string{"2026-11-27 09:00 confirmed Personal training, Una Reed"},
	},
}

// changeTalks test messages about an appointment that was just booked or cancelled.
var changeTalks = []talk{
	{
		name: "the same hour on another day", services: "Haircut, 30 min;Beard trim, 15 min",
		says: []string{
			"beard trim friday 11am, Una Reed una@example.com|Booked: Beard trim",
			"yes. hm no, on friday i'm away. tuesday next week same time?|Tuesday, 1 December at 11:00",
			"lovely|Moved: Beard trim",
		},
		stored: []string{"2026-12-01 11:00 confirmed Beard trim, Una Reed"},
	},
	{
		name: "ein anderer Tag ohne ein Wort fürs Verschieben", language: "de", hours: "Mo-Fr 9-18 Uhr",
		services: "Haarschnitt, 30 min;Bart, 15 min",
		says: []string{
			"haarschnitt am montag um 9, Ute Kern ute@example.com|Eingetragen: Haarschnitt",
			"ich muss da arbeiten. mittwoch um 16 uhr?|Mittwoch, 2. Dezember um 16:00",
			"jo passt|",
		},
		stored: []string{"2026-12-02 16:00 confirmed Haarschnitt, Ute Kern"},
	},
	{
		name: "cancelled twice", language: "es", hours: "Lun-Vie 9-18",
		services: "Corte, 30 min;Tinte, 60 min",
		says: []string{
			"un corte el viernes a las 10, Eva Gil eva@example.com|Reservado: Corte",
			"al final no puedo ir, anula la cita|Cancelado: Corte",
			"sí, anúlala|Queda cancelado",
		},
	},
	{
		name: "te duur", language: "nl", hours: "ma-vr 9-18",
		services: "Knippen, 30 min, 20 €;Baard, 15 min, 9 €",
		says: []string{
			"knippen morgen om 9 uur, Piet Bos piet@example.com|Vastgelegd: Knippen",
			"hoe duur was dat ook alweer|Knippen",
			"o dat is te duur, zeg maar af|Afgezegd: Knippen",
		},
	},
	{
		name: "laissez tomber", language: "fr", hours: "Lun-Ven 9h-18h",
		services: "Coupe, 30 min;Couleur, 90 min",
		says: []string{
			"vendredi 14h|C'est pour quoi",
			"une coupe|À quel nom",
			"Zoé Petit zoe@example.com|réservé : Coupe",
			"ma fille me l'a fait, laissez tomber pour vendredi|faut-il l'annuler",
			"oui annulez|Annulé : Coupe",
		},
	},
	{
		name: "what cancelling costs, and whether one must book", language: "es", hours: "Lun-Vie 9-18",
		services: "Corte, 30 min;Tinte, 60 min",
		says: []string{
			"hola, el viernes se puede ir sin cita?|no lo sé",
			"trabaja lola los viernes?|no lo sé",
			"un corte el viernes a las 10, Eva Gil eva@example.com|Reservado: Corte",
			"qué me cuesta si anulo a última hora?|no lo sé",
		},
		stored: []string{"2026-11-27 10:00 confirmed Corte, Eva Gil"},
	},
	{
		name:     "two services, and an hour earlier",
		services: "Haircut, 30 min;Beard trim, 15 min;Shave, 20 min",
		says: []string{
			"haircut and beard trim friday 3pm for Al Moss al@example.com|Booked: Haircut + Beard trim",
			"could you make it an hour earlier|Friday, 27 November at 14:00",
		},
		stored: []string{"2026-11-27 14:00 confirmed Haircut + Beard trim, Al Moss"},
	},
	{
		name: "a question that is open is asked again once", services: "Haircut, 30 min;Beard trim, 15 min",
		says: []string{
			"can i book something for friday|1. Haircut",
			"are dogs welcome?|What is it for?",
			"do you have parking?|",
			"a beard trim at 10|Friday, 27 November at 10:00",
			"Una Reed una@example.com|Booked: Beard trim",
		},
		stored: []string{"2026-11-27 10:00 confirmed Beard trim, Una Reed"},
	},
}

// giveUpTalks test cancelling a booked appointment in passing, and messages after that.
var giveUpTalks = []talk{
	{
		name: "left in the middle of a story", services: "Haircut, 30 min;Beard trim, 15 min",
		says: []string{
			"beard trim friday 11am, Una Reed una@example.com|Booked: Beard trim",
			"what if i can't make it in the end?|",
			"how late can i cancel|",
			"look, forget it, my neighbour will do it for free|cancel",
			"yeah go on|Cancelled: Beard trim",
			"yep cancel|It's cancelled",
			"much obliged|welcome",
		},
	},
	{
		name: "laissez tomber", language: "fr", hours: "Lun-Ven 9h-18h",
		services: "Coupe, 30 min;Couleur, 90 min",
		says: []string{
			"une coupe vendredi à 10h, Zoé Mercier zoe@example.com|réservé : Coupe",
			"ah mince, laissez tomber pour vendredi, mon fils est malade|annul",
			"oui annulez|Annulé",
			"c bon merci|plaisir",
		},
	},
	{
		name: "laissez tomber avant d'avoir réservé", language: "fr", hours: "Lun-Ven 9h-18h",
		services: "Coupe, 30 min;Couleur, 90 min",
		says: []string{
			"vendredi 10h|C'est pour quoi",
			"bon finalement c'est réglé, laissez tomber pour vendredi|rien n'est réservé",
		},
	},
	{
		name: "passt, und dann doch nicht", language: "de", hours: "Mo-Fr 9-18 Uhr",
		services: "Haarschnitt, 30 min;Bart, 15 min",
		says: []string{
			"haarschnitt am freitag um 9?|Auf welchen Namen",
			"ach. freitag um 10 uhr dann|Auf welchen Namen",
			"ute kern 0171 2345678|Eingetragen: Haarschnitt",
			"passt perfekt|",
			"ach lass, ich habe es mir anders überlegt|absagen",
			"passt nicht|",
		},
		stored: []string{"2026-11-27 10:00 confirmed Haarschnitt, Ute Kern"},
	},
	{
		name: "mira déjalo", language: "es", hours: "Lun-Vie 9-18", services: "Corte, 30 min;Tinte, 60 min",
		says: []string{
			"un corte el viernes a las 10, Eva Gil eva@example.com|Reservado: Corte",
			"y si luego no puedo ir?|",
			"uy mira déjalo, que me ha salido un viaje|cancel",
			"venga va|Cancelado: Corte",
			"un besito guapa|",
		},
	},
}

// TestTalks plays all talks.
func TestTalks(t *testing.T) {
	for _, talk := range slices.Concat(talks, serviceTalks, changeTalks, giveUpTalks) {
		t.Run(talk.name, func(t *testing.T) {
			w := newSalon(t)
			w.edit(t, func(a *agent.Agent) {
				a.Language = cmp.Or(talk.language, "en")
				a.BusinessHours = cmp.Or(talk.hours, a.BusinessHours)
				a.CapabilityQuotePrices = true
				a.AvailableServices, a.AssumedServices, a.LeadCaptureEnabled = strings.Split(talk.services,
					";"), false, true
				a.PhoneNumber = map[agent.Language]string{"de": "+4930111222", "es": "+34911222333",
					"fr": "+33478000111"}[talk.language]
				a.PhoneNumber = cmp.Or(a.PhoneNumber, "+441174960123")
			})
			for _, say := range talk.says {
				text, want, _ := strings.Cut(say, "|")
				w.wantReply(t, 1, text, want)
			}
			var stored []string
			for _, a := range w.appointments(t, appointment.Confirmed) {
				stored = append(stored, fmt.Sprintf("%s %s %s, %s", a.StartTime.Format("2006-01-02 15:04"),
					a.Status, a.Title, a.ContactName))
			}
			if got, want := strings.Join(stored, "\n"), strings.Join(talk.stored, "\n"); got != want {
				t.Errorf("stored %q, want %q", got, want)
			}
		})
	}
}
