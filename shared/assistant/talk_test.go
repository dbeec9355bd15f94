package assistant_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"frontdesk/shared/agent"
	"frontdesk/shared/appointment"
)

// A talk is what a contact writes, line by line, with what the replies must have, and the appointments that
// are stored in the end. It begins on Wednesday, 25 November 2026, at ten in Madrid.
type talk struct {
	name     string
	language agent.Language // "" for English
	hours    string         // "" for Monday to Friday, 9 to 18
	services string         // with semicolons between
	says     []string       // each with what the reply must have behind a "|"
	stored   []string
}

// talks are conversations as people have them on a phone: each holds something that went wrong once.
var talks = []talk{
	{
		name: "a wish without a word for an appointment", services: "Tap repair, 60 min;Boiler check, 60 min",
		says: []string{
			"hey our boiler check is due, when could u fit us in|Which day",
			"nah mornings don't work, after 3 on friday|Friday, 27 November",
			"3 oclock will do|What name",
			"for my gran, Edna Moss, 07700 900345|Booked: Boiler check",
			"could we do tuesday? she's at the doctors friday|Tuesday, 1 December at 15:00",
			"yes please|Moved",
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
		name: "a party that grows", hours: "Tue-Sun 12-15 and 19-23", services: "Table, 120 min",
		says: []string{
			"table for 3 tomorrow night|19:00",
			"at 8|Thursday, 26 November at 20:00",
			"Ruth Adler 07700 900346|Booked: Table (3 people)",
			"we'll be 5 after all|Changed: Table (5 people)",
			"and could we make it half past 8|20:30",
			"yes|Moved: Table (5 people)",
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
			"yep|Cancelled: Beard trim",
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
			"si|Cambiado: Mesa (2 personas)",
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
			"ja gern, muss ich ein handtuch mitbringen?|Eingetragen: Fango",
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
			"ok yes. how much is that btw|Booked: Beard trim",
		},
		stored: []string{"2026-11-26 09:00 confirmed Beard trim, Kit Dunn"},
	},
	{
		name: "a name and a number beside a question for a time", services: "Haircut, 30 min;Beard trim, 15 min",
		says: []string{
			"can I come tomorrow at 9? a haircut. Kit Dunn 07700 900123|Booked: Haircut",
			"yes|Booked: Haircut",
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
			"oui|réservé : Coupe",
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

// TestTalks has the conversations of talks.
func TestTalks(t *testing.T) {
	for _, talk := range talks {
		t.Run(talk.name, func(t *testing.T) {
			w := newSalon(t)
			w.edit(t, func(a *agent.Agent) {
				a.Language = cmp.Or(talk.language, "en")
				a.BusinessHours = cmp.Or(talk.hours, a.BusinessHours)
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
