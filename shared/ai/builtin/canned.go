package builtin

import (
	"strings"

	"frontdesk/shared/ai"
)

// A voice is what the engine says of its own in one language and one manner of address. In welcome %s stands for the
// name of the business. The sentences are short, since a reply may have to keep to 50 characters.
type voice struct {
	greeting, welcome, goodbye, thanks, fallback, handoff, complaint string
}

// manners are the voices of a language: familiar and polite. A language without that difference differs in warmth.
type manners struct {
	language         string
	familiar, polite voice
}

// voices costs nothing at the start of a process: the compiler lays the table out.
var voices = [...]manners{
	{
		"en",
		voice{"Hi there! How can I help you?", "Hi, welcome to %s! How can I help you?", "Goodbye, and take care!", "You're welcome! Anything else?", "Sorry, I don't know that one.", "Sure, I'm getting a colleague for you.", "I'm really sorry about that. I'm getting a colleague for you."},
		voice{"Hello. How may I help you?", "Hello and welcome to %s. How may I help you?", "Goodbye, and have a pleasant day.", "You are welcome.", "I am sorry, I do not know that.", "Certainly. I am passing you on to a colleague.", "I apologise for that. I am passing you on to a colleague."},
	},
	{
		"es",
		voice{"¡Hola! ¿En qué te puedo ayudar?", "¡Hola! Te damos la bienvenida a %s. ¿En qué te puedo ayudar?", "¡Hasta luego, cuídate!", "¡De nada! ¿Algo más?", "Lo siento, eso no lo sé.", "Claro, aviso a una persona del equipo.", "Lo siento mucho. Aviso a una persona del equipo."},
		voice{"Buenos días. ¿En qué puedo ayudarle?", "Le damos la bienvenida a %s. ¿En qué puedo ayudarle?", "Hasta luego. Que tenga un buen día.", "No hay de qué.", "Lo siento, no dispongo de esa información.", "Por supuesto. Le paso con una persona del equipo.", "Le pido disculpas. Le paso con una persona del equipo."},
	},
	{
		"fr",
		voice{"Bonjour ! Comment puis-je t'aider ?", "Bonjour et bienvenue chez %s ! Comment puis-je t'aider ?", "Au revoir et à bientôt !", "Avec plaisir ! Autre chose ?", "Désolé, je ne sais pas.", "Bien sûr, je préviens un collègue.", "Je suis vraiment désolé. Je préviens un collègue."},
		voice{"Bonjour. Comment puis-je vous aider ?", "Bonjour et bienvenue chez %s. Comment puis-je vous aider ?", "Au revoir et bonne journée.", "Je vous en prie.", "Je suis désolé, je n'ai pas cette information.", "Bien sûr. Je transmets à un collègue.", "Je vous présente mes excuses. Je transmets à un collègue."},
	},
	{
		"de",
		voice{"Hallo! Wie kann ich dir helfen?", "Hallo und willkommen bei %s! Wie kann ich dir helfen?", "Tschüss und bis bald!", "Gern geschehen! Noch etwas?", "Tut mir leid, das weiß ich nicht.", "Klar, ich hole jemanden aus dem Team dazu.", "Das tut mir sehr leid. Ich hole jemanden aus dem Team dazu."},
		voice{"Guten Tag! Wie kann ich Ihnen helfen?", "Guten Tag und willkommen bei %s! Wie kann ich Ihnen helfen?", "Auf Wiedersehen und einen schönen Tag noch.", "Sehr gern.", "Das weiß ich leider nicht.", "Gern. Ich hole jemanden aus dem Team dazu.", "Ich bitte um Entschuldigung. Ich hole jemanden aus dem Team dazu."},
	},
	{
		"it",
		voice{"Ciao! Come posso aiutarti?", "Ciao, ti diamo il benvenuto da %s! Come posso aiutarti?", "Ciao, a presto!", "Prego! Posso fare altro per te?", "Mi dispiace, questo non lo so.", "Certo, avviso una persona del team.", "Mi dispiace molto. Avviso una persona del team."},
		voice{"Buongiorno. Come posso aiutarla?", "Buongiorno e benvenuti da %s. Come posso aiutarla?", "Arrivederci e buona giornata.", "Prego, si figuri.", "Mi dispiace, non ho questa informazione.", "Certamente. La metto in contatto con un collega.", "Le chiedo scusa. La metto in contatto con un collega."},
	},
	{
		"pt",
		voice{"Olá! Como posso ajudar?", "Olá, boas-vindas à %s! Como posso ajudar?", "Tchau, até logo!", "De nada! Mais alguma coisa?", "Desculpe, isso eu não sei.", "Claro, vou chamar alguém da equipe.", "Sinto muito por isso. Vou chamar alguém da equipe."},
		voice{"Olá. Em que posso ajudar?", "Olá e boas-vindas à %s. Em que posso ajudar?", "Até logo. Tenha um bom dia.", "Não tem de quê.", "Lamento, não tenho essa informação.", "Com certeza. Vou encaminhar a alguém da equipe.", "Peço desculpas. Vou encaminhar a alguém da equipe."},
	},
	{
		"nl",
		voice{"Hallo! Waarmee kan ik je helpen?", "Hallo en welkom bij %s! Waarmee kan ik je helpen?", "Tot ziens en fijne dag!", "Graag gedaan! Nog iets?", "Sorry, dat weet ik niet.", "Natuurlijk, ik haal er een collega bij.", "Wat vervelend, sorry. Ik haal er een collega bij."},
		voice{"Goedendag. Waarmee kan ik u helpen?", "Goedendag en welkom bij %s. Waarmee kan ik u helpen?", "Tot ziens en een prettige dag.", "Graag gedaan.", "Het spijt me, dat weet ik niet.", "Zeker. Ik verbind u door met een collega.", "Mijn excuses. Ik verbind u door met een collega."},
	},
	{
		"sv",
		voice{"Hej! Vad kan jag hjälpa dig med?", "Hej och välkommen till %s! Vad kan jag hjälpa dig med?", "Hej då, ha det bra!", "Varsågod! Något mer?", "Tyvärr, det vet jag inte.", "Visst, jag hämtar en kollega.", "Jag är verkligen ledsen för det. Jag hämtar en kollega."},
		voice{"Hej. Hur kan jag hjälpa till?", "Hej och välkommen till %s. Hur kan jag hjälpa till?", "Hej då och ha en trevlig dag.", "Varsågod.", "Jag har tyvärr ingen uppgift om det.", "Självklart. Jag kopplar in en kollega.", "Jag ber om ursäkt. Jag kopplar in en kollega."},
	},
	{
		"da",
		voice{"Hej! Hvad kan jeg hjælpe dig med?", "Hej og velkommen til %s! Hvad kan jeg hjælpe dig med?", "Hej hej, og ha' det godt!", "Selv tak! Var der andet?", "Det ved jeg desværre ikke.", "Selvfølgelig, jeg henter en kollega.", "Det er jeg virkelig ked af. Jeg henter en kollega."},
		voice{"Goddag. Hvordan kan jeg hjælpe?", "Goddag og velkommen til %s. Hvordan kan jeg hjælpe?", "Farvel og hav en god dag.", "Det var så lidt.", "Det har jeg desværre ingen oplysninger om.", "Selvfølgelig. Jeg stiller dig om til en kollega.", "Det beklager jeg. Jeg sender dig videre til en kollega."},
	},
	{
		"no",
		voice{"Hei! Hva kan jeg hjelpe deg med?", "Hei og velkommen til %s! Hva kan jeg hjelpe deg med?", "Ha det bra!", "Bare hyggelig! Noe mer?", "Beklager, det vet jeg ikke.", "Selvfølgelig, jeg henter en kollega.", "Det er jeg virkelig lei for. Jeg henter en kollega."},
		voice{"God dag. Hvordan kan jeg hjelpe?", "God dag og velkommen til %s. Hvordan kan jeg hjelpe?", "Ha det bra, og ha en fin dag.", "Vær så god.", "Det har jeg dessverre ingen opplysninger om.", "Selvfølgelig. Jeg setter deg over til en kollega.", "Jeg beklager det. Jeg setter deg over til en kollega."},
	},
	{
		"fi",
		voice{"Hei! Miten voin auttaa?", "Hei ja tervetuloa, tämä on %s! Miten voin auttaa?", "Hei hei ja mukavaa päivää!", "Ole hyvä! Vieläkö jotain?", "Pahoittelut, en tiedä sitä.", "Toki, pyydän työkaverin avuksi.", "Olen todella pahoillani. Pyydän työkaverin avuksi."},
		voice{"Hyvää päivää. Kuinka voin auttaa?", "Hyvää päivää, tämä on %s. Kuinka voin auttaa?", "Näkemiin ja hyvää päivänjatkoa.", "Olkaa hyvä.", "Valitettavasti minulla ei ole siitä tietoa.", "Totta kai. Ohjaan asian asiakaspalvelijalle.", "Pyydän anteeksi. Ohjaan asian asiakaspalvelijalle."},
	},
	{
		"ro",
		voice{"Bună! Cu ce te pot ajuta?", "Bună și bine ai venit la %s! Cu ce te pot ajuta?", "Pa și o zi frumoasă!", "Cu plăcere! Mai pot ajuta cu ceva?", "Îmi pare rău, asta nu știu.", "Sigur, anunț un coleg.", "Îmi pare foarte rău. Anunț un coleg."},
		voice{"Bună ziua. Cu ce vă pot ajuta?", "Bună ziua și bine ați venit la %s. Cu ce vă pot ajuta?", "La revedere și o zi bună.", "Cu plăcere.", "Îmi pare rău, nu am această informație.", "Desigur. Vă pun în legătură cu un coleg.", "Vă cer scuze. Vă pun în legătură cu un coleg."},
	},
	{
		"hu",
		voice{"Szia! Miben segíthetek?", "Szia, üdv nálunk, ez a(z) %s! Miben segíthetek?", "Szia, minden jót!", "Szívesen! Segíthetek még?", "Sajnos ezt nem tudom.", "Persze, szólok egy kollégának.", "Nagyon sajnálom. Szólok egy kollégának."},
		voice{"Jó napot kívánok! Miben segíthetek?", "Jó napot kívánok, ez a(z) %s! Miben segíthetek?", "Viszontlátásra, szép napot kívánok!", "Nagyon szívesen.", "Sajnálom, erről nincs információm.", "Természetesen. Továbbítom egy munkatársunknak.", "Elnézését kérem. Továbbítom egy munkatársunknak."},
	},
	{
		"ru",
		voice{"Привет! Чем могу помочь?", "Привет, это %s! Чем могу помочь?", "Пока, всего хорошего!", "Пожалуйста! Что-нибудь ещё?", "К сожалению, этого я не знаю.", "Конечно, зову коллегу.", "Очень жаль, что так вышло. Зову коллегу."},
		voice{"Здравствуйте! Чем могу помочь?", "Здравствуйте, это %s! Чем могу помочь?", "До свидания, хорошего дня!", "Пожалуйста.", "К сожалению, у меня нет этой информации.", "Конечно. Передаю вопрос сотруднику.", "Приношу извинения. Передаю вопрос сотруднику."},
	},
	{
		"tr",
		voice{"Merhaba! Nasıl yardımcı olabilirim?", "Merhaba, burası %s! Nasıl yardımcı olabilirim?", "Görüşürüz, kendine iyi bak!", "Rica ederim! Başka bir şey var mı?", "Üzgünüm, bunu bilmiyorum.", "Tabii, bir arkadaşımı çağırıyorum.", "Bunun için çok üzgünüm. Bir arkadaşımı çağırıyorum."},
		voice{"Merhaba. Size nasıl yardımcı olabilirim?", "Merhaba, burası %s. Size nasıl yardımcı olabilirim?", "Hoşça kalın, iyi günler dilerim.", "Rica ederim.", "Üzgünüm, bu konuda bilgim yok.", "Elbette. Sizi bir yetkiliye aktarıyorum.", "Özür dilerim. Sizi bir yetkiliye aktarıyorum."},
	},
	{
		"ar",
		voice{"مرحبا! كيف يمكنني مساعدتك؟", "أهلا بك في %s! كيف يمكنني مساعدتك؟", "إلى اللقاء!", "على الرحب والسعة! هل من شيء آخر؟", "عذرا، لا أعرف ذلك.", "بالتأكيد، سأستدعي أحد الزملاء.", "أعتذر كثيرا عن ذلك. سأستدعي أحد الزملاء."},
		voice{"مرحبا بكم. كيف يمكنني مساعدتكم؟", "أهلا بكم في %s. كيف يمكنني مساعدتكم؟", "إلى اللقاء، ونتمنى لكم يوما سعيدا.", "على الرحب والسعة.", "عذرا، لا تتوفر لدي هذه المعلومة.", "بالتأكيد. سأحيلكم إلى أحد الزملاء.", "نعتذر عن ذلك. سأحيلكم إلى أحد الزملاء."},
	},
}

// voiceOf returns the engine's own sentences for the agent's language and tone; English for a language without any.
func voiceOf(language, tone string) voice {
	m := voices[0]
	for _, v := range voices {
		if v.language == primary(language) {
			m = v
		}
	}
	switch tone {
	case "formal", "professional":
		return m.polite
	}
	return m.familiar
}

// primary returns the primary part of a BCP 47 tag in lower case: "pt" of "pt-BR".
func primary(language string) string {
	if i := strings.IndexAny(language, "-_"); i >= 0 {
		language = language[:i]
	}
	return strings.ToLower(language)
}

// canned returns what to say on an occasion without a question: the business's own words, or else the engine's.
func canned(r ai.Request, intent string) string {
	v := voiceOf(r.Language, r.Tone)
	switch intent {
	case Greeting:
		if r.Canned.Greeting != "" {
			return r.Canned.Greeting
		}
		greeting := v.greeting
		if name := strings.TrimSpace(r.BusinessName); name != "" {
			greeting = strings.Replace(v.welcome, "%s", name, 1)
		}
		return addressed(greeting, r.Known["name"])
	case Goodbye:
		return either(r.Canned.Goodbye, v.goodbye)
	case Thanks:
		return v.thanks
	case Human:
		return either(r.Canned.Handoff, v.handoff)
	case Complaint:
		if strings.TrimSpace(r.Canned.Handoff) == "" {
			return v.complaint
		}
		sorry := v.complaint[:strings.IndexByte(v.complaint, '.')+1]
		return strings.TrimSpace(sorry + " " + r.Canned.Handoff)
	}
	return either(r.Canned.Fallback, v.fallback)
}

// addressed is a greeting with a name at the end of its first sentence, or of the word before its first mark.
func addressed(greeting, name string) string {
	end := strings.IndexAny(greeting, "!.,?")
	if name == "" || end < 0 {
		return greeting
	}
	return strings.TrimRight(greeting[:end], " ") + ", " + name + greeting[end:]
}

func either(own, other string) string {
	if strings.TrimSpace(own) != "" {
		return own
	}
	return other
}
