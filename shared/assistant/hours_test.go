package assistant_test

import (
	"strings"
	"testing"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/appointment"
)

// TestHoursOfParts tests questions and bookings at businesses with separate hours for parts of them. It is
// Wednesday, 25 November 2026.
func TestHoursOfParts(t *testing.T) {
	type turn struct{ says, want, never string }
	for _, b := range []struct {
		language agent.Language
		hours    string
		booked   string // the start of the resulting appointment
		turns    []turn
	}{
		{"en", "Mon-Fri 8am-6pm, Sat 9-1, closed Sunday. Emergency line 24 hours",
			"2026-11-26T15:00:00+01:00", []turn{
				{"Are you open on Thursday?", "08:00–18:00", "closed"},
				{"Are you open on Sunday?", "closed", "00:00"},
				{"Emergency hours?", "Emergency line 24 hours", "8am"},
				{"I'd like to book an appointment on Sunday", "", "00:00"},
				{"Thursday at 3 then", "name", ""},
				{"Ada Lovelace, ada@example.com", "Booked", ""},
			}},
		{"es", "Restaurante: martes a domingo 13:00-16:00 y 20:00-23:00, lunes cerrado. " +
			"Recepción: todos los días las 24 horas", "2026-11-26T21:00:00+01:00", []turn{
			{"¿Abrís el jueves?", "13:00–16:00", "cerrado"},
			{"¿Abrís el lunes?", "cerra", "24:00"},
			{"¿La recepción está abierta por la noche?", "todos los días las 24 horas", "13:00"},
			{"Quiero reservar para el jueves a las 9 de la noche", "", "No "},
			{"Ada Lovelace, ada@example.com", "", ""},
		}},
		{"de", "Praxis: Mo-Fr 8-12 Uhr und 14-18 Uhr. Notdienst: rund um die Uhr",
			"2026-11-27T15:00:00+01:00", []turn{
				{"Haben Sie am Samstag geöffnet?", "geschlossen", "00:00"},
				{"Wann ist der Notdienst erreichbar?", "rund um die Uhr", ""},
				{"Ich möchte einen Termin am Freitag um 15 Uhr", "", ""},
				{"Ada Lovelace, ada@example.com", "", ""},
			}},
	} {
		w := newSalon(t)
		w.edit(t, func(a *agent.Agent) { a.Language, a.BusinessHours = b.language, b.hours })
		for _, turn := range b.turns {
			got, err := w.sayIn(t.Context(), 1, turn.says)
			if err != nil || !strings.Contains(got, turn.want) || turn.never != "" &&
				strings.Contains(got, turn.never) {
				t.Errorf("%q: %q, %v, want %q and no %q", turn.says, got, err, turn.want, turn.never)
			}
		}
		made := w.appointments(t, appointment.Confirmed)
		if len(made) != 1 || made[0].StartTime.Format(time.RFC3339) != b.booked {
			t.Errorf("%q: appointments %+v, want one at %s", b.hours, made, b.booked)
		}
	}
}
