// Package unreadable answers messages that have nothing but what an agent cannot read, such as a picture.
package unreadable

import (
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
)

// A Skill asks for words.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec { return skill.Spec{Name: "unreadable", ByRule: true} }

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (float64, error) {
	return skill.If(s.NeedsWords, 1), nil
}

// Act implements skill.Skill.
func (Skill) Act(_ context.Context, s *skill.State, _ skill.Slots) (*skill.Outcome, error) {
	words, ok := wordsPlease[s.Language()]
	if !ok {
		words = wordsPlease["en"]
	}
	return &skill.Outcome{Reply: s.Reply(ai.Respond, skill.Unreadable, words)}, nil
}

// wordsPlease asks for words, by language.
var wordsPlease = map[string]string{
	"en": "I cannot open that here. Please tell me in words what this is about.",
	"es": "Aquí no puedo abrirlo. ¿Me lo puede contar con palabras?",
	"fr": "Je ne peux pas ouvrir cela ici. Pouvez-vous me l'écrire en quelques mots ?",
	"de": "Das kann ich hier nicht öffnen. Bitte beschreiben Sie es mir in Worten.",
	"it": "Qui non posso aprirlo. Può descriverlo a parole?",
	"pt": "Não consigo abrir isso aqui. Pode contar por palavras?",
	"nl": "Dat kan ik hier niet openen. Kunt u het in woorden beschrijven?",
	"sv": "Jag kan inte öppna det här. Kan du beskriva det med ord?",
	"da": "Det kan jeg ikke åbne her. Kan du beskrive det med ord?",
	"no": "Det kan jeg ikke åpne her. Kan du beskrive det med ord?",
	"fi": "En voi avata sitä täällä. Voitko kertoa sen sanoin?",
	"ru": "Я не могу открыть это здесь. Опишите, пожалуйста, словами.",
	"tr": "Bunu burada açamıyorum. Lütfen yazıyla anlatır mısınız?",
	"ro": "Nu pot deschide asta aici. Puteți descrie în cuvinte?",
	"ar": "لا أستطيع فتح هذا هنا. هل يمكنك أن توضح لي الأمر كتابةً؟",
	"hu": "Ezt itt nem tudom megnyitni. Kérem, írja le szavakkal.",
}
