package builtin

import (
	"strings"
	"testing"

	"frontdesk/shared/ai"
)

// museum is one house in three languages: what its visitors ask, and how the answer begins or what it holds;
// nothing where there is none.
var museum = map[string]struct {
	passages  []ai.Passage
	questions map[string]string
}{
	"en": {
		[]ai.Passage{
			{Title: "The house",
				Text: "The museum was founded in 1893 by Clara Winter, who left her collection of clocks " +
					"to the town. The oldest clock was made in Nuremberg in 1541. In the great hall stands " +
					"an organ that plays every day at noon. Since the fire of 1952 the tower is closed to " +
					"visitors."},
			{Title: "Your visit",
				Text: "A ticket costs 9 euros. Children under twelve get in free. We are open from Tuesday " +
					"to Sunday, 10 am to 5 pm. The last tour begins at 4 pm. Photographs are allowed " +
					"without flash. Large bags must be left in the cloakroom."},
			{Questions: []string{"Can I hire the hall?", "Is the museum available for weddings?"},
				Text: "The hall may be hired in the evening."},
			{Questions: []string{"Is there a lift?", "Is the house accessible by wheelchair?"},
				Text: "There is a lift to all floors."},
		},
		map[string]string{
			"Who founded the museum?":              "Clara Winter",
			"when was the oldest clock made":       "1541",
			"What plays at noon in the hall?":      "organ",
			"why is the tower closed?":             "fire of 1952",
			"how much is a ticket":                 "9 euros",
			"Do children get in free?":             "under twelve",
			"when does the last tour begin?":       "4 pm",
			"may I take photographs":               "without flash",
			"can we hire the hall for a wedding?":  "hired in the evening",
			"is it accessible for weelchairs":      "lift to all floors",
			"Who won the football match yesterday": "",
			"Do you sell train tickets to Berlin?": "",
			"What is the weather like tomorrow?":   "",
			"Can you fix my broken phone?":         "",
		},
	},
	"de": {
		[]ai.Passage{
			{Title: "Das Haus",
				Text: "Das Museum wurde 1893 von Clara Winter gegründet, die ihre Sammlung von Uhren der " +
					"Stadt hinterließ. Die älteste Uhr wurde 1541 in Nürnberg gebaut. Im großen Saal steht " +
					"eine Orgel, die jeden Mittag spielt. Seit dem Brand von 1952 ist der Turm für " +
					"Besucher geschlossen."},
			{Title: "Ihr Besuch",
				Text: "Eine Eintrittskarte kostet 9 Euro. Kinder unter zwölf Jahren haben freien Eintritt. " +
					"Die letzte Führung beginnt um 16 Uhr. Fotografieren ist ohne Blitz erlaubt. Große " +
					"Taschen müssen in die Garderobe."},
			{Questions: []string{"Kann ich den Saal mieten?", "Ist das Museum für Hochzeiten zu haben?"},
				Text: "Der Saal kann abends gemietet werden."},
			{Questions: []string{"Gibt es einen Aufzug?", "Ist das Haus barrierefrei?"},
				Text: "Ein Aufzug fährt in alle Stockwerke."},
		},
		map[string]string{
			"Wer hat das Museum gegründet?":              "Clara Winter",
			"Wo wurde die älteste Uhr gebaut?":           "Nürnberg",
			"Warum ist der Turm geschlossen?":            "Brand von 1952",
			"was kostet eine Eintrittskarte":             "9 Euro",
			"Wann beginnt die letzte Führung?":           "16 Uhr",
			"Kann man den Saal für Hochzeiten mieten":    "abends gemietet",
			"gibt es einen aufzug":                       "alle Stockwerke",
			"Reparieren Sie kaputte Telefone?":           "",
			"Wie wird das Wetter morgen?":                "",
			"Wer hat gestern das Fußballspiel gewonnen?": "",
		},
	},
	"es": {
		[]ai.Passage{
			{Title: "La casa",
				Text: "El museo fue fundado en 1893 por Clara Winter, que dejó a la ciudad su colección de " +
					"relojes. El reloj más antiguo se fabricó en Núremberg en 1541. En el gran salón hay " +
					"un órgano que suena cada mediodía. Desde el incendio de 1952 la torre está cerrada a " +
					"los visitantes."},
			{Title: "Su visita",
				Text: "La entrada cuesta 9 euros. Los niños menores de doce años entran gratis. La última " +
					"visita guiada empieza a las 16:00. Se permite fotografiar sin flash. Las bolsas " +
					"grandes deben dejarse en el guardarropa."},
			{Questions: []string{"¿Puedo alquilar el salón?", "¿Se celebran bodas en el museo?"},
				Text: "El salón se alquila por las noches."},
		},
		map[string]string{
			"¿Quién fundó el museo?":                       "Clara Winter",
			"¿Dónde se fabricó el reloj más antiguo?":      "Núremberg",
			"cuánto cuesta la entrada":                     "9 euros",
			"¿A qué hora empieza la última visita guiada?": "16:00",
			"quiero alquilar el salon para una boda":       "por las noches",
			"¿Arreglan teléfonos rotos?":                   "",
			"¿Qué tiempo hará mañana?":                     "",
			"¿Quién ganó el partido de fútbol de ayer?":    "",
		},
	},
}

// TestQuality holds what the engine's figures were set for, on a corpus of its own. Two in the three
// languages together may go wrong: a figure that is improved on much larger data may cost one here.
func TestQuality(t *testing.T) {
	wrong := 0
	for language, house := range museum {
		for question, want := range house.questions {
			got := reply(t,
				ai.Request{Language: language, Message: question, Passages: house.passages, MaxLength: 200})
			switch {
			case want == "" && got.Action == ai.Fallback:
			case want != "" && got.Action == ai.Respond && strings.Contains(got.Text, want):
			default:
				wrong++
				t.Logf("%s: %s\n\t%s: %q (%.2f), want %q", language, question, got.Action, got.Text,
					got.Confidence, want)
			}
		}
	}
	if wrong > 2 {
		t.Errorf("%d questions went wrong", wrong)
	}
}
