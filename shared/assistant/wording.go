package assistant

// A wording is what the deciders say of their own in one language. The sentences suit every tone: they address nobody
// familiarly or formally. %s stands for what the names of the fields tell, in that order.
type wording struct {
	language string

	offer    string // of a person
	nobody   string // no person can be brought in
	optedOut string
	allRight string // to who refuses, or does not want to go on

	nameOf, name string // who the agent is: with its name and the business's; with its name
	open, closed string // right now

	price     string // product, price
	have      string // product
	choice    string // before a list of products
	ordered   string // product
	askAll    string // for a name and a way to be reached
	askWay    string // for a way to be reached
	thanks    string // for what was told
	thanksYou string // the same; name

	openOn   string // day, hours
	closedOn string // day
	again    string // to who writes no word
}

// wordings costs nothing at the start of a process: the compiler lays the table out.
var wordings = [...]wording{
	{
		"en",
		"Shall I bring in a colleague?", "I cannot bring in a person here.",
		"Done: we will send you no more messages.", "All right. How else can I help?",
		"I am %s, the automated assistant of %s.", "I am %s, an automated assistant.",
		"Yes, we are open right now.", "We are closed right now.",
		"%s: %s", "Yes, we have %s.", "We have:", "I have passed on the order: %s. A colleague will confirm it.",
		"May I have a name, and an e-mail address or phone number for us to answer to?",
		"May I have an e-mail address or phone number for us to answer to?",
		"Thank you, I have noted that.", "Thank you, %s, I have noted that.",
		"We are open on %s: %s.", "We are closed on %s.", "I am here. What can I do?",
	},
	{
		"es",
		"¿Aviso a una persona del equipo?", "Por aquí no puedo avisar a una persona.",
		"Hecho: no enviaremos más mensajes.", "De acuerdo. ¿En qué más puedo ayudar?",
		"Soy %s, asistente automático de %s.", "Soy %s, un asistente automático.",
		"Sí, ahora mismo está abierto.", "Ahora mismo está cerrado.",
		"%s: %s", "Sí, tenemos %s.", "Tenemos:", "He pasado el pedido al equipo: %s. Una persona lo confirmará.",
		"¿Cuál es el nombre, y un correo electrónico o teléfono para poder responder?",
		"¿Hay un correo electrónico o teléfono para poder responder?",
		"Gracias, queda anotado.", "Gracias, %s, queda anotado.",
		"El %s está abierto: %s.", "El %s está cerrado.", "Aquí sigo. ¿En qué puedo ayudar?",
	},
	{
		"fr",
		"Faut-il que je prévienne un collègue ?", "Je ne peux pas faire intervenir une personne ici.",
		"C'est fait : nous n'enverrons plus de messages.", "D'accord. Comment puis-je aider autrement ?",
		"Je suis %s, l'assistant automatique de %s.", "Je suis %s, un assistant automatique.",
		"Oui, c'est ouvert en ce moment.", "C'est fermé en ce moment.",
		"%s : %s", "Oui, nous avons %s.", "Nous avons :", "J'ai transmis la commande : %s. Un collègue la confirmera.",
		"Puis-je avoir un nom, et une adresse e-mail ou un numéro de téléphone pour répondre ?",
		"Puis-je avoir une adresse e-mail ou un numéro de téléphone pour répondre ?",
		"Merci, c'est noté.", "Merci, %s, c'est noté.",
		"Le %s, c'est ouvert : %s.", "Le %s, c'est fermé.", "Je suis là. Comment puis-je aider ?",
	},
	{
		"de",
		"Soll ich jemanden aus dem Team dazuholen?", "Hier kann ich niemanden dazuholen.",
		"Erledigt: Es kommen keine Nachrichten mehr von uns.", "In Ordnung. Wie kann ich sonst helfen?",
		"Ich bin %s, der automatische Assistent von %s.", "Ich bin %s, ein automatischer Assistent.",
		"Ja, jetzt ist geöffnet.", "Gerade ist geschlossen.",
		"%s: %s", "Ja, wir haben %s.", "Wir haben:", "Die Bestellung ist weitergegeben: %s. Jemand aus dem Team bestätigt sie.",
		"Darf ich um einen Namen und eine E-Mail-Adresse oder Telefonnummer für die Antwort bitten?",
		"Darf ich um eine E-Mail-Adresse oder Telefonnummer für die Antwort bitten?",
		"Danke, das ist notiert.", "Danke, %s, das ist notiert.",
		"Am %s ist geöffnet: %s.", "Am %s ist geschlossen.", "Ich bin da. Wie kann ich helfen?",
	},
	{
		"it",
		"Chiamo una persona del team?", "Da qui non posso chiamare una persona.",
		"Fatto: non invieremo altri messaggi.", "Va bene. In che altro posso aiutare?",
		"Sono %s, l'assistente automatico di %s.", "Sono %s, un assistente automatico.",
		"Sì, in questo momento è aperto.", "In questo momento è chiuso.",
		"%s: %s", "Sì, abbiamo %s.", "Abbiamo:", "Ho passato l'ordine al team: %s. Una persona lo confermerà.",
		"Posso avere un nome e un indirizzo e-mail o un numero di telefono per rispondere?",
		"Posso avere un indirizzo e-mail o un numero di telefono per rispondere?",
		"Grazie, ho preso nota.", "Grazie, %s, ho preso nota.",
		"%s è aperto: %s.", "%s è chiuso.", "Sono qui. Come posso aiutare?",
	},
	{
		"pt",
		"Chamo alguém da equipa?", "Por aqui não consigo chamar uma pessoa.",
		"Feito: não enviaremos mais mensagens.", "Está bem. Em que mais posso ajudar?",
		"Sou %s, assistente automático de %s.", "Sou %s, um assistente automático.",
		"Sim, neste momento está aberto.", "Neste momento está fechado.",
		"%s: %s", "Sim, temos %s.", "Temos:", "Passei a encomenda à equipa: %s. Alguém a vai confirmar.",
		"Qual é o nome, e um e-mail ou telefone para podermos responder?",
		"Há um e-mail ou telefone para podermos responder?",
		"Obrigado, está anotado.", "Obrigado, %s, está anotado.",
		"%s: aberto, %s.", "%s: fechado.", "Estou aqui. Em que posso ajudar?",
	},
	{
		"nl",
		"Zal ik een collega erbij halen?", "Hier kan ik er niemand bij halen.",
		"Gedaan: er komen geen berichten meer van ons.", "Prima. Waarmee kan ik verder helpen?",
		"Ik ben %s, de automatische assistent van %s.", "Ik ben %s, een automatische assistent.",
		"Ja, we zijn nu open.", "We zijn nu gesloten.",
		"%s: %s", "Ja, we hebben %s.", "We hebben:", "De bestelling is doorgegeven: %s. Een collega bevestigt die.",
		"Mag ik een naam, en een e-mailadres of telefoonnummer om op te antwoorden?",
		"Mag ik een e-mailadres of telefoonnummer om op te antwoorden?",
		"Dank, dat is genoteerd.", "Dank, %s, dat is genoteerd.",
		"Op %s is het open: %s.", "Op %s is het gesloten.", "Ik ben er. Waarmee kan ik helpen?",
	},
	{
		"sv",
		"Ska jag ta hit en kollega?", "Här kan jag inte ta hit någon.",
		"Klart: det kommer inga fler meddelanden från oss.", "Okej. Vad kan jag annars hjälpa till med?",
		"Jag är %s, den automatiska assistenten hos %s.", "Jag är %s, en automatisk assistent.",
		"Ja, vi har öppet just nu.", "Vi har stängt just nu.",
		"%s: %s", "Ja, vi har %s.", "Vi har:", "Beställningen är vidarebefordrad: %s. En kollega bekräftar den.",
		"Får jag ett namn, och en e-postadress eller ett telefonnummer att svara på?",
		"Får jag en e-postadress eller ett telefonnummer att svara på?",
		"Tack, det är noterat.", "Tack, %s, det är noterat.",
		"På %s är det öppet: %s.", "På %s är det stängt.", "Jag är här. Vad kan jag hjälpa till med?",
	},
	{
		"da",
		"Skal jeg hente en kollega?", "Her kan jeg ikke hente nogen.",
		"Klaret: der kommer ikke flere beskeder fra os.", "Fint. Hvad kan jeg ellers hjælpe med?",
		"Jeg er %s, den automatiske assistent hos %s.", "Jeg er %s, en automatisk assistent.",
		"Ja, vi har åbent lige nu.", "Vi har lukket lige nu.",
		"%s: %s", "Ja, vi har %s.", "Vi har:", "Bestillingen er givet videre: %s. En kollega bekræfter den.",
		"Må jeg få et navn og en e-mailadresse eller et telefonnummer at svare på?",
		"Må jeg få en e-mailadresse eller et telefonnummer at svare på?",
		"Tak, det er noteret.", "Tak, %s, det er noteret.",
		"%s er der åbent: %s.", "%s er der lukket.", "Jeg er her. Hvad kan jeg hjælpe med?",
	},
	{
		"no",
		"Skal jeg hente en kollega?", "Her kan jeg ikke hente noen.",
		"Gjort: det kommer ikke flere meldinger fra oss.", "Greit. Hva kan jeg ellers hjelpe med?",
		"Jeg er %s, den automatiske assistenten hos %s.", "Jeg er %s, en automatisk assistent.",
		"Ja, vi har åpent akkurat nå.", "Vi har stengt akkurat nå.",
		"%s: %s", "Ja, vi har %s.", "Vi har:", "Bestillingen er gitt videre: %s. En kollega bekrefter den.",
		"Kan jeg få et navn, og en e-postadresse eller et telefonnummer å svare på?",
		"Kan jeg få en e-postadresse eller et telefonnummer å svare på?",
		"Takk, det er notert.", "Takk, %s, det er notert.",
		"%s er det åpent: %s.", "%s er det stengt.", "Jeg er her. Hva kan jeg hjelpe med?",
	},
	{
		"fi",
		"Pyydänkö kollegan mukaan?", "En voi pyytää tänne ketään.",
		"Valmis: emme lähetä enää viestejä.", "Selvä. Miten muuten voin auttaa?",
		"Olen %s, automaattinen avustaja: %s.", "Olen %s, automaattinen avustaja.",
		"Kyllä, nyt on avoinna.", "Juuri nyt on suljettu.",
		"%s: %s", "Kyllä, meillä on %s.", "Meillä on:", "Tilaus on välitetty: %s. Kollega vahvistaa sen.",
		"Saisinko nimen ja sähköpostiosoitteen tai puhelinnumeron vastausta varten?",
		"Saisinko sähköpostiosoitteen tai puhelinnumeron vastausta varten?",
		"Kiitos, merkitsin sen muistiin.", "Kiitos, %s, merkitsin sen muistiin.",
		"%s on avoinna: %s.", "%s on suljettu.", "Olen täällä. Miten voin auttaa?",
	},
	{
		"ro",
		"Să chem un coleg?", "Aici nu pot chema pe nimeni.",
		"Gata: nu vom mai trimite mesaje.", "În regulă. Cu ce altceva pot ajuta?",
		"Sunt %s, asistentul automat al %s.", "Sunt %s, un asistent automat.",
		"Da, acum este deschis.", "Acum este închis.",
		"%s: %s", "Da, avem %s.", "Avem:", "Am transmis comanda: %s. Un coleg o va confirma.",
		"Care este numele, și o adresă de e-mail sau un telefon la care să răspundem?",
		"Există o adresă de e-mail sau un telefon la care să răspundem?",
		"Mulțumesc, am notat.", "Mulțumesc, %s, am notat.",
		"%s este deschis: %s.", "%s este închis.", "Sunt aici. Cu ce pot ajuta?",
	},
	{
		"hu",
		"Szóljak egy kollégának?", "Itt nem tudok kollégát hívni.",
		"Kész: nem küldünk több üzenetet.", "Rendben. Miben segíthetek még?",
		"%s vagyok, automata asszisztens: %s.", "%s vagyok, automata asszisztens.",
		"Igen, most nyitva vagyunk.", "Most zárva vagyunk.",
		"%s: %s", "Igen, van: %s.", "Kínálatunk:", "A rendelést továbbítottam: %s. Egy kolléga visszaigazolja.",
		"Kaphatok egy nevet és egy e-mail-címet vagy telefonszámot a válaszhoz?",
		"Kaphatok egy e-mail-címet vagy telefonszámot a válaszhoz?",
		"Köszönöm, feljegyeztem.", "Köszönöm, %s, feljegyeztem.",
		"%s: nyitva, %s.", "%s: zárva.", "Itt vagyok. Miben segíthetek?",
	},
	{
		"ru",
		"Позвать сотрудника?", "Здесь я не могу позвать сотрудника.",
		"Готово: сообщений от нас больше не будет.", "Хорошо. Чем ещё могу помочь?",
		"Я %s, автоматический помощник: %s.", "Я %s, автоматический помощник.",
		"Да, сейчас открыто.", "Сейчас закрыто.",
		"%s: %s", "Да, у нас есть %s.", "У нас есть:", "Заказ передан: %s. Сотрудник его подтвердит.",
		"Можно узнать имя и адрес почты или телефон для ответа?",
		"Можно узнать адрес почты или телефон для ответа?",
		"Спасибо, записано.", "Спасибо, %s, записано.",
		"%s: открыто, %s.", "%s: закрыто.", "Я здесь. Чем помочь?",
	},
	{
		"tr",
		"Bir yetkili çağırayım mı?", "Buraya birini çağıramıyorum.",
		"Tamam: artık mesaj göndermeyeceğiz.", "Peki. Başka nasıl yardımcı olabilirim?",
		"Ben %s, otomatik asistan: %s.", "Ben %s, otomatik bir asistanım.",
		"Evet, şu anda açığız.", "Şu anda kapalıyız.",
		"%s: %s", "Evet, %s var.", "Elimizde olanlar:", "Sipariş iletildi: %s. Bir yetkili onaylayacak.",
		"Yanıt için bir isim ve bir e-posta adresi ya da telefon numarası alabilir miyim?",
		"Yanıt için bir e-posta adresi ya da telefon numarası alabilir miyim?",
		"Teşekkürler, not aldım.", "Teşekkürler %s, not aldım.",
		"%s: açık, %s.", "%s: kapalı.", "Buradayım. Nasıl yardımcı olabilirim?",
	},
	{
		"ar",
		"هل أستدعي أحد الزملاء؟", "لا يمكنني استدعاء أحد هنا.",
		"تم: لن نرسل رسائل أخرى.", "حسنا. كيف يمكنني المساعدة غير ذلك؟",
		"أنا %s، المساعد الآلي لدى %s.", "أنا %s، مساعد آلي.",
		"نعم، المكان مفتوح الآن.", "المكان مغلق الآن.",
		"%s: %s", "نعم، لدينا %s.", "لدينا:", "تم تمرير الطلب: %s. سيؤكده أحد الزملاء.",
		"هل يمكن معرفة الاسم، وبريد إلكتروني أو رقم هاتف للرد؟",
		"هل يمكن معرفة بريد إلكتروني أو رقم هاتف للرد؟",
		"شكرا، تم التسجيل.", "شكرا %s، تم التسجيل.",
		"%s: مفتوح، %s.", "%s: مغلق.", "أنا هنا. كيف أساعد؟",
	},
}

// wordingOf is that of a language, English for one without any.
func wordingOf(language string) *wording {
	for i := range wordings {
		if wordings[i].language == language {
			return &wordings[i]
		}
	}
	return &wordings[0]
}

func (s *state) language() string { return string(s.agent.Language) }

func (s *state) wording() *wording { return wordingOf(s.language()) }
