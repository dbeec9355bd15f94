package assistant_test

import (
	"testing"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/appointment"
)

// newStudio returns a fixture like newSalon, of a business with these services.
func newStudio(t *testing.T, language string, services ...string) *fixture {
	t.Helper()
	w := newSalon(t)
	agents := agent.Store{Table: w.Table, Now: time.Now, IDs: w.IDs}
	if _, err := agents.Update(t.Context(), w.account.ID, w.agent, func(a *agent.Agent) error {
		a.Language, a.AvailableServices = agent.Language(language), services
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestWishes tests what is booked for people who wish for a time in passing: it is Wednesday, 25 November
// 2026, 10:07.
func TestWishes(t *testing.T) {
	care := []string{"Hair colour, 60 minutes, 70 €", "Beard trim, 30 minutes, 20 €",
		"Back rub, 30 minutes, 40 €", "Back rub, 90 minutes, 90 €", "Initial skin consultation, 45 minutes",
		"Facial, 60 minutes, 50 €"}
	pflege := []string{"Haarfarbe, 60 Minuten, 70 €", "Bartpflege, 30 Minuten, 20 €",
		"Erstberatung, 45 Minuten"}
	for name, tt := range map[string]struct {
		language string
		services []string
		says     []string
		status   appointment.Status
		want     string // title and start of the appointment
	}{
		"the topic and a time": {"en", care, []string{"how much is a beard trim",
			"right, pencil me in for friday 11am", "Ada Lovelace, ada@example.com", "yes"},
			appointment.Confirmed, "Beard trim 2026-11-27 11:00"},
		"corrected before it is made": {"en", care, []string{"how much is a beard trim",
			"right, pencil me in for friday 11am", "no wait, not this friday. mon 30th november same time",
			"Ada Lovelace, ada@example.com"}, appointment.Confirmed, "Beard trim 2026-11-30 11:00"},
		"the day held is no good": {"en", care, []string{"can I have a beard trim on friday at 11am",
			"oh I am on a course friday. monday 11am?", "Ada Lovelace, ada@example.com"},
			appointment.Confirmed, "Beard trim 2026-11-30 11:00"},
		"the hour held is no good": {"en", care, []string{"can I have a beard trim on friday at 11am",
			"Ada Lovelace, ada@example.com", "sorry, can you make it 12, the kids finish at 11"},
			appointment.Confirmed, "Beard trim 2026-11-27 12:00"},
		"a service like another word": {"nl", []string{"Proefles, 30 minuten", "Rijles, 60 minuten"},
			[]string{"ik wil wel een keer proeflessen, vrijdag om 16 uur", "Ada Lovelace, ada@example.com"},
			appointment.Confirmed, "Proefles 2026-11-27 16:00"},
		"a table for the evening": {"fr", []string{"Table pour le déjeuner, 90 minutes",
			"Table pour le dîner, 60 minutes", "Brunch du vendredi, 90 minutes"},
			[]string{"nous serons 5 personnes vendredi à 17h, possible ?", "Ada Lovelace, ada@example.com"},
			appointment.Confirmed, "Table pour le dîner (5 personnes) 2026-11-27 17:00"},
		"the hour changed at once": {"it", []string{"Visita, 60 minuti"}, []string{
			"vorrei una visita venerdì alle 15", "Ada Lovelace, ada@example.com", "no aspetta, alle 16"},
			appointment.Confirmed, "Visita 2026-11-27 16:00"},
		"an address like a service": {"es", []string{"Examen de conducir, 120 minutos", "Clase, 60 minutos"},
			[]string{"can I book a clase on friday at 4pm?", "Ada Lovelace, ada@example.com"},
			appointment.Confirmed, "Clase 2026-11-27 16:00"},
		"cancelled in one word": {"es", []string{"Clase, 60 minutos"}, []string{
			"una clase el viernes a las 12, por favor", "Ada Lovelace, ada@example.com",
			"me acaban de cambiar el turno, cancélamela", "sí"},
			appointment.Cancelled, "Clase 2026-11-27 12:00"},
		"a duration beside an hour": {"es", []string{"Masaje, 60 minutos, 40 €", "Masaje, 90 minutos, 55 €"},
			[]string{"un masaje de 60 min el viernes a las 12h", "Ada Lovelace, ada@example.com"},
			appointment.Confirmed, "Masaje, 60 minutos 2026-11-27 12:00"},
		"a part of the day that sounds like a service": {"en", []string{"First lesson, 60 minutes",
			"Ballet lesson, 60 minutes"}, []string{"a ballet lesson on friday first thing, at 10am?",
			"Ada Lovelace, ada@example.com"}, appointment.Confirmed, "Ballet lesson 2026-11-27 10:00"},
		"people at a table": {"de", []string{"Tisch, 90 Minuten", "Weinprobe, 60 Minuten"},
			[]string{"habt ihr am freitag um 12 platz für 5?", "Ada Lovelace, ada@example.com"},
			appointment.Confirmed, "Tisch (5 Personen) 2026-11-27 12:00"},
		"a person does it": {"en", care, []string{"do you do facials",
			"could she do my friend on friday at 2pm", "Ada Lovelace, ada@example.com"},
			appointment.Confirmed, "Facial 2026-11-27 14:00"},
		"the duration in the question": {"en", care, []string{"what does a back rub cost for 90 minutes",
			"anything on friday at 11am?", "Ada Lovelace, ada@example.com"},
			appointment.Confirmed, "Back rub, 90 minutes 2026-11-27 11:00"},
		"the duration in the answer": {"en", care, []string{"I'd like a back rub on friday at 11am",
			"the one of 90 minutes", "Ada Lovelace, ada@example.com"},
			appointment.Confirmed, "Back rub, 90 minutes 2026-11-27 11:00"},
		"the number in the list": {"en", care, []string{"I'd like a back rub on friday at 11am", "1",
			"Ada Lovelace, ada@example.com"}, appointment.Confirmed, "Back rub, 30 minutes 2026-11-27 11:00"},
		"a first visit": {"en", care, []string{"friday at 4pm please, I have never been before",
			"Ada Lovelace, ada@example.com"},
			appointment.Confirmed, "Initial skin consultation 2026-11-27 16:00"},
		"a first visit in German": {"de", pflege, []string{"Ich brauche einen ersten Termin, Freitag um 11?",
			"Ada Lovelace, ada@example.com"}, appointment.Confirmed, "Erstberatung 2026-11-27 11:00"},
		"a greeting is no day": {"de", pflege, []string{"Guten Morgen, kann ich am Freitag um 13 Uhr zum " +
			"Haare färben kommen? Haarfarbe bitte", "Ada Lovelace, ada@example.com"},
			appointment.Confirmed, "Haarfarbe 2026-11-27 13:00"},
		"the hour behind a comma": {"de", pflege, []string{"Was kostet die Haarfarbe?",
			"dann Montag vormittag, halb elf?", "Ada Lovelace, ada@example.com"},
			appointment.Confirmed, "Haarfarbe 2026-11-30 10:30"},
		"a question about cancelling": {"en", care, []string{"I'd like a facial on friday at 11am",
			"Ada Lovelace, ada@example.com", "what happens if I have to cancel"},
			appointment.Confirmed, "Facial 2026-11-27 11:00"},
		"a question about moving": {"en", care, []string{"I'd like a facial on friday at 11am",
			"Ada Lovelace, ada@example.com", "what if I want to reschedule"},
			appointment.Confirmed, "Facial 2026-11-27 11:00"},
		"what if": {"en", care, []string{"I'd like a facial on friday at 11am",
			"Ada Lovelace, ada@example.com", "what if I need to cancel"},
			appointment.Confirmed, "Facial 2026-11-27 11:00"},
		"what if in German": {"de", pflege, []string{"Ich möchte eine Haarfarbe am Freitag um 11 Uhr",
			"Ada Lovelace, ada@example.com", "was ist, wenn ich absagen muss"},
			appointment.Confirmed, "Haarfarbe 2026-11-27 11:00"},
		"the same hour on another day": {"en", care, []string{"I'd like a facial on friday at 11am",
			"Ada Lovelace, ada@example.com", "oh no, that is the office evening. monday same time?",
			"yeah do that"},
			appointment.Confirmed, "Facial 2026-11-30 11:00"},
		"not tomorrow but on Monday": {"en", care, []string{"I'd like a facial tomorrow at 11am",
			"Ada Lovelace, ada@example.com", "I have a meeting tomorrow can we move it to monday at 4pm"},
			appointment.Confirmed, "Facial 2026-11-30 16:00"},
		"an hour in words": {"en", append([]string{"Float, 60 minutes", "Float, 120 minutes"}, care...),
			[]string{"how much is a float for an hour", "ok friday at 11am", "Ada Lovelace, ada@example.com"},
			appointment.Confirmed, "Float, 60 minutes 2026-11-27 11:00"},
		"a clearer hour at the end": {"en", care, []string{"a facial on friday please",
			"after 3 ideally. say 4?", "Ada Lovelace, ada@example.com"},
			appointment.Confirmed, "Facial 2026-11-27 16:00"},
		"opening hours asked meanwhile": {"en", care, []string{"I need an appointment for a facial",
			"what time are you open on friday?", "monday at 10am then", "Ada Lovelace, ada@example.com"},
			appointment.Confirmed, "Facial 2026-11-30 10:00"},
		"cancelling": {"en", care, []string{"I'd like a facial on friday at 11am",
			"Ada Lovelace, ada@example.com", "had a think, cancel it please"},
			appointment.Cancelled, "Facial 2026-11-27 11:00"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newStudio(t, tt.language, tt.services...)
			var replies []string
			for _, said := range tt.says {
				reply, err := w.sayIn(t.Context(), 1, said)
				if err != nil {
					t.Fatal(err)
				}
				replies = append(replies, reply)
			}
			var got []string
			for _, a := range w.appointments(t, tt.status) {
				got = append(got, a.Title+a.StartTime.Format(" 2006-01-02 15:04"))
			}
			if len(got) != 1 || got[0] != tt.want {
				t.Errorf("got %q, want %q; replies: %q", got, tt.want, replies)
			}
		})
	}
}
